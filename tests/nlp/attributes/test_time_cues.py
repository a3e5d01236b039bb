"""What a time within a sentence dates."""

import pytest

from backend.nlp.attributes import time_cues
from backend.nlp.attributes.triggers import FAMILY, Cue, Direction, Event, cues
from backend.nlp.document.parsed_note import parse_note


def dated(text: str) -> tuple[list[str], Cue, list[Cue]]:
    """The words, the last cue of the past that may date what is on either side, and all cues."""
    note = parse_note(text)
    found = cues(note.triggers[FAMILY])
    past = [one for one in found if one.trigger.event is Event.HISTORICAL and one.trigger.direction is Direction.BOTH]
    return list(note.words), past[-1], found


@pytest.mark.parametrize(
    ("text", "opening"),
    [
        ("in 2010, she had a stroke", True),
        ("she was treated in 2010 for gout", True),
        ("she was seen, in 2010 she fell", True),
        ("the stroke in 2010 was small", False),
    ],
)
def test_a_date_opens_what_follows_only_at_the_beginning_or_with_its_cause(text: str, opening: bool) -> None:
    words, cue, _ = dated(text)
    assert time_cues.opens(words, cue, 0, len(words)) is opening


@pytest.mark.parametrize(
    ("text", "onset"), [("the pain began three years ago", "began"), ("a stroke three years ago", None)]
)
def test_a_word_shortly_before_a_date_says_what_began(text: str, onset: str | None) -> None:
    words, cue, _ = dated(text)
    at = time_cues.onset_before(words, cue, 0)
    assert (None if at is None else words[at]) == onset


@pytest.mark.parametrize(
    ("text", "there"), [("weight has dropped", True), ("she has had gout", False), ("she has", False), ("", False)]
)
def test_what_has_come_about_by_now(text: str, there: bool) -> None:
    words = text.split()
    assert time_cues.perfect(words, 0, len(words)) is there


def test_how_long_something_lasts_is_found_by_its_shape() -> None:
    words = ["cough", "x3d", "rash", "x2", "pain", "x10wks", "x"]
    assert time_cues.lasting(words, 0, len(words)) == [1, 5]  # x2 is a count


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("the rash resolved and recurred yesterday", True),
        ("the rash resolved and has not recurred", False),
        ("the rash resolved", False),
    ],
)
def test_what_went_away_may_have_come_again(text: str, again: bool) -> None:
    note = parse_note(text)
    found = cues(note.triggers[FAMILY])
    past = next(one for one in found if one.trigger.event is Event.HISTORICAL or "resolved" in note.words[one.first])
    assert time_cues.returns(list(note.words), past, found) is again


def test_an_item_of_these_days_begins_at_its_comma() -> None:
    words = ["gout", ",", "fever", "x3d"]
    assert time_cues.recent_items(words, 0, 4, []) == {1}
    assert time_cues.recent_items(["gout", ",", "fever"], 0, 3, []) == frozenset()
