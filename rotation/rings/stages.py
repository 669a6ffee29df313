"""How many slots a pipelined loop needs, by the stages of its operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rotation.errors import ArgumentError


def slots_needed(stages: Mapping[str, int], order: Sequence[str]) -> int:
    """Return the least number of slots that a buffer needs in a pipelined loop.

    A value that is loaded in stage s and used in stage t lives over t - s iterations
    of the pipelined body. Its slot is one more where the use comes after the load in
    the body: then the load of a later iteration runs before the last use.

    Args:
        stages: The stage of each operation by its name, >= 0. The first one loads the
            buffer, the others use it. An operation that goes on in the background
            uses its operands until the wait for it, which is to be among them.
        order: The names as they follow each other in the body.

    Raises:
        ArgumentError: If there is no load, a name is missing in the order or twice in
            it, or a use comes before its load.

    Source: the number of instances of a variable that are alive at a time; compare
    Lam, PLDI 1988, on modulo variable expansion.

    >>> slots_needed({"load": 0, "use": 3}, order=["load", "use"])
    4
    >>> slots_needed({"load": 0, "use": 3}, order=["use", "load"])
    3
    """
    if not stages:
        hint = 'such as {"load": 0, "use": 3}'
        raise ArgumentError("slots_needed needs the stage of a load", hint=hint)
    load, *uses = stages
    for name in stages:
        if list(order).count(name) != 1:
            message = f"{name!r} is {list(order).count(name)} times in the order"
            hint = "name each operation of the body once"
            raise ArgumentError(message, hint=hint)
    position = {name: place for place, name in enumerate(order)}
    slots = 1
    for use in uses:
        distance = stages[use] - stages[load]
        after = position[use] > position[load]
        if distance < 0 or (distance == 0 and not after):
            message = f"{use!r} uses in stage {stages[use]} what {load!r} loads later"
            hint = f"put it into stage {stages[load] + (not after)} or a later one"
            raise ArgumentError(message, hint=hint)
        slots = max(slots, distance + after)
    return slots
