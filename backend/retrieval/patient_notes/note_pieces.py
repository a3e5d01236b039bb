"""The patient's own notes as evidence N1, N2 and on.

Every sentence of the pasted note, and the sentences of earlier notes that share its concepts; for a progress note without a pasted
one, every sentence of the notes. Note types and visits are not weighed against each other; the two-stage retrieval of CLI-RAG does that.
"""

from collections.abc import Mapping

from backend.interfaces import Linker
from backend.nlp.document import sentences
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Document

MOST_PASTED = 400
MOST_EARLIER = 20
MOST_WHOLE = 2_000
"""Sentences of all notes together, the latest of them, where a progress note is written from nothing else."""


class NotePieces:
    """Sentences with their offsets in the note they came from. names: concept names by id."""

    def __init__(self, linker: Linker, names: Mapping[str, str]) -> None:
        self._linker = linker
        self._names = names

    def pieces(self, linked: LinkedNote, request: DraftRequest) -> tuple[NotePiece, ...]:
        """Pasted sentences in order, what the ward added, then earlier notes' sentences by shared concepts."""
        found = [*pasted_pieces(linked), *self._from_ward(request), *self._earlier(linked, request)]
        return tuple(piece.model_copy(update={"id": f"N{i}"}) for i, piece in enumerate(found, start=1))

    def _from_ward(self, request: DraftRequest) -> list[NotePiece]:
        course = request.hospital_course
        confirmed = [self._names[c] for c in request.confirmed_conditions if c in self._names]
        return [
            *(_piece("Hospital course", course[a:b], a) for a, b in sentences(course)),
            *(_piece("Discharge medicines", text, 0) for text in request.discharge_medicines if text.strip()),
            *(_piece("Confirmed by clinician", f"Confirmed: {name}", 0) for name in confirmed),
        ]

    def _earlier(self, linked: LinkedNote, request: DraftRequest) -> list[NotePiece]:
        if request.document is Document.PROGRESS_NOTE and not request.text.strip():
            return self._whole(request)
        wanted = {m.concept_id for m in linked.note.mentions if m.assertion != Assertion.NEGATED}
        scored: list[tuple[int, str, int, NotePiece]] = []
        for note in request.patient_notes:
            earlier = self._linker.link(note.text)
            for piece in pasted_pieces(earlier, note.note_type, note.date):
                inside = {
                    m.concept_id
                    for m in earlier.note.mentions
                    if piece.start_char <= m.start_char < piece.end_char and m.assertion != Assertion.FAMILY
                }
                if inside & wanted:
                    scored.append((len(inside & wanted), note.date or "", len(scored), piece))
        scored.sort(key=lambda item: (item[0], item[1], -item[2]), reverse=True)
        return [piece for *_, piece in scored[:MOST_EARLIER]]

    def _whole(self, request: DraftRequest) -> list[NotePiece]:
        """Every sentence of the notes, forward in time, those without a date first."""
        notes = sorted(request.patient_notes, key=lambda note: note.date or "")
        pieces = [
            piece
            for note in notes
            for piece in pasted_pieces(self._linker.link(note.text), note.note_type, (note.date or "")[:10] or None)
        ]
        return pieces[-MOST_WHOLE:]


def _piece(kind: str, text: str, start: int) -> NotePiece:
    return NotePiece(id="N0", note_type=kind, section=kind, text=text, start_char=start, end_char=start + len(text))


def pasted_pieces(linked: LinkedNote, note_type: str = "Pasted note", date: str | None = None) -> list[NotePiece]:
    """One piece a sentence, with the header it stands under."""
    text = linked.note.text
    out = []
    for section in linked.note.sections:
        for start, end in sentences(text, section.body_char, section.end_char):
            out.append(
                NotePiece(
                    id="N0",
                    note_type=note_type,
                    section=section.title or section.category.value,
                    date=date,
                    text=text[start:end],
                    start_char=start,
                    end_char=end,
                )
            )
    return out[:MOST_PASTED]
