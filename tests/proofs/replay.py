"""What patterns and expressions are at the points that a counterexample names."""

from __future__ import annotations

from pelican import AccessPattern, AffineIV, Expr


def value(expr: Expr, at: dict[Expr, int]) -> int:
    """Return the value of an expression at a point that may bind more."""
    return int(expr.eval(at))  # type: ignore[arg-type]


def element(pattern: AccessPattern, point: dict[AffineIV, int]) -> int:
    """Return the address of the position that a point names."""
    at = {idx: v for idx, v in point.items() if idx in pattern.indices}
    position = {idx.name: v for idx, v in point.items() if idx not in at}
    moves = enumerate(pattern.free)
    total = sum(stride * position.get(f"free{n}", 0) for n, (stride, _) in moves)
    return value(pattern.address, at) + total
