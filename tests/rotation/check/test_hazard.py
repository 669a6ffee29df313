from rotation.check.hazard import MOST_SHOWN, Hazard, not_shown


def test_what_is_shown_is_not_counted_again():
    """Up to the limit nothing is left to count."""
    assert not_shown("race", MOST_SHOWN) == []


def test_what_is_not_shown_is_counted():
    """One more hazard tells how many others there are."""
    assert not_shown("race", MOST_SHOWN + 3) == [
        Hazard("race", "and 3 more of this kind", ())
    ]
