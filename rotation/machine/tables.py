"""Tables of machines: read, merged with their bases, and checked key by key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NoReturn

from pelican.errors import nearest
from rotation.errors import MachineError
from rotation.loop_form.kernel import DTYPE_BYTES

Table = dict[str, Any]

TEXT: Final = 'a text in quotes, such as "planning"'
MAX_AMOUNT: Final = 1_000_000_000
"""So that no operation takes longer than 64 bits of picoseconds can say."""

LEAST_RATE: Final = Fraction(1, 1000)
MAX_RATE: Final = 1_000_000

AMOUNT: Final = f"an integer >= 1 and <= {MAX_AMOUNT}"
SERVERS: Final = "1, or 2 for a server of the stores beside the other transfers"
RATE: Final = f'a rate from {LEAST_RATE} to {MAX_RATE}, such as 2 or "1/2"'

Schema = Mapping[str, "str | Schema"]

_TRANSFER: Final[Schema] = {"bytes_per_ns": AMOUNT, "latency_ns": AMOUNT}
_RATES: Final[Schema] = {str(n): RATE for n in sorted(set(DTYPE_BYTES.values()))}
_LANE: Final[Schema] = {
    "mhz": AMOUNT,
    "fixed_cycles": AMOUNT,
    "elems_per_cycle": _RATES,
}
KEYS: Final[Schema] = {
    "timing": TEXT,
    "partitions": AMOUNT,
    "sb_bytes_per_partition": AMOUNT,
    "psum_partitions": AMOUNT,
    "psum_banks": AMOUNT,
    "psum_bank_bytes": AMOUNT,
    "dma_servers": SERVERS,
    "dma": _TRANSFER,
    "cc": _TRANSFER,
    "pe": {"fixed_ns": AMOUNT, "ps_per_column": AMOUNT},
    "vector": _LANE,
    "scalar": _LANE,
    "gpsimd": _LANE,
}
"""What a machine says: each key with what its value must be, or a table of keys."""

_OPTIONAL: Final = {SERVERS, RATE}


def read_tables(text: str, file: str) -> dict[str, Table]:
    """Return the tables of a TOML text by name, unchecked.

    Raises:
        MachineError: If the text is not TOML, or has a value outside all tables.
    """
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = "a machine is a table [NAME] of lines KEY = VALUE"
        raise MachineError(f"{file} is not TOML: {error}", hint=hint) from None
    for name, table in tables.items():
        if not isinstance(table, dict):
            hint = f"put it below the line [NAME] of its machine in {file}"
            raise MachineError(f"{name} stands outside all machines", hint=hint)
    return tables


def resolved(tables: Mapping[str, Table], name: str) -> Table:
    """Return what a machine says, on top of what its bases say.

    Nested tables are merged key by key, so a machine names only what differs.

    Raises:
        MachineError: If a base is unknown or the bases go in a circle; if a key is
            unknown, has a wrong value or is missing.
    """
    merged: Table = {}
    for each in reversed(_chain(tables, name)):
        own = {key: value for key, value in tables[each].items() if key != "base"}
        _check(own, KEYS, each)
        merged = _merged(merged, own)
    _require_all(merged, KEYS, name)
    return merged


def _chain(tables: Mapping[str, Table], name: str) -> list[str]:
    """Return a machine, its base, the base of that, and so on."""
    chain = [name]
    while (base := tables[chain[-1]].get("base")) is not None:
        if not isinstance(base, str) or base not in tables:
            known = ", ".join(sorted(tables))
            hint = nearest(str(base), tables) or f"machines: {known}"
            message = f"[{chain[-1]}] base = {base!r} is no machine"
            raise MachineError(message, hint=hint)
        if base in chain:
            circle = " -> ".join([*chain, base])
            hint = "let one of them say all its keys and name no base"
            raise MachineError(f"the bases go in a circle: {circle}", hint=hint)
        chain.append(base)
    return chain


def _merged(base: Table, own: Table) -> Table:
    merged = dict(base)
    for key, value in own.items():
        nested = isinstance(value, dict) and key in base
        merged[key] = _merged(base[key], value) if nested else value
    return merged


def _check(table: Table, schema: Schema, place: str) -> None:
    """Raise unless every key of a table is known and has a value of its kind."""
    for key, value in table.items():
        kind = schema.get(key)
        if kind is None:
            hint = nearest(key, schema) or f"keys: {', '.join(schema)}"
            raise MachineError(f"[{place}] {key} is not a key of a machine", hint=hint)
        if isinstance(kind, str):
            if not _is(kind, value):
                _refuse(place, key, kind, value)
        elif isinstance(value, dict):
            _check(value, kind, f"{place}.{key}")
        else:
            _refuse(place, key, f"a table with the keys {', '.join(kind)}", value)


def _is(kind: str, value: object) -> bool:
    if kind == TEXT:
        return isinstance(value, str) and bool(value)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return False
    if kind == SERVERS:
        return value in {1, 2}
    if kind == AMOUNT:
        return isinstance(value, int) and 1 <= value <= MAX_AMOUNT
    try:
        return LEAST_RATE <= Fraction(value) <= MAX_RATE
    except (ValueError, ZeroDivisionError):
        return False


def _refuse(place: str, key: str, kind: str, value: object) -> NoReturn:
    message = f"[{place}] {key} = {value!r} is not {kind}"
    raise MachineError(message, hint=f"give {key} {kind}")


def _require_all(table: Table, schema: Schema, place: str) -> None:
    """Raise unless a merged table has every key, and one rate at least."""
    for key, kind in schema.items():
        if isinstance(kind, str) and kind in _OPTIONAL:
            continue
        if key not in table:
            hint = f"give it in [{place}], or name a base that has it"
            raise MachineError(f"[{place}] has no {key}", hint=hint)
        if not isinstance(kind, str):
            _require_all(table[key], kind, f"{place}.{key}")
    if schema is _RATES and not table:
        hint = 'name the bytes of an element and its rate, as in "4" = 2'
        raise MachineError(f"[{place}] has no rate", hint=hint)
