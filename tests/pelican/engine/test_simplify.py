"""The engine on whole expressions: values, canonical forms, termination."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from pelican import (
    DivisorError,
    Expr,
    FloorDivExpr,
    ModuloExpr,
    MultExpr,
    NonAffineError,
    RewriteLimitError,
    SumExpr,
    floordiv,
    index,
    modulo,
    parse,
    simplify,
    sum_of,
)
from pelican.core.running import COMPILED
from pelican.engine import simplify as engine
from pelican.tree.build import plain
from pelican.tree.divmod import DivMod
from pelican.tree.flat import weights
from pelican.tree.kinds import is_affine, is_divlike, is_modulo, is_mult, is_sum
from pelican.tree.traverse import children, fold, postorder
from tests.pelican.engine.cases import CASES
from tests.strategies import INDICES, I, J, N, points, raw_expressions


@given(raw_expressions(), points())
def test_simplifying_keeps_the_value(raw: Expr, at):
    """The simplified expression has the value of the raw one at every point."""
    assert simplify(raw).eval(at) == raw.eval(at)


@given(raw_expressions(), points())
def test_a_range_is_never_narrower_than_the_truth(raw: Expr, at):
    """Every value lies in the range, of the raw tree and of the simplified one."""
    value = int(raw.eval(at))

    assert value in raw.range
    assert value in simplify(raw).range


@given(raw_expressions())
def test_simplifying_again_changes_nothing(raw: Expr):
    """A canonical expression is a fixed point."""
    once = simplify(raw)

    assert simplify(once) == once


@given(raw_expressions())
def test_operators_and_simplify_agree(raw: Expr):
    """Building by operators gives what simplifying the raw tree gives."""
    assert by_operators(raw) == simplify(raw)


def by_operators(raw: Expr) -> Expr:
    """Rebuild a raw tree with Python operators."""
    return 0 + fold(raw, lambda idx: idx)


@given(raw_expressions())
def test_simplifying_never_adds_a_div_or_mod(raw: Expr):
    """No law of the default rules adds a div-like node."""
    assert div_like(simplify(raw)) <= div_like(raw)


def div_like(expr: Expr) -> int:
    """Count mod and floordiv nodes of the tree."""
    count: dict[int, int] = {}
    for node in postorder(expr):
        own = 1 if is_divlike(node) else 0
        count[id(node)] = own + sum(count[id(part)] for part in children(node))
    return count[id(expr)]


def measure(expr: Expr) -> tuple[int, ...]:
    """Return what every rewrite lowers, the most important first.

    Mods and floordivs; occurrences of indices; numbers outside [0, n) under a mod;
    mods under a floordiv; size of the text; terms of numerators; sum of the literals.
    """
    parts = [own_measure(node) for node in tree_of(expr)]
    divisions, leaves, outside, turned, inside, literals = map(
        sum, zip(*parts, strict=True)
    )
    return (divisions, leaves, outside, turned, expr.nodes, inside, literals)


def tree_of(expr: Expr) -> Iterator[Expr]:
    """Yield every node of the tree, shared parts as often as they stand."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))


def own_measure(node: Expr) -> tuple[int, int, int, int, int, int]:
    """Return the share of one node in the measure."""
    if is_affine(node):
        literals = abs(node.constant) + sum(abs(c) for _, c in node.terms)
        return (0, 0, 0, 0, 0, literals)
    if is_mult(node):
        return (0, 0, 0, 0, 0, abs(node.scale))
    if is_sum(node):
        return (0, 0, 0, 0, 0, 0)
    if not is_divlike(node):
        return (0, 1, 0, 0, 0, 0)
    terms, offset = weights(node.numer)
    inside = len(terms) + (offset != 0)
    if not is_modulo(node):
        mods = sum(is_modulo(term) for term, _ in terms)
        return (1, 0, 0, mods, inside, node.denom)
    numbers = [*(c for _, c in terms), offset]
    outside = sum(not 0 <= number < node.denom for number in numbers)
    return (1, 0, outside, 0, inside, node.denom)


