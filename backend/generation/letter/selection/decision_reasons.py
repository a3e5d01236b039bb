"""Sentences of a plan that decide nothing: what was so, why something is decided ("She has been compliant"), what was talked about.

Reasons are told among what was found, where they matter, and never as what is to be done.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from backend.generation.letter.plain_language.letter_words import lists, words_of
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_past, verbs
from backend.generation.letter.plan_items.plan_slots import names_plan
from backend.generation.letter.selection.empty_plans import (
    gives_reason_alone,
    holds_talk_alone,
    names_care_alone,
    names_problems_alone,
    names_talk_alone,
    quotes_complaint,
    tells_who_came,
)
from backend.generation.letter.selection.told_elsewhere import BY_ITS_WORDS
from backend.nlp.procedures.plan_labels import LineKind
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    MedicationStatement,
    MedicationStatus,
    PlanKind,
    PlanStatement,
    ProcedureStatement,
    ProcedureStatus,
    Statement,
)
from backend.schemas.vocabulary import SectionCategory

_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.ASSESSMENT))
_DECIDE = _PLANS | {SectionCategory.INSTRUCTIONS}
_TOLD_THAT = re.compile(
    r"\b(?:advised|told|informed|counseled|counselled) (?:[\w'’]+ ){0,3}?(?:that|there)\b", re.IGNORECASE
)


_COMES_OF = re.compile(
    r"(?:this|it|these) (?:is|was|are|were) (?:[a-z]+ ){0,4}(?:due|caused|related|secondary|attributed)\b",
    re.IGNORECASE,
)
"""What tells a cause, though the cause is a medicine: "This is most likely due to the new tablet"."""


class Says(StrEnum):
    """What a sentence of a plan that decides nothing says."""

    REASON = "reason"
    TALK = "talk"


def reason_of(
    text: str, section: SectionCategory, inside: Sequence[Statement], line: LineKind | None = None
) -> Says | None:
    """What a sentence of a plan says that decides nothing; None for one that decides, and of other sections.

    Args:
        text: of the note.
        section: that it stands in.
        inside: the statements that it holds.
        line: of which kind the labelled line is that it stands in; None for no such line.
    """
    if section in _DECIDE:
        if tells_who_came(text) or holds_talk_alone(text, inside) or names_talk_alone(text):
            return Says.TALK
        if quotes_complaint(text) or names_care_alone(text) or gives_reason_alone(text):
            return Says.TALK
        if names_problems_alone(text, inside):
            return Says.REASON
    words = [word.low for word in words_of(text) or ()]
    own, kinds = lists(), word_lists("letter/words_decisions")
    if section not in _PLANS or not words or words[0] in verbs() or not has_finite_verb(text):
        return None
    if _COMES_OF.match(text):
        return Says.REASON
    if not own["modals"].isdisjoint(words) or "going" in words:
        return None
    if line is LineKind.REASONING:
        return Says.REASON
    told_that = _TOLD_THAT.search(text) is not None
    explains = told_that or not kinds["explains"].isdisjoint(words)
    decides = own["to_come"] | kinds["conditions"] | kinds["obliges"]
    if not (decides - ({"advised", "told", "counseled", "counselled"} if told_that else set())).isdisjoint(words):
        return None
    if (line is LineKind.EDUCATION and not explains) or not text.rstrip().endswith(".") or names_plan(text):
        return None
    if not any(is_auxiliary(word) or (is_past(word) and word not in verbs()) for word in words[1:]):
        return None
    sure = {one.kind for one in inside if isinstance(one, PlanStatement) and one.certainty >= BY_ITS_WORDS}
    if any(map(_decides, inside)) or sure - ({PlanKind.OTHER} if explains else set()):
        return None
    return Says.TALK if not kinds["discusses"].isdisjoint(words) and "that" not in words else Says.REASON


def _decides(one: Statement) -> bool:
    if isinstance(one, ProcedureStatement):
        return one.status is ProcedureStatus.PLANNED
    return isinstance(one, MedicationStatement) and (bool(one.change) or one.status is not MedicationStatus.ACTIVE)
