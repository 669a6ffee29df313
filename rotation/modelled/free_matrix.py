"""What is free in a window: bands times bytes, in granules."""

from __future__ import annotations

from rotation.modelled.reuse import Extent


class FreeMatrix:
    """A byte window of every band; each band is one integer, a bit a busy granule.

    The modelled system has a matrix of this name, of which nothing else is described.

    >>> matrix = FreeMatrix(bands=4, first_byte=0, end_byte=64, granule_bytes=8)
    >>> matrix.take(Extent(0, 2, 0, 24))
    >>> matrix.lowest(0, 1, 16, from_byte=0), matrix.lowest(2, 4, 16, from_byte=0)
    (24, 0)
    """

    __slots__ = ("_busy", "_end", "_first", "_granule")

    def __init__(
        self, bands: int, first_byte: int, end_byte: int, granule_bytes: int
    ) -> None:
        self._busy = [0] * bands
        self._granule = granule_bytes
        self._first = -(-first_byte // granule_bytes)
        self._end = max(self._first, end_byte // granule_bytes)

    def take(self, extent: Extent) -> None:
        """Mark every granule that an extent touches as busy."""
        first = max(extent.first_byte // self._granule, self._first) - self._first
        end = min(-(-extent.end_byte // self._granule), self._end) - self._first
        if first >= end:
            return
        mask = (1 << end) - (1 << first)
        for band in range(extent.first_band, extent.end_band):
            self._busy[band] |= mask

    def copy(self) -> FreeMatrix:
        """Return a matrix of its own with the same granules busy."""
        other = FreeMatrix(0, self._first, self._end, 1)
        other._granule = self._granule
        other._busy = list(self._busy)
        return other

    def lowest(
        self, first_band: int, end_band: int, size_bytes: int, *, from_byte: int
    ) -> int | None:
        """Return the lowest free tile in all of some bands, or None.

        Args:
            first_band: First of the bands.
            end_band: End of the bands, exclusive.
            size_bytes: What the tile takes of each partition, >= 1.
            from_byte: The tile does not begin below it.
        """
        length = self._end - self._first
        need = -(-size_bytes // self._granule)
        skipped = max(0, -(-from_byte // self._granule) - self._first)
        if skipped + need > length:
            return None
        busy = 0
        for band in range(first_band, end_band):
            busy |= self._busy[band]
        # A bit of `starts` is a granule from which `done` granules are free; each
        # step doubles `done`, as far as is needed.
        starts = ~busy & ((1 << length) - 1)
        done = 1
        while done < need and starts:
            step = min(done, need - done)
            starts &= starts >> step
            done += step
        starts = starts >> skipped << skipped
        if not starts:
            return None
        return ((starts & -starts).bit_length() - 1 + self._first) * self._granule
