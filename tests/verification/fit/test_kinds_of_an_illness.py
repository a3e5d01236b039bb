"""Advice of a chapter that is wider than the patient: kind, side, place and course of an illness, and what a visit plans itself."""

import pytest

from backend.container import Container
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Fit, Source

AMBULANCE, ED = "Call an ambulance (911 in the US) if ", "Go to an emergency department now if "
TODAY = "Call your doctor today if "


def fits(container: Container, note: str, chapter: str, section: str, sentence: str) -> bool:
    """Whether a sentence of a chapter of the shipped handbook is for the patient of a note."""
    patient = container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note))
    named = container.linker.named(chapter)
    passage = Passage(
        id="P1", source=Source.BOOK, document_id=f"handbook/{chapter}", title=f"{chapter.capitalize()}: {section}",
        section=section, text=sentence, concept_id=named[0].concept_id, start_char=0, end_char=len(sentence),
    )  # fmt: skip
    return patient.verdict(sentence, passage).fit is not Fit.NOT_FOR_THIS_PATIENT


B_TESTS = "People with long-term hepatitis B need blood tests about every 6 months."
HANDS = "Wash your hands well after the toilet and before you make food."
REST = "Rest as much as you need in the first weeks of viral hepatitis."
WEAK = "Four kinds of medicine protect the heart in heart failure with a weak pump."
SCREEN = "Ask if you are due for a colon cancer screening test."
FOOD = "Avoid any food that has set off your asthma, such as dried fruit or wine with sulfites."


@pytest.mark.parametrize(
    ("note", "chapter", "section", "sentence", "told"),
    [
        ("A 51-year-old man has chronic hepatitis C.", "viral hepatitis", "Follow-up", B_TESTS, False),
        ("A 51-year-old man has chronic hepatitis B.", "viral hepatitis", "Follow-up", B_TESTS, True),
        ("A 51-year-old man has chronic hepatitis C.", "viral hepatitis", "Precautions", HANDS, False),
        ("A 30-year-old woman has hepatitis A.", "viral hepatitis", "Precautions", HANDS, True),
        ("A 51-year-old man has chronic hepatitis C.", "viral hepatitis", "Activity", REST, False),
        ("A 30-year-old woman has hepatitis A.", "viral hepatitis", "Activity", REST, True),
        ("A 70-year-old woman has heart failure with preserved ejection fraction.", "heart failure", "Medicines", WEAK, False),
        ("A 70-year-old woman has heart failure. Ejection fraction 55%.", "heart failure", "Medicines", WEAK, False),
        ("A 70-year-old woman has heart failure. Ejection fraction 30%.", "heart failure", "Medicines", WEAK, True),
        ("A 70-year-old woman has HFrEF.", "heart failure", "Medicines", WEAK, True),
        ("A 42-year-old man has constipation.", "constipation", "Follow-up", SCREEN, False),
        ("A 61-year-old man has constipation.", "constipation", "Follow-up", SCREEN, True),
        ("A 31-year-old woman has asthma. Triggers are cats.", "asthma", "Diet", FOOD, False),
        ("A 31-year-old woman has asthma and a food allergy.", "asthma", "Diet", FOOD, True),
    ],
)  # fmt: skip
def test_a_sentence_on_one_kind_or_course_is_for_who_has_it(
    container: Container, note: str, chapter: str, section: str, sentence: str, *, told: bool
) -> None:
    assert fits(container, f"CLINIC VISIT\nHPI: {note}", chapter, section, sentence) is told


