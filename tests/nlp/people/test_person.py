"""The person of the record: ages in every form, never a relative's or one of the past; sex, pregnancy with weeks, weight, informant."""

import pytest

from backend.schemas.record import Person
from tests.nlp.statement_reading import read_record


def read(text: str) -> Person:
    return read_record(text).person


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("This is a 2-1/2-year-old boy with a cough.", 2.5),
        ("A 3 1/2 year old girl fell.", 3.5),
        ("An 18 month old girl with fever.", 1.5),
        ("A 6/12 boy with croup.", 0.5),
        ("A 3 weeks old male infant.", 3 / 52),
        ("Newborn, day 3, with jaundice.", 3 / 365),
        ("78F with chest pain.", 78),
        ("72yo man with gout.", 72),
        ("82 y.o. male with gout.", 82),
        ("Patient aged 45, with gout.", 45),
        ("A forty-five-year-old lady with gout.", 45),
        ("The patient was a 27-year-old man.", 27),
        ("She is 67 years old and lives alone.", 67),
        ("6mo F with wheeze.", 0.5),
        ("The patient is a six-year-old girl.", 6),
        ("Mother of this 3-year-old boy is worried.", 3),
        ("A 45-year-old mother of three with hives.", 45),
        ("This 30-year-old retired school teacher fell.", 30),
        ("F/54 with cough.", 54),
        ("Age/Sex: 45/F", 45),
        ("M 45, fell off a ladder.", 45),
        ("Patient: John Smith   Age: 62y", 62),
        ("15 mo M with fever.", 1.25),
        ("John is a 3-year 2-month-old boy.", 38 / 12),
        ("RE: Ada B., 9 years.", 9),
        ('Josef "Joe" MARSH-HILL, 84.', 84),
        ("Ms. Lee is 33. She has a rash.", 33),
        ("Thank you for referring Tom, who is 14, with knee pain.", 14),
        ("3 y.o. male, mom reports cough.", 3),
    ],
)
def test_an_age_is_read_in_every_form(text: str, age: float) -> None:
    assert read(text).age_years == pytest.approx(age, abs=0.001)


@pytest.mark.parametrize(
    "text",
    [
        "She is in her 80s and lives alone.",
        "She had asthma until 3 or 4 years of age.",
        "He has smoked since 12 years of age.",
        "Her 45-year-old son brought her.",
        "Her husband is 70 years old.",
        "She has a 3-year-old daughter.",
        "Her mother, 76 years old, has dementia.",
        "He was diagnosed at age 12.",
        "He died at 92 years of age.",
        "FAMILY HISTORY: Father is 72 years old.",
        "He has had this for 3 years.",
        "The temperature was 98 F.",
    ],
)
def test_an_age_of_another_or_of_another_time_is_none(text: str) -> None:
    assert read(text).age_years is None


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("She denies pain. Her leg is swollen. She is tired.", "female"),
        ("He denies pain. His leg is swollen.", "male"),
        ("Gravida 2 para 1, with cough.", "female"),
        ("The prostate is enlarged.", "male"),
        ("The patient has a cough.", None),
        ("Mr. Lee was brought by his wife. She says he fell. He is well.", "male"),
        ("FAMILY HISTORY: Her mother had gout, her sister too.", None),
    ],
)
def test_sex_is_told_by_the_weight_of_words(text: str, sex: str | None) -> None:
    assert read(text).sex == sex


@pytest.mark.parametrize(
    ("text", "pregnant", "weeks"),
    [
        ("A 30-year-old woman, G2P1 at 32+4 weeks, with headache.", True, 32.57),
        ("She is 20 weeks pregnant.", True, 20),
        ("A gravida 3, para 1-0-1-1, at 31-2/7 weeks, unlike when she is not pregnant.", True, 31.29),
        ("28 yo F, LMP 3 weeks ago.", None, None),
        ("A woman with nine months of pregnancy behind her.", True, None),
        ("Her daughter is pregnant.", None, None),
        ("A urine pregnancy test was negative. She is 20.", False, None),
        ("31 yo, PPD3, G3P3 after a section at 38 weeks.", False, None),
        ("G2P2 delivered at 39w1d. Postpartum day #2, lochia scant.", False, None),
        ("A 26-year-old woman 12 days postpartum presents with fever.", False, None),
        ("G3P2 at 28 weeks. PPD 0 mm, smokes 1 ppd. Glucose again 6 weeks postpartum.", True, 28),
        ("She is pregnant at 20 weeks; on postpartum day 3 of her last delivery, in 2019, she had a clot.", True, 20),
    ],
)
def test_pregnancy_with_its_weeks(text: str, pregnant: bool | None, weeks: float | None) -> None:
    person = read(text)
    assert (person.pregnant, person.gestation_weeks) == (pregnant, weeks)


@pytest.mark.parametrize(
    ("text", "kilograms"),
    [("Weight: 75 kg.", 75), ("She weighs 104 pounds.", 47.17), ("Weight 160.", None), ("Weight loss of 5 kg.", None)],
)
def test_a_weight_is_converted_only_where_its_unit_is_stated(text: str, kilograms: float | None) -> None:
    assert read(text).weight_kg == kilograms


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("History per daughter. He fell.", "daughter"),
        ("The history was obtained from the patient's husband at bedside.", "husband"),
        ("According to the mother, he vomited.", "mother"),
        ("He takes one tablet per day. His son is well.", ""),
    ],
)
def test_who_tells_the_history(text: str, who: str) -> None:
    assert read(text).informant == who


def test_spans_quote_the_age_first_and_rules_are_named() -> None:
    text = "HPI: Mr. Lee is a 67-year-old gentleman, weight 80 kg."
    person = read(text)
    assert person.spans[0].text == "67-year-old gentleman"
    assert {"people/age/years", "procedures/measure/weight"} <= set(person.rule_ids)
    assert all(text[one.start_char : one.end_char] == one.text for one in person.spans)


@pytest.mark.parametrize(
    ("text", "kg"),
    [
        ("A 70 kg man with a clot.", 70.0),
        ("47F, 52 kg, with cellulitis.", 52.0),
        ("72F stroke, 62 kg.", 62.0),
        ("A 66-year-old man (82.5 kg) with palpitations.", 82.5),
        ("A 48kg 71-year-old woman.", 48.0),
        ("A 4-year-old boy, 16 kg, with croup.", 16.0),
        ("A 40-year-old woman who lost 12 kg in a year.", None),
        ("A 40-year-old woman with a gain of weight, 5 kg.", None),
        ("A 45-year-old woman given 30 mL/kg, with sepsis.", None),
        ("A 30-year-old man lifting 90 kg, felt a pop.", None),
    ],
)
def test_the_kilograms_beside_who_the_patient_is_are_the_weight(text: str, kg: float | None) -> None:
    assert read(text).weight_kg == kg
