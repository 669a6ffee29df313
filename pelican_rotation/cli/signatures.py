"""Options that several commands share: each is defined once, and given to each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any


def with_options(
    command: Callable[..., None],
    options: Sequence[inspect.Parameter],
    keyword: str,
    read: Callable[[dict[str, Any]], Any],
) -> Callable[..., None]:
    """Return a command that takes some options more.

    Args:
        command: Takes what they say as one keyword.
        options: Keyword-only parameters, annotated as typer wants them.
        keyword: The keyword; it is no option itself.
        read: Makes its value of the values of the options by name.
    """
    names = [option.name for option in options]

    @wraps(command)
    def taking(**arguments: Any) -> None:  # noqa: ANN401 - what the command takes
        values = {name: arguments.pop(name) for name in names}
        command(**arguments, **{keyword: read(values)})

    own = inspect.signature(command, eval_str=True).parameters.values()
    kept = [parameter for parameter in own if parameter.name != keyword]
    first = [p for p in kept if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    rest = [p for p in kept if p.kind is inspect.Parameter.KEYWORD_ONLY]
    signature = inspect.Signature([*first, *options, *rest])
    taking.__signature__ = signature  # type: ignore[attr-defined]
    taking.__annotations__ = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
    }
    return taking
