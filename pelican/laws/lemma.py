"""Laws as data: facts, and the records that hold them.

A record is read by many: the engine matches and builds with it, the proofs encode
it, the small box enumerates it, the docs print it. So a record holds terms and
relations between terms, never a Python function.

>>> from pelican.laws.term import evaluate, expr, literal
>>> x, m, n = expr("x"), literal("m"), literal("n")
>>> nested = Lemma(
...     name="nested-mod-divides",
...     lhs=x % m % n,
...     rhs=x % n,
...     given=(divisor_of(n, m),),
...     source="Graham, Knuth, Patashnik, Concrete Mathematics, ch. 3",
... )
>>> print(nested)
nested-mod-divides: x mod m mod n = x mod n, given n divides m
>>> evaluate(nested.lhs, {"x": 30, "m": 8, "n": 4})
2

A divisor is at least 1 in every law: the constructors of expressions see to that, so
no record says it again (`divisors` lists the terms that it holds for).
"""

from __future__ import annotations

from pelican.laws.term import as_term, divisors, evaluate, metavariables, substitute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pelican.laws.term import Term

    Uses = tuple[tuple["Lemma", Mapping[str, Term | int]], ...]


class Fact:
    """A relation between two terms.

    Attributes:
        relation: ``<=``, ``<``, ``==`` or ``divides`` (left divides right).
        left: A term.
        right: A term.
    """

    __slots__ = ("left", "relation", "right")

    def __init__(self, relation: str, left: Term | int, right: Term | int) -> None:
        self.relation = relation
        self.left = as_term(left)
        self.right = as_term(right)

    def holds_at(self, binding: Mapping[str, int | None]) -> bool:
        """Tell whether it holds where its metavariables are the given integers.

        >>> from pelican.laws.term import literal
        >>> divisor_of(literal("n"), 12).holds_at({"n": 4}), lt(3, 3).holds_at({})
        (True, False)
        """
        left, right = evaluate(self.left, binding), evaluate(self.right, binding)
        if self.relation == "<=":
            return bool(left <= right)
        if self.relation == "<":
            return bool(left < right)
        if self.relation == "==":
            return bool(left == right)
        return bool(right % left == 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fact):
            return NotImplemented
        return (self.relation, self.left, self.right) == (
            other.relation,
            other.left,
            other.right,
        )

    def __hash__(self) -> int:
        return hash((self.relation, self.left, self.right))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        relation = "=" if self.relation == "==" else self.relation
        return f"{self.left} {relation} {self.right}"


def le(left: Term | int, right: Term | int) -> Fact:
    """Return the fact ``left <= right``."""
    return Fact("<=", left, right)


def lt(left: Term | int, right: Term | int) -> Fact:
    """Return the fact ``left < right``."""
    return Fact("<", left, right)


def eq(left: Term | int, right: Term | int) -> Fact:
    """Return the fact ``left == right``."""
    return Fact("==", left, right)


def divisor_of(divisor: Term | int, term: Term | int) -> Fact:
    """Return the fact ``divisor divides term``: the term is a multiple."""
    return Fact("divides", divisor, term)


def instances_of(uses: Uses) -> tuple[Fact, ...]:
    """Return the claims of some laws, with their terms filled in."""
    return tuple(
        eq(substitute(law.lhs, terms), substitute(law.rhs, terms))
        for law, terms in uses
    )


class Example:
    """A law seen at work, in the text language.

    Attributes:
        before: An expression that the law rewrites.
        after: What it becomes.
        near_miss: An expression of the same shape that the law must leave alone.
        indices: Ranges of the names, such as ``x in [0, 8)``; others are unbounded.
    """

    __slots__ = ("after", "before", "indices", "near_miss")

    def __init__(
        self, before: str, after: str, near_miss: str, indices: tuple[str, ...] = ()
    ) -> None:
        self.before = before
        self.after = after
        self.near_miss = near_miss
        self.indices = indices


class Record:
    """Facts that imply a fact, for all values of all metavariables.

    Attributes:
        name: A kebab-case id.
        given: The facts that soundness needs, each of them needed.
        claim: What they imply.
        source: Where the law is known from.
    """

    __slots__ = ("claim", "given", "name", "source")

    def __init__(
        self, *, name: str, given: tuple[Fact, ...], claim: Fact, source: str
    ) -> None:
        self.name = name
        self.given = given
        self.claim = claim
        self.source = source

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every term of the record: the claim's two sides and those of the facts."""
        sides = [self.claim.left, self.claim.right]
        for fact in self.given:
            sides += (fact.left, fact.right)
        return tuple(sides)

    @property
    def metavariables(self) -> tuple[Term, ...]:
        """The placeholders of the record, by name."""
        return metavariables(self.terms)

    @property
    def divisors(self) -> tuple[Term, ...]:
        """The terms that divide something in the record: each is >= 1."""
        return divisors(self.terms)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        given = f", given {', '.join(map(str, self.given))}" if self.given else ""
        return f"{self.name}: {self.claim}{given}"


