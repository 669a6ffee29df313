import logging
from collections.abc import Iterator

import pytest
from lark import Lark, logger  # noqa: TID251 - tables are the parser's
from lark.load_grammar import FromPackageLoader  # noqa: TID251

from grammar import EXPR, KERNEL


def parser(grammar: str) -> Lark:
    """Return an LALR parser that tells its conflicts."""
    loaders = [FromPackageLoader("grammar")]
    return Lark(grammar, parser="lalr", debug=True, import_paths=loaders)


@pytest.fixture
def conflicts(
    caplog: pytest.LogCaptureFixture,
) -> Iterator[pytest.LogCaptureFixture]:
    """Give what the parser library logs while it builds a table."""
    caplog.set_level(logging.DEBUG, logger.name)
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


def test_the_kernel_grammar_is_unambiguous(conflicts: pytest.LogCaptureFixture):
    """The table of one token of lookahead has no conflict."""
    parser(KERNEL)

    assert conflicts.messages == []


def test_a_conflict_would_be_seen(conflicts: pytest.LogCaptureFixture):
    """The dangling else is told, so that silence means something."""
    parser('start: "a" start | "a" start "b" start | "c"')

    assert any("Shift/Reduce" in message for message in conflicts.messages)


def test_expressions_have_the_rules_of_their_own_grammar():
    """A kernel names the parts of an expression as a lone expression does."""
    alone = {str(rule.alias) for rule in parser(EXPR).rules if rule.alias}
    inside = {str(rule.alias) for rule in parser(KERNEL).rules if rule.alias}

    assert alone == inside
