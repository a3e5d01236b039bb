"""Warnings of what the patient has already, and of what is more urgent for them, through the shipped rules and graph."""

import pytest

from backend.container import Container
from backend.knowledge.advice.raised_levels import FAMILY, TABLE, raised
from backend.knowledge.advice.red_flags import AS_NEW, level_of
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.draft import FitVerdict, WrittenSentence
from backend.schemas.drafts.evidence import Evidence, Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Fit, Source
from backend.verification.fit.patient_fit import PatientFit
from backend.verification.fit.present_signs import LASTING

AMBULANCE, ED, TODAY = (
    "Call an ambulance (911 in the US) if ",
    "Go to an emergency department now if ",
    "Call your doctor today if ",
)
LASTING_ROWS, RAISED_ROWS = trigger_rows(LASTING), trigger_rows(FAMILY, TABLE)
ROWS = [pytest.param(row, id=row.rule_id) for row in (*LASTING_ROWS, *RAISED_ROWS)]


def patient(container: Container, note: str) -> PatientFit:
    return container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note))


@pytest.mark.parametrize("row", ROWS)
def test_a_row_finds_its_examples_and_no_others(row: TriggerRow) -> None:
    def says(example: str) -> bool:
        return bool(TriggerAutomaton([row]).find(plain_marks(tokens(example).words))[row.family])

    assert [example for example in row.yes if not says(example)] == [], "yes without its words"
    assert [example for example in row.no if says(example)] == [], "no with its words"


@pytest.mark.parametrize("rows", [LASTING_ROWS, RAISED_ROWS], ids=[LASTING, FAMILY])
def test_no_two_rows_match_the_same_words(rows: tuple[TriggerRow, ...]) -> None:
    assert TriggerAutomaton(rows).explore() > len(rows)  # raises where two do


@pytest.mark.parametrize(
    ("note", "sign"),
    [
        ("HPI: A 40-year-old man with paraplegia since a fall in 2003 has a cough.", f"{ED}your legs turn weak or numb."),
        ("HPI: An 80-year-old woman with aphasia has a cough.", f"{AMBULANCE}your face droops, or your speech is slurred."),
        ("HPI: A 70-year-old man has had shortness of breath for years.", f"{AMBULANCE}you have chest pain or trouble breathing."),
        ("HPI: A 50-year-old woman has left lower quadrant pain.", f"{TODAY}you have belly pain."),
        ("HPI: A 66-year-old man on hemodialysis has a rash.", f"{ED}you pass almost no urine for 12 hours."),
    ],
)  # fmt: skip
def test_what_the_patient_has_already_is_told_as_new_or_worse(container: Container, note: str, sign: str) -> None:
    told = patient(container, note).told(sign)
    assert told == f"{sign.removesuffix('.')}{AS_NEW}."
    assert level_of(told) is level_of(sign)


@pytest.mark.parametrize(
    ("note", "sign"),
    [
        ("HPI: A 40-year-old man has a cough. He denies chest pain.", f"{AMBULANCE}you have chest pain."),
        ("HPI: A 40-year-old man has a headache.", f"{ED}a headache gets worse."),  # it says so itself
        ("HPI: A 40-year-old man has belly pain.", f"{ED}you have a fever with belly pain."),  # both together are new
        ("HPI: A 40-year-old woman has generalized weakness.", f"{AMBULANCE}an arm or leg gets weak."),  # of one part
        ("HPI: A 40-year-old woman hurts all over.", f"{AMBULANCE}you have hurt yourself, or are about to act on a plan to die."),
        ("HPI: A 40-year-old man's wife has a headache. He has a cough.", f"{ED}you have a headache."),
        ("HPI: A 40-year-old man has pain.", "Rest if you have pain."),
    ],
)  # fmt: skip
def test_other_signs_stand_as_they_are(container: Container, note: str, sign: str) -> None:
    assert patient(container, note).told(sign) == sign


