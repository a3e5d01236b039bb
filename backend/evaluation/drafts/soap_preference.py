"""Which of two notes a judge model prefers: blind, and asked in both orders, since models favour a place."""

from typing import Literal

from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.verdict_prompts import PREFERRED
from backend.schemas.base import Frozen


class Choice(Frozen):
    """The reply of a judge model that compares two notes."""

    choice: Literal["first", "second", "neither"]


def preference(model: LanguageModel, ours: str, theirs: str, seed: int) -> float | None:
    """1 where ours is preferred in both orders, 0 where theirs is, 0.5 for anything between; None where the judge failed."""
    before = _asked(model, ours, theirs, seed)
    after = _asked(model, theirs, ours, seed)
    if before is None or after is None:
        return None
    if (before, after) == ("first", "second"):
        return 1.0
    return 0.0 if (before, after) == ("second", "first") else 0.5


def _asked(model: LanguageModel, first: str, second: str, seed: int) -> str | None:
    answer = Asker(model, seed).shaped(PREFERRED, Choice, {"first": first, "second": second})
    return None if answer.value is None else answer.value.choice
