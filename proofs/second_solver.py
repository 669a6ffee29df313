"""The second solver: cvc5, which is asked what z3 was asked, in SMT-LIB 2.

It shares with z3 the text of the question and nothing else. It is an extra: without
it the second opinion is None. A law that only z3 can prove is a failure of the book:
give it a certificate.
"""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import Any

from proofs.obligation import Obligation
from proofs.solver import PATIENCE_S, Implication
from proofs.verdict import Proved, Refuted, Unknown, Verdict


def is_installed() -> bool:
    """Tell whether the second solver is there.

    >>> isinstance(is_installed(), bool)
    True
    """
    return find_spec("cvc5") is not None


def ask_again(question: Implication, *, timeout_s: float = PATIENCE_S) -> Verdict:
    """Return what cvc5 says of a question that z3 was asked; it names no model.

    Args:
        question: The question.
        timeout_s: Time limit [s].
    """
    import cvc5  # noqa: PLC0415 - an extra

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", str(int(timeout_s * 1000)))
    solver.setOption("seed", "0")
    parser: Any = cvc5.InputParser(solver)
    text = question.smt2(title="a second opinion", expected="unknown")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    start = time.perf_counter()
    try:
        said = _last_answer(parser, solver)
    except RuntimeError as error:  # how cvc5 reports a script that it cannot read
        return Unknown(f"cvc5 cannot read the question: {error}")
    if said == "unsat":
        return Proved(time.perf_counter() - start)
    if said == "sat":
        return Refuted({})
    return Unknown(f"cvc5 gave up: {said}")


def _last_answer(parser: Any, solver: Any) -> str:  # noqa: ANN401 - cvc5's own
    said = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return said
        said = str(command.invoke(solver, parser.getSymbolManager())).strip() or said


def second_opinion(obligations: tuple[Obligation, ...]) -> Verdict | None:
    """Return what cvc5 makes of the questions that z3 answered with a proof.

    None where it is not installed or nothing was proved by a solver.
    """
    proved = [o for o in obligations if isinstance(o.verdict, Proved)]
    questions = [o.question for o in proved if o.question is not None]
    if not questions or not is_installed():
        return None
    verdicts = [ask_again(question) for question in questions]
    doubts = [verdict for verdict in verdicts if not isinstance(verdict, Proved)]
    return doubts[0] if doubts else verdicts[0]
