"""Attributes of a function that passes leave for each other.

Their numbers are those of the modelled system. A pass asks whether one is true, not
whether it is there: an allocator that found nothing to do writes a false one.
"""

from enum import IntEnum


class FunctionAttribute(IntEnum):
    """What has been done with a function."""

    PSUM_ALLOCATED = 9
    SB_ALLOCATED = 10
    DRAM_ALLOCATED = 11
    POST_SCHEDULED = 12
