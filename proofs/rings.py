"""What every ring rests on, for all sizes, strides, starts and steps.

A ring of N slots serves iteration k from slot ``k mod N``; its address repeats with the
slots. Three statements carry the rotation of buffers:

* iterations at distance 1 to N - 1 have different slots, where the iteration number is
  ``(i - start) floordiv step``;
* with ``slot = (offset + stride*k) mod N``, the iterations k and k + d share a slot if
  and only if ``N / gcd(stride, N)`` divides d;
* so that such a slot repeats after ``N / gcd(stride, N)`` iterations and not earlier.

z3's own ``mod`` leaves the second statement unknown. Here each division is a quotient
and a remainder, which are unique (`proofs.certificate`), and the gcd comes with its
Bezout coefficients, ``stride = g*a``, ``N = g*p`` and ``u*a + v*p = 1``, so that every
step is an identity or one product.

Source: Knuth, The Art of Computer Programming, vol. 2, section 4.5.2 (Bezout).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from proofs.obligation import Obligation, worst
from proofs.second_solver import second_opinion
from proofs.solver import ask
from proofs.verdict import Proved, Verdict


@dataclass(frozen=True, slots=True)
class RingProof:
    """One statement about all rings, and the steps that show it.

    Attributes:
        name: The statement.
        steps: What was shown, in order.
        second: What the second solver says of them; None where it is not installed.
    """

    name: str
    steps: tuple[Obligation, ...]
    second: Verdict | None

    @property
    def verdict(self) -> Verdict:
        """Whether every step holds."""
        return worst(self.steps)

    @property
    def failures(self) -> tuple[str, ...]:
        """What is wrong with it, one sentence each; empty if nothing."""
        said = {"": self.verdict, "the second solver says ": self.second}
        return tuple(
            f"{self.name}: {who}{verdict}"
            for who, verdict in said.items()
            if not isinstance(verdict, Proved | None)
        )


def _ring(name: str, *steps: Obligation) -> RingProof:
    return RingProof(name, steps, second_opinion(steps))


def prove_rings() -> tuple[RingProof, ...]:
    """Return the proofs of the three statements, all sizes symbolic."""
    return (
        _ring(
            "iterations at distance 1 to N - 1 have different slots",
            _trip_number(),
            _distinct_slots(),
        ),
        _ring(
            "k and k + d share a slot iff N / gcd(stride, N) divides d",
            _same_slot_divides(),
            _gcd_cancels(),
            _bezout_divides(),
            _period_is_multiple(),
            _multiple_shares_slot(),
        ),
        _ring(
            "slots repeat after N / gcd(stride, N) iterations and not earlier",
            _period_repeats(),
            _no_shorter_period(),
        ),
    )


def _step(name: str, given: Sequence[z3.BoolRef], claim: z3.BoolRef) -> Obligation:
    return Obligation.of(name, ask(given, claim, ()))


def _trip_number() -> Obligation:
    """Iteration ``i = start + step*t`` has the number t."""
    i, start, step, t, q, r = z3.Ints("i start step t q r")
    return _step(
        "(i - start) floordiv step is the iteration number",
        [i == start + step * t, i - start == step * q + r, r >= 0, r < step],
        q == t,
    )


def _distinct_slots() -> Obligation:
    n, t, d, one, other, r, s = z3.Ints("N t d one other r s")
    return _step(
        "t mod N and (t + d) mod N differ for 1 <= d < N",
        [d >= 1, d < n, t == n * one + r, t + d == n * other + s],
        r != s,
    )


def _same_slot_divides() -> Obligation:
    n, k, d, offset, stride = z3.Ints("N k d offset stride")
    one, other, r, s = z3.Ints("one other r s")
    first = offset + stride * k == n * one + r
    second = offset + stride * (k + d) == n * other + s
    return _step(
        "one slot: N divides stride*d",
        [first, second, r == s],
        stride * d == n * (other - one),
    )


def _gcd_cancels() -> Obligation:
    g, a, p, d, w = z3.Ints("g a p d w")
    return _step(
        "g*a*d = g*p*w: a*d = p*w", [g >= 1, g * a * d == g * p * w], a * d == p * w
    )


def _bezout_divides() -> Obligation:
    a, p, u, v, d, w = z3.Ints("a p u v d w")
    return _step(
        "a*d = p*w and u*a + v*p = 1: p divides d",
        [a * d == p * w, u * a + v * p == 1],
        d == p * (u * w + v * d),
    )


def _period_is_multiple() -> Obligation:
    n, stride, g, a, p, d, m = z3.Ints("N stride g a p d m")
    return _step(
        "d = p*m: N divides stride*d",
        [stride == g * a, n == g * p, d == p * m],
        stride * d == n * (a * m),
    )


def _multiple_shares_slot() -> Obligation:
    """The other address has the quotient ``one + w`` and the same remainder r."""
    n, k, d, offset, stride, one, r, w = z3.Ints("N k d offset stride one r w")
    return _step(
        "N divides stride*d: one slot",
        [offset + stride * k == n * one + r, stride * d == n * w],
        offset + stride * (k + d) == n * (one + w) + r,
    )


def _period_repeats() -> Obligation:
    n, stride, g, a, p = z3.Ints("N stride g a p")
    return _step(
        "N divides stride*p", [stride == g * a, n == g * p], stride * p == n * a
    )


def _no_shorter_period() -> Obligation:
    p, d, m = z3.Ints("p d m")
    return _step(
        "p does not divide d for 1 <= d < p",
        [d >= 1, d < p],
        d != p * m,
    )
