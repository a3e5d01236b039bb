"""The chunks of all of a patient's notes, each with its note, type, visit and time."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document.note_chunks import ChunkSettings, NoteChunk, note_chunks
from backend.retrieval.patient_notes.note_dates import NoteTime
from backend.retrieval.patient_notes.notes_by_visit import DatedNote
from backend.schemas.patients.patient_notes import NoteType
from backend.stores.passages.patient_chunks import ChunkTags


class PatientChunk(NamedTuple):
    """note is the note's place in the request; shown is its type as it is told to a reader; visit is 0 when undated."""

    note: int
    type: NoteType
    shown: str
    visit: int
    when: NoteTime
    chunk: NoteChunk

    @property
    def tags(self) -> ChunkTags:
        """What a search over chunks filters and orders by."""
        own = self.chunk
        time = self.when.time or ""
        return ChunkTags(self.note, self.type, own.header_name, own.chunk_id_in_header, self.visit, time)

    @property
    def order(self) -> tuple[bool, str, int, int]:
        """By time, what is undated last; within a note by place."""
        return self.when.time is None, self.when.time or "", self.note, self.chunk.start_char


def patient_chunks(notes: Sequence[DatedNote], settings: ChunkSettings) -> list[PatientChunk]:
    """The chunks of some dated notes, in time order."""
    found = [
        PatientChunk(note.place, note.type, note.shown, note.visit, note.when, chunk)
        for note in notes
        for chunk in note_chunks(note.note.text, settings)
    ]
    return sorted(found, key=lambda one: one.order)
