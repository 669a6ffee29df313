"""The hook: who is told of rewrites, and of which."""

from threading import Thread

import pytest

from pelican import DivisorError, OperandError, index, trace
from pelican.engine.listening import LISTENING, listener
from tests.strategies import I, N


def test_trace_keeps_what_operators_do():
    """The steps are over the parts, in the order of the operations."""
    with trace() as steps:
        slot = (I + 64) % 64
        assert len(steps) == 1
        half = (N % 24) % 8 + slot

    assert [str(step) for step in steps] == [
        "period-fold-mod: (i + 64) mod 64 -> i",
        "nested-mod-divides: n mod 24 mod 8 -> n mod 8",
    ]
    assert half == N % 8 + I


def test_nobody_listens_afterwards():
    """Not after an error either; an inner block does not hide from an outer one."""
    before, listening = listener(), LISTENING.copy()
    with trace() as outer:
        with pytest.raises(DivisorError), trace() as inner:
            N % 24 % 8 % 0
        assert N % 8 % 4 == N % 4

    assert listener() is before
    assert listening == LISTENING
    assert (len(outer), len(inner)) == (2, 1)


def test_who_listens_cannot_begin_once_more():
    """Its steps would be told to itself."""
    once = trace()

    with once, pytest.raises(OperandError, match="listens already"), once:
        pass
    with once as steps:
        (I + 64) % 64

    assert len(steps) == 1


@pytest.mark.nobody_listens
def test_who_came_first_may_leave_first():
    """As two generators may: nobody is told of what comes after it has left."""
    first, second = trace(), trace()
    early, late = first.__enter__(), second.__enter__()
    first.__exit__(None, None, None)
    (I + 64) % 64
    second.__exit__(None, None, None)
    with trace() as last:
        (I + 128) % 64

    assert [len(steps) for steps in (early, late, last)] == [0, 1, 1]
    assert listener() is None


def test_a_question_of_the_engine_is_no_step():
    """What is simplified to decide a fact or to make a proposal is not told."""
    x = index("x")
    slot, block = x // 2 % 8, 3 * (x // 4)
    with trace() as steps:
        kept = slot + block  # is it a recomposition? that asks for x // 2 // 8

    assert str(kept) == "3*(x floordiv 4) + x floordiv 2 mod 8"
    assert steps == []


def test_another_thread_is_not_listened_to():
    """Each thread has a hook of its own."""
    made = []
    other = Thread(target=lambda: made.append(N % 24 % 8))
    with trace() as steps:
        other.start()
        other.join()

    assert made == [N % 8]
    assert steps == []
