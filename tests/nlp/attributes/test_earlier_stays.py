"""The story of an earlier stay: where it begins, how far it goes, and what is no earlier stay."""

import pytest

from backend.nlp.attributes.earlier_stays import earlier_stays
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note

STAY = "She was admitted from 03/02/11 to 03/09/11 with pneumonia. Cultures showed pneumococcus. She had a rash."


def told(text: str) -> list[str]:
    note = parse_note(text)
    return [note.text[slice(*note.sentences[at][:2])].strip() for at in note.once(earlier_stays)]


def test_a_stay_with_its_days_goes_on_while_the_verbs_are_past() -> None:
    assert len(told(f"HPI: {STAY} Today she has a cough. She was seen on 05/20/11.")) == 3


@pytest.mark.parametrize(
    "text",
    [
        "HPI: He was admitted on 03/02/11 with pneumonia. He had a rash.",  # one day alone: it may be this stay
        "HPI: He was admitted on 03/02/11 with pneumonia. He had a rash. Seen on 05/20/11.",  # nothing says that it is over
        "HPI: Prior to admission on 03/02/11 he was brought in by police. Seen on 05/20/11.",
        f"DATE OF DISCHARGE: 05/20/11\nHPI: {STAY}",  # a summary of the stay itself
    ],
)
def test_what_may_be_this_stay_is_no_earlier_one(text: str) -> None:
    assert told(text) == []


def test_a_discharge_further_on_ends_it() -> None:
    text = "HPI: On 03/02/11 she was admitted and had seizures. She was discharged on 03/09/11. Seen on 05/20/11."
    assert len(told(text)) == 2


def test_what_an_earlier_stay_tells_is_of_the_past() -> None:
    text = f"HPI: {STAY} Seen on 05/20/11."
    start = text.index("rash")
    (found,) = read_attributes(parse_note(text), [(start, start + 4)])
    assert found.historical
