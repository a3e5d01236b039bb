"""A plan in telegram style: told where its slots hold every word of it, in one frame a type; what is not read whole is not told."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plan_items.plan_reader import PlanReader
from backend.generation.letter.plan_items.plan_slots import FAMILY, names_plan, names_visit, slots_of
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.record import MedicationStatement, PatientRecord, RecordSpan
from backend.schemas.vocabulary import SectionCategory

NOTE = "Seen with Dr Abara last 2/52."


def read(text: str, section: SectionCategory = SectionCategory.PLAN, note: str = NOTE, *, child: bool = False) -> str:
    reader = PlanReader(PatientRecord(), note, lambda words, _: words, Addressee(child=child))
    return reader.sentences(text, 0, section)


@pytest.mark.parametrize(
    ("text", "note", "told"),
    [
        (
            "Review 4/7 if no better",
            "6/7 hx earache.",
            "A visit is planned for you in 4 days if there is no improvement.",
        ),
        ("Clinic 9/12", "Rash for the last 2/12.", "A clinic visit is planned for you in 9 months."),
        ("Review 4/7 if no better", "Earache. Seen 3/7.", ""),  # dates
        ("FU 3 weeks later with GP", NOTE, "A follow-up visit with your GP is planned for you in 3 weeks."),
        ("FU 1 week later with GP", NOTE, "A follow-up visit with your GP is planned for you in 1 week."),
        ("Conservative mx - bed rest, ice", NOTE, "You should rest in bed. You should put ice on it."),
        ("Conservative mx", NOTE, ""),
        ("To start today", NOTE, ""),  # what is to be started is not known
    ],
)
def test_a_terse_plan_counts_as_its_note_does(text: str, note: str, told: str) -> None:
    assert read(text, note=note) == told


def test_a_medicine_to_start_or_to_take_regularly_is_told() -> None:
    note = "Course of amoxicillin. To start tonight. Fluids, regular amoxicillin."
    held = MedicationStatement(
        id="m",
        name="amoxicillin",
        concept_id="T:1",
        spans=(RecordSpan(start_char=10, end_char=21, text="amoxicillin"),),
    )
    reader = PlanReader(PatientRecord(medications=(held,)), note, lambda words, _: words, Addressee())
    begin, rest = note.index("To start"), note.index("Fluids")
    assert (
        reader.sentences("To start tonight.", begin, SectionCategory.PLAN) == "You should start the medicine tonight."
    )
    assert reader.sentences(note[rest:], rest, SectionCategory.PLAN) == (
        "You should drink plenty of fluids. You should take amoxicillin regularly."
    )


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
        (
            "Stool culture sent - pending, we call if positive",
            "The result of a stool test was still awaited; the team will call you if it is not normal.",
        ),
        ("Outstanding: IgG4, zinc level", "The results of IgG4 and zinc level were still awaited."),
        (
            "ENT referral placed, date TBC",
            "You have been referred to the ear, nose and throat team; no date is set yet.",
        ),
        ("Falls clinic TBA", "A visit at the falls clinic is planned for you; no date is set yet."),
        ("Home health RN 3x/wk", "Planned for you: a nurse at home 3 times a week."),
        ("Outpt PT 2x/wk starts 4/18", "Planned for you: physical therapy 2 times a week starting on 4/18."),
        (
            "ENT 2-3 wk, pt to call",
            "A visit with the ear, nose and throat team is planned for you in 2-3 weeks; please call to arrange it.",
        ),
        (
            "PCP 1 wk CBC + BMP",
            "A blood count and a blood chemistry test are to be done in 1 week, through your primary care doctor.",
        ),
        ("TSH in 6 wks, then q6mo", "A thyroid blood test is to be done in 6 weeks, then every 6 months."),
        (
            "3 g Na, 1 L fluid",
            "You should eat no more than 3 g of sodium (salt) and drink no more than 1 liters of fluid a day.",
        ),
        ("Work note 4 days", "You have been given a note for work for 4 days."),
        ("No further follow-up needed", "No follow-up visit is planned."),
        ("Return 4 months", "A visit is planned for you in 4 months."),
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


def test_a_limit_may_last_as_long_as_a_medicine_is_taken() -> None:
    record = PatientRecord(
        medications=(
            MedicationStatement(
                id="m",
                name="oxycodone",
                concept_id="T:1",
                spans=(RecordSpan(start_char=0, end_char=9, text="oxycodone"),),
            ),
        )
    )
    reader = PlanReader(record, NOTE, lambda words, _: words, Addressee())
    told = reader.sentences("No driving until off oxycodone & cleared", 0, SectionCategory.PLAN)
    assert told == "You should not drive until you no longer take oxycodone and until a doctor says that you may."


@pytest.mark.parametrize(
    "text",
    [
        "seizure 3 weeks old, clinic",
        "sent from clinic 2 weeks",
        "34w2d seen in clinic",
        "penicillin allergy day 2 rash",
    ],
)
def test_what_only_looks_like_a_visit_is_no_plan(text: str) -> None:
    assert not names_plan(text)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("A visit at the stroke clinic is planned for you on 5/22.", True),
        ("No follow-up visit is planned.", True),
        ("f/u 1-2wk", True),
        ("You should not drive for 2 weeks.", False),
        ("A chest x-ray is to be done in 6 weeks.", False),
    ],
)
def test_a_visit_beside_its_time_is_seen(text: str, has: bool) -> None:
    assert names_visit(text) is has


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("No driving 2 wk or on oxy", "You should not drive for 2 weeks, and not while you take oxycodone."),
        (
            "No lifting 4 wks or driving on oxycodone",
            "You should not lift things for 4 weeks. You should not drive while you take oxycodone.",
        ),
        (
            "No gym 2 wks or swimming 6 wks",
            "You should not go to the gym for 2 weeks. You should not swim for 6 weeks.",
        ),
        ("No driving till cleared", "You should not drive until a doctor says that you may."),
        (
            "LFT 3/52 at your surgery, then monthly",
            "A liver blood test is to be done in 3 weeks, through your GP, then monthly.",
        ),
        ("TSH recheck 8 wks", "A thyroid blood test is to be repeated in 8 weeks."),
        (
            "Recheck lipids/LFTs in 8 weeks",
            "A test of blood fats and a liver blood test are to be repeated in 8 weeks.",
        ),
        ("Recheck 8 wks", "A recheck is planned for you in 8 weeks."),
        ("See dentist", "Please see your dentist."),
        ("See GP in 2 weeks", "A visit with your GP is planned for you in 2 weeks."),
        ("Review 2 hrs", ""),
        ("BP check in 72 hours", "A blood pressure check is planned for you in 72 hours."),
        ("Come back for this", ""),
    ],
)
def test_each_limit_and_each_time_keeps_what_it_is_of(text: str, told: str) -> None:
    taken = MedicationStatement(
        id="m", name="oxycodone", concept_id="T:1", spans=(RecordSpan(start_char=0, end_char=9, text="oxycodone"),)
    )
    reader = PlanReader(PatientRecord(medications=(taken,)), NOTE, lambda words, _: words, Addressee())
    assert reader.sentences(text, 0, SectionCategory.PLAN) == told
