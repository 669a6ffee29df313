"""Rings that the user asks for, and what is said when one cannot be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rotation.errors import PlanError
from rotation.loop_form.kernel import MemoryLocationSet


def require_instances(tensor: MemoryLocationSet, count: int) -> None:
    """Raise if a buffer asks for more slots than it has instances.

    Args:
        tensor: A buffer with a ring.
        count: Its instances.

    Raises:
        PlanError: If it does.
    """
    asked = tensor.ring_slots or 1
    if asked > count:
        raise PlanError(
            f"ring {asked} of {tensor.name} has more slots than the {count} instances "
            "that the loops make",
            tensor.span,
            f"write ring {count} or less",
        )


def asked_names(
    tensors: Sequence[MemoryLocationSet], slots: Mapping[MemoryLocationSet, int]
) -> str:
    """Return the rings of some buffers, as ``ring 4 of t, ring 2 of u``."""
    return ", ".join(f"ring {slots[t]} of {t.name}" for t in tensors)


def without_room(
    message: str,
    tensors: Sequence[MemoryLocationSet],
    slots: Mapping[MemoryLocationSet, int],
) -> PlanError:
    """Return the error of rings that do not fit, at the one that takes most.

    Args:
        message: What does not fit where.
        tensors: The buffers that ask for these rings, at least one.
        slots: The slots of each.
    """
    widest = max(tensors, key=lambda t: slots[t] * t.bytes_per_partition)
    hint = f"ask for fewer slots of {widest.name}, or leave the ring to the plan"
    return PlanError(message, widest.span, hint)
