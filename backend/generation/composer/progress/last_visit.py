"""The last visit beside today's note, in sentences: what is new, changed, gone, unchanged, and what today's note does not name.

The latest dated earlier note of the request is read once. A sentence cites today's pieces and those of the earlier note; what an earlier
note says and the evidence does not hold is not told.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from backend.generation.composer.material import Material
from backend.generation.composer.progress.visit_changes import Change, ChangeKind, medicine_changes, problem_changes
from backend.generation.composer.progress.vital_signs import course_of
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings.measured.observations import observation_statements
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT
from backend.schemas.record import ObservationStatement, PatientRecord, Statement

MOST_NAMED = 12
"""Problems or medicines that one sentence names."""
_DAY = 10
_PROBLEMS: tuple[tuple[ChangeKind, str], ...] = (
    (ChangeKind.NEW, "New since {day}"),
    (ChangeKind.CHANGED, "Changed since {day}"),
    (ChangeKind.GONE, "Gone since {day}"),
    (ChangeKind.UNCHANGED, "Unchanged since {day}"),
    (ChangeKind.UNMENTIONED, "Stated on {day} alone"),
)
_MEDICINES: tuple[tuple[ChangeKind, str], ...] = (
    (ChangeKind.NEW, "Medicines new since {day}"),
    (ChangeKind.CHANGED, "Medicines changed since {day}"),
    (ChangeKind.GONE, "Medicines no longer taken since {day}"),
    (ChangeKind.UNCHANGED, "Medicines unchanged since {day}"),
    (ChangeKind.UNMENTIONED, "Medicines stated on {day} alone"),
)
Line = tuple[str, tuple[str, ...]]


class _Earlier(NamedTuple):
    """The latest earlier note: its day, its record, and its pieces in the evidence."""

    day: str
    record: PatientRecord
    pieces: Sequence[NotePiece]

    def piece_of(self, one: Statement) -> NotePiece | None:
        places = [span.start_char for span in one.spans]
        return next((p for p in self.pieces for at in places if p.start_char <= at < p.end_char), None)


def since_last_visit(material: Material, request: DraftRequest) -> Iterator[Line]:
    """Yield the changes of problems and medicines since the latest dated earlier note; nothing where there is none."""
    earlier = _latest(material, request)
    if earlier is None:
        return
    for found, wordings in (
        (problem_changes(material.record, earlier.record), _PROBLEMS),
        (medicine_changes(material.record, earlier.record), _MEDICINES),
    ):
        for kind, wording in wordings:
            held = [(one, cites) for one in found if one.kind is kind and (cites := _cites(material, earlier, one))]
            if held:
                names = "; ".join(dict.fromkeys(one.text for one, _ in held[:MOST_NAMED]))
                more = f"; and {len(held) - MOST_NAMED} more" if len(held) > MOST_NAMED else ""
                ids = dict.fromkeys(c for _, cites in held[:MOST_NAMED] for c in cites)
                if not any(p.id in ids for p in earlier.pieces):
                    ids |= dict.fromkeys(p.id for p in earlier.pieces[:1])  # the note of that day
                yield f"{wording.format(day=earlier.day)}: {names}{more}.", tuple(ids)


def value_courses(material: Material) -> Iterator[Line]:
    """Yield the values of each measure that earlier notes have too, in order of date, today's last."""
    own = [
        (one, piece.id)
        for one in material.record.observations
        if one.spans and (piece := material.piece_at(one.spans[0].start_char)) is not None
    ]
    if not own:
        return
    courses = course_of(own, _earlier_values(material))
    for measure, values in courses.items():
        course = ", ".join(f"{one.value} ({one.day or 'today'})" for one in values)
        yield f"{measure[:1].upper()}{measure[1:]}: {course}.", tuple(dict.fromkeys(one.citation for one in values))


def _earlier_values(material: Material) -> Iterator[tuple[ObservationStatement, str, str]]:
    """Yield the observations of the earlier notes' pieces, with day and citation."""
    for piece in material.evidence.notes:
        if piece.date and piece.note_type not in _NO_NOTES and any(c.isdigit() for c in piece.text):
            parsed = parse_note(piece.text)
            for one in observation_statements(parsed, (), partial(read_attributes, parsed)):
                yield one, piece.date[:_DAY], piece.id


def _latest(material: Material, request: DraftRequest) -> _Earlier | None:
    """The latest dated note before today's; of two of a day the later in the request."""
    if not request.text.strip():
        return None
    pasted = next((p.date for p in material.evidence.notes if p.note_type == "Pasted note" and p.date), None)
    dated: list[tuple[str, int, PatientNote, list[NotePiece]]] = []
    for place, note in enumerate(request.patient_notes):
        pieces = [p for p in material.evidence.notes if _is_of(p, note)]
        day = (note.date or next((p.date for p in pieces if p.date), None) or "")[:_DAY]
        if day and note.note_type not in _NO_NOTES and (pasted is None or day <= pasted[:_DAY]):
            dated.append((day, place, note, pieces))
    if not dated:
        return None
    day, _, note, pieces = max(dated, key=lambda one: one[:2])
    return _Earlier(day, material.read(note.text), pieces)


def _is_of(piece: NotePiece, note: PatientNote) -> bool:
    same = piece.date is None or note.date is None or piece.date[:_DAY] == note.date[:_DAY]
    return same and piece.note_type not in _NO_NOTES and note.text[piece.start_char : piece.end_char] == piece.text


def _cites(material: Material, earlier: _Earlier, one: Change) -> tuple[str, ...]:
    """What a change rests on; empty where the evidence does not hold all that it tells."""
    cites = []
    if one.today is not None:
        piece = next((p for s in one.today.spans if (p := material.piece_at(s.start_char)) is not None), None)
        if piece is None:
            return ()
        cites.append(piece.id)
    if one.before is not None:
        before = earlier.piece_of(one.before)
        if before is not None:
            cites.append(before.id)
        elif one.kind is not ChangeKind.UNCHANGED:
            return ()
    return tuple(cites)


_NO_NOTES = frozenset(
    {"Pasted note", PREVIOUS_VISIT, "Hospital course", "Discharge medicines", "Confirmed by clinician"}
)
