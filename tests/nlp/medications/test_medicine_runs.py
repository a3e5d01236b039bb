"""Runs of medicines: which dosages each has, which trigger governs them, and where they are taken."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.schemas.record import Setting
from tests.nlp.fresh import linker


def stated(text: str, setting: Setting = Setting.UNKNOWN) -> dict[str, StatedMedicine]:
    note = parse_note(text)
    named = named_medicines(note, linker().link(text).note.mentions)
    return {one.named.name: one for one in stated_medicines(note, named, setting)}


def test_one_trigger_governs_a_run_and_each_medicine_has_its_own_dosage() -> None:
    found = stated("Aspirin 81 mg, Plavix and Lipitor 20 mg were stopped.")
    assert {name: one.governing.event for name, one in found.items() if one.governing} == dict.fromkeys(
        ("aspirin", "clopidogrel", "atorvastatin"), "STOPPED"
    )
    assert {name: [d.dosage.dose for d in one.dosages] for name, one in found.items()} == {
        "aspirin": [81],
        "clopidogrel": [],
        "atorvastatin": [20],
    }
    assert all(one.with_dosed for one in found.values())


def test_a_new_verb_ends_a_run() -> None:
    found = stated("She takes aspirin, and warfarin was stopped.")
    assert [found[name].governing.event for name in ("aspirin", "warfarin")] == ["TAKES", "STOPPED"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("He takes metformin 500 mg twice daily for diabetes.", "diabetes"),
        ("He takes metformin for 5 days.", ""),  # how long
        ("He takes metformin.", ""),
    ],
)
def test_what_a_medicine_is_for_stands_behind_its_dosage(text: str, reason: str) -> None:
    assert stated(text)["metformin"].reason == reason


def test_a_dosage_before_the_name_is_the_name_s() -> None:
    (one,) = stated("She was given 81 mg of aspirin.")["aspirin"].dosages
    assert (one.dosage.dose, one.dosage.unit) == (81, "mg")


def test_a_year_before_a_medicine_dates_it() -> None:
    found = stated("In 2015 took aspirin. Takes metformin.")
    assert (found["aspirin"].dated, found["metformin"].dated) == (True, False)


def test_an_infusion_is_of_the_hospital_and_a_home_list_is_not() -> None:
    assert stated("HPI: heparin drip 12 units/kg/hr IV continuous.")["heparin"].context.infused
    listed = stated("Home medications: metformin 500 mg twice daily")["metformin"].context
    assert (listed.list_event, listed.infused) == ("LIST_HOME", False)


def test_a_note_without_medicines_has_none() -> None:
    assert stated("She has a cough.") == {}
