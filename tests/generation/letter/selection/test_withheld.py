"""What a letter does not tell again: rows prove themselves, and a matter does not silence what stands beside it."""

import pytest

from backend.generation.letter.selection.withheld import MATTERS, is_beside_the_letter, without_matters
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from tests.generation.letter.conftest import StoryOf


@pytest.mark.parametrize("row", trigger_rows(MATTERS), ids=lambda row: row.rule_id)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    automaton = TriggerAutomaton(trigger_rows(MATTERS))

    def found(text: str) -> bool:
        return any(one.row.id == row.id for one in automaton.find(plain_marks(tokens(text).words))[MATTERS])

    assert all(map(found, row.yes))
    assert not any(map(found, row.no))


@pytest.mark.parametrize(
    "sentence",
    ["Her uncle choked her twice.", "She had arguments with her wife.", "She is on parole."],
)
def test_what_hurts_is_not_told(sentence: str, story_of: StoryOf) -> None:
    note = f"HISTORY OF PRESENT ILLNESS: She came with a low mood. {sentence} She has had poor sleep for a month.\n"
    told = story_of(note).letter_text
    assert "sleep" in told
    assert not is_beside_the_letter(told)


@pytest.mark.parametrize(
    "sentence",
    ["A truck hit him on the right side.", "He hit his head on the floor.", "The shadow is suspicious for pneumonia."],
)
def test_accidents_and_findings_are_no_such_matter(sentence: str) -> None:
    assert not is_beside_the_letter(sentence)


def test_a_sentence_of_schooling_goes_and_the_reason_stays() -> None:
    assert without_matters("You have 8 years of schooling. You were referred by Dr. Hill.") == (
        "You were referred by Dr. Hill."
    )
    assert without_matters("You have 8 years of schooling.") == "You have 8 years of schooling."
