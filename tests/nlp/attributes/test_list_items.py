"""Items of lists that carry their own mark: signs, answers, what trails, bare years."""

import pytest

from backend.nlp.attributes import list_items
from backend.nlp.attributes.triggers import FAMILY, Cue, Event, cues
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.vocabulary import Assertion


def cue_of(text: str, event: Event) -> tuple[list[str], Cue]:
    note = parse_note(text)
    return list(note.words), [one for one in cues(note.triggers[FAMILY]) if one.trigger.event is event][-1]


@pytest.mark.parametrize(
    ("text", "answer"),
    [("Fever: no", True), ("chills - denies", True), ("Fever no, chills", True), ("she has no fever", False)],
)
def test_a_denial_after_an_item_is_its_answer(text: str, answer: bool) -> None:
    words, cue = cue_of(text, Event.NEGATED)
    assert list_items.answers(words, cue, 0, len(words)) is answer


@pytest.mark.parametrize(("text", "trailing"), [("GERD hx.", True), ("hx of GERD", False)])
def test_a_history_may_trail_what_it_is_said_of(text: str, trailing: bool) -> None:
    words, cue = cue_of(text, Event.HISTORICAL)
    assert list_items.trails(words, cue, 0, len(words)) is trailing


@pytest.mark.parametrize(("text", "link"), [("this is likely gout", True), ("gout is likely", False)])
def test_a_doubt_links_a_sign_to_its_cause(text: str, link: bool) -> None:
    words, cue = cue_of(text, Event.UNCERTAIN)
    assert list_items.is_link(words, cue, len(words)) is link


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("gout , appendectomy 2015 , asthma", "appendectomy"),
        ("pain since 2015", None),  # it goes on
        ("2015 appendectomy", None),
        ("creatinine 2015 today", None),
    ],
)
def test_a_year_right_behind_what_happened_makes_it_history(text: str, item: str | None) -> None:
    words = text.split()
    places = [i for i, word in enumerate(words) if len(word) == 4 and word.isdigit()]
    found = list_items.years(words, 0, len(words), places)
    assert [" ".join(words[one.first : one.last]) for one in found] == ([item] if item else [])
    assert {one.assertion for one in found} <= {Assertion.HISTORICAL}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("fever ( - ) , cough ( + )", ["fever"]),
        ("+ cough , - fever", ["fever"]),
        ("- fever", []),  # the bullet of a list
        ("cough , fever", []),
    ],
)
def test_a_minus_denies_where_signs_are_used_as_signs(text: str, denied: list[str]) -> None:
    words = text.split()
    places = [i for i, word in enumerate(words[:-1]) if word in "+-"]
    found = list_items.sign_scopes(words, 0, len(words), places, [])
    assert [" ".join(words[one.first : one.last]) for one in found] == denied


def test_an_item_begins_behind_its_comma() -> None:
    words = ["gout", ",", "bad", "cough"]
    assert list_items.item_start(words, 4, 0) == 2
    assert list_items.item_start(words, 1, 0) == 0
