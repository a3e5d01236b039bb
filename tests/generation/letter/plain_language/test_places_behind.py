"""Adjectives of place and time that stand behind their noun in plain words."""

import pytest

from backend.generation.letter.plain_language.in_place import with_places_behind
from backend.nlp.rules import RULES, rule_rows

ROWS = rule_rows(RULES / "letter" / "adjectives_behind.tsv", 5)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_row_reads_its_examples(row: tuple[str, ...]) -> None:
    _, _, yes, told, no = row
    assert with_places_behind(yes) == told
    assert with_places_behind(no) == no


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You had bilateral ankle swelling (swollen ankles) since June.", "You had ankle swelling (swollen ankles) on both sides since June."),
        ("You had crampy periumbilical (around the navel) pain.", "You had crampy pain around the navel."),
        ("Bilateral knee pain was noted.", "Knee pain on both sides was noted."),
        ("You had a bilateral knee brace/cast.", "You had a bilateral knee brace/cast."),
        ("The weakness is bilateral.", "The weakness is bilateral."),
        ("You had an exertional cough, and fever.", "You had a cough with physical effort, and fever."),
    ],
)  # fmt: skip
def test_place_follows_its_noun(text: str, told: str) -> None:
    assert with_places_behind(text) == told
