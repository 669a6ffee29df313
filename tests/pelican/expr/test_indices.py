"""Indices: identity, interning, ranges, loop depth."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pelican import (
    IndexRangeError,
    Interval,
    OperandError,
    index,
    runtime,
    shard,
    symbol,
)
from pelican.expr import AffineIV, ShardId, SymbolicIdx
from pelican.expr.indices import _LABEL_BITS

ROOT = Path(__file__).parents[3]


def test_a_symbol_class_gives_the_live_symbol():
    """Interning is by all fields: the class call gives the same object."""
    live = SymbolicIdx("interned", 0, 8, 2, 1)

    assert SymbolicIdx("interned", 0, 8, 2, 1) is live
    with pytest.raises(IndexRangeError, match=r"symbol\('interned', 0, 8, 2, 2\)"):
        SymbolicIdx("interned", 0, 8, 2, 2)


def test_a_symbol_may_change_its_bounds_once_it_is_gone():
    """Only live symbols are compared."""
    first = symbol("passing", 0, 8)
    del first

    assert symbol("passing", 0, 9).range == Interval(0, 8)


def test_a_shard_id_is_interned_by_its_count():
    """One count, one shard id; it is below the count."""
    assert ShardId(6) is ShardId(6)
    assert ShardId(6) != ShardId(5)
    assert shard(6).range == Interval(0, 5)


def test_the_name_of_a_shard_id_is_for_display():
    """Two names of one count cancel, and hash alike."""
    s, t = shard(4, "s"), shard(4, "t")

    assert s - t == 0
    assert hash(s) == hash(t)
    assert (str(s), str(t), str(shard(4))) == ("s", "t", "shard_4")


def test_a_shard_count_is_at_least_one():
    """A program on no core is refused."""
    for count in (0, -1):
        with pytest.raises(IndexRangeError, match=f"at least 1 core, got {count}"):
            shard(count)


@pytest.mark.parametrize("value", [None, "4", 2.5, True])
def test_a_shard_count_is_an_integer(value):
    """The error says of which argument it speaks."""
    with pytest.raises(OperandError, match="a shard count must be an integer"):
        shard(value)


def test_a_runtime_value_is_unbounded_unless_declared():
    """Its range is the declared one, or none."""
    assert runtime("reg").range == Interval(None, None)
    assert runtime("reg", 0, 9).range == Interval(0, 8)
    assert runtime("reg", 0, 9, 4).range == Interval(0, 8)


def test_a_runtime_value_is_equal_by_register_and_range():
    """One register is one value; with another range it is another, and both show."""
    assert runtime("reg") - runtime("reg") == 0
    assert str(runtime("reg") - runtime("reg", 0, 9)) != "0"


@pytest.mark.parametrize("made", [runtime("deep"), symbol("deep"), shard(2)])
def test_only_loop_indices_have_a_loop(made):
    """What does not vary in a loop has the depth -1."""
    assert made.depth == -1
    assert AffineIV("i", depth=3).depth == 3


def test_a_runtime_value_checks_its_declaration():
    """An empty range is refused."""
    with pytest.raises(IndexRangeError, match="empty"):
        runtime("reg", 3, 3)


def test_a_predicate_is_needed_for_a_partial_tile():
    """Needed where the factor leaves trips over, and where the trips are not known."""
    assert not index("i", 0, 64, 2).requires_predicate(8)
    assert index("i", 0, 64).requires_predicate(7)
    assert index("i", 0).requires_predicate(1)


def test_serials_grow_with_creation():
    """A later index stands later among those of its name."""
    first, second = index("i"), index("i")

    assert first.order_key < second.order_key


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_takes_another_label():
    """The child counts on from the same number, so its label must differ."""
    code = (
        "import os, sys; from pelican import index\n"
        "i = index('i'); read, write = os.pipe(); child = os.fork()\n"
        "own = str(index('i').order_key[2]).encode()\n"
        "if not child: os.write(write, own); os._exit(0)\n"
        "os.waitpid(child, 0); print(own.decode(), os.read(read, 99).decode())"
    )
    run = [sys.executable, "-c", code]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    out = subprocess.run(run, capture_output=True, text=True, check=True, env=env)
    parent, child = map(int, out.stdout.split())

    assert parent >> _LABEL_BITS == child >> _LABEL_BITS
    assert parent != child
