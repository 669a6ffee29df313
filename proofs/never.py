"""Whether some comparisons can ever hold together."""

from __future__ import annotations

from collections.abc import Iterable

from pelican.expr.node import Expr
from pelican.tree.kinds import constant, is_constant
from proofs.arguments import seconds_of
from proofs.question import Question, decide
from proofs.side import Side
from proofs.verdict import Proved, Verdict


def prove_never(facts: Iterable[Expr], *, timeout_s: float = 10) -> Verdict:
    """Return whether there are no values at which all comparisons hold.

    Args:
        facts: Comparisons made by `pelican.icmp`; one that folded to a constant counts
            as what it is.
        timeout_s: Time limit of the solver, > 0 [s].

    Returns:
        A refutation names values at which all of them hold.

    Raises:
        OperandError: If the time limit is no number > 0.

    >>> from pelican import icmp, index
    >>> k, d = index("k", 0, None), index("d", 1, 3)
    >>> same_slot = icmp((k + d) % 3, "==", k % 3)
    >>> isinstance(prove_never([same_slot]), Proved)
    True
    >>> d = index("d", 1, 4)
    >>> prove_never([icmp((k + d) % 3, "==", k % 3)]).model[d]
    3
    """
    limit_s = seconds_of(timeout_s)
    asked = []
    for fact in facts:
        if not is_constant(fact):
            asked.append(fact)
        elif fact.constant == 0:
            return Proved(0.0)
    never = Question(
        (Side(constant(0)),), lambda values: values[0] != 0, tuple(map(Side, asked))
    )
    return decide(never, limit_s)
