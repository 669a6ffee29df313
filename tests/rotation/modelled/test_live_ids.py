from hypothesis import given
from hypothesis import strategies as st

from rotation.modelled.live_ids import LiveIds

INTERVALS = st.tuples(st.integers(0, 9000), st.integers(0, 6000)).map(
    lambda pair: (pair[0], pair[0] + pair[1])
)


@given(st.lists(INTERVALS, max_size=12), INTERVALS)
def test_no_id_that_lives_is_missing(intervals, asked):
    """The set holds every id whose interval meets the one that is asked for."""
    meets = {
        number
        for number, (first, last) in enumerate(intervals)
        if first <= asked[1] and asked[0] <= last
    }

    assert meets <= set(LiveIds(intervals).near(*asked))
