"""For whom a document is: a crisis of now, comfort as the goal, a child; what is denied, past, refused or another's is none of them."""

import pytest

from backend.container.container import Container
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.people.care_frames import (
    cannot_read,
    comfort_goal,
    crisis_problems,
    is_child,
    is_dying,
    may_be_child,
    on_life_support,
)
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

FAMILIES = ("people/crisis", "people/comfort", "letter/call", "letter/in_house", "fit/emergency")
ROWS = [row for family in FAMILIES for row in trigger_rows(family)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule_id)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    automaton = TriggerAutomaton(trigger_rows(row.family))

    def found(text: str) -> bool:
        return any(one.row.id == row.id for one in automaton.find(plain_marks(tokens(text).words))[row.family])

    assert all(map(found, row.yes))
    assert not any(map(found, row.no))


@pytest.mark.parametrize(
    "note",
    [
        "HPI: 24F brought in after an intentional overdose of 30 tablets of acetaminophen.",
        "HPI: 34F. Took an overdose of sertraline last night with intent to end her life.",
        "HPI: 34F with passive SI for two weeks, no plan.",
        "HPI: 45M with thoughts that he would be better off dead most nights.",
        "HPI: 16F cut her wrists this morning after school.",
        "HPI: 40F hanging attempt today, cut down by her husband.",
        "HPI: 30F deliberate self-poisoning with 20 citalopram.",
        "HPI: 51M with chest pain. He says that he wants to kill himself.",
    ],
)
def test_thoughts_plans_and_acts_of_now_are_a_crisis(container: Container, note: str) -> None:
    assert crisis_problems(container.linker.read(note).record)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "note",
    [
        "HPI: 52M denies suicidal ideation or homicidal ideation.",
        "HPI: 34F with depression. Suicide attempt in 2015. No current SI.",
        "HPI: 70M accidental overdose of metoprolol, took his pills twice. No suicidal intent.",
        "HPI: 50M heroin overdose, found down. Denies SI.",
        "HPI: 60F with chest pain. Her son committed suicide last year.",
        "HPI: 33M. Started fluoxetine. Return if suicidal thoughts develop.",
        "HPI: 60F with SI joint pain.",
        "Review of Systems: suicidal thoughts.\nHPI: 29F with headache. She is not suicidal.",
    ],
)
def test_what_is_denied_past_feared_or_anothers_is_no_crisis(container: Container, note: str) -> None:
    assert crisis_problems(container.linker.read(note).record) == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("note", "comfort"),
    [
        ("PLAN: Decision made to withdraw full code status and proceed with comfort measures with the family.", True),
        ("HPI: An 80-year-old woman with dementia, on home hospice with a local agency, seen for pain.", True),
        ("HPI: 80F. Goals of care were discussed, transitioned to comfort measures only.", True),
        ("Plan: Home with hospice. DNR.", True),
        ("HPI: 71M with lung cancer under the community palliative care team.", True),
        ("HPI: 80F with metastatic cancer. The family declined hospice and wants full treatment.", False),
        ("HPI: 80F. Palliative care was consulted.", False),
        ("Plan: Will discuss hospice if she worsens.", False),
        ("HPI: 60M. His wife died in hospice last year.", False),
        ("HPI: 65F receiving palliative chemotherapy for breast cancer with fever.", False),
        ("HPI: 65F with sepsis. DNR.", False),
        ("HPI: 88F from a care home.\nPlan: DNACPR in place. Hospital only if pain cannot be controlled.", True),
        ("HPI: 93M with dementia. Not for hospital readmission unless he breaks a bone.", True),
        ("ADVANCE CARE: DNACPR, ReSPECT. For treatment in the nursing home, family agree.", True),
        ("Plan: POLST signed, do not hospitalize. Antibiotics by mouth.", True),
        ("Plan: Not for 999. The district nurses come daily.", True),
        ("Plan: DNACPR completed. Ceiling of care ward based, for NIV.", False),
        ("Plan: DNACPR. He would come to hospital again for sepsis.", False),
        ("Plan: Come back to the hospital only if the bleeding starts again.", False),
        ("Plan: Not for admission, treat at home with amoxicillin.", False),
        ("HPI: 70M with heart failure, no readmissions since March. Weigh daily to avoid readmission.", False),
    ],
)
def test_comfort_is_the_goal_where_the_note_has_decided_it(container: Container, note: str, comfort: bool) -> None:
    assert comfort_goal(container.linker.read(note).record) is comfort  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("note", "child"),
    [
        ("HPI: A 9-month-old boy with a cough.", True),
        ("HPI: A 15-year-old girl with a cough.", True),
        ("HPI: A 15-year-old girl, pregnant at 20 weeks, with a cough.", False),
        ("HPI: A 16-year-old girl with a cough.", False),
        ("HPI: A woman with a cough.", False),
    ],
)
def test_a_parent_reads_for_a_child(container: Container, note: str, child: bool) -> None:
    assert is_child(container.linker.read(note).record) is child  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("note", "unsure"),
    [
        ("HPI: According to mom, she has been sleepy and vomits.", True),
        ("HPI: According to mom, this 34-year-old woman has been sleepy.", False),
        ("HPI: According to her husband, she has been sleepy.", False),
        ("HPI: She has been sleepy and vomits.", False),
    ],
)
def test_whom_a_parent_speaks_for_and_whose_age_is_not_stated_may_be_a_child(
    container: Container, note: str, unsure: bool
) -> None:
    record = container.linker.read(note).record
    assert record is not None
    assert may_be_child(record) is unsure


def test_thoughts_of_killing_another_are_a_crisis_too(container: Container) -> None:
    record = container.linker.read("HPI: 37M who started having thoughts about killing his mother.").record
    assert record is not None
    assert [one.name for one in record.problems] == ["homicidal thoughts"] and crisis_problems(record)


@pytest.mark.parametrize(
    ("exam", "supported"),
    [
        (
            "HPI: She was intubated for sepsis.\nPHYSICAL EXAM: She is sedated, lying in bed, with an ET tube in place.",
            True,
        ),
        ("HPI: She was intubated in 2015 for sepsis.\nPHYSICAL EXAM: She is awake and alert.", False),
        ("HPI: She had sedation for a scan.\nPHYSICAL EXAM: She is sedated.", False),
    ],
)
def test_who_lies_sedated_on_a_breathing_machine_is_on_life_support(
    container: Container, exam: str, supported: bool
) -> None:
    record = container.linker.read(exam).record
    assert record is not None
    assert on_life_support(record) is supported


def test_a_patient_from_whom_life_support_is_withdrawn_is_dying(container: Container) -> None:
    for note, dying in (
        ("HPI: The family decided on a terminal wean with comfort measures.", True),
        ("HPI: She is on home hospice and wants comfort.", False),
    ):
        record = container.linker.read(note).record
        assert record is not None
        assert is_dying(record) is dying
        assert comfort_goal(record)
        assert cannot_read(record, going_home=False) is dying
        assert not cannot_read(record, going_home=True)  # the team writes of the way home


def test_a_refused_end_of_life_support_is_no_dying(container: Container) -> None:
    record = container.linker.read("HPI: The family declined a terminal wean and wants full treatment.").record
    assert record is not None
    assert not is_dying(record) and not comfort_goal(record)
