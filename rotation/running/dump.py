"""Dumps: the state of the pipeline after a pass, as text that reads back."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Final

from pelican.errors import Source, nearest
from pelican.source import argument_of
from rotation.errors import InterchangeError, KernelError
from rotation.interchange.document import named_document
from rotation.loop_form.kernel import MemoryLocationSet
from rotation.machine.machine import Machine, machine_among
from rotation.passes.base import State
from rotation.placed.layout import Layout, layout_of
from rotation.placed.lines import read_lines, write_lines
from rotation.placed.reading import Placed, applied
from rotation.text.parse import parse
from rotation.text.placed import print_layout, read_layouts
from rotation.text.print import print_kernels
from rotation.text.source import read_source

LARGE_DUMP: Final = 10_000
"""Instructions above which a placed program is written as JSON lines."""


def dump(state: State) -> str:
    """Return what is known of a kernel: text, or JSON lines if it is large.

    Before anything is placed that is the kernel, with the rings of the plan where
    there is one; then the kernel as it was written and its ``placed`` block. Kernels
    that it calls stand above it.
    """
    function = replace(state.function, machine=state.machine.name)
    if state.program is None or state.placement is None:
        return print_kernels(function, _planned(state))
    text = print_kernels(function)
    layout = layout_of(state.program, state.placement, state.schedule, state.edges)
    if len(state.program) > LARGE_DUMP:
        return write_lines(text, layout)
    return text + print_layout(layout, state.machine)


def _planned(state: State) -> dict[MemoryLocationSet, MemoryLocationSet]:
    """Return buffers that ask for the slots of the plan, where one can ask."""
    if state.plan is None:
        return {}
    return {
        tensor: replace(tensor, ring_slots=slots)
        for tensor, slots in state.plan.slots().items()
        if tensor.pin is None and tensor.scope is not None
    }


def load_placed(
    path: str | PathLike[str],
    name: str | None = None,
    *,
    own: Machine | None = None,
) -> Placed:
    """Return a placed program of a file: text, or JSON lines.

    Args:
        path: The file.
        name: Which kernel; it may be left out where one is placed.
        own: A machine of the user, for which kernels may be written.

    Raises:
        KernelError: If the file cannot be read, or what it says makes no sense.
        ParseError: If a text is not in the language.
        InterchangeError: If a JSON line is no record of a layout.

    >>> load_placed("examples/two_slots.placed").function.name
    'two_slots'
    """
    return read_placed(read_source(path), name, own=own)


def read_placed(
    source: Source, name: str | None = None, *, own: Machine | None = None
) -> Placed:
    """Return a placed program of a text; see `load_placed`."""
    with named_document(source.name):
        return _read_placed(source, name, own)


def _read_placed(source: Source, name: str | None, own: Machine | None) -> Placed:
    if source.text.lstrip().startswith("{"):
        text, layout = read_lines(source.text)
        inner = Source(f"{source.name}, kernel", text)
        found = {layout.kernel: layout}
    else:
        inner, found = source, {}
    kernels = parse(inner.text, inner.name, own=own)
    functions = {each.name: each for each in kernels}
    if not found:
        machines = {each.name: machine_among(each.machine, own) for each in kernels}
        found = read_layouts(inner, machines)
    layout = _chosen(found, name, source.name)
    if layout.kernel not in functions:
        raise InterchangeError(f"the kernel is not {layout.kernel}", "/1/name")
    return applied(functions[layout.kernel], layout, own)


def _chosen(found: dict[str, Layout], name: str | None, file: str) -> Layout:
    names, argument = ", ".join(found), argument_of(file)
    if not found:
        hint = f"write one: rotation run {argument} --print-after perf_sim"
        raise KernelError(f"{file} holds no placed program", hint=hint)
    if name is None and len(found) > 1:
        message = f"{file} holds {len(found)} placed programs: {names}"
        raise KernelError(message, hint=f"name one: rotation check {argument} NAME")
    if name is not None and name not in found:
        hint = nearest(name, found) or f"it has {names}"
        raise KernelError(f"{file} has no placed program {name!r}", hint=hint)
    return found[name or next(iter(found))]
