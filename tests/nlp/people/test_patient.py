"""Who the note is about: age, sex and pregnancy, of the patient and nobody else."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.people.patient import find_patient
from backend.schemas.drafts.note import Patient


def read(note: str) -> Patient:
    return find_patient(parse_note(note))


@pytest.mark.parametrize(
    ("note", "age", "sex"),
    [
        ("A 72-year-old man with heart failure.", 72, "male"),
        ("72 y/o F with cough", 72, "female"),
        ("72yoF presents with cough", 72, "female"),
        ("82 F with heart failure", 82, "female"),
        ("65M with CAD", 65, "male"),
        ("Patient, age 54, presents. She reports pain.", 54, "female"),
        ("a 3-month-old boy", 0, "male"),
        ("18 month old female", 1, "female"),
        ("The patient is a forty-five-year-old lady.", 45, "female"),
        ("This is a 45-year-old right-handed white female", 45, "female"),
        ("Sex: F\nAge: 70", 70, "female"),
        ("61 y.o. with cough. She is tired.", 61, "female"),
    ],
)
def test_age_and_sex_as_written(note: str, age: int, sex: str) -> None:
    found = read(note)
    assert (found.age, found.sex) == (age, sex)


@pytest.mark.parametrize(
    "note",
    [
        "___ year old woman with HTN",
        "A woman in her 80s. She has pain.",
        "Her 45-year-old son brought her in. She fell.",
        "She was diagnosed at age 54 with diabetes.",
        "T 101 F, HR 90. She is well.",
        "Her mother, 76 years old, has dementia.",
        "HPI: she is well.\nFAMILY HISTORY: Father died, 72 years old.",
    ],
)
def test_an_age_that_is_not_the_patients_is_none(note: str) -> None:
    found = read(note)
    assert (found.age, found.sex) == (None, "female")


def test_the_patients_age_is_found_after_a_relatives() -> None:
    assert read("Father died at age 72. She is 50 years old.").age == 50


@pytest.mark.parametrize(
    ("note", "pregnant"),
    [
        ("A 30-year-old woman, G2P1 at 32 weeks, with headache.", True),
        ("33yo G4P2 at 30w2d with leg swelling.", True),
        ("28-year-old female who is 32 weeks pregnant", True),
        ("Gravid uterus, 39 weeks gestation, 25 year old woman", True),
        ("28-year-old female. She is not pregnant.", False),
        ("28 yo F. Pregnancy test negative.", False),
        ("28 yo F. Her sister is pregnant.", None),
        ("28 yo F. She could be pregnant.", None),
        ("28 yo F, G2P1, with cough.", None),
        ("40-year-old man whose wife is pregnant.", None),
        # which birth is meant is not read, so that an earlier child's ends no pregnancy of today
        ("A 28-year-old woman at 30 weeks of pregnancy presents with headache. She has delivered twice before.", True),
        ("32-year-old pregnant at 12 weeks with vomiting. She gave birth in 2020 to a healthy girl.", True),
        ("A 30-year-old woman is 30 weeks pregnant. She delivered her first child in 2015.", True),
        ("A 30-year-old woman is 30 weeks pregnant. The pharmacy delivered her pills.", True),
    ],
)
def test_pregnancy_is_stated_denied_or_not_said(note: str, pregnant: bool | None) -> None:
    assert read(note).pregnant is pregnant


def test_mixed_pronouns_tell_no_sex() -> None:
    assert read("She said he fell. He said she fell. Her arm and his leg hurt.").sex is None


def test_the_span_quotes_the_words() -> None:
    note = "HPI: Mr. Lee is a 67-year-old gentleman with cough."
    found = read(note)
    assert found.start_char is not None
    assert found.end_char is not None
    assert note[found.start_char : found.end_char] == "67-year-old gentleman"


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("She's 86 and lives alone.", 86),
        ("He is 71, retired.", 71),
        ("Mr. Tran, 59, came with chest pain.", 59),
        ("Ms. Lee (44) fell.", 44),
        ("She's 86 percent on room air.", None),
        ("Mr. Tran, 3 days of cough.", None),
    ],
)
def test_an_age_told_after_a_name_or_pronoun_is_read(text: str, age: int | None) -> None:
    assert find_patient(parse_note(text)).age == age
