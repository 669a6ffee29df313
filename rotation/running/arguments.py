"""Check what a run is asked for, before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

from pelican.errors import nearest
from rotation.errors import ArgumentError
from rotation.loop_form.kernel import Function
from rotation.machine.machine import Machine
from rotation.passes.address_rotation import POLICIES


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
