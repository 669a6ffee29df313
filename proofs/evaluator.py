"""The evaluator of the modelled system: its machine code computes the floored mod.

The code divides once (`idiv`), which leaves the remainder of C, with the sign of the
numerator. It then makes ``+denom`` (`neg`, `cmovs`), adds it to the remainder, and
keeps the sum if the remainder was negative (`test`, `cmovns`).

Source: the public description of ``ModuloExpr::eval`` in the modelled system
(docs/trust.md).
"""

from __future__ import annotations

import z3

from proofs.solver import Answer, ask

BITS = 64
"""Width of the registers [bits]."""


def prove_machine_sequence() -> Answer:
    """Return whether the sequence is the floored mod for every 64-bit numerator.

    The denominator is any positive 64-bit integer.
    """
    numer, denom = z3.BitVecs("numer denom", BITS)
    remainder = z3.SRem(numer, denom)
    negated = -denom
    addend = z3.If(negated < 0, denom, negated)
    result = z3.If(remainder >= 0, remainder, remainder + addend)
    return ask([denom > 0], result == numer % denom, (numer, denom))


def refute_bare_remainder() -> Answer:
    """Return a numerator and a denominator where C's remainder is not the mod."""
    numer, denom = z3.BitVecs("numer denom", BITS)
    claim = z3.SRem(numer, denom) == numer % denom
    return ask([denom > 0], claim, (numer, denom))


def prove_mod_range() -> Answer:
    """Return whether ``numer mod denom`` fills [0, denom), both ends reached.

    Numerator and denominator are any integers, the denominator >= 1.
    """
    numer, denom = z3.Ints("numer denom")
    value = numer % denom
    inside = z3.And(value >= 0, value < denom)
    reached = z3.And(z3.IntVal(0) % denom == 0, (denom - 1) % denom == denom - 1)
    return ask([denom >= 1], z3.And(inside, reached), (numer, denom))
