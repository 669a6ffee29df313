"""The kernels of some paths: files, folders, and patterns such as ``**/*.kernel``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pelican.errors import LocatedError, nearest
from pelican_rotation.batch.task import (
    PACKAGE,
    Outcome,
    Task,
    functions_of,
    wrong_outcome,
)
from pelican_rotation.file_kinds import KERNELS, require_kind
from rotation.errors import ArgumentError, KernelError, MachineError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine, get_machine, is_file, machine_from
from rotation.running.arguments import (
    RunOptions,
    requested_machine,
    requested_skips,
    require_policy,
)
from rotation.running.pipeline import selected
from rotation.text.source import read_source

SUFFIX: Final = ".kernel"


def tasks_of(
    paths: Sequence[str], machine: str | Machine | None, options: RunOptions
) -> list[Task | Outcome]:
    """Return the kernels of some paths in their order, and why a path gives none.

    The files of a folder are all below it that end in ``.kernel``, by name; a file
    that is named twice counts once.

    Args:
        paths: Files, folders and patterns.
        machine: A machine, its name, or the path of a ``.toml`` file, which is read
            here; None for each kernel's own.
        options: What is asked of every run; a number of `assume` goes to the kernels
            that have such a register.

    Raises:
        ArgumentError: If no path is given, or an option makes no sense for any kernel.
        MachineError: If there is no such machine.
        PassError: If a pass cannot be skipped or does not exist.

    >>> [task.kernel for task in tasks_of(["examples/stream_*"], None, {})]
    ['stream_add']
    """
    if not paths:
        raise ArgumentError("there is nothing to run", hint="name files or folders")
    if "" in paths:
        raise ArgumentError("a path is empty", hint="name a file, or . for this folder")
    if "-" in paths:
        message = "a batch does not read standard input, which - names"
        hint = "rotation run - does; or name files, folders or patterns"
        raise ArgumentError(message, hint=hint)
    machine = _known(machine)
    require_policy(options.get("policy", "ring"))
    skipped = options.get("skip_passes", ())
    selected(requested_skips(skipped, rotate_dram=options.get("rotate_dram", True)))
    found: list[Task | Outcome] = []
    registers: set[str] = set()
    for file in kernel_files(paths):
        if isinstance(file, Outcome):
            found.append(file)
            continue
        try:
            text, functions = _read(file, machine)
        except LocatedError as error:
            found.append(wrong_outcome(file, error))
            continue
        for function in functions:
            _require_numbers(function, machine, options)
            registers.update(function.registers)
            own = _own_options(function, options)
            found.append(
                Task(file, text, function.name, machine, own, version(PACKAGE))
            )
    _require_registers(options, registers)
    return found


def kernel_files(paths: Iterable[str]) -> Iterator[str | Outcome]:
    """Yield the files of some paths in their order, each once.

    >>> list(kernel_files(["examples/first_ring.kernel", "examples/first*.kernel"]))
    ['examples/first_ring.kernel']
    """
    seen: set[str] = set()
    for path in paths:
        files, closed = _files(path)
        if not (files or closed):
            message = f"{path!r} leads to no {SUFFIX} file"
            hint = "name a file, a folder that holds some, or a pattern that fits some"
            yield wrong_outcome(path, KernelError(message, hint=hint))
        for error in closed:
            folder = os.path.normpath(error.filename)
            if (place := os.path.realpath(folder)) in seen:
                continue
            seen.add(place)
            message = f"cannot read {folder!r}: {error.strerror}"
            hint = "let it be read, or name the files that are to be run"
            yield wrong_outcome(folder, KernelError(message, hint=hint))
        for file in map(_plain_name, files):
            place = os.path.realpath(file)
            if place not in seen:
                seen.add(place)
                yield file


def _files(path: str) -> tuple[list[str], list[OSError]]:
    """Return the files of a path, and what was raised by folders that are not read.

    A file that is not there is left to its reader.
    """
    closed: list[OSError] = []
    if os.path.isdir(path):
        walk = os.walk(path, onerror=closed.append)
        found = [Path(folder, file) for folder, _, files in walk for file in files]
        names = [str(file) for file in sorted(found)]
    elif has_magic(path) and not os.path.exists(path):
        names = sorted(glob(path, recursive=True))
        closed = list(_closed_folders(path))
    else:
        return [path], []
    # The results of a batch lie in folders that are named like its files.
    files = [f for f in names if f.endswith(SUFFIX) and not os.path.isdir(f)]
    return files, sorted(closed, key=lambda error: str(error.filename))


def _closed_folders(pattern: str) -> Iterator[OSError]:
    """Yield what is raised by the folders that a pattern looks into, but cannot."""
    parts = Path(pattern).parts
    for position, part in enumerate(parts):
        if not has_magic(part):
            continue
        above = os.path.join(*parts[:position]) if position else "."
        # Two stars look into all folders below as well, at any depth.
        deep = os.path.join(above, part, "") if part == "**" else above
        folders = {*glob(above, recursive=True), *glob(deep, recursive=True)}
        for folder in sorted(filter(os.path.isdir, folders)):
            try:
                os.scandir(folder).close()
            except OSError as error:
                yield error


def _plain_name(file: str) -> str:
    """Return a path without detours, if that is the same file: a link may lead off."""
    plain = os.path.normpath(file)
    return plain if os.path.realpath(plain) == os.path.realpath(file) else file


def _read(file: str, machine: str | Machine | None) -> tuple[str, Iterable[Function]]:
    """Return the text and the kernels of a file.

    Raises:
        KernelError: If it cannot be read, holds a JSON document, or makes no sense.
        ParseError: If the text is not in the language.
        WrongProgramError: If it is a file of the other program.
    """
    if file.endswith(".json"):
        message = f"{file} is a document, not kernel text"
        hint = f"write its kernels as text: rotation convert {file} NAME > NAME{SUFFIX}"
        raise KernelError(message, hint=hint)
    source = read_source(file)
    require_kind(source, KERNELS, "batch")
    return source.text, functions_of(source.text, file, machine).values()


def _known(machine: str | Machine | None) -> str | Machine | None:
    """Return what names the machine where there are no files."""
    if not isinstance(machine, str):
        return machine
    if is_file(machine):
        return machine_from(machine)
    return get_machine(machine).name


def _require_numbers(
    function: Function, machine: str | Machine | None, options: RunOptions
) -> None:
    """Raise if a number among the options makes no sense on a machine.

    Raises:
        ArgumentError: If one does not.
    """
    try:
        requested_machine(
            function,
            machine,
            dram_rotation_gib=options.get("dram_rotation_gib"),
            psum_banks=options.get("psum_banks"),
        )
    except MachineError:
        return  # the kernel's own: that is a mistake of this kernel


def _own_options(function: Function, options: RunOptions) -> RunOptions:
    """Return the options with the numbers of the registers that the kernel has."""
    given = options.get("assume") or {}
    return {
        **options,
        "assume": {n: given[n] for n in function.registers if n in given},
    }


def _require_registers(options: RunOptions, registers: set[str]) -> None:
    """Raise unless each register that has a number is one of some kernel."""
    for name in options.get("assume") or {}:
        if name not in registers:
            known = sorted(registers)
            message = f"no kernel has a register {name!r}"
            names = ", ".join(known) or "none"
            hint = nearest(name, known) or f"their registers: {names}"
            raise ArgumentError(message, hint=hint)
