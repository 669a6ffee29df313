"""The evaluator of the modelled system: its machine code computes the floored mod.

The code divides once (`idiv`), which leaves the quotient and remainder of C, rounded
toward zero. It then makes ``+denom`` (`neg`, `cmovs`), adds it to the remainder, and
keeps the sum if the remainder was negative (`test`, `cmovns`). It is proved twice: as
64-bit registers, and in integers from what the machine promises of `idiv`,
``v = q*d + r`` with ``|r| < d``. The sign of r is not needed. The floored quotient,
``q - 1`` where r is negative, is shown in integers only: as registers it is beyond
solvers from 16 bits on.

Source: the public description of ``ModuloExpr::eval`` in the modelled system
(docs/trust.md).
"""

from __future__ import annotations

from dataclasses import replace

import z3

from proofs.obligation import Obligation
from proofs.solver import Answer, ask
from proofs.verdict import Refuted, Unknown

BITS = 64
"""Width of the registers [bits]."""

LEAST, GREATEST = -(2 ** (BITS - 1)), 2 ** (BITS - 1) - 1


CORRECTION = (
    "v = d*(q - 1) + (r + d) where r < 0, in integers",
    "r + d where r < 0, else r, is in [0, d)",
)
NO_OVERFLOW = (
    "q*d <= 2*q for q < 0 and d >= 2",
    "-d, r + d and q - 1 fit into 64 bits",
)
"""What the steps in integers show, in their order."""


def prove_evaluator() -> tuple[Obligation, ...]:
    """Return what shows that the machine code is right, and that it had to be more.

    The first is the code as registers; it counts only if C's remainder alone is
    refuted by the same encoding.
    """
    sequence = Obligation.of(
        "one idiv and its correction give the floored mod, in 64 bits",
        prove_machine_sequence(),
    )
    if not isinstance(refute_bare_remainder().verdict, Refuted):
        why = Unknown("the remainder of C was not refuted")
        sequence = replace(sequence, verdict=why)
    return (
        sequence,
        *map(Obligation.of, CORRECTION, prove_correction()),
        *map(Obligation.of, NO_OVERFLOW, prove_no_overflow()),
    )


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


def prove_correction() -> tuple[Answer, Answer]:
    """Return whether the corrected pair is a floored division: identity, then range.

    Quotient and remainder are unique (`proofs.certificate`), so it is the only one.
    """
    v, d, q, r = z3.Ints("v d q r")
    quotient, remainder = z3.If(r < 0, q - 1, q), z3.If(r < 0, r + d, r)
    identity = ask([v == q * d + r], v == d * quotient + remainder, (v, d, q, r))
    small = [-d < r, r < d]
    return identity, ask(small, z3.And(remainder >= 0, remainder < d), (d, r))


def prove_no_overflow() -> tuple[Answer, Answer]:
    """Return whether a negative product of the quotient is small; and that it fits.

    What must fit where it is computed: ``-d``, ``r + d`` and ``q - 1``.
    """
    v, d, q, r, product = z3.Ints("v d q r product")
    bound = ask([d >= 2, q < 0], q * d <= 2 * q, (d, q))
    promised = [v == product + r, -d < r, r < 0, z3.Implies(q < 0, product <= 2 * q)]
    registers = [v >= LEAST, d <= GREATEST]
    claim = z3.And(-d >= LEAST, r + d <= GREATEST, r + d >= LEAST, q - 1 >= LEAST)
    return bound, ask([*promised, *registers], claim, (v, d, q, r))


def prove_mod_range() -> Answer:
    """Return whether ``numer mod denom`` fills [0, denom), both ends reached.

    Numerator and denominator are any integers, the denominator >= 1.
    """
    numer, denom = z3.Ints("numer denom")
    value = numer % denom
    inside = z3.And(value >= 0, value < denom)
    reached = z3.And(z3.IntVal(0) % denom == 0, (denom - 1) % denom == denom - 1)
    return ask([denom >= 1], z3.And(inside, reached), (numer, denom))
