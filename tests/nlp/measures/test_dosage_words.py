"""Dosages in words for a patient: nothing of a dosage is lost, and nothing is told that it does not say."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.measures.dosage import read_dosages
from backend.nlp.measures.dosage_words import dosage_in_words, timing_in_words
from backend.nlp.measures.timing import per_day, timing_code
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Dosage

CODES = [row[1] for row in rule_rows(RULES / "measures" / "timing_words.tsv", 3) if row[0] == "code"]


def dosage(text: str) -> Dosage:
    """The one dosage of a text."""
    note = parse_note(text)
    (found,) = read_dosages(note, 0, len(note.words))
    return found.dosage


@pytest.mark.parametrize(
    ("written", "dose", "timing"),
    [
        ("40 mg p.o. daily", "40 mg", "once a day"),
        ("5 mg, two tablets b.i.d.", "2 tablets of 5 mg", "twice a day"),
        ("40 mg tablet, one-half tablet daily", "half a tablet of 40 mg", "once a day"),
        ("100 mcg 2 puffs q4-6h prn", "2 puffs of 100 mcg", "every 4 to 6 hours, as needed"),
        ("1 to 2 tablets every 6 hours as needed", "1 to 2 tablets", "every 6 hours, as needed"),
        ("20/12.5 mg daily", "20/12.5 mg", "once a day"),
        ("5-325 mg every 6 hours", "5-325 mg", "every 6 hours"),
        ("2-4 mg every 6 hours", "2 to 4 mg", "every 6 hours"),
        ("10000 units subcutaneously t.i.d.", "10,000 units under the skin", "3 times a day"),
        ("1000 mg b.i.d. with meals", "1,000 mg", "twice a day, with meals"),
        ("5 mg before breakfast", "5 mg", "before breakfast"),
        ("15 mg once a week on Mondays", "15 mg", "once a week (on Mondays)"),
        ("3 mg nocte", "3 mg", "at night"),
        ("3 mg q.h.s.", "3 mg", "at bedtime"),
        ("300 q8h", "300 (unit not stated)", "every 8 hours"),
        ("210 mg OD alternate days", "210 mg", "every other day"),
    ],
)
def test_a_dosage_that_is_understood_is_put_in_plain_words(written: str, dose: str, timing: str) -> None:
    assert dosage_in_words(dosage(written)) == (dose, timing, False)


@pytest.mark.parametrize(
    "written",
    [
        "600 mg/m2 bd",  # the dose is by the body's surface
        "10 bd 7d -> 5 bd",  # two doses one after the other
        "1 mg every day but Sunday",
        "5 mg - 6 tablets",  # how many were given out
        "10 mg slow IV",
    ],
)
def test_a_dosage_that_is_not_wholly_understood_is_given_as_it_is_written(written: str) -> None:
    worded = dosage_in_words(dosage(written))
    assert worded.as_written and worded.timing == ""
    assert worded.dose in written


@pytest.mark.parametrize("code", [*CODES, "Q6H", "Q4-6H", "5XD", "2-3XD", "Q3D", "Q8W", "Q2M", "4XW"])
def test_the_words_of_a_timing_are_read_as_the_same_timing(code: str) -> None:
    words = timing_in_words(code)
    if code == "CONT":  # is told to people in words that no note has
        assert words == "all the time"
    else:
        assert timing_code(words) == code


def test_a_timing_without_words_keeps_the_notes() -> None:
    assert timing_in_words("Q8H+HS", "q8h and hs") == "q8h and hs"
    assert timing_in_words("", "as directed") == "as directed"


def test_ranges_and_months_are_counted_once() -> None:
    assert timing_code("2 to 3 times a day") == "2-3XD" and per_day("2 to 3 times a day") == 2
    assert timing_code("every 2 months") == "Q2M"


@pytest.mark.parametrize(
    ("written", "dose"),
    [
        ("250 mg/5 mL - 210 mg (4.2 mL) BID", "210 mg (4.2 mL of 250 mg/5 mL)"),
        ("125mg/5mL: 3 mL (75 mg) BID", "75 mg (3 mL of 125 mg/5 mL)"),
        ("160/5: 5 mL q6h prn", "5 mL of 160/5"),
        ("100 units/mL 10 units daily", "10 units"),
    ],
)
def test_a_liquid_is_told_with_how_much_of_which_strength(written: str, dose: str) -> None:
    assert dosage_in_words(dosage(written)).dose == dose


def test_a_step_of_a_course_is_told_with_its_length() -> None:
    one = dosage("50 mg daily").model_copy(update={"step": 2, "days": 14.0})
    assert dosage_in_words(one).timing == "once a day, for 2 weeks"
