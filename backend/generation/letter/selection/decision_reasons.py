"""Sentences of a plan that tell what was so and why something is decided: "She has been compliant with her tablets", "I explained that …".

They are told among what was found, where they matter, and never as what is to be done.
"""

from collections.abc import Sequence

from backend.generation.letter.plain_language.letter_words import lists, words_of
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plain_language.verb_forms import verbs
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


def tells_reasons(text: str, section: SectionCategory, inside: Sequence[Statement], line: LineKind | None) -> bool:
    """Whether a sentence of a plan decides nothing.

    Args:
        text: of the note.
        section: that it stands in.
        inside: the statements that it holds.
        line: of which kind the labelled line is that it stands in; None for no such line.
    """
    words = [word.low for word in words_of(text) or ()]
    own, kinds = lists(), word_lists("letter/words_decisions")
    if section not in _PLANS or not words or words[0] in verbs() or not has_finite_verb(text):
        return False
    if not (own["modals"] | own["to_come"] | kinds["conditions"] | kinds["obliges"]).isdisjoint(words):
        return False
    sure = {one.kind for one in inside if isinstance(one, PlanStatement) and one.certainty >= BY_ITS_WORDS}
    if line is LineKind.REASONING:
        return True
    explains = not kinds["explains"].isdisjoint(words)
    planned = any(isinstance(one, ProcedureStatement) and one.status is ProcedureStatus.PLANNED for one in inside)
    turned = any(isinstance(one, MedicationStatement) and (one.change or one.status is not MedicationStatus.ACTIVE) for one in inside)
    if line is LineKind.EDUCATION and not explains:
        return False
    return not planned and not turned and not sure - ({PlanKind.OTHER} if explains else set())
