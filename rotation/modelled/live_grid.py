"""The occupancy grid of PSUM: how many locations live in each bank of each band."""

from __future__ import annotations

from rotation.errors import InternalError


class LiveGrid:
    """``live[band][bank]``: a count that is never negative.

    >>> grid = LiveGrid(bands=4, banks=8)
    >>> grid.add(0, 2, 3, 1, delta=1)
    >>> grid.is_free(0, 1, 3, 1), grid.is_free(2, 4, 3, 1)
    (False, True)
    """

    __slots__ = ("live",)

    def __init__(self, bands: int, banks: int) -> None:
        self.live = [[0] * banks for _ in range(bands)]

    def add(
        self, first_band: int, end_band: int, bank: int, width: int, *, delta: int
    ) -> None:
        """Add to every cell of some bands and of the banks ``bank .. bank + width``.

        Raises:
            InternalError: If a cell is outside the grid, or its count would be
                negative: what is released was placed.
        """
        if end_band > len(self.live) or bank + width > len(self.live[0]):
            raise InternalError(
                f"bands to {end_band} and banks to {bank + width} are outside psum"
            )
        for band in range(first_band, end_band):
            for cell in range(bank, bank + width):
                self.live[band][cell] += delta
                if self.live[band][cell] < 0:
                    raise InternalError(f"bank {cell} of band {band} is free already")

    def is_free(self, first_band: int, end_band: int, bank: int, width: int) -> bool:
        """Return whether nothing lives in some banks of some bands."""
        return not any(
            self.live[band][cell]
            for band in range(first_band, end_band)
            for cell in range(bank, bank + width)
        )
