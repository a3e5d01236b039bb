"""A long line is cut where a clause begins that stands alone, and never between a condition and what it is for."""

import pytest

from backend.generation.letter.story_clauses import stretches
from backend.nlp.document.tokens import tokens


def cut(text: str) -> list[str]:
    return [text[begin:stop] for _, begin, stop in stretches(text, tokens(text), 0, len(text))]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "I do not believe he needs a scan right now, however if the pain does not settle, we will order one.",
            ["I do not believe he needs a scan right now", "however if the pain does not settle, we will order one."],
        ),
        (
            "I do not recommend an injection today, however, when the swelling is down we can discuss one.",
            ["I do not recommend an injection today", "however, when the swelling is down we can discuss one."],
        ),
        (
            "We will hold off on surgery; if she does not improve in 6 weeks of exercise and rest at home, we will look at it again.",
            [
                "We will hold off on surgery",
                "if she does not improve in 6 weeks of exercise and rest at home, we will look at it again.",
            ],
        ),
        ("She, however, denies any swelling.", ["She, however, denies any swelling."]),
        ("The pain is however worse at night.", ["The pain is however worse at night."]),
    ],
)
def test_however_begins_a_clause_where_one_follows(text: str, parts: list[str]) -> None:
    assert cut(text) == parts
