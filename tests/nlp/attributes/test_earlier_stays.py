"""The story of an earlier stay: where it begins, how far it goes, and what is no earlier stay."""

import pytest

from backend.nlp.attributes.earlier_stays import earlier_stays
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note

STAY = "She was admitted on 03/02/11 with pneumonia. Cultures showed pneumococcus. She had a rash."
LEFT = "She was discharged on 03/09/11."


def told(text: str) -> list[str]:
    note = parse_note(text)
    return [note.text[slice(*note.sentences[at][:2])].strip() for at in note.once(earlier_stays)]


def is_past(text: str, words: str) -> bool:
    start = text.index(words)
    (found,) = read_attributes(parse_note(text), [(start, start + len(words))])
    return found.historical


def test_a_stay_is_told_to_its_discharge_and_no_further() -> None:
    text = f"HPI: {STAY} {LEFT} She had a cough. Seen on 05/20/11."
    assert len(told(text)) == 4
    assert is_past(text, "rash")
    assert not is_past(text, "cough")


def test_a_stay_with_its_last_day_is_told_by_its_own_sentence() -> None:
    text = "HPI: She was admitted from 03/02/11 to 03/09/11 with pneumonia. She had a cough. Seen on 05/20/11."
    assert len(told(text)) == 1
    assert is_past(text, "pneumonia")
    assert not is_past(text, "cough")


@pytest.mark.parametrize("today", ["Two days ago she developed", "She came in by ambulance with", "Yesterday she had"])
def test_what_is_of_these_days_breaks_the_story_before_its_discharge(today: str) -> None:
    text = f"HPI: {STAY} {today} chest pain. {LEFT} Seen on 05/20/11."
    assert len(told(text)) == 1
    assert not is_past(text, "chest pain")


@pytest.mark.parametrize(
    "text",
    [
        "HPI: He was admitted on 03/02/11 with pneumonia. He had a rash.",  # one day alone: it may be this stay
        "HPI: He was admitted on 03/02/11 with pneumonia. He had a rash. Seen on 05/20/11.",  # nothing says that it is over
        "HPI: Prior to admission on 03/02/11 he was brought in by police. Seen on 05/20/11.",
        "HPI: Last admission was on 03/02/11. He was found on the floor with slurred speech. Seen on 05/20/11.",
        "He had a cough. HPI: He was admitted on 03/02/11 with pneumonia. Seen on 05/20/11.\nPLAN: Rest.",
        f"DATE OF DISCHARGE: 05/20/11\nHPI: {STAY} {LEFT}",  # a summary of the stay itself
    ],
)
def test_what_may_be_this_stay_is_no_earlier_one(text: str) -> None:
    assert told(text) == []


def test_a_discharge_beyond_words_of_today_tells_that_the_stay_is_over() -> None:
    text = "HPI: On 03/02/11 she was admitted with seizures. She is a nurse. She was discharged on 03/09/11. Seen on 05/20/11."
    assert len(told(text)) == 1
    assert is_past(text, "seizures")


def test_a_stay_some_weeks_before_this_one_is_earlier_and_so_is_what_is_told_of_it_by_name() -> None:
    opened = "HPI: He was hospitalized 2 months prior to his current presentation with jaundice."
    text = f"{opened} He was begun on prednisone. His hospitalization was complicated by delirium. He now has a cough."
    assert is_past(text, "jaundice")
    assert is_past(text, "delirium")
    assert not is_past(text, "cough")


def test_a_stay_that_no_earlier_one_was_told_before_is_this_one() -> None:
    text = "HPI: He was hospitalized with jaundice. His hospitalization was complicated by delirium."
    assert not is_past(text, "delirium")
