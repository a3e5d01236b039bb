"""Of which kind a piece of the plan is: by its triggers, and where they only say that something is decided, by what it names."""

from bisect import bisect_left
from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.schemas.drafts.note import Mention
from backend.schemas.record import PlanKind
from backend.schemas.vocabulary import Category

_BARE = 6
"""Words up to which an item of a plan that only names a problem decides nothing."""


def kind_of(
    note: ParsedNote, triggers: Sequence[FoundTrigger], first: int, last: int, mentions: Sequence[Mention]
) -> PlanKind:
    """The kind that the triggers tell, the more telling first; of a bare decision, what its names are."""
    events = {t.row.event for t in triggers}
    for kind in _ORDER:
        if kind.value in events:
            if kind is PlanKind.TEST:
                names = _categories(note, first, last, mentions)
                if Category.TEST not in names and (Category.DRUG in names or Category.PROCEDURE in names):
                    return PlanKind.TREATMENT
            return kind
    names = _categories(note, first, last, mentions)
    for category, kind in _BY_NAME:
        if category in names:
            return kind
    return PlanKind.OTHER


def _categories(note: ParsedNote, first: int, last: int, mentions: Sequence[Mention]) -> set[Category]:
    start, end = note.tokens.starts[first], note.tokens.ends[last - 1]
    at = bisect_left(mentions, start, key=lambda one: one.start_char)
    found = set()
    while at < len(mentions) and mentions[at].start_char < end:
        found.add(mentions[at].category)
        at += 1
    return found


def names_only(note: ParsedNote, first: int, last: int, mentions: Sequence[Mention]) -> bool:
    """Whether a sentence of a plan is no more than the name of a problem ("1. Hypertension.")."""
    if sum(note.tokens.word[first:last]) > _BARE:
        return False
    return _categories(note, first, last, mentions) <= _PROBLEMS


_ORDER = (
    PlanKind.RETURN_PRECAUTION,
    PlanKind.PENDING_RESULT,
    PlanKind.FOLLOW_UP,
    PlanKind.DISPOSITION,
    PlanKind.CARER,
    PlanKind.TREATMENT,
    PlanKind.TEST,
    PlanKind.DIET,
    PlanKind.ACTIVITY,
)
_BY_NAME = (
    (Category.TEST, PlanKind.TEST),
    (Category.DRUG, PlanKind.TREATMENT),
    (Category.PROCEDURE, PlanKind.TREATMENT),
    (Category.DIET, PlanKind.DIET),
    (Category.FOLLOW_UP, PlanKind.FOLLOW_UP),
    (Category.ACTIVITY, PlanKind.ACTIVITY),
)
_PROBLEMS = frozenset((Category.DISEASE, Category.SYMPTOM, Category.FINDING, Category.ANATOMY, Category.CONCEPT))
