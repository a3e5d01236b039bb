"""Sentences of a plan that decide nothing: reasons and talk, and no decision among them."""

import pytest

from backend.generation.letter.selection.decision_reasons import Says, reason_of
from backend.nlp.procedures.plan_labels import LineKind
from backend.schemas.vocabulary import SectionCategory


@pytest.mark.parametrize(
    "text",
    [
        "Her weight was steady.",
        "He has been walking without a stick.",
        "I told him that the swelling was harmless.",
        "The films were reviewed.",
    ],
)
def test_what_was_so_is_a_reason(text: str) -> None:
    assert reason_of(text, SectionCategory.PLAN, ()) is Says.REASON


@pytest.mark.parametrize("text", ["We discussed splints.", "I had a discussion with him about his knees."])
def test_that_something_was_talked_about_is_talk(text: str) -> None:
    assert reason_of(text, SectionCategory.PLAN, ()) is Says.TALK


@pytest.mark.parametrize(
    "text",
    [
        "She will be seen again.",
        "He is to rest for a week.",
        "I advised her to rest.",
        "I told him that he should rest.",
        "We discussed the importance of rest.",
        "A splint was provided.",
        "Result before we go.",
        "Rest and ice.",
        "The dose stays the same, level in 3 weeks.",
        "He was advised to come back if it swells.",
    ],
)
def test_what_is_to_be_done_is_none(text: str) -> None:
    assert reason_of(text, SectionCategory.PLAN, ()) is None


def test_a_line_of_reasons_decides_only_what_is_to_come() -> None:
    reasons = "Given the redness, I suspect gout."
    assert reason_of(reasons, SectionCategory.ASSESSMENT, (), LineKind.REASONING) is Says.REASON
    assert reason_of("We will watch it.", SectionCategory.ASSESSMENT, (), LineKind.REASONING) is None


def test_other_sections_have_none() -> None:
    assert reason_of("Her weight was steady.", SectionCategory.HISTORY_OF_PRESENT_ILLNESS, ()) is None
