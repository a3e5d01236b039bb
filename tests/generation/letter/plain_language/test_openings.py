"""The opening of a history as sentences about the patient: age, sex and work are left out, what stands behind them is told."""

import pytest

from backend.generation.letter.plain_language.openings import (
    is_state,
    named_patient,
    opening_of,
    opening_sentences,
    with_names,
    with_subject,
    without_asides,
    without_filler,
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The patient is a 58-year-old man who came with a cough.", ["The patient came with a cough."]),
        ("This patient is a 58-year-old man who fell.", ["The patient fell."]),
        ("A 58-year-old man with 12 years of education who fell.", ["The patient fell."]),
        ("A 3-week-old who at this point has slept well.", ["The patient at this point has slept well."]),
        (
            "A 58-year-old man post hip surgery who was found on the floor.",
            ["The patient has had hip surgery.", "The patient was found on the floor."],
        ),
        (
            "A 3-1/2-year-old boy with one kidney, and he had surgery.",
            ["The patient has one kidney.", "The patient had surgery."],
        ),
        (
            "A 58-year-old woman with gout who fell.",
            ["The patient has gout.", "The patient fell."],
        ),
        ("58F with gout presenting with a cough.", ["The patient has gout.", "The patient presented with a cough."]),
        ("58-year-old man brought in by his son.", ["The patient was brought in by his son."]),
        (
            "Patient with gout presenting with a cough.",
            ["The patient has gout.", "The patient presented with a cough."],
        ),
        (
            "Briefly, the patient is a 58-year-old man who came with a cough.",
            ["The patient came with a cough."],
        ),
        (
            "A 58-year-old man status post repair of a hernia.",
            ["The patient has had repair of a hernia."],
        ),
        (
            "This is a kind 58-year-old man, whom I follow for his gout.",
            ["I follow the patient for his gout."],
        ),
        (
            "A 58-year-old woman with gout for which she was admitted here in May, who presents with a cough.",
            ["The patient has gout for which she was admitted here in May.", "The patient presents with a cough."],
        ),
        (
            "A 19-year-old woman who is in college, who presents with a rash, was found to have measles.",
            ["The patient is in college.", "The patient presents with a rash and was found to have measles."],
        ),
        (
            "She is a patient with gout who slipped on the ice.",
            ["The patient has gout.", "The patient slipped on the ice."],
        ),
        (
            "This is a 58-year-old man, a patient of Dr. Moss, who was referred here for gout.",
            ["The patient was referred here for gout."],
        ),
        ("A 58-year-old man.", ["The patient is a 58-year-old man."]),
        ("80-year-old man, retired.", ["The patient is an 80-year-old man, retired."]),
    ],
)
def test_what_stands_behind_age_and_sex_is_told(text: str, told: list[str]) -> None:
    assert opening_sentences(text) == told


@pytest.mark.parametrize("text", ["She has a cough.", "Cough since Monday.", "", "The wound is clean."])
def test_a_text_that_opens_otherwise_is_left(text: str) -> None:
    assert opening_sentences(text) is None
    assert opening_of(text) == ""


def test_the_words_of_age_and_sex_are_found_for_themselves() -> None:
    assert opening_of("This is a 58-year-old man who came.") == "This is a 58-year-old man"


def test_a_who_that_is_of_somebody_else_is_not_told_of_the_patient() -> None:
    assert opening_sentences("The patient is a 58-year-old man with a wife who fell.") is None


def test_each_who_of_the_patient_is_told_as_a_sentence() -> None:
    assert opening_sentences("The patient is a 58-year-old man with gout who fell twice, who also has a cough.") == [
        "The patient has gout.",
        "The patient fell twice.",
        "The patient also has a cough.",
    ]
    seen = "A 58-year-old man who was seen by his daughter, who is a nurse."
    assert opening_sentences(seen) == ["The patient was seen by his daughter, who is a nurse."]


@pytest.mark.parametrize(
    ("note", "text", "told"),
    [
        (
            "HPI:\nPatient BK is a 40-year-old man.",
            "BK's cramps began on Monday.",
            "The patient's cramps began on Monday.",
        ),
        (
            "HPI:\nPatient BK is a 40-year-old man.",
            "BK reports nausea and BK is tired.",
            "The patient reports nausea and the patient is tired.",
        ),
        ("HPI: Ada Moss is a 61 year old woman.", "Ada Moss has gout.", "The patient has gout."),
        (
            "AF is a 70-year-old man.",
            "The tracing showed AF with a fast rate.",
            "The tracing showed AF with a fast rate.",
        ),
    ],
)
def test_the_patient_is_known_by_the_name_that_the_note_opens_with(note: str, text: str, told: str) -> None:
    assert with_names(text, named_patient(note)) == told


@pytest.mark.parametrize(
    "note", ["Mother is a 30-year-old woman.", "Dr. Moss is a 50-year-old man.", "COPD is severe."]
)
def test_nobody_else_is_taken_for_the_patient(note: str) -> None:
    assert named_patient(note) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("No aspirin, told patient, please put on the system.", "No aspirin."),
        ("Scan in 3 months, patient aware.", "Scan in 3 months."),
        ("She told the patient, and left.", "She told the patient, and left."),
    ],
)
def test_what_the_writer_says_of_telling_is_left_out(text: str, told: str) -> None:
    assert without_asides(text) == told


def test_operations_of_different_years_are_told_one_by_one() -> None:
    text = "A 58-year-old man status post hip surgery in 2009 and knee surgery in 2018 who fell."
    assert opening_sentences(text) == [
        "The patient has had hip surgery in 2009.",
        "The patient has had knee surgery in 2018.",
        "The patient fell.",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Feeling hot, dizzy and chest pain.", "The patient feels hot and dizzy and has chest pain."),
        ("Feeling weak and muscle aches, headache.", "The patient feels weak and has muscle aches and headache."),
        ("Feeling weak, dizzy and sick.", "The patient feels weak, dizzy and sick."),
    ],
)
def test_what_is_had_is_not_felt_as_an_adjective_is(text: str, told: str) -> None:
    assert with_subject(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You live alone , librarian.", "You live alone."),
        ("You live with your wife , office manager.", "You live with your wife."),
        ("You live alone, with a cat.", "You live alone, with a cat."),
        ("You live in Bath, retired.", "You live in Bath, retired."),
    ],
)
def test_a_bare_noun_behind_how_somebody_lives_is_left_out(text: str, told: str) -> None:
    assert without_filler(text) == told


def test_a_reason_may_be_how_somebody_feels() -> None:
    assert is_state("exhausted for months") and is_state("Dizzy")
    assert not is_state("weak legs") and not is_state("fever")
