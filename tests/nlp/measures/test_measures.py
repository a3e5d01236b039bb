"""Measures in one form, and which of a sentence's its cited text does not state so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.measures.measures import measures_of
from backend.verification.support.measures_match import unmatched


def numbers(text: str) -> set[tuple[str, str]]:
    return {(m.value, m.unit) for m in measures_of(text).numbers}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.5 g", "500 mg"),
        ("500 mcg", "0.5 mg"),
        ("1,000 mg", "1 g"),
        ("two weeks", "14 days"),  # 2 * 7
        ("48 hours", "2 days"),
        ("12 months", "1 year"),
        ("6/52", "six weeks"),
        ("4/7", "4 days"),  # sevenths are days, as British notes have it
        ("a week", "7 days"),
        ("1.5 L", "1500 ml"),
        ("58-year-old", "58 yo"),
    ],
)
def test_one_measure_has_one_form(one: str, other: str) -> None:
    assert numbers(other) <= numbers(one)


def test_pounds_are_never_turned_into_kilograms() -> None:
    assert not numbers("176 pounds") & numbers("80 kg")


@pytest.mark.parametrize(
    ("text", "often"),
    [
        ("5 mg BID", "twice a day"),
        ("5 mg two times a day", "twice a day"),
        ("every 8 hours", "3 times a day"),
        ("q6h", "4 times a day"),
        ("nightly", "once a day"),
        ("every other day", "every other day"),
        ("once weekly", "once a week"),
    ],
)
def test_schedules_have_one_name(text: str, often: str) -> None:
    assert measures_of(text).often == {often}


def test_od_is_a_schedule_behind_a_dose_alone() -> None:
    for dose in ("lisinopril 20 mg OD", "lisinopril 20mg OD", "co-codamol 2 tablets OD"):
        assert measures_of(dose).often == {"once a day"}
    assert not measures_of("Drops OD.").often


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("since March 3, 2024", "2024-03-03"),
        ("on 3 March 2024", "2024-03-03"),
        ("2024-03-03", "2024-03-03"),
        ("3/3/24", "2024-03-03"),
        ("in March 2024", "2024-03-?"),
    ],
)
def test_dates_have_one_form(text: str, date: str) -> None:
    assert measures_of(text).dates == {date}


def test_a_word_is_no_month() -> None:
    assert not measures_of("It may help to march on.").dates


@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ("furosemide 80 mg", ["furosemide 40 mg"]),
        ("furosemide 40 mcg", ["furosemide 40 mg"]),
        ("furosemide 40 mg", ["furosemide 40"]),  # nobody wrote which unit
        ("furosemide 40 mg", ["furosemide 20 mg and lisinopril 40 mg"]),  # it stands there of another medicine
        ("cough for 3 days", ["cough for 5 days, fever for 3 days"]),
        ("Potassium was 128", ["Potassium 5.9, sodium 128."]),
        ("BP 110/95", ["BP 150/95, HR 110"]),
        ("a 57-year-old woman", ["58F with cough"]),
        ("since March 5, 2024", ["since March 3, 2024"]),
        ("since Tuesday", ["since Monday"]),
        ("5 mg twice a day", ["5 mg daily"]),
        ("5 mg by mouth", ["5 mg IV"]),
        ("80 kg", ["176 pounds"]),
    ],
)
def test_what_the_cited_text_does_not_state_so_is_wrong(said: str, cited: list[str]) -> None:
    wrong, _ = unmatched(measures_of(said), [measures_of(text) for text in cited])
    assert wrong


@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ("furosemide 0.04 g every day", ["furosemide 40 mg daily"]),
        ("fever for three days", ["cough for 5 days, fever for 3 days"]),
        ("You are 58 years old", ["58F with cough"]),
        ("heart rate 110", ["BP 150/95, HR 110"]),
        ("in March 2024", ["on 2024-03-03"]),
        ("in 2024", ["on 2024-03-03"]),
        ("weight 80 kg (176 pounds)", ["80 kg (176 lbs)"]),
        ("BP 120/80 mmHg", ["BP 120/80"]),
        ("omeprazole 20 mg; paracetamol (acetaminophen) 1 g", ["omeprazole 20 mg, paracetamol 1 g"]),
        ("lisinopril 20 mg, once a day", ["Takes lisinopril 20 mg OD."]),
    ],
)
def test_what_is_stated_in_another_form_is_right(said: str, cited: list[str]) -> None:
    assert unmatched(measures_of(said), [measures_of(text) for text in cited]) == ([], [])


def test_of_two_amounts_of_one_medicine_the_reworded_sentence_decides() -> None:
    cited = [measures_of("She did well on Prozac 20 mg."), measures_of("Increase Prozac to 40 mg.")]
    assert unmatched(measures_of("You did well on Prozac 40 mg."), cited, cited[0])[0] == [
        "numbers not in the cited text: 40 mg (prozac)"
    ]
    assert unmatched(measures_of("You did well on Prozac 20 mg."), cited, cited[0]) == ([], [])


@given(st.text(max_size=200))
def test_every_text_agrees_with_itself(text: str) -> None:
    measured = measures_of(text)
    assert unmatched(measured, [measured])[0] == []


@pytest.mark.parametrize("text", ["BP 88/52 (low)", "Hyzaar 2.5/12", "1.5/52"])
def test_a_pressure_or_two_strengths_are_no_count_of_weeks(text: str) -> None:
    assert {unit for _, unit in numbers(text)} == {""}
