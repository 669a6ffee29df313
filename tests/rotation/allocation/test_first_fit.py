from hypothesis import given
from hypothesis import strategies as st

from rotation.allocation import Packing, Request, first_fit


@st.composite
def requests(draw: st.DrawFn) -> Request:
    first = draw(st.integers(0, 9))
    alignment = draw(st.sampled_from([1, 2, 4, 8]))
    return Request(
        draw(st.integers(1, 9)), alignment, first, first + draw(st.integers(0, 5))
    )


def live_together(a: Request, b: Request) -> bool:
    return a.first <= b.last and b.first <= a.last


@given(st.lists(requests(), max_size=12))
def test_requests_that_live_together_do_not_overlap(drawn: list[Request]):
    """Closed intervals: sharing one position is living together."""
    offsets = first_fit(drawn).offsets_bytes
    for a, request in enumerate(drawn):
        for b in range(a):
            apart = (
                offsets[a] + request.size_bytes <= offsets[b]
                or offsets[b] + drawn[b].size_bytes <= offsets[a]
            )

            assert apart or not live_together(request, drawn[b])


@given(st.lists(requests(), max_size=12))
def test_every_offset_is_aligned(drawn: list[Request]):
    """Each offset is a multiple of the alignment of its request."""
    offsets = first_fit(drawn).offsets_bytes

    assert all(o % r.alignment_bytes == 0 for o, r in zip(offsets, drawn, strict=True))


@given(st.lists(requests(), max_size=12))
def test_the_peak_is_the_highest_end(drawn: list[Request]):
    """The peak tells how much room the packing needs."""
    packing = first_fit(drawn)
    ends = [o + r.size_bytes for o, r in zip(packing.offsets_bytes, drawn, strict=True)]

    assert packing.peak_bytes == max(ends, default=0)


def test_a_gap_between_two_live_requests_is_used():
    """The lowest free offset is taken, even below what came earlier."""
    drawn = [Request(4, 1, 0, 0), Request(4, 1, 0, 9), Request(4, 1, 1, 2)]

    assert first_fit(drawn).offsets_bytes == (0, 4, 0)


def test_bytes_are_free_strictly_after_the_last_position():
    """What starts where another one ends may not take its bytes."""
    drawn = [Request(4, 1, 0, 2), Request(4, 1, 2, 3), Request(4, 1, 3, 4)]

    assert first_fit(drawn).offsets_bytes == (0, 4, 0)


def test_reserved_ranges_are_kept_free():
    """Nothing overlaps them, at any moment; gaps between them are used."""
    requests = [Request(8, 8, 0, 1), Request(8, 8, 1, 2), Request(4, 4, 9, 9)]
    packing = first_fit(requests, [(0, 8), (16, 24)])

    assert packing == Packing(offsets_bytes=(8, 24, 8), peak_bytes=32)
