"""The page that tells of the planted faults, and the texts of their tests."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.rotation.fault_list import (
    FAULTS,
    GUARDED,
    KEPT_RIGHT,
    OUT_OF_SCOPE,
    REPORTED,
)

HERE = Path(__file__).parent

HAZARDS = (
    "edges are cleared and not made again",
    "one half of an in-place pair or of an accumulation moves",
    "a slot is free at the last read instead of after it",
    "a window or a bank beyond the end of the memory",
    "rotation beside a join that is no loop",
    "live ranges without the back edge of a loop",
    "a range that no write covers is taken for free",
    "what must stay is moved",
    "batches that run at a time share a window",
    "counts of the PSUM grid fall below zero",
    "an old place is given away before a new one is found",
    "addresses change after scheduling, waits do not",
    "a gather or scatter touches only a part of its buffer",
    "four bands on a machine with two",
    "a window of no size",
)
"""The hazards of the modelled system, H1 to H15."""


def source_of(file: str, test: str) -> str:
    """Return the text of a test with its cases; an error if there is no such test."""
    text = (HERE / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == test:
            first = min((d.lineno for d in node.decorator_list), default=node.lineno)
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    raise LookupError(f"{file} has no {test}")


def faults_page() -> str:
    """Return the page about planted faults."""
    caught = sum(bool(fault.caught) for fault in FAULTS)
    rows = "\n".join(
        f"| {f.breaks} | {f.source} | {', '.join(f.caught)} | `{f.file}` |"
        for f in FAULTS
    )
    hazards = "\n".join(f"| H{n} | {text} |" for n, text in enumerate(HAZARDS, 1))
    guards = "\n".join(f"| {s} | `{file}` | `{test}` |" for s, file, test in GUARDED)
    reported = "\n".join(f"| {s} | `{test}` |" for s, test in KEPT_RIGHT)
    outside = "\n".join(f"| {s} | {what} | {why} |" for s, what, why in OUT_OF_SCOPE)
    return f"""# Planted faults

Each fault is planted in a pass or in a placed program by a test, which passes only \
if the checks named here find it.
The same programs without a fault are clean.
This page is written from the list in `tests/rotation/fault_list.py`.

Caught: {caught} of {len(FAULTS)} planted.

| fault | source | found by | test in `tests/rotation/` |
|---|---|---|---|
{rows}

`race`, `overlap`, `capacity`, `pin`, `dependence` and `equivalence` are the kinds \
of hazard of the three checks ([trust.md](trust.md)); `windows` is the check of \
windows of calls, and `order` what all of them ask first: that each operation is named \
once.

A WAR distance that is shorter than it may be, everywhere, is no fault: it costs \
time only.

## Sources

G and a number is a fault that users of another system reported.
H and a number is a hazard of the modelled system where its description is copied \
literally:

| | hazard |
|---|---|
{hazards}

## What a guard keeps from happening

These hazards have a guard besides, with a test of its own: what they ask for is \
refused, or never comes about.

| source | file | test |
|---|---|---|
{guards}

## Reported cases, run

Each is a kernel in rings of three; it is proved for every trip count, and the three \
checks look at 0, 1, 2 and more trips. The tests are in `{REPORTED}`.

| source | test |
|---|---|
{reported}

## Out of scope

| source | fault | reason |
|---|---|---|
{outside}
"""
