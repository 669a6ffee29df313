"""One use of a law, as a strategy proposes it and the kernel makes it."""

from __future__ import annotations

from pelican.tree.build import weighted_sum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pelican.expr.node import Expr
    from pelican.laws.lemma import Lemma
    from pelican.laws.term import Term
    from pelican.tree.flat import Weighted

    Binding = Mapping[str, Expr | int]
    """What the metavariables of a law stand for."""

    Others = tuple[Weighted, int]
    """Terms with their coefficients, and a constant."""

    Make = Callable[[str, Expr, int], Expr]
    """Builds a mod (``%``) or floordiv (``//``) of a numerator and a divisor."""


class Step:
    """One use of a law.

    Attributes:
        lemma: The law.
        bindings: What its metavariables stand for; several when one pass applies a
            law to several terms of a sum.
        others: What the rest of the law stands for, the terms of its numerator that
            are left alone, with their coefficients, and the constant; None where a
            binding has the rest, or the law has none.
        scale: The factor under which the law is applied inside a sum.
        beside: The terms of that sum beside the law, and the constant; None where
            they are not looked at.
        backward: True if the right side is replaced by the left one.
        modelled: True if the facts of the modelled system decide.
    """

    __slots__ = (
        "backward",
        "beside",
        "bindings",
        "lemma",
        "modelled",
        "others",
        "scale",
    )

    def __init__(
        self,
        lemma: Lemma,
        bindings: tuple[Binding, ...],
        others: Others | None = None,
        scale: int = 1,
        *,
        beside: Others | None = None,
        backward: bool = False,
        modelled: bool = False,
    ) -> None:
        self.lemma = lemma
        self.bindings = bindings
        self.others = others
        self.scale = scale
        self.beside = beside
        self.backward = backward
        self.modelled = modelled

    @property
    def rest(self) -> Expr | None:
        """The sum of the terms that `others` leaves alone, or None."""
        return None if self.others is None else weighted_sum(*self.others)

    @property
    def sides(self) -> tuple[Term, Term]:
        """The side that is matched, and the side that is built."""
        lhs, rhs = self.lemma.lhs, self.lemma.rhs
        return (rhs, lhs) if self.backward else (lhs, rhs)

    def __repr__(self) -> str:
        return f"<Step {self.lemma.name} {self.bindings}>"
