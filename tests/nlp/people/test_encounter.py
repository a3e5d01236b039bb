"""The encounter: its setting by the words of the note, today's reason in the note's words, and its date."""

import pytest

from backend.schemas.drafts.note import Mention
from backend.schemas.record import Setting
from backend.schemas.vocabulary import Assertion, Category, SemanticGroup
from tests.nlp.statement_reading import read_record


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("HPI: She presented to the emergency room last night with pain.", Setting.EMERGENCY),
        ("REASON FOR CONSULTATION: Anemia. He was admitted with pneumonia.", Setting.HOSPITAL_CONSULT),
        ("REASON FOR CONSULTATION: Anemia. He was referred by Dr. Lee and comes in today.", Setting.CLINIC),
        ("REASON FOR ADMISSION: Chest pain.", Setting.ADMISSION),
        ("She came to the ER and was evaluated for admission.", Setting.ADMISSION),
        ("He returns for a routine follow-up visit.", Setting.CLINIC),
        ("She is here for a preoperative evaluation.", Setting.PRE_OPERATIVE),
        ("The patient has a cough.", Setting.UNKNOWN),
        ("URGENT CARE VISIT\n\nA 30-year-old man with a cut.", Setting.CLINIC),
        ("Telephone review\n\nHe was admitted to the ICU in 2015 and intubated.", Setting.CLINIC),
        ("DERMATOLOGY OUTPATIENTS\nDear Dr Moss\n\nShe was sent to the emergency department in May.", Setting.CLINIC),
        ("ED PROVIDER NOTE\n\nFever for two days.\n\nPLAN: Admit to telemetry.", Setting.EMERGENCY),
        ("Triage category 3\n\nTold to go to the allergy clinic afterwards.", Setting.EMERGENCY),
        ("Mode of arrival: walked in\nCC: wrist pain\n\nFell on ice.", Setting.EMERGENCY),
        ("Stroke unit, admission note\n\nShe was sent from clinic.", Setting.ADMISSION),
        ("med SHO, post-take round\n\n70F with cough.", Setting.ADMISSION),
        (
            "CARDIOLOGY\nAsked to see by the surgeons about fast AF.\n\nOn the ward since Monday.",
            Setting.HOSPITAL_CONSULT,
        ),
        ("PRE-ASSESSMENT CLINIC\n\nFor a knee replacement. Never intubated.", Setting.PRE_OPERATIVE),
        ("DISCHARGE SUMMARY\n\nHe goes home on three tablets.", Setting.UNKNOWN),
        ("HPI: A rash for a week.\n\nPHYSICAL EXAM: Red patches.", Setting.CLINIC),
        (
            "HPI: Weak for days.\n\nEXAM: Pale.\n\nPLAN: Cefazolin 1 g IV. Kidney clinic after discharge.",
            Setting.ADMISSION,
        ),
        ("HPI: Weak for days.\n\nEXAM: Pale.\n\nPLAN: Heart surgery has been consulted.", Setting.CLINIC),
        ("HPI: Weak.\n\nPLAN: We will follow along with the primary team.", Setting.HOSPITAL_CONSULT),
    ],
)
def test_the_setting(text: str, setting: Setting) -> None:
    assert read_record(text).encounter.setting is setting


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CHIEF COMPLAINT: Severe back pain.\n\nHISTORY OF PRESENT ILLNESS: It began in May.", "Severe back pain."),
        ("The patient presents with three days of cough, and she has no fever.", "three days of cough"),
        ("The patient has a cough.", ""),
        (
            "REASON FOR VISIT: Follow-up of the above problem.\n\nCHIEF COMPLAINT: Heel pain.\n\nHPI: Since May.",
            "Heel pain.",
        ),
        ('REASON FOR CONSULT: Gout.\n\nCHIEF COMPLAINT: "It hurts."\n\nHPI: It began in May.', "Gout."),
        ("He comes to the office by himself with a rash.", "a rash."),
        ("She also complains of a cough.", ""),
        (
            "CHIEF COMPLAINT: A 50-year-old man who presents with a cough.",
            "A 50-year-old man who presents with a cough.",
        ),
    ],
)
def test_the_reason_is_in_the_notes_words(text: str, reason: str) -> None:
    encounter = read_record(text).encounter
    assert encounter.reason.rstrip(",") == reason
    assert not reason or encounter.spans[0].text == encounter.reason


def asthma(text: str) -> Mention:
    start = text.index("asthma")
    return Mention(
        start_char=start, end_char=start + 6, text="asthma", concept_id="asthma", name="asthma",
        group=SemanticGroup.DISO, category=Category.DISEASE, assertion=Assertion.PRESENT, score=1.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("complaint", "reason"),
    [
        ("A 50-year-old man with asthma presenting with two days of cough.", "two days of cough."),
        # what the complaint says behind it is kept
        ("A 50-year-old man with asthma presenting with a cough. He also fell.", "a cough. He also fell."),
        # no age is stated: "since" is no person
        ("She has had asthma since childhood and presents with a cough.", None),
    ],
)
def test_the_reason_stands_behind_what_else_the_patient_has(complaint: str, reason: str | None) -> None:
    text = f"CHIEF COMPLAINT: {complaint}"
    encounter = read_record(text, [asthma(text)]).encounter
    assert encounter.reason == (reason or complaint)
    assert encounter.rule_ids == (("people/reason/with",) if reason else ())


def test_the_date_of_the_encounter_and_no_date_of_birth() -> None:
    found = read_record("Date of birth: 03/04/1950. Date of admission: 03/04/2021. He fell.").encounter
    assert found.date == "03/04/2021"


def test_an_admission_that_a_clinic_tells_of_is_no_reason_to_come() -> None:
    told = "The tablets were stopped because she was admitted with a blistering rash."
    clinic = read_record(
        f"He writes: I reviewed her in the clinic today. She returns for a follow-up visit. {told}"
    ).encounter
    assert (clinic.setting, clinic.reason) == (Setting.CLINIC, "")
    ward = read_record("ADMISSION NOTE\nShe was admitted with a blistering rash.").encounter
    assert ward.reason == "a blistering rash."


def test_what_was_felt_during_the_stay_is_no_reason_to_come() -> None:
    course = "HOSPITAL COURSE: A stent was placed. On day two he complained of a cough."
    assert read_record(f"DISCHARGE SUMMARY\n\n{course}").encounter.reason == ""
    opened = "HOSPITAL COURSE: The patient was admitted with pneumonia. He did well."
    assert "pneumonia" in read_record(f"DISCHARGE SUMMARY\n\n{opened}").encounter.reason
