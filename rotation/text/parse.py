"""Read kernels: text to loop form, with every mistake at its place.

The grammar decides the shape (`grammar/kernel.lark`); `rotation.text.resolve` gives
every name its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable

import lark

from pelican.errors import LocatedError, Source
from pelican.text.parsers import parser_of
from rotation.errors import KernelError, raise_all
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.text.explain import explained
from rotation.text.reading import Node, span_of, tokens, trees
from rotation.text.resolve import resolve


def parse(
    text: str, name: str = "<text>", *, own: Machine | None = None
) -> tuple[Function, ...]:
    """Return the kernels of a text, in its order.

    Args:
        text: One or more ``kernel`` blocks.
        name: What to call the text in messages, most often its file.
        own: A machine of the user, for which kernels may be written.

    Raises:
        ParseError: If the text is not in the language.
        LocatedError: If it is, and makes no sense. Several mistakes come as one
            `KernelError` with the message of the first, and all in `errors`.

    >>> copy, = parse('''kernel copy on planning {
    ...   dram x [256, 64] fp32 input
    ...   dram y [256, 64] fp32 output
    ...   for i in [0, 2) {
    ...     sb t [128, 64] fp32
    ...     dma.load t <- x[128*i:+128, 0:+64]
    ...     dma.store y[128*i:+128, 0:+64] <- t
    ...   }
    ... }''')
    >>> [instruction.name for instruction in copy.instructions]
    ['load1', 'store1']
    """
    functions, errors = read_kernels(Source(name, text), own)
    raise_all(errors)
    return functions


def read_kernels(
    source: Source, own: Machine | None = None
) -> tuple[tuple[Function, ...], tuple[LocatedError, ...]]:
    """Return the kernels of a text without their wrong statements, and the mistakes.

    Raises:
        ParseError: If the text is not in the language.

    >>> text = "kernel k on planning { for i in [0, 2) step 0 { } }"
    >>> (kernel,), (mistake,) = read_kernels(Source("k.kernel", text))
    >>> kernel.name, mistake.message
    ('k', 'the step of a loop must be >= 1, got 0')
    """
    kernels = [tree for tree in blocks(source) if tree.data == "kernel"]
    errors: list[LocatedError] = list(_repeated_names(kernels, source))
    functions: list[Function] = []
    for tree in kernels:
        above = {function.name: function for function in functions}
        function, mistakes = resolve(tree, source, above, own)
        functions.append(function)
        errors += mistakes
    return tuple(functions), tuple(errors)


def placed_names(source: Source) -> tuple[str, ...]:
    """Return the names of the kernels that a text places, in its order.

    Raises:
        ParseError: If the text is not in the language.

    >>> placed_names(Source("k", "kernel k on planning { } placed k { }"))
    ('k',)
    """
    if "placed" not in source.text:  # reading a long text twice takes long
        return ()
    trees = (tree for tree in blocks(source) if tree.data == "placed")
    return tuple(str(tokens(tree)[0]) for tree in trees)


def blocks(source: Source) -> list[Node]:
    """Return the trees of the ``kernel`` and ``placed`` blocks of a text.

    Raises:
        ParseError: If the text is not in the language.
    """
    try:
        return trees(parser_of("kernel").parse(source.text))
    except lark.UnexpectedInput as error:
        raise explained(error, source, parser_of("kernel")) from None


def words(source: Source) -> list[lark.Token]:
    """Return every word of a text in its order, brackets and keywords too.

    Raises:
        ParseError: If the text is not in the language.

    >>> [str(word) for word in words(Source("k", "kernel k on trn2 { }"))]
    ['kernel', 'k', 'on', 'trn2', '{', '}']
    """
    reader = parser_of("kernel").parse_interactive(source.text)
    try:
        found = list(reader.iter_parse())
        end = found[-1] if found else None
        reader.feed_eof(end)  # type: ignore[no-untyped-call]
    except lark.UnexpectedInput as error:
        raise explained(error, source, parser_of("kernel")) from None
    return found


def _repeated_names(kernels: list[Node], source: Source) -> Iterable[KernelError]:
    seen: set[str] = set()
    for tree in kernels:
        name = tokens(tree)[0]
        if name in seen:
            hint = "give each kernel of a text its own name"
            yield KernelError(f"two kernels named {name}", span_of(name, source), hint)
        seen.add(str(name))
