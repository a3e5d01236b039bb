"""The ages a note states of its patient, in every form; of a relative, another time or a decade there is none."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.people.ages import number_before, stated_ages


@pytest.mark.parametrize(
    ("text", "years", "sex", "said"),
    [
        ("A 72-year-old woman with cough.", 72, "female", "72-year-old"),
        ("The patient is 18 months old.", 1.5, "", "18 months old"),
        ("78F with cough.", 78, "female", "78F"),
        ("2-1/2-year-old boy.", 2.5, "male", "2-1/2-year-old"),
        ("three and a half year old boy", 3.5, "male", "three and a half year old"),
        ("a 3-year 2-month-old girl", 38 / 12, "female", "2-month-old"),
        ("He is aged 45.", 45, "", "aged 45"),
        ("Name: Tom M.   Age: 6 yr 2 mo   Wt: 20 kg", 6, "", "Age: 6"),
        ("Pt Tom M\tAge 7\tWt 20 kg", 7, "", "Age 7"),
        ("Age: 11 mo. Wt 9 kg", 11 / 12, "", "Age: 11 mo"),
        ("Mother aged 30 brings him. Age: 18 months", 1.5, "", "Age: 18 months"),
        ("M 45, fell", 45, "male", "M 45"),
    ],
)
def test_an_age_is_read_with_its_sex_and_its_words(text: str, years: float, sex: str, said: str) -> None:
    (age,) = stated_ages(parse_note(text))
    assert age.years == pytest.approx(years)
    assert (age.sex, text[age.start_char : age.end_char]) == (sex, said)
    assert 0 < age.certainty <= 1


@pytest.mark.parametrize(
    "text",
    [
        "Her mother is 80 years old.",
        "Family History: 72 years old, gout",
        "She had measles at 12 years of age.",
        "in her 80s",
        "130 year old man",  # nobody is
        "BP 72/40",
        "",
    ],
)
def test_what_is_no_age_of_the_patient_is_left(text: str) -> None:
    assert stated_ages(parse_note(text)) == []


def test_the_surest_age_stands_first_whatever_the_order() -> None:
    ages = stated_ages(parse_note("M 45, fell. A 46-year-old man."))
    assert [age.years for age in ages] == [46, 45]
    assert ages[0].certainty > ages[1].certainty


@pytest.mark.parametrize(
    ("text", "number", "first"),
    [
        ("is 72 years", 72, 1),
        ("is seventy - two years", 72, 1),
        ("is 2 - 1 / 2 years", 2.5, 1),
        ("is 6 / 12 years", 0.5, 1),
        ("is 2 . 5 years", 2.5, 1),
        ("is three and a half years", 3.5, 1),
    ],
)
def test_a_number_is_read_with_its_first_word(text: str, number: float, first: int) -> None:
    note = parse_note(text)
    assert number_before(note, len(note.words) - 1) == (number, first)


def test_one_and_a_half_is_a_number() -> None:
    note = parse_note("is one and a half years")
    assert number_before(note, len(note.words) - 1) == (1.5, 1)


@pytest.mark.parametrize("text", ["many years", "years", "2 13/12 years", "1234 years"])
def test_what_is_no_number_gives_none(text: str) -> None:
    note = parse_note(text)
    assert number_before(note, len(note.words) - 1) is None


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("29yo G1P1 after a caesarean.\nAllergies: amoxicillin -- rash age 4.\nBaby boy, day 3, jaundiced.", 29),
        ("41yo with flu. 8 year old girl at school has had flu too.", 41),
        ("30F with mastitis. Breastfeeding a 6-week-old.", 30),
        ("PSH: tonsillectomy age 5, appendectomy age 11\nHPI: 52 yo presents with belly pain", 52),
        ("Penicillin - anaphylaxis as a child (age 5)\n80F fell", 80),
        ("Hx: Kawasaki (3 y), now 19 yo with chest pain", 19),
        ("This lady has a 5 year old at home and does not sleep. Appendicectomy aged 9.", None),
        ("Appendectomy age 12. Presents with chest pain.", None),
        ("HPI: 6 year old boy with wheeze, mother 34 yo has asthma.", 6),
        ("Mom brought her 3-year-old with a cough.", 3),
        ("Term female infant born to 30yo G3P2, now 2 days old, with poor feeding.", 2 / 365),
        ("Baby boy born to a 28yo G1P1 mother at 39 weeks, DOL 3 with jaundice.", 3 / 365),
        ("Child aged 5 with ear pain. Febrile seizure aged 2.", 5),
        ("Jaden, age 4, seen with his mother (31) for croup.", 4),
    ],
)
def test_the_age_is_the_patients_own_of_now(text: str, years: float | None) -> None:
    ages = stated_ages(parse_note(text))
    assert (ages[0].years if ages else None) == (years if years is None else pytest.approx(years))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Chief Complaint: chest pain\nHPI: 60M with chest pain since noon.", (60, "male")),
        ("CC: weight loss\n\nHistory of Present Illness: 71F presents with fatigue.", (71, "female")),
        ("Reason for visit: low HR\n44F with palpitations.", (44, "female")),
        ("Temp 98F, HR 80.", None),
        ("Temp\n98F\nHR\n80", None),
        ("Vitals: temp is 99F today.", None),
    ],
)
def test_a_measures_name_ends_with_its_line_or_section(text: str, read: tuple[float, str] | None) -> None:
    found = stated_ages(parse_note(text))
    assert (found[0].years, found[0].sex) == read if read else not found
