"""Dates as shapes: what is one, what is a measure or a dose, and which stands beside a span."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.measures.dates import date_beside, dates_of


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 04/01/2010 and 2009-05-06", ["04/01/2010", "2009-05-06"]),
        ("January 2005, March 8, 2006", ["January 2005", "March 8, 2006"]),
        ("abscess drainage in 12/07", ["12/07"]),
        ("stroke in 2002", ["2002"]),
        ("BP 120/80, pain 6/10, 2000 mg, hydrocodone 10/325", []),
        ("she may walk", []),
        ("a" * 80 + " in May", ["May"]),
    ],
)
def test_dates_of_a_note(text: str, dates: list[str]) -> None:
    assert [one.text for one in dates_of(parse_note(text))] == dates


def test_the_date_behind_comes_before_the_one_in_front_and_none_of_another_sentence() -> None:
    note = parse_note("In 2001 a biopsy, then surgery in 2004. Another biopsy.")
    at = note.text.index("surgery")
    found = date_beside(note, at, at + 7)
    assert found is not None and found.text == "2004"
    last = note.text.rindex("biopsy")
    assert date_beside(note, last, last + 6) is None


def test_a_date_within_brackets_is_of_what_stands_in_them_alone() -> None:
    note = parse_note("Ferritin 9 (14 in May), zinc 3. Copper 8 (June 2020).")
    zinc, copper = (note.text.index(word) for word in ("zinc", "Copper"))
    assert date_beside(note, zinc, zinc + 6) is None
    found = date_beside(note, copper, copper + 8)
    assert found is not None and found.text == "June 2020"