@given(raw_expressions())
def test_every_rewrite_of_a_division_lowers_the_measure(raw: Expr):
    """Each applied proposal lowers the measure, so that the engine ends."""
    steps: list[tuple[Expr, Expr]] = []
    original = engine._improved

    def watched(problem: DivMod, nesting: int):
        outcome = original(problem, nesting)
        if outcome is not None:
            steps.append((node_of(problem), node_of(outcome)))
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_improved", watched)
        simplify(raw)

    assert all(measure(after) < measure(before) for before, after in steps)


def node_of(outcome: Expr | DivMod) -> Expr:
    """Return the plain node of a problem, or the expression."""
    if isinstance(outcome, DivMod):
        return plain(outcome.op, outcome.numer, outcome.denom)
    return outcome


@pytest.mark.skipif(COMPILED, reason="what is compiled calls its own functions")
def test_laws_that_undo_each_other_are_a_named_error(monkeypatch: pytest.MonkeyPatch):
    """Rewriting for ever in a circle stops at a cap, with the problem named."""
    third = N // 3

    def circle(problem: DivMod, nesting: int):
        shift = -8 if problem.numer == third + 11 else 8
        return DivMod("%", problem.numer + shift, 8)

    monkeypatch.setattr(engine, "_improved", circle)

    with pytest.raises(RewriteLimitError, match=r"mod 8 is rewritten again"):
        modulo(third + 3, 8)


@pytest.mark.parametrize(("text", "simple"), CASES)
def test_a_known_expression_gets_its_known_form(text: str, simple: str):
    """Each text prints as the form that is known to be right."""
    assert str(parse(text, INDICES)) == simple


def test_a_fold_that_needs_one_farther_coefficient_is_found():
    """(3*x + 6) mod 8 over x in {0, 1} is 6 - 5*x: only the farther 3 - 8 folds."""
    x = index("x", 0, 2)

    assert str((3 * x + 6) % 8) == "6 - 5*x"


@given(raw_expressions())
def test_canonical_nodes_have_the_canonical_shape(raw: Expr):
    """No nested sums, no scale of a scale, no zero, no bare affine wrapper."""
    for node in postorder(simplify(raw)):
        if is_sum(node):
            assert len(node.operands) > 1
            assert not any(is_sum(part) for part in node.operands)
        if is_mult(node):
            assert node.scale not in {0, 1}
            assert is_divlike(node.operand)
        if is_divlike(node):
            assert node.denom > 1
            assert not (is_affine(node.numer) and not node.numer.terms)


@pytest.mark.parametrize("divisor", [0, -1, -8])
@pytest.mark.parametrize("operation", [modulo, floordiv, ModuloExpr, FloorDivExpr])
@pytest.mark.parametrize("numer", [I, 0, 7, N % 8])
def test_a_divisor_below_one_is_refused_first(operation, numer, divisor):
    """Whatever would fold, a divisor below 1 is a DivisorError that names it."""
    with pytest.raises(DivisorError, match=f"got {divisor}"):
        operation(numer, divisor)


def test_a_divisor_must_be_constant():
    """An index as a divisor is refused, a constant expression is taken."""
    with pytest.raises(NonAffineError, match="constant divisor, got i"):
        N % I

    assert N % (I - I + 8) == N % 8


def test_a_product_of_two_indices_is_refused():
    """One side of * must be constant."""
    with pytest.raises(NonAffineError, match="one side"):
        I * J

    assert I * (J - J + 3) == 3 * I


def test_a_raw_part_with_a_factor_of_zero_is_added():
    """No law divides by it."""
    nothing = FloorDivExpr(MultExpr(I, 0), 3)
    other = FloorDivExpr(SumExpr((I, 1)), 3)

    total = nothing - other + 1

    assert [int(total.eval({I: value})) for value in (0, 2, 63)] == [1, 0, -20]


def test_a_raw_part_with_a_term_twice_is_added():
    """It has one slope, and leaves the sum once."""
    twice = SumExpr((5 * I + 2, 5 * I - J - 1))
    raw = SumExpr((FloorDivExpr(I, 2) % 7, FloorDivExpr(twice, 2)))

    total = raw + J

    assert int(total.eval({I: 3, J: 1})) == int(raw.eval({I: 3, J: 1})) + 1