class Lemma(Record):
    """An equation that rewrites `lhs` to `rhs`.

    Attributes:
        lhs: What is matched.
        rhs: What is built.
        modelled: The stricter facts of the modelled system, which imply `given`; None
            where the modelled system has no such law.
        quotient: For a law one side of which is ``e mod n`` or ``e floordiv n``: the
            certificate Q with ``e = n*Q + R``.
        remainder: The certificate R with ``0 <= R < n``.
        rest: Name of the metavariable that stands for the untouched rest of a sum;
            a law with one may treat several terms of a sum in one pass.
        certifies: ``lhs`` or ``rhs``: the side that the certificate is about.
        uses: Instances of other laws that the proof may use: pairs of a law and the
            terms that stand for its metavariables.
        example: The law at work; None for an equation of the builder.
    """

    __slots__ = (
        "certifies",
        "example",
        "lhs",
        "modelled",
        "quotient",
        "remainder",
        "rest",
        "rhs",
        "uses",
    )

    def __init__(  # noqa: PLR0913 - the fields of the record
        self,
        *,
        name: str,
        lhs: Term | int,
        rhs: Term | int,
        given: tuple[Fact, ...] = (),
        modelled: tuple[Fact, ...] | None = None,
        quotient: Term | int | None = None,
        remainder: Term | int | None = None,
        certifies: str = "lhs",
        rest: str | None = None,
        uses: Uses = (),
        example: Example | None = None,
        source: str,
    ) -> None:
        self.lhs = as_term(lhs)
        self.rhs = as_term(rhs)
        self.modelled = modelled
        self.quotient = None if quotient is None else as_term(quotient)
        self.remainder = None if remainder is None else as_term(remainder)
        self.certifies = certifies
        self.rest = rest
        self.uses = uses
        self.example = example
        super().__init__(
            name=name, given=given, claim=eq(self.lhs, self.rhs), source=source
        )

    @property
    def instances(self) -> tuple[Fact, ...]:
        """The claims of the laws that the proof uses, with their terms filled in."""
        return instances_of(self.uses)


class RangeRule(Record):
    """A bound of one operation from the bounds of its operands.

    The rule bounds the value of `subject`. A metavariable ``x`` of the subject comes
    with the literals ``lo_x`` and ``hi_x``, its known ends, and `given` says so.

    Attributes:
        subject: The operation that is bounded.
        bound: The end, a term over literals.
        lower: True if `bound` is a lower end, False if it is an upper end.
    """

    __slots__ = ("bound", "lower", "subject")

    def __init__(
        self,
        *,
        name: str,
        subject: Term,
        bound: Term | int,
        lower: bool,
        given: tuple[Fact, ...] = (),
        source: str,
    ) -> None:
        self.subject = subject
        self.bound = as_term(bound)
        self.lower = lower
        claim = le(self.bound, subject) if lower else le(subject, self.bound)
        super().__init__(name=name, given=given, claim=claim, source=source)


class CongruenceRule(Record):
    """The class of one operation from the classes of its operands.

    The rule says that the value of `subject` is `residue` modulo `modulus`. An operand
    of the class ``r`` modulo ``s`` stands in the subject as ``r + s*k``.

    Attributes:
        subject: The operation that is classified.
        modulus: A term over literals, >= 1.
        residue: A term over literals: a member of the class.
        quotient: The certificate Q with ``subject - residue = modulus*Q``.
        uses: Instances of laws that the proof may use, as in `Lemma`.
    """

    __slots__ = ("modulus", "quotient", "residue", "subject", "uses")

    def __init__(  # noqa: PLR0913 - the fields of the record
        self,
        *,
        name: str,
        subject: Term,
        modulus: Term,
        residue: Term,
        quotient: Term | int,
        given: tuple[Fact, ...] = (),
        uses: Uses = (),
        source: str,
    ) -> None:
        self.subject = subject
        self.modulus = modulus
        self.residue = residue
        self.quotient = as_term(quotient)
        self.uses = uses
        claim = eq(subject % modulus, residue % modulus)
        super().__init__(name=name, given=given, claim=claim, source=source)

    @property
    def instances(self) -> tuple[Fact, ...]:
        """The claims of the laws that the proof uses, with their terms filled in."""
        return instances_of(self.uses)
