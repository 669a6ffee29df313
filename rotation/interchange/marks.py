"""What the JSON form ``rotation-kernels/1`` marks operands with, as attributes.

A mark stands at one operand; the text says it of the whole operation, so the operation
must leave no doubt which operand is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rotation.interchange.document import Value
from rotation.loop_form.kernel import GATHER, SCATTER

MARKS: Final = ("dyn", "access")
"""Fields of an operand: rows that a buffer names, and how a source is read."""


def indirect_attributes(operation: Mapping[str, Value]) -> list[str]:
    """Return the attributes that the marks of an operation's operands mean.

    Args:
        operation: Its fields, ``reads``, ``writes`` and ``kind`` among them.

    Raises:
        InterchangeError: If a mark is wrong, stands where the text cannot say it, or
            stands twice.
    """
    reads = [dict(read.members()) for read in operation["reads"].items()]
    writes = [dict(write.members()) for write in operation["writes"].items()]
    return [
        *_index(operation["kind"].word(), reads, writes),
        *_view(reads, writes),
    ]


def _index(
    kind: str, reads: list[dict[str, Value]], writes: list[dict[str, Value]]
) -> list[str]:
    """Return ``index(...)`` and ``unique``, if an operand is marked ``dyn``."""
    found: list[str] = []
    for operands, meant in ((reads, GATHER), (writes, SCATTER)):
        for position, operand in enumerate(operands):
            if "dyn" not in operand:
                continue
            if kind != meant:
                way = "read" if meant == GATHER else "written"
                operand["dyn"].refuse(
                    f"rows that a buffer names are {way} by a {meant}, not by {kind}"
                )
            fields = operand["dyn"].fields(("dim", "index_buf"), ("unique",))
            holder = fields["index_buf"].word()
            if found:
                operand["dyn"].refuse("another operand of the operation is dyn too")
            if position != _first_data(operands, holder):
                operand["dyn"].refuse(
                    "dyn stands at the first operand that holds no row numbers"
                )
            found.append(f"index({holder}, dim {fields['dim'].integer(least=0)})")
            if "unique" in fields and fields["unique"].flag():
                found.append("unique")
    return found


def _first_data(operands: list[dict[str, Value]], holder: str) -> int:
    """Return the position of the first operand that is another buffer."""
    names = [operand["buf"].data for operand in operands]
    return next((k for k, name in enumerate(names) if name != holder), 0)


def _view(reads: list[dict[str, Value]], writes: list[dict[str, Value]]) -> list[str]:
    """Return ``view "..."``, if the only source is read through a map."""
    for operand in writes:
        if "access" in operand:
            operand["access"].refuse("only a source is read through a map")
    for operand in reads:
        if "access" in operand:
            if len(reads) > 1:
                operand["access"].refuse(
                    "of several sources the text does not tell which is meant"
                )
            return [f'view "{operand["access"].text()}"']
    return []
