"""Check what a run is asked for, before anything is done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from os import PathLike
from typing import TypedDict

from pelican.errors import nearest
from rotation.errors import ArgumentError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine, get_machine, machine_from
from rotation.machine.tables import MAX_AMOUNT
from rotation.passes.address_rotation import POLICIES, AddressRotationDram, Policy
from rotation.placement.dram import window_bytes_of


class RunOptions(TypedDict, total=False):
    """What can be asked of a run and of its explanation alike.

    Each means what it means in `rotation.run`, and has its default there.
    """

    skip_passes: Collection[str]
    policy: Policy
    assume: Mapping[str, int] | None
    dram_rotation_gib: int | None
    rotate_dram: bool
    psum_banks: int | None


def requested_machine(
    function: Function,
    machine: str | Machine | None,
    *,
    dram_rotation_gib: int | None,
    psum_banks: int | None,
) -> Machine:
    """Return the machine of a run: the named one, or the kernel's own, as asked for.

    Args:
        function: The kernel.
        machine: A machine, its name, or the path of a ``.toml`` file that describes
            it; None for the kernel's own.
        dram_rotation_gib: Another window for DRAM buffers [GiB]; None for its own.
        psum_banks: Another number of PSUM banks; None for its own.

    Raises:
        MachineError: If there is no such machine.
        ArgumentError: If a number makes no sense.
    """
    if isinstance(machine, str) and machine.endswith(".toml"):
        machine = machine_from(machine)
    if not isinstance(machine, Machine):
        machine = get_machine(machine or function.machine)
    if dram_rotation_gib is not None:
        window_bytes = window_bytes_of(dram_rotation_gib)
        machine = replace(machine, dram_window_bytes=window_bytes)
    if psum_banks is not None:
        if not _is_count(psum_banks, MAX_AMOUNT):
            message = f"a machine has 1 to {MAX_AMOUNT} PSUM banks, got {psum_banks!r}"
            hint = f"{machine.name} has {machine.psum_banks}"
            raise ArgumentError(message, hint=hint)
        machine = replace(machine, psum_banks=psum_banks)
    return machine


def _is_count(value: object, most: int) -> bool:
    """Return whether a value is an integer in [1, most]; True is none."""
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return is_integer and value in range(1, most + 1)


def requested_skips(
    skip_passes: Collection[str], *, rotate_dram: bool
) -> frozenset[str]:
    """Return the names of passes that do not run, `address_rotation_dram` too if so."""
    return frozenset(
        skip_passes if rotate_dram else (*skip_passes, AddressRotationDram.name)
    )


def require_types(
    function: object, machine: object, skip_passes: object, assume: object
) -> None:
    """Raise unless the arguments of a run have their types.

    Raises:
        ArgumentError: If one has not.
    """
    if not isinstance(function, Function):
        file = repr(str(function)) if isinstance(function, (str, PathLike)) else "FILE"
        message = f"run needs a kernel, got {function!r}"
        raise ArgumentError(message, hint=f"load it first: run(load({file}))")
    if not isinstance(machine, (str, Machine, type(None))):
        hint = 'give its name, such as "trn2"'
        raise ArgumentError(f"run needs a machine, got {machine!r}", hint=hint)
    if isinstance(skip_passes, str):
        hint = f"write skip_passes=[{skip_passes!r}]"
        message = f"skip_passes is a list of names, got the text {skip_passes!r}"
        raise ArgumentError(message, hint=hint)
    if not isinstance(assume, (Mapping, type(None))):
        hint = 'write assume={"n": 64}'
        message = f"assume gives registers numbers, got {assume!r}"
        raise ArgumentError(message, hint=hint)


def require_policy(policy: object) -> None:
    """Raise unless there is a policy of that name.

    Raises:
        ArgumentError: If there is none, with the nearest name.
    """
    if policy not in POLICIES:
        hint = nearest(str(policy), POLICIES) or f"policies: {', '.join(POLICIES)}"
        raise ArgumentError(f"no policy {policy!r}", hint=hint)


def require_checks(*, verify_each: bool, checks: bool) -> None:
    """Raise if each pass is to be checked, and nothing is.

    Raises:
        ArgumentError: If both are asked for.
    """
    if verify_each and not checks:
        message = "each pass is to be checked, and no check is to be done"
        raise ArgumentError(message, hint="leave out --no-check or --verify-each")


def require_plain(
    function: Function, after_pass: object, verify_each: object, separate: object
) -> None:
    """Raise if something is asked for that a function with run-time loops has not.

    Args:
        function: The function.
        after_pass: What is called after each pass, or None.
        verify_each: Whether each pass is to be checked.
        separate: Whether its loads are to be separated from compute.

    Raises:
        ArgumentError: If one of them is.
    """
    message, hint = "no pass of it has text to show", ""
    if after_pass is not None or verify_each:
        hint = "leave out --print-after, --dump and --verify-each"
    elif separate:
        message = "their loads are not separated from compute"
        hint = "leave out --separate-load-and-compute"
    if hint:
        raise ArgumentError(
            f"{function.name} has run-time loops: {message}",
            hint=f"{hint}, or write numbers in place of the registers",
        )
