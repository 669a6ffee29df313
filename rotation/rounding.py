"""Sizes and addresses that are multiples of something."""

from __future__ import annotations


def round_up(value: int, multiple: int) -> int:
    """Return the least multiple that is not below a value.

    >>> round_up(51, 8), round_up(56, 8)
    (56, 56)
    """
    return -(-value // multiple) * multiple
