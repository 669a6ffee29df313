"""What keeps a whole function from being rotated; the rest of the pipeline runs.

Source: the rotation passes of the modelled system (docs/trust.md), which leave a
function with a join other than the head of a loop as it is.
"""

from __future__ import annotations

from rotation.loop_form.joins import join_reason, joins
from rotation.loop_form.kernel import Function, RotationScope
from rotation.passes.base import Refusal


def refusals_of(function: Function) -> tuple[Refusal, ...]:
    """Return why a function is not rotated; nothing if it may be.

    A ring that its user asked for, and that is therefore not given, is named too.
    """
    reasons = [Refusal(join_reason(c), c.span) for c in joins(function)]
    if function.scope is RotationScope.NONE:
        reason = f"kernel {function.name} has rotation scope none"
        reasons.insert(0, Refusal(reason, function.span))
    if not reasons:
        return ()
    asked = [t for t in function.tensors if (t.ring_slots or 1) > 1]
    return (
        *reasons,
        *(
            Refusal(
                f"ring {tensor.ring_slots} of {tensor.name} is not given, since the "
                "function is not rotated",
                tensor.span,
            )
            for tensor in asked
        ),
    )


def skipped_calls(function: Function) -> tuple[Refusal, ...]:
    """Return the calls that are not rotated, though all around them is.

    Source: the log line of the modelled system (docs/trust.md) for a kernel of scope
    ``kernel`` whose window has no size.
    """
    found = []
    for call in function.calls:
        if call.scope is RotationScope.NONE:
            reason = f"the call of {call.callee.name} has rotation scope none"
            found.append(Refusal(reason, call.span))
        elif call.window is not None and 0 in call.window[:2]:
            reason = (
                "skipping kernel-scoped address rotation for "
                f"{call.callee.name}: SB shape not set"
            )
            found.append(Refusal(reason, call.span))
    return tuple(found)