@pytest.mark.parametrize(
    ("note", "chapter", "sign", "told"),
    [
        ("A 66-year-old man has pain of the left shoulder.", "shoulder pain", f"{ED}both shoulders ache and your sight changes", False),
        ("A 38-year-old man has shoulder pain.", "shoulder pain", f"{ED}both shoulders ache and your sight changes", False),
        ("A 66-year-old man has shoulder pain.", "shoulder pain", f"{ED}both shoulders ache and your sight changes", True),
        ("A 48-year-old woman has pain of the right finger.", "pain", f"{AMBULANCE}you have a sudden, very bad headache, confusion or weakness", False),
        ("A 48-year-old woman has pain.", "pain", f"{AMBULANCE}you have a sudden, very bad headache, confusion or weakness", True),
        ("A 63-year-old woman has type 2 diabetes. Medications: metformin.", "type 2 diabetes mellitus", f"{AMBULANCE}low sugar makes you pass out or have a seizure", False),
        ("A 63-year-old woman has type 2 diabetes. Medications: glipizide.", "type 2 diabetes mellitus", f"{AMBULANCE}low sugar makes you pass out or have a seizure", True),
        ("A 44-year-old man has a meningioma.", "brain tumor", "Go to an emergency department now if you have another seizure for the first time since you left", False),
        ("A 44-year-old man has a meningioma.", "brain tumor", f"{AMBULANCE}you have a first seizure, or one that lasts 5 minutes or repeats", True),
        ("A 44-year-old man has a meningioma and had a seizure.", "brain tumor", f"{AMBULANCE}you have a first seizure, or one that lasts 5 minutes or repeats", True),
        ("A 49-year-old man has fatty liver disease.", "fatty liver disease", f"{AMBULANCE}you vomit blood or something that looks like coffee grounds", False),
        ("A 49-year-old man has fatty liver disease and cirrhosis.", "fatty liver disease", f"{AMBULANCE}you vomit blood or something that looks like coffee grounds", True),
    ],
)  # fmt: skip
def test_a_red_flag_of_a_place_a_side_or_a_cause_is_for_who_may_have_it(
    container: Container, note: str, chapter: str, sign: str, *, told: bool
) -> None:
    assert fits(container, f"CLINIC VISIT\nHPI: {note}", chapter, "Warning signs", f"{sign}.") is told


@pytest.mark.parametrize(
    ("plan", "told"),
    [("Follow up in 2 weeks.", False), ("Return in 8 weeks.", True), ("Call back if not better in 3 days.", False), ("Ibuprofen.", True)],
)  # fmt: skip
def test_a_time_to_wait_is_no_longer_than_the_notes_own(container: Container, plan: str, *, told: bool) -> None:
    note = f"CLINIC VISIT\nHPI: A 40-year-old man has low back pain.\nPLAN: {plan}"
    wait = "Tell your doctor at your next visit if back pain is no better after four weeks."
    assert fits(container, note, "low back pain", "Warning signs", wait) is told


def test_a_cream_is_of_no_class_that_works_through_the_body(container: Container) -> None:
    def takes(medicine: str, concept: str) -> bool:
        note = f"CLINIC VISIT\nHPI: A 58-year-old man has knee pain.\nMEDICATIONS: {medicine}"
        patient = container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note))
        return patient.takes(container.linker.named(concept)[0].concept_id)

    assert takes("diclofenac 50 mg by mouth twice daily", "NSAID")
    assert not takes("diclofenac 1 % gel topically four times a day", "NSAID")
    assert takes("diclofenac 1 % gel topically four times a day", "diclofenac")


@pytest.mark.parametrize(
    ("note", "sign"),
    [
        ("A 50-year-old man has low back pain.", f"{ED}back pain starts after a fall or hard blow."),
        ("A 50-year-old man has shoulder pain.", f"{AMBULANCE}shoulder or arm pain comes with chest pain, sweating or trouble breathing."),
        ("A 62-year-old man has gout with pain of the toe.", f"{TODAY}gout pain does not ease within two days of treatment."),
        ("A 70-year-old woman has leg swelling.", f"{TODAY}your legs or belly swell more, or you need more pillows to sleep."),
    ],
)  # fmt: skip
def test_a_sign_that_its_words_narrow_stands_as_it_is_beside_the_bare_complaint(
    container: Container, note: str, sign: str
) -> None:
    patient = container.checks.fit.of_patient(container.linker.read(f"HPI: {note}"), (), DraftRequest(text=note))
    assert patient.told(sign) == sign
