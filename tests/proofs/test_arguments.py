"""What is refused of the arguments that all questions have."""

import pytest

from pelican import OperandError, explain, icmp, index
from proofs import check_step, checking, exact_range, prove_fits, prove_never
from proofs.arguments import seconds_of

I = index("i", 0, 8)  # noqa: E741 - the name in the texts
(STEP,) = explain("(x + 16) mod 8", {"x": index("x", 0, 8)}).steps
ASKED = [
    lambda limit: prove_never([icmp(I, ">=", 3)], timeout_s=limit),
    lambda limit: check_step(STEP, timeout_s=limit),
    lambda limit: checking(timeout_s=limit),
    lambda limit: prove_fits(I, timeout_s=limit),
    lambda limit: exact_range(I, timeout_s=limit),
]
WRONG = [
    (float("nan"), "must be a number of seconds, got nan"),
    (True, "must be a number of seconds, got "),
    ("3", "must be a number of seconds, got '3'"),
    (-(10**400), "must be > 0, got -1000"),
    (10**400, "longer than any clock runs, got 1000"),
]


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize(("limit", "words"), WRONG, ids=[words for _, words in WRONG])
def test_every_time_limit_is_refused_for_its_own_reason(ask, limit, words):
    """With its value, however long."""
    with pytest.raises(OperandError, match=words):
        ask(limit)


@pytest.mark.parametrize("limit", [1, 0.5, 1e300, float("inf")])
def test_any_other_number_is_a_time_limit(limit):
    """Infinity is no limit."""
    assert seconds_of(limit) == limit