@pytest.mark.parametrize(
    ("note", "sign"),
    [
        ("HPI: A 60-year-old man with a kidney transplant has a cough.", "you have a fever of 100.4°F (38°C) or more"),
        ("HPI: A 60-year-old man fell. Medications: warfarin 5 mg daily.", "you throw up after a blow to the head"),
        ("HPI: A 28-year-old woman is pregnant at 30 weeks and has a cough.", "headaches come more often"),
        ("HPI: A 30-year-old woman with adrenal insufficiency has a cough.", "you throw up or have diarrhea"),
        ("HPI: A 50-year-old man with a solitary kidney has a cough.", "you pass much less urine than usual"),
        ("HPI: A 71-year-old man after shunt surgery for hydrocephalus has a cough.", "you are very sleepy"),
    ],
)
def test_a_sign_that_is_more_urgent_for_a_patient_is_raised(container: Container, note: str, sign: str) -> None:
    assert patient(container, note).told(f"{TODAY}{sign}.") == f"{ED}{sign}."
    assert patient(container, "HPI: A 60-year-old man has a cough.").told(f"{TODAY}{sign}.") == f"{TODAY}{sign}."


def test_nothing_is_raised_above_an_ambulance_or_where_comfort_is_the_goal(container: Container) -> None:
    sign = "you have a fever and are confused"
    assert raised(f"{AMBULANCE}{sign}.", lambda _: True) == f"{AMBULANCE}{sign}."
    hospice = "HPI: A 70-year-old man with a kidney transplant has a cough. Plan: Comfort measures only."
    assert patient(container, hospice).told(f"{TODAY}{sign}.") == f"{TODAY}{sign}."


def test_whoever_writes_a_sign_too_late_is_told_so(container: Container) -> None:
    note = "HPI: A 60-year-old man with a kidney transplant has a cough."
    written = [
        WrittenSentence(text=f"{opening}you have a fever.", section="When to get help", basis=Basis.GENERAL)
        for opening in (TODAY, ED)
    ]
    late, soon = container.checks.fit.check(
        written, container.linker.read(note), (), Evidence(), DraftRequest(text=note)
    )
    assert (late.fit, late.reason) == (
        Fit.NOT_FOR_THIS_PATIENT,
        "asks for help too late; the note tells why it is more urgent",
    )
    assert soon.fit is not Fit.NOT_FOR_THIS_PATIENT


@pytest.mark.parametrize(
    ("note", "sign", "because"),
    [
        ("HPI: A 60-year-old man with a kidney transplant has a cough.", "you have a fever", "kidney transplant"),
        ("HPI: A 60-year-old man fell. Medications: warfarin 5 mg daily.", "you throw up after a blow to the head", "warfarin"),
        ("HPI: A 28-year-old woman is pregnant at 30 weeks and has a cough.", "headaches come more often", "a pregnancy"),
        ("HPI: A 60-year-old man has a kidney transplant and a fever.", f"you have a fever{AS_NEW}", "kidney transplant"),
    ],
)  # fmt: skip
def test_a_warning_sooner_than_its_source_says_what_the_source_says_and_why(
    container: Container, note: str, sign: str, because: str
) -> None:
    def verdict(text: str, record: str, source: str) -> FitVerdict:
        passage = Passage(
            id="P1",
            source=Source.BOOK,
            document_id="handbook/x",
            title="X: Warning signs",
            text=source,
            start_char=0,
            end_char=len(source),
        )
        said = WrittenSentence(text=text, section="When to get help", basis=Basis.GENERAL, citations=("P1",))
        linked = container.linker.read(record)
        return container.checks.fit.check([said], linked, (), Evidence(passages=(passage,)), DraftRequest(text=record))[
            0
        ]

    plain = sign.removesuffix(AS_NEW)
    source = f"Drink enough. Call your surgeon today if {plain}. Rest."
    raised = verdict(f"{ED}{sign}.", note, source).raised
    assert raised is not None
    assert (raised.source_says, raised.because) == ("Call your surgeon today", because)
    # as the source tells it, told by no passage, and for somebody whom no row raises
    assert verdict(f"{ED}{sign}.", note, f"{ED}{plain}.").raised is None
    assert verdict(f"{ED}{sign}.", note, "Drink enough.").raised is None
    assert verdict(f"{ED}{sign}.", "HPI: A 40-year-old man has a cough.", source).raised is None


