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
