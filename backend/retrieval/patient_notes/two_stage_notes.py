"""The patient's notes as evidence by CLI-RAG's two stages: chunk, search globally and locally, rerank, order by time.

Gives what the pasted note and the ward say first, as one stage does (notes.py), then the summary of the previous visit,
then the chosen pieces of the patient's notes, oldest first and undated last. Speaks of no note that no query brings.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from backend.interfaces import Encoder, Linker
from backend.retrieval.patient_notes.chunk_rerank import PatientReranker
from backend.retrieval.patient_notes.chunks import PatientChunk, patient_chunks
from backend.retrieval.patient_notes.content_vectors import ContentVectors
from backend.retrieval.patient_notes.note_dates import note_time
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.retrieval.patient_notes.notes_by_visit import dated_notes
from backend.retrieval.patient_notes.queries import note_queries
from backend.retrieval.patient_notes.two_stage_search import PatientSearchSettings, TwoStageSearch
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, NoteType

PASTED_NOTE = "Pasted note"
Progress = Callable[[int, int, str], None]


class TwoStageNotes:
    """names: concept names by id. progress is told how far the encoding of new chunks has come, and may raise to stop."""

    def __init__(
        self,
        linker: Linker,
        names: Mapping[str, str],
        encoder: Encoder,
        settings: PatientSearchSettings | None = None,
        progress: Progress | None = None,
        vectors: ContentVectors | None = None,
    ) -> None:
        self._settings = settings or PatientSearchSettings()
        self._own = NotePieces(linker, names)
        self._vectors = vectors or ContentVectors(encoder)
        self._search = TwoStageSearch(self._vectors, note_queries(), self._settings)
        self._rerank = PatientReranker(linker, self._settings)
        self._progress = progress

    def pieces(self, linked: LinkedNote, request: DraftRequest) -> tuple[NotePiece, ...]:
        """Ids N1, N2…; a piece's offsets are those of the note it came from."""
        found = [*self._pasted(linked, request), *self._previous(request), *self._earlier(linked, request)]
        return tuple(piece.model_copy(update={"id": f"N{i}"}) for i, piece in enumerate(found, start=1))

    def chosen(self, linked: LinkedNote, request: DraftRequest) -> list[PatientChunk]:
        """The chunks that the two stages chose, in time order."""
        settings = self._settings
        chunks = patient_chunks(dated_notes(request.patient_notes, settings.visit_gap_days), settings.chunks)
        if not chunks:
            return []
        embedded = self._vectors.vectors([one.chunk.searched for one in chunks], self._progress)
        found = self._search.find(chunks, embedded, request.document, request.question)
        ranked = self._rerank.choose(chunks, embedded, found, linked)
        return sorted((chunks[one.row] for one in ranked), key=lambda one: one.order)

    def _pasted(self, linked: LinkedNote, request: DraftRequest) -> list[NotePiece]:
        """What the pasted note and the ward say; a question is no note, so its words are no piece."""
        own = self._own.pieces(linked, request.model_copy(update={"patient_notes": ()}))
        day = note_time(None, request.text, NoteType.PHYSICIAN).day
        return [
            piece.model_copy(update={"date": day}) if piece.note_type == PASTED_NOTE else piece
            for piece in own
            if piece.note_type != PASTED_NOTE or request.text.strip()
        ]

    def _previous(self, request: DraftRequest) -> list[NotePiece]:
        """The summary of the previous visit's note, a piece a line."""
        if not self._settings.previous_visit:
            return []
        return [
            _piece(note, PREVIOUS_VISIT, PREVIOUS_VISIT, note_time(note.date, "", NoteType.GENERAL).day, start, end)
            for note in request.patient_notes
            if note.note_type == PREVIOUS_VISIT
            for start, end in _lines(note.text)
        ]

    def _earlier(self, linked: LinkedNote, request: DraftRequest) -> list[NotePiece]:
        out = []
        chosen = self.chosen(linked, request)
        for (index, header), group in groupby(chosen, key=lambda one: (one.note, one.chunk.header_name)):
            held = list(group)
            for start, end in joined(held):
                note = request.patient_notes[index]
                out.append(_piece(note, held[0].shown, header, held[0].when.day, start, end))
        return out


def joined(chunks: Sequence[PatientChunk]) -> list[tuple[int, int]]:
    """The spans of chunks of one note and header, by place, those that overlap made one: no sentence comes twice."""
    spans: list[tuple[int, int]] = []
    for one in chunks:
        start, end = one.chunk.start_char, one.chunk.end_char
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _lines(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            start = at + len(line) - len(line.lstrip())
            spans.append((start, at + len(line.rstrip())))
        at += len(line)
    return spans


def _piece(note: PatientNote, kind: str, section: str, day: str | None, start: int, end: int) -> NotePiece:
    text = note.text[start:end]
    return NotePiece(id="N0", note_type=kind, section=section, date=day, text=text, start_char=start, end_char=end)
