"""What a visit decided of medicines as a whole: whether the note holds its decisions, and whether they keep all medicines as they are."""

from functools import lru_cache

from backend.nlp.document import sections
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import PatientRecord, PlanStatement, Setting
from backend.schemas.vocabulary import SectionCategory

CONTINUED = "letter/continued"
_DECIDES = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS, SectionCategory.ASSESSMENT))
"""Parts of a note that hold what a visit decided; an assessment only beside a plan in it."""


_TOLD = 0.5
"""How sure a clinic is where words tell it; a note without a word of any place may be of who is then admitted."""


def is_visit(record: PatientRecord) -> bool:
    """Whether a note is of a visit from which the patient goes home: to a clinic, or to an emergency department that it tells as left."""
    encounter = record.encounter
    clinic = encounter.setting is Setting.CLINIC and encounter.certainty >= _TOLD
    return clinic or (encounter.setting is Setting.EMERGENCY and encounter.goes_home)


def is_outside(record: PatientRecord) -> bool:
    """Whether nothing tells that the patient stays: a visit, or a note without a word of its place."""
    encounter = record.encounter
    return (
        is_visit(record)
        or encounter.setting is Setting.UNKNOWN
        or (encounter.setting is Setting.CLINIC and encounter.certainty < _TOLD)
    )


def holds_decisions(record: PatientRecord, note_text: str) -> bool:
    """Whether a note holds what its visit decided: else nothing tells that a medicine it lists stays as it is."""
    planned = [span.start_char for plan in record.plan for span in plan.spans]
    return any(
        part.category in _DECIDES
        and bool(note_text[part.body_char : part.end_char].strip())
        and (
            part.category is not SectionCategory.ASSESSMENT
            or any(part.body_char <= place < part.end_char for place in planned)
        )
        for part in sections(note_text)
    )


def continuing_all(record: PatientRecord) -> PlanStatement | None:
    """What the plan says where it keeps all medicines as they are; an entry of a list keeps itself alone."""
    entries = [one.spans[0].start_char for one in record.medications if one.spans and one.listed]
    told = (
        plan
        for plan in record.plan
        if not any(span.start_char <= place < span.end_char for span in plan.spans for place in entries)
    )
    return next((one for one in told if _automaton().find(plain_marks(tokens(one.text).words))[CONTINUED]), None)


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(CONTINUED))