def test_a_deep_expression_simplifies():
    """A deep tree is simplified without recursion into it."""
    raw: Expr = N
    for depth in range(2_000):
        raw = FloorDivExpr(SumExpr((raw, 1)), 2) if depth % 2 else ModuloExpr(raw, 7)

    assert simplify(raw).range.lo == 0


def test_a_shared_expression_simplifies():
    """A graph of 60 levels that is 2^60 nodes as a tree is simplified at once."""
    raw: Expr = index("x", 0, 4)
    for _ in range(60):
        raw = SumExpr((raw, FloorDivExpr(raw, 2)))

    assert simplify(raw).range.lo == 0


def test_a_doubled_expression_simplifies():
    """Adding a graph to itself 60 times is a scale by 2^60."""
    raw: Expr = N
    for _ in range(60):
        raw = SumExpr((raw, raw))

    assert simplify(raw) == 2**60 * N


def terms(count: int) -> Iterator[Expr]:
    """Yield ring terms over few indices."""
    for k in range(count):
        yield (k * I + N) % (k % 7 + 2)


def test_a_long_sum_does_not_depend_on_the_order_of_its_terms():
    """Adding the same terms forwards and backwards gives equal sums."""
    some = list(terms(50))

    assert sum_of(some) == sum_of(reversed(some))
    assert str(sum_of(some)) == str(sum_of(reversed(some)))
    assert isinstance(sum_of(some), SumExpr)
    assert MultExpr(I, 2) != 2 * I


def test_a_negated_floordiv_has_one_form():
    """It does not matter whether it is negated before it is added or as it is."""
    i, j = index("i"), index("j")
    div = (j + 1) // 3

    assert i - div == i + (-div)
    assert simplify(SumExpr((i, MultExpr(div, -1)))) == i - div
    assert sum_of([i, MultExpr(div, -1)]) == i - div


@given(raw_expressions(6), raw_expressions(6))
def test_a_difference_is_a_sum_with_the_negation(a: Expr, b: Expr):
    """Operators agree on the form, whatever is subtracted."""
    left, right = simplify(a), simplify(b)

    assert left - right == left + (-right)


def test_an_operator_on_a_doubled_expression_is_fast():
    """A shared part of a raw sum is looked at once, however many ways lead to it."""
    raw: Expr = N % 3
    for level in range(60):
        raw = SumExpr((raw, raw)) if level % 2 else SumExpr((raw, MultExpr(raw, -3), 1))

    value = raw.eval({N: 5}).value
    assert (raw + 1).eval({N: 5}).value == value + 1
    assert (2 * raw).eval({N: 5}).value == 2 * value
    assert (raw % 7).eval({N: 5}).value == value % 7


@given(raw_expressions())
def test_weights_add_up_to_the_expression(raw: Expr):
    """The terms with their coefficients, and the constant, are the expression."""
    terms, offset = weights(raw, 3)

    assert sum_of([*(c * simplify(term) for term, c in terms), offset]) == 3 * simplify(
        raw
    )


@pytest.mark.parametrize(
    "text",
    [
        "(5*(6*n floordiv 5) + n mod 5) floordiv 2 mod 5",
        "(n mod 4 - n floordiv 4 mod 2) mod 14 floordiv 2",
        "(n mod 6 - n floordiv 6 mod 3) floordiv 3 mod 8 mod 3",
        "(i mod 5 - i floordiv 5 mod 5) mod 10 floordiv 5",
        "(n - n mod 2 + n mod 3 mod 2) floordiv 2 >= 0",
        "(x + y - 1) floordiv 2 - x floordiv 2 - y floordiv 2",
        "k mod 6 mod 3",
    ],
)
def test_a_numerator_that_a_law_puts_together_is_joined(text: str):
    """Its mods and floordivs join at once, not when it is simplified again."""
    names = {"i": index("i", 0, 27, 2), "n": index("n")}
    small = {"x": index("x", 0, 2), "y": index("y", 0, 3), "k": index("k", 0, 7, 3)}
    simple = parse(text, names | small)

    assert simplify(simple) == simple
