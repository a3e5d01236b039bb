"""A patient's notes by visit, and the requests that write several visits one after the other (CLI-RAG).

Each visit's request brings the notes of that visit alone and a summary of the note generated for the visit before.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from backend.errors import InputError
from backend.retrieval.patient_notes.note_dates import NoteTime, Stay, note_time, stay
from backend.retrieval.patient_notes.note_types import note_types
from backend.retrieval.patient_notes.visit_summary import visit_summary
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, NoteType

PASTED = -1
VISIT_GAP_DAYS = 2


class DatedNote(NamedTuple):
    """A note of a request, placed in time.

    Attributes:
        place: its place in patient_notes; PASTED for the pasted text.
        note: as it was given.
        type: which of the 15 note types it is.
        shown: its type as it is shown.
        when: its time, and where that is stated.
        admission: the stay it was written in; empty where that is not known.
        visit: from 1; 0 for a note without a date.
    """

    place: int
    note: PatientNote
    type: NoteType
    shown: str
    when: NoteTime
    admission: str = ""
    visit: int = 0


class Visit(NamedTuple):
    """notes are in time order. first and last are days (ISO), None for a patient without any date."""

    number: int
    notes: tuple[DatedNote, ...]
    first: str | None
    last: str | None


class VisitDraft(NamedTuple):
    """summary is what the next visit is told of this one."""

    visit: Visit
    draft: Draft
    summary: str


def dated_notes(notes: Sequence[PatientNote], gap_days: int = VISIT_GAP_DAYS) -> list[DatedNote]:
    """The notes in time order, each with its visit; those without a date come last, in the order given.

    Notes of one stay are of one visit. Of the others, two that follow each other are of one visit when at most gap_days
    lie between their days. The summary of a previous visit is no note of the patient and is left out.
    """
    found = []
    for index, note in enumerate(notes):
        if note.note_type == PREVIOUS_VISIT or not note.text.strip():
            continue
        kind = note_types().find(note.note_type)
        when = note_time(note.date, note.text, kind.type)
        found.append(DatedNote(index, note, kind.type, kind.shown, when))
    return numbered(found, [held for one in found if (held := stay(one.note.text))], gap_days)


def numbered(notes: Sequence[DatedNote], stays: Sequence[Stay], gap_days: int) -> list[DatedNote]:
    """The notes in time order with their visits; a note inside a stay belongs to it unless it names an admission."""
    dated = sorted((n for n in notes if n.when.time), key=lambda n: (n.when.time or "", n.place))
    out: list[DatedNote] = []
    known: dict[str, int] = {}
    for note in dated:
        admission = note.admission or _stay_of(note.when.day or "", stays)
        number = known.get(admission) if admission else _near(out, note, gap_days)
        number = number or max((n.visit for n in out), default=0) + 1
        if admission:
            known[admission] = number
        out.append(note._replace(admission=admission, visit=number))
    return [*out, *(note._replace(visit=0) for note in notes if not note.when.time)]


def visits(request: DraftRequest, gap_days: int = VISIT_GAP_DAYS) -> tuple[Visit, ...]:
    """The visits of a request in time order; none without notes.

    Notes without a date go to the last visit, where they are marked and come last. So does the pasted note, unless a
    header of its own gives it a date of another visit.
    """
    notes = [*request.patient_notes]
    pasted = PatientNote(note_type=NoteType.PHYSICIAN.value, text=request.text)
    found = dated_notes([*notes, pasted] if request.text.strip() else notes, gap_days)
    found = [n._replace(place=PASTED) if n.place == len(notes) else n for n in found]
    days = sorted({note.visit for note in found} - {0}) or [0]
    made = []
    for number in days:
        last = number == days[-1]
        held = [n for n in found if n.visit == number or (last and n.visit == 0)]
        if held:
            dates = [n.when.day for n in held if n.when.day]
            first, end = (min(dates), max(dates)) if dates else (None, None)
            made.append(Visit(max(number, 1), tuple(held), first, end))
    return tuple(made)


def visit_request(request: DraftRequest, visit: Visit, last: bool, handed_on: Sequence[PatientNote]) -> DraftRequest:
    """The request that writes one visit. What the ward added speaks of the last visit, so only that one gets it.

    handed_on: what the visits before leave: the allergies they state, and the summary of the last note.
    """
    pasted = any(note.place == PASTED for note in visit.notes)
    span = f"{visit.first} to {visit.last}" if visit.first != visit.last else f"{visit.first}"
    question = request.question or f"What happened to the patient in the visit of {span}?"
    own = tuple(note.note for note in visit.notes if note.place != PASTED)
    changed: dict[str, object] = {
        "text": request.text if pasted else "",
        "question": request.question if pasted else question,
        "patient_notes": (*handed_on, *own),
    }
    if not last:
        changed |= {
            "hospital_course": "",
            "discharge_medicines": (),
            "confirmed_conditions": (),
            "leading_condition": "",
        }
    return request.model_copy(update=changed)


def write_visits(
    request: DraftRequest,
    write: Callable[[DraftRequest], Draft],
    gap_days: int = VISIT_GAP_DAYS,
    previous_visit: bool = True,
    summarise: Callable[[Draft], str] = visit_summary,
    done: Sequence[str] = (),
    allergies: Callable[[Sequence[DatedNote], str | None], PatientNote | None] = lambda notes, day: None,
    in_visits: Sequence[Visit] = (),
) -> Iterator[VisitDraft]:
    """Write the visits one after the other; each draft is given as soon as it is written.

    Args:
        request: of the last visit, with the notes of all.
        write: writes one request.
        gap_days: days without a note that end a visit.
        previous_visit: False leaves out the summary of the visit before (the ablation).
        summarise: what the next visit is given of a draft.
        done: the summaries of visits that were written before an interruption, which are not written again.
        allergies: of the notes of all visits before and the last one's day, the note that hands on what they state
            (note_allergies.py); no ablation leaves it out.
        in_visits: the visits, where they are known otherwise than by the request's notes, as by their admissions.

    Yields:
        The visits' drafts, in time order.

    Raises:
        InputError: done holds more visits than there are.
    """
    found = tuple(in_visits) or visits(request, gap_days)
    if len(done) > len(found):
        raise InputError(f"{len(done)} visits are said to be written, but the notes hold {len(found)}. Start afresh.")
    previous = _summary_note(found[len(done) - 1], done[-1]) if previous_visit and done and found else None
    for place, visit in enumerate(found[len(done) :], start=len(done)):
        known = allergies(_known_before(found, place), found[place - 1].last if place else None)
        handed_on = [note for note in (known, previous) if note]
        draft = write(visit_request(request, visit, visit is found[-1], handed_on))
        summary = summarise(draft)
        previous = _summary_note(visit, summary) if previous_visit else None
        yield VisitDraft(visit, draft, summary)


def _known_before(found: Sequence[Visit], place: int) -> list[DatedNote]:
    """The notes of the visits before, and of the patient's earlier notes those without a date, which may be as old."""
    undated = [n for n in found[-1].notes if n.visit == 0 and n.place != PASTED] if place < len(found) - 1 else []
    return [*(note for visit in found[:place] for note in visit.notes), *undated]


def _summary_note(visit: Visit, summary: str) -> PatientNote | None:
    return PatientNote(note_type=PREVIOUS_VISIT, date=visit.last, text=summary) if summary.strip() else None


def _stay_of(day: str, stays: Sequence[Stay]) -> str:
    """The stay that holds a day; on a day that ends one and begins another, the later one."""
    held = [one for one in stays if one.admitted <= day <= one.discharged]
    return max(held).admitted if held else ""


def _near(before: Sequence[DatedNote], note: DatedNote, gap_days: int) -> int | None:
    """The visit of the last note outside a stay, if it is near enough."""
    free = [n for n in before if not n.admission]
    if not free:
        return None
    gap = date.fromisoformat(note.when.day or "") - date.fromisoformat(free[-1].when.day or "")
    return free[-1].visit if gap.days <= gap_days else None
