from pelican import icmp, index
from proofs import Proved, Refuted, prove_never

K = index("k", 0, None)


def test_what_cannot_hold_together_never_does():
    """A ring of three has other slots one and two trips later."""
    apart = index("d", 1, 3)

    assert isinstance(prove_never([icmp((K + apart) % 3, "==", K % 3)]), Proved)


def test_a_point_at_which_all_hold_is_shown():
    """Three trips later it is the same slot."""
    apart = index("d", 1, 4)
    verdict = prove_never([icmp((K + apart) % 3, "==", K % 3)])

    assert isinstance(verdict, Refuted)
    assert verdict.model[apart] == 3


def test_a_comparison_that_folded_counts_as_what_it_is():
    """One that is false settles it, one that is true says nothing."""
    false, true = icmp(K, "<", 0), icmp(K, ">=", 0)

    assert isinstance(prove_never([false, icmp(K, ">", 5)]), Proved)
    assert isinstance(prove_never([true]), Refuted)


def test_no_comparisons_hold_everywhere():
    """There is nothing that could fail."""
    assert isinstance(prove_never([]), Refuted)