@pytest.mark.parametrize(
    ("precaution", "level"),
    [
        ("He should come back for fever, spreading redness or severe pain.", ED),
        ("Return or ring 111 if there is a fever.", ED),
        ("Call the office for fever.", TODAY),
        ("Come back for a rash.", TODAY),
    ],
)
def test_a_sign_is_no_less_urgent_than_the_note_s_own_return_precautions(
    container: Container, precaution: str, level: str
) -> None:
    here = patient(container, f"HPI: A 63-year-old man with cellulitis of the shin.\n\nPlan: {precaution}")
    assert here.told(f"{TODAY}a fever is no better after two days of antibiotics.").startswith(level)
    assert here.told(f"{AMBULANCE}you faint.").startswith(AMBULANCE)


@pytest.mark.parametrize(
    ("note", "sign", "told"),
    [
        ("PLAN: If redness goes past the line, return to ED.", "redness grows past the drawn line, or red streaks appear", ED),
        ("PLAN: Return if he needs albuterol more than every 4 hours.", "you need the quick-relief inhaler more than usual", TODAY),
        ("PLAN: Return if needing albuterol more than q4h.", "your child needs the quick-relief inhaler more than every four hours", ED),
        ("Return: fever over 38, chills.", "you have a fever of 100.4°F (38°C) or more", ED),
        ("PLAN: Return for shortness of breath at rest.", "you get short of breath with less effort than before", TODAY),
        ("PLAN: Return for shortness of breath.", "you get short of breath with less effort than before", ED),
        ("Come to A&E if vomiting.", "you throw up", ED),
    ],
)  # fmt: skip
def test_what_the_note_asks_to_come_for_is_left_to_no_call(
    container: Container, note: str, sign: str, told: str
) -> None:
    assert patient(container, f"A 50-year-old man. {note}").raised(f"{TODAY}{sign}.") == f"{told}{sign}."


@pytest.mark.parametrize(
    ("note", "sign"),
    [
        ("HPI: A 38-year-old woman has hip pain of more than 2 years duration.", "hip pain lasts more than four weeks"),
        ("HPI: A 50-year-old man has had a cough for about two months.", "a cough lasts more than three weeks"),
    ],
)
def test_what_has_lasted_longer_already_is_no_if(container: Container, note: str, sign: str) -> None:
    text = f"Tell your doctor at your next visit if {sign}."
    assert not patient(container, note).fits(text, (), "")
    assert patient(container, "HPI: A 40-year-old man has had hip pain and a cough for three days.").fits(text, (), "")


def test_a_severe_form_of_what_is_there_stands_as_it_is(container: Container) -> None:
    note = "HPI: A 70-year-old man has had belly pain for a week."
    assert (
        patient(container, note).told(f"{AMBULANCE}you have severe belly pain.")
        == f"{AMBULANCE}you have severe belly pain."
    )


def test_a_confused_patient_is_not_warned_of_new_confusion(container: Container) -> None:
    note = "HPI: An 80-year-old woman is confused."
    told = patient(container, note).told(f"{AMBULANCE}you are newly confused or very hard to wake.")
    assert told == f"{AMBULANCE}you are confused or very hard to wake{AS_NEW}."


@pytest.mark.parametrize("illness", ["pulmonary embolism", "gastrointestinal bleeding", "aortic stenosis"])
def test_nearly_fainting_is_an_emergency_beside_some_illnesses(container: Container, illness: str) -> None:
    sign = "you nearly faint, or feel faint when you stand."
    assert patient(container, f"HPI: A 60-year-old man has {illness}.").told(f"{TODAY}{sign}") == f"{ED}{sign}"
