"""How long a complaint has lasted: from the beginning of a telegram behind what lasts."""

import pytest

from backend.generation.letter.told_time.complaint_times import time_lead, whole_complaint, with_time


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3/7 hx of blocked nose, worse lying down", "blocked nose for 3 days, worse lying down"),
        ("2 week history of wrist pain", "wrist pain for 2 weeks"),
        ("Pt c/o 5 month hx of itchy scalp", "itchy scalp for 5 months"),
        ("hx of hoarse voice for 6 weeks", "hoarse voice for 6 weeks"),
        ("1/7 earache", "earache for 1 day"),
    ],
)
def test_the_time_stands_behind_what_lasts(text: str, told: str) -> None:
    lead = time_lead(text, periods=True, opens=True)
    assert lead is not None
    assert with_time(text[lead.length :], lead.told) == told


@pytest.mark.parametrize(
    "text", ["2/7 ago fell off a bike", "wrist pain for 2 weeks", "History: well", "12/03 seen in clinic"]
)
def test_a_date_or_another_beginning_is_no_time(text: str) -> None:
    assert time_lead(text, periods=True, opens=True) is None


def test_a_stroke_without_a_word_for_a_history_needs_a_note_that_counts_so() -> None:
    assert time_lead("3/7 sore toe", periods=False, opens=True) is None
    assert time_lead("hx of gout", periods=True, opens=False) is None


def test_what_became_of_a_complaint_is_a_clause_and_a_dash_ends_it() -> None:
    assert whole_complaint("cramps, comes in waves") == "cramps, which come in waves"
    assert whole_complaint("one spell before- settled alone") == "one spell before, which settled alone"
    assert whole_complaint("trouble swallowing- spilled tea") == "trouble swallowing"
    assert whole_complaint("slight sickness/ dizziness") == "slight sickness or dizziness"
