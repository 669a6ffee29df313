"""The schedules of SB rotation: targets, periods and byte windows."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple

from rotation.loop_form.kernel import Engine
from rotation.rounding import round_up

SB_WINDOW_GRANULE_BYTES: Final = 8
"""Windows begin and end at multiples of it.

Source: the SB budget of the modelled system (docs/modelled.md).
"""


class SbTarget(IntEnum):
    """Classes of SB locations; the numbers are known, what they mean is ours."""

    LOAD_TO_PE = 1
    LOAD_TO_ENGINE = 2
    ENGINE_TO_ENGINE = 3
    ONE_ENGINE = 4
    ENGINE_TO_STORE = 5
    READ_AGAIN = 7
    KERNEL = 12


class SbWindow(Enum):
    """A part of the bytes of every partition; the windows of one size tile them."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


class ByteWindow(NamedTuple):
    """Bytes of every partition, the end exclusive."""

    first_byte: int
    end_byte: int

    @property
    def size_bytes(self) -> int:
        """How many they are."""
        return self.end_byte - self.first_byte


class SbStep(NamedTuple):
    """One batch: the locations of one target, in one window.

    Attributes:
        target: Which locations.
        period: The reuse distance: how many of the latest locations of the batch a
            place must not be shared with, where there is room for that.
        window: Where they go.
        rotate: True to look for room from behind the latest location on, and from
            the start of the window at last; False to take the lowest room always.
        engine: For `SbTarget.ONE_ENGINE`, whose locations; None for any.
    """

    target: SbTarget
    period: int
    window: SbWindow
    rotate: bool
    engine: Engine | None = None


_DATA_FLOW: Final = (
    SbStep(SbTarget.LOAD_TO_PE, 5, SbWindow.MIDDLE, rotate=True),
    SbStep(SbTarget.LOAD_TO_ENGINE, 20, SbWindow.HIGH, rotate=False),
    SbStep(SbTarget.ENGINE_TO_STORE, 10, SbWindow.MIDDLE, rotate=True),
    SbStep(SbTarget.READ_AGAIN, 20, SbWindow.MIDDLE, rotate=True),
    SbStep(SbTarget.ENGINE_TO_ENGINE, 10, SbWindow.LOW, rotate=True),
)

SB_SCHEDULE: Final = (
    *_DATA_FLOW,
    SbStep(SbTarget.KERNEL, 60, SbWindow.LOW, rotate=True),
)
"""The batches before scheduling, in order.

The last is that of calls with a window, each in the first fifth of its own.

Source: the SB rotation of the modelled system (docs/modelled.md).
"""

SB_POST_SCHEDULE: Final = (
    *_DATA_FLOW,
    SbStep(SbTarget.ONE_ENGINE, 1, SbWindow.LOW, rotate=False, engine=Engine.VECTOR),
    SbStep(SbTarget.ONE_ENGINE, 1, SbWindow.LOW, rotate=False, engine=Engine.GPSIMD),
)
"""The batches after scheduling, in order; the last two are of DVE and of Pool.

Source: the SB rotation of the modelled system (docs/modelled.md).
"""


def byte_windows(size_bytes: int, base_byte: int = 0) -> dict[SbWindow, ByteWindow]:
    """Return the windows of a partition: its first fifth, its second, and the rest.

    Args:
        size_bytes: Usable bytes of a partition, >= 0.
        base_byte: First of them.

    >>> for window in byte_windows(180224).values():
    ...     print(window.first_byte, window.end_byte)
    0 36048
    36048 72096
    72096 180224
    """
    first, second = (
        min(round_up(fifths * size_bytes // 5, SB_WINDOW_GRANULE_BYTES), size_bytes)
        for fifths in (1, 2)
    )
    borders = (0, first, second, size_bytes)
    return {
        window: ByteWindow(base_byte + borders[row], base_byte + borders[row + 1])
        for row, window in enumerate(SbWindow)
    }
