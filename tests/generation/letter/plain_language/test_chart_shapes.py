"""Numbers of charts in words: a count before a unit of time is how long something lasts, however the unit is written."""

import pytest

from backend.generation.letter.plain_language.chart_shapes import plain_shapes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("flank pain x 6 h", "flank pain for 6 hours"),
        ("cough x3d", "cough for 3 days"),
        ("itch x 2 mo", "itch for 2 months"),
        ("tremor x2 yrs", "tremor for 2 years"),
        ("dizzy x 20 mins", "dizzy for 20 minutes"),
        ("vomited x2", "vomited 2 times"),
        ("seen by a 3 yr old brother", "seen by a 3-year-old brother"),
    ],
)
def test_a_count_before_a_unit_of_time_is_a_duration(text: str, said: str) -> None:
    assert plain_shapes(text) == said
