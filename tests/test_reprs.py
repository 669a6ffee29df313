"""The repr of a public object is Python that builds an equal one."""

import inspect
from fractions import Fraction
from pathlib import Path

import pytest

import pelican
import proofs
import rotation
from pelican import index, runtime, shard, symbol
from rotation.explaining import explanation
from rotation.machine import machine
from rotation.running import result

EXAMPLE_FOLDER = Path(__file__).parents[1] / "examples"
PACKAGES = (pelican, proofs, rotation)
I = index("i", 0, 64, 4)  # noqa: E741 - as it is written in expressions
R = runtime("r", 0, 9)
SAME = {
    "index": lambda *arguments: {("i", 0, 64, 4): I}[arguments],
    "runtime": lambda *arguments: {("r", 0, 9): R}[arguments],
}
"""An index is new with every call of its maker; these give the one of the test."""

CANNOT = {
    "AffineIdx": "the abstract class of indices",
    "Derivation": "a record of what was done, compared by identity",
    "DerivationStep": "part of a derivation",
    "Expr": "the abstract class of expressions",
    "Function": "a kernel has its text for that, see rotation.text.print",
    "Placed": "a placed program has its text for that",
    "Result": "holds the tables of a run, compared by identity",
}
"""Public classes whose repr only describes, in angle brackets, and why."""


def examples() -> dict[str, object]:
    """Return an object of each other public class, by the name of the class."""
    e = (3 * I + 5) % 7
    claim = proofs.prove_equal(I % 60, I)
    made = [
        pelican.AccessPattern(e, [(1, 8)], tensor="x", name="p"),
        3 * I + 5,
        I,
        pelican.ap(I, 4),
        pelican.tile(I, 4),
        pelican.cc_div(I, 4, 1),
        pelican.cc_mod(I, 4, 1),
        pelican.rank(1, 2),
        pelican.arg(3),
        pelican.Congruence(8, 3),
        e.eval({}),
        I // 3,
        pelican.icmp(I, ">=", 8),
        R,
        pelican.Interval(None, 7),
        e,
        5 * e,
        pelican.RingMap([I], [I // 8, I % 8], [(0, 8), (0, 8)], name="f"),
        shard(4),
        e + 2 * I,
        symbol("repr_n", 4, 4096, 4),
        proofs.exact_range(e),
        proofs.prove_equal(e, e),
        claim,
        proofs.Unknown("the time is up"),
        rotation.explain(rotation.load(EXAMPLE_FOLDER / "first_ring.kernel")),
        machine.get_machine("trn2"),
    ]
    return {type(each).__name__: each for each in made}


EXAMPLES = examples()
SCOPE = {
    **vars(explanation),
    **vars(result),
    **vars(machine),
    **{name: value for package in PACKAGES for name, value in vars(package).items()},
    "Fraction": Fraction,
    **SAME,
}


def test_every_public_class_is_rebuilt_or_says_why_not():
    """A new class joins one of the two tables."""
    public = {
        name
        for package in PACKAGES
        for name in package.__all__
        if inspect.isclass(value := getattr(package, name))
        and not issubclass(value, BaseException)
    }

    assert public == {*EXAMPLES, *CANNOT}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_repr_of_an_object_builds_an_equal_one(name: str):
    """Over the same indices, and with the names that its package exports."""
    value = EXAMPLES[name]

    assert eval(repr(value), SCOPE) == value


@pytest.mark.parametrize(
    "value",
    [
        rotation.load(EXAMPLE_FOLDER / "first_ring.kernel"),
        rotation.load_placed(EXAMPLE_FOLDER / "two_slots.placed"),
        rotation.run(rotation.load(EXAMPLE_FOLDER / "first_ring.kernel")),
        pelican.explain("(i + 64) mod 64", {"i": I}),
        pelican.explain("i mod 64 mod 8", {"i": I}).steps[0],
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_repr_that_only_describes_is_short_and_in_brackets(value: object):
    """A kernel or a run does not fill the screen with its tables."""
    shown = repr(value)

    assert (shown[0], shown[-1]) == ("<", ">")
    assert type(value).__name__ in CANNOT
    assert len(shown) < 200
