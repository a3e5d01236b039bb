"""When two dosages are the same, by what both state."""

import pytest

from backend.generation.letter.medicines.stated.regimens import as_one, fuller, joined_parts, same_regimen, stated
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.measures.dosage import read_dosages
from backend.schemas.record import Dosage


def regimen(text: str) -> tuple[Dosage, ...]:
    note = parse_note(text)
    return tuple(found.dosage for found in read_dosages(note, 0, len(note.words)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1 g q.d.", "1000 mg daily"),
        ("5 mg, two tablets daily", "10 mg daily"),
        ("500 mg q12h", "500 mg b.i.d."),
        ("500 mg q8h", "500 mg three times a day"),
        ("10 mg daily", "10 mg every morning"),
        ("10 mg", "10 mg daily"),
        ("", "10 mg daily"),
        ("40 daily", "40 mg daily"),
        ("600 mg/m2 bd", "600 mg/m2 bd"),
    ],
)
def test_the_same_in_other_words_is_the_same(a: str, b: str) -> None:
    assert same_regimen(regimen(a), regimen(b)) and same_regimen(regimen(b), regimen(a))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("10 mg daily", "20 mg daily"),
        ("10 mg daily", "10 mcg daily"),
        ("10 mg daily", "10 mg twice a day"),
        ("10 mg every morning", "10 mg at bedtime"),
        ("10 mg every 6 hours", "10 mg every 6 hours as needed for pain"),
        ("10 mg orally daily", "10 mg subcutaneously daily"),
        ("10 mg/kg daily", "10 mg daily"),
        ("1 puff b.i.d.", "2 puffs b.i.d."),
        ("600 mg/m2 bd", "600 mg bd"),
    ],
)
def test_another_amount_rhythm_or_way_is_another(a: str, b: str) -> None:
    assert not same_regimen(regimen(a), regimen(b)) and not same_regimen(regimen(b), regimen(a))


def test_morning_and_night_are_parts_of_one_and_two_doses_a_day_are_not() -> None:
    parts = joined_parts([regimen("150 mg in the morning"), regimen("200 mg at bedtime")])
    assert [as_one(one) for one in parts] == ["150 mg in the morning and 200 mg at bedtime"]
    assert len(joined_parts([regimen("150 mg b.i.d."), regimen("200 mg at bedtime")])) == 2


def test_what_states_more_is_the_fuller() -> None:
    assert fuller([regimen(""), regimen("5 mg"), regimen("5 mg daily")]) == regimen("5 mg daily")
    assert fuller([]) == () and not stated(()) and not stated((Dosage(),))
