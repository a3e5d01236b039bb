"""One medicine that a list has twice by two names, and what only looks so."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def found(container: Container, *entries: str, story: str = "", home: tuple[str, ...] = ()) -> list[Flag]:
    """The flags of a medicine that stands twice, in a note with one list."""
    listed = "\n".join(f"- {one}" for one in entries)
    text = f"Allergies: none\n\nHPI: A 62-year-old man was seen today.{story}\n\nMedications:\n{listed}"
    request = DraftRequest(text=text, discharge_medicines=home)
    flags, _ = container.safety.check(request, container.linker.read(text), (), ())
    return [one for one in flags if "stands twice" in one.message]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zocor 20 mg nightly", "simvastatin 20 mg nightly"),
        ("Euthyrox 75 mcg every morning", "levothyroxine 75 mcg daily"),
        ("Prograf 2 mg twice daily", "Advagraf 4 mg every morning"),
        ("Toprol XL 100 mg daily", "metoprolol succinate 100 mg daily"),
        ("Panadol 500 mg as needed", "paracetamol 1 g as needed"),
    ],
)
def test_a_list_that_has_one_medicine_by_two_names_is_warned_of(container: Container, one: str, other: str) -> None:
    (flag,) = found(container, one, "furosemide 20 mg daily", other)
    assert flag.severity is Severity.WARNING and one in flag.message and other in flag.message


def test_two_entries_with_one_dose_stay_two_in_the_record(container: Container) -> None:
    note = container.linker.read("Medications:\n- Zocor 20 mg nightly\n- simvastatin 20 mg nightly")
    assert note.record is not None
    assert [one.spans[0].text for one in note.record.medications] == ["Zocor", "simvastatin"]


def test_what_both_bring_in_a_day_tells_how_grave_it_is(container: Container) -> None:
    # 4 times 1 g of each are 8 g, and acetaminophen's own row of itself is severe from 4 g a day on.
    (flag,) = found(container, "Calpol 1 g four times daily", "paracetamol 1 g four times daily")
    assert flag.severity is Severity.SEVERE and "(8 g a day in all)" in flag.message


def test_the_list_for_home_is_read_so_too(container: Container) -> None:
    (flag,) = found(container, "aspirin 75 mg daily", home=("Tritace 5 mg daily", "ramipril 5 mg daily"))
    assert "the discharge list" in flag.message


@pytest.mark.parametrize(
    "entries",
    [
        ("Zocor (simvastatin) 20 mg nightly",),
        ("simvastatin 20 mg (Zocor 20 mg) nightly",),
        ("simvastatin 20 mg nightly", "simvastatin 20 mg nightly"),
        ("Zomorph 30 mg twice daily", "Oramorph 10 mg every 4 hours as needed"),
        ("Sinemet CR 50/200 nightly", "carbidopa-levodopa 25/100 three times daily"),
        ("Seroquel 25 mg every morning", "quetiapine XR 300 mg nightly"),
        ("insulin lispro 6 units with breakfast", "Humalog 8 units with dinner"),
        ("Coumadin 5 mg Mon Wed Fri", "warfarin 2.5 mg Tue Thu Sat Sun"),
        ("Voltarol gel three times daily", "diclofenac 50 mg twice daily"),
    ],
)
def test_one_entry_with_two_names_and_two_ways_or_times_of_taking_it_are_not_doubled(
    container: Container, entries: tuple[str, ...]
) -> None:
    assert found(container, *entries) == []


@pytest.mark.parametrize(
    "story",
    [" He takes Zocor.", " He takes Zocor 20 mg nightly.", " He was changed from Zocor to simvastatin last month."],
)
def test_a_story_that_names_what_the_list_has_doubles_nothing(container: Container, story: str) -> None:
    assert found(container, "simvastatin 20 mg nightly", story=story) == []


def test_a_list_for_the_ward_beside_the_one_of_home_doubles_nothing(container: Container) -> None:
    text = (
        "Allergies: none\n\nHPI: A 62-year-old man with heart failure.\n\nHome medications:\n- Lasix 40 mg daily\n\n"
        "Hospital medications:\n- furosemide 40 mg daily\n"
    )
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    assert not [one for one in flags if "stands twice" in one.message]


@pytest.mark.parametrize(("dose", "severity"), [("1000 mg", "warning"), ("500 mg", "none")])
def test_a_combination_beside_its_ingredient_is_warned_of_where_both_are_too_much(
    container: Container, dose: str, severity: str
) -> None:
    # 2 times 1000 mg in Janumet and 2 times 1000 mg are 4000 mg; with 500 mg of metformin they are 3000 mg.
    text = f"Allergies: none\n\nHPI: A 62-year-old man with diabetes.\n\nMedications:\n- Janumet 50/1000 mg twice daily\n- metformin {dose} twice daily"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    pairs = [one.severity.value for one in flags if one.kind == "interaction" and "metformin" in one.message]
    assert (pairs or ["none"]) == [severity]
