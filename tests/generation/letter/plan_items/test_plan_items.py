"""A plan in telegram style: told where its slots hold every word of it, in one frame a type; what is not read whole is not told."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plan_items.plan_reader import PlanReader
from backend.generation.letter.plan_items.plan_slots import FAMILY, slots_of
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import SectionCategory

NOTE = "Seen with Dr Abara last 2/52."


def read(text: str, section: SectionCategory = SectionCategory.PLAN, note: str = NOTE, *, child: bool = False) -> str:
    reader = PlanReader(PatientRecord(), note, lambda words, _: words, Addressee(child=child))
    return reader.sentences(text, 0, section)


@pytest.mark.parametrize("row", trigger_rows(FAMILY), ids=lambda row: row.id)
def test_the_examples_of_a_slot_are_read_as_it_says(row: TriggerRow) -> None:
    def has(text: str) -> bool:
        found = slots_of(text, (), twelfths=True)
        return found is not None and any(slot.row == row.id for slot in found.slots)

    assert all(has(text) or not read(text) for text in row.yes)
    assert not any(map(has, row.no))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stitches out 14/9 practice nurse", "Your stitches are to come out on 14/9, by the practice nurse."),
        ("Hand clinic 3/52, x-ray then", "A visit at the hand clinic is planned for you in 3 weeks, with an x-ray."),
        ("GP LFT 2/12", "A liver blood test is to be done in 2 months, through your GP."),
        (
            "No swimming or gym for 4 wks, shower ok",
            "You should not swim or go to the gym for 4 weeks. You may shower.",
        ),
        ("clinic Abara 6/52", "A clinic visit with Dr Abara is planned for you in 6 weeks."),
        ("carers tds from Friday", "Planned for you: carers three times a day from Friday."),
        ("keep cast dry, back to school Wed", "You should keep the cast dry. You can go back to school on Wednesday."),
        ("Refer to dermatology", "You are to be referred to the skin team."),
        ("urine culture pending", "The result of a urine culture (a test for germs) was still awaited."),
    ],
)
def test_a_plan_that_is_read_whole_is_told_by_its_slots(text: str, told: str) -> None:
    assert read(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "clinic 3/52 if the scan is bad",
        "No driving unless the tracing is clear",
        "?CT chest in 6 weeks",
        "stitches out when healed",
        "LFT",  # in no plan
        "Catheter out Monday",  # it may have been
        "no alcohol",
        "MRI 14/9",
    ],
)
def test_any_other_is_not(text: str) -> None:
    section = SectionCategory.UNLABELED
    assert read(text, section) == ""


def test_a_number_over_twelve_or_seven_is_a_period_only_where_the_note_counts_so() -> None:
    assert read("CT chest 3/12", note="Seen on 3/20.") == "A CT scan of the chest is to be done on 3/12."
    assert read("CT chest 3/12", note="Seen.") == ""


def test_a_parent_is_told_of_the_child() -> None:
    told = read("No gym until seen", child=True)
    assert told == "Your child should not go to the gym until your child has been seen again."


def test_what_is_not_read_whole_but_is_to_come_is_still_a_plan() -> None:
    reader = PlanReader(PatientRecord(), NOTE, lambda words, _: words, Addressee())
    assert reader.plans("bloods 1 wk (on the new tablets)", 0, SectionCategory.UNLABELED)
    assert reader.plans("bloods until Friday (on the new tablets)", 0, SectionCategory.RESULTS)
    for found in (
        "seen in clinic 2 weeks ago",
        "CT of the belly: loops to 4 cm, widest in the pelvis",
        "MRI: from 2 to 3 cm",
    ):
        assert not reader.plans(found, 0, SectionCategory.RESULTS)
