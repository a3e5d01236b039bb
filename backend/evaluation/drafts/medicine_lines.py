"""How far the rows of a draft's medicines agree with an annotation, by what they say became of the medicine."""

from backend.evaluation.reading.gold_notes import AnnotatedNote
from backend.evaluation.reading.record_scores import NoteCounts, ReadingError
from backend.evaluation.reading.statement_match import Named, Place, alternatives, match_score, places_of
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow

_GO_ON = frozenset(
    {MedicineAction.CONTINUE, MedicineAction.AS_NEEDED, MedicineAction.CHANGED, MedicineAction.NEW, MedicineAction.TAKE}
)
_GOING = frozenset({"home", "started here", "planned"})
_AGREES = {
    "medicines_go_on": _GOING,
    "medicines_stop": frozenset({"stopped"}),
    "medicines_needed": frozenset({"home"}),
    "medicines_taken": frozenset({"home"}),
    "medicines_stopped_before": frozenset({"stopped", "past"}),
    "medicines_on_hold": frozenset({"held"}),
}
MEDICINE_MEASURES: dict[str, str] = {
    "medicines_go_on": "medicines told to be continued, changed or new that are annotated as taken, started or planned",
    "medicines_stop": "medicines told to be stopped that are annotated as stopped, and not as taken",
    "medicines_needed": "medicines told as used when needed that are annotated as taken at home",
    "medicines_taken": "medicines that seem to be taken and are annotated so; a letter tells no group below .95 as its status",
    "medicines_stopped_before": "medicines that seem to be stopped before, annotated as stopped or past; the letter asks",
    "medicines_on_hold": "medicines that seem to be on hold, annotated as held; the letter asks",
}
_PROMPTS = {
    Prompt.NEEDED_BEFORE: "medicines_needed",
    Prompt.TAKEN_BEFORE: "medicines_taken",
    Prompt.STOPPED_BEFORE: "medicines_stopped_before",
    Prompt.HELD_FOR_STAY: "medicines_on_hold",
}


def count_medicines(note: AnnotatedNote, draft: Draft, counts: NoteCounts) -> None:
    """Count the rows of a draft by what they say; one whose medicine is not annotated is wrong.

    Args:
        note: the annotated note.
        draft: written from it alone.
        counts: gets the counts and the errors.
    """
    places = {n.id: Place(n.start_char, n.end_char) for n in draft.evidence.notes if n.text in note.text}
    for row in draft.medicines:
        measure = _measure(row)
        if not measure:
            continue
        named = Named(alternatives(row.name), tuple(places[one] for one in row.citations if one in places))
        found = {
            one.status: one.quote
            for one in note.gold.medicines
            if match_score(alternatives(one.name), places_of(note.text, one.quote), named) > 0
        }
        ended = measure == "medicines_stop"
        right = not _AGREES[measure].isdisjoint(found) and not (ended and "home" in found)
        counts.count(measure, right)
        if not right:
            statuses, quotes = " and ".join(sorted(found)), "; ".join(found.values())
            counts.errors.append(ReadingError(note.name, measure, statuses, f"{row.name}: {row.what_to_do}", quotes))


def _measure(row: MedicineRow) -> str:
    if row.action is MedicineAction.ON_HOLD:
        return "medicines_on_hold"
    if row.action is MedicineAction.UNDECIDED:
        return next((name for prompt, name in _PROMPTS.items() if row.prompt == prompt), "")
    if row.prompt:
        return ""
    return (
        "medicines_go_on" if row.action in _GO_ON else "medicines_stop" if row.action is MedicineAction.STOPPED else ""
    )
