from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import z3

from proofs import solver
from proofs.solver import ask, satisfiable
from proofs.verdict import Proved, Refuted, Unknown

x, y, n = z3.Ints("x y n")


def test_an_implication_is_proved():
    """What follows from the facts is proved."""
    assert isinstance(ask([x >= 3], x >= 1, (x,)).verdict, Proved)


def test_a_refutation_names_every_variable():
    """A variable that the solver did not need gets a value too."""
    verdict = ask([x == 3], x == 4, (x, y)).verdict

    assert isinstance(verdict, Refuted)
    assert set(verdict.model) == {"x", "y"}
    assert verdict.model["x"] == 3


def test_the_model_of_a_bit_vector_is_signed():
    """A register of all ones is -1."""
    register = z3.BitVec("register", 64)

    verdict = ask([register < 0, register + 1 == 0], register == 0, (register,)).verdict

    assert verdict == Refuted({"register": -1})


def test_work_counts_one_question_only():
    """The same question costs the same work again: the counter is a difference."""
    works = [ask([n >= 1], x % n < n, (x,)).work for _ in range(3)]

    assert works[0] == works[1] == works[2] > 0


def test_a_hard_question_is_unknown_and_says_why():
    """Without time, the answer is Unknown with the solver's reason."""
    given = [x > 1, y > 1, n > 1]

    verdict = ask(given, x * x * x + y * y * y != n * n * n, (x,), timeout_s=0.05)

    assert isinstance(verdict.verdict, Unknown)
    assert "z3 gave up" in verdict.verdict.reason


def test_a_question_that_needs_too_much_memory_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
):
    """The solver gives up, the process goes on, and so does the next question."""
    with monkeypatch.context() as limits:
        limits.setattr(solver, "MEMORY_MB", 1)
        starved = ask([x > 1, y > 1], x * y >= x + y, (x, y)).verdict

    assert isinstance(starved, Unknown)
    assert "memory" in starved.reason
    assert isinstance(ask([x > 1], x > 0, (x,)).verdict, Proved)


def test_facts_that_contradict_each_other_are_not_satisfiable():
    """No two values are each below the other."""
    assert not satisfiable([x < y, y < x])


def test_facts_that_hold_somewhere_are_satisfiable():
    """Some value is positive."""
    assert satisfiable([x > 0])


@pytest.mark.parametrize("timeout_s", [1e-9, 1e9, float("inf")])
def test_any_time_limit_is_taken(timeout_s: float):
    """The solver counts in 32 bits; the limit is cut to them."""
    answer = ask([], x <= x + y * y, (x,), timeout_s=timeout_s)

    assert not isinstance(answer.verdict, Refuted)


def test_an_interrupt_while_the_solver_works_is_not_swallowed():
    """Ctrl-C ends the program; it is no answer `unknown`."""
    z = z3.Int("z")
    # A process that was started in the background ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupt = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

    def work() -> None:
        interrupt.start()
        ask([x > 2, y > 2, z > 2], x**3 + y**3 != z**3, (), timeout_s=1)
        time.sleep(5)  # where the question was lost earlier than the signal came

    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
