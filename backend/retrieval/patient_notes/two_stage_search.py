"""The two stages of CLI-RAG over one patient's chunks.

Global questions are asked over all note types, then each type found by its own sub-queries. What both find goes to
the reranking of chunks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from backend.nlp.document.note_chunks import ChunkSettings
from backend.retrieval.patient_notes.chunks import PatientChunk
from backend.retrieval.patient_notes.content_vectors import ContentVectors
from backend.retrieval.patient_notes.queries import NoteQueries
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.vocabulary import Document
from backend.stores.passages.patient_chunks import PatientChunkStore


class SearchStages(StrEnum):
    """Both stages, or one alone as an ablation; the local stage alone asks within every type the patient has."""

    BOTH = "both"
    GLOBAL = "global"
    LOCAL = "local"


@dataclass(frozen=True)
class PatientSearchSettings:
    """Everything that the paper leaves open.

    A chunk's score is bm25_weight * BM25/max + cosine_weight * cosine, at its best query, + symptom_boost * share of the
    note's symptoms that it names.

    Attributes:
        stages: global, local or both.
        chunks: how notes are cut.
        previous_visit: whether the summary of the visit before is one of the notes.
        per_question: chunks that each global question brings.
        per_sub_query: chunks that each note type's own query brings.
        bm25_weight: of BM25 over the best one's, 0 or more.
        cosine_weight: of the cosine, 0 or more.
        symptom_boost: what naming the note's symptoms adds at most, 0 or more.
        rerank_depth: chunks whose symptoms are looked at.
        most_pieces: chunks given to the writer.
        visit_gap_days: days without a note that end a visit.
    """

    stages: SearchStages = SearchStages.BOTH
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    previous_visit: bool = True
    per_question: int = 12
    per_sub_query: int = 6
    bm25_weight: float = 0.3
    cosine_weight: float = 0.7
    symptom_boost: float = 0.15
    rerank_depth: int = 120
    most_pieces: int = 40
    visit_gap_days: int = 2

    def __post_init__(self) -> None:
        if min(self.per_question, self.per_sub_query, self.rerank_depth, self.most_pieces) < 1:
            raise ValueError("per_question, per_sub_query, rerank_depth and most_pieces must be at least 1.")
        weights = (self.bm25_weight, self.cosine_weight, self.symptom_boost)
        if min(weights) < 0 or self.bm25_weight + self.cosine_weight <= 0:
            raise ValueError(f"The weights are {weights}; none may be negative, and BM25 or cosine must count.")


class Asked(NamedTuple):
    """One query with its vector. note_type is None for a global question."""

    text: str
    note_type: NoteType | None
    vector: np.ndarray


class Candidates(NamedTuple):
    """What both stages found.

    Attributes:
        rows: of the chunks that were found, ascending.
        asked: the queries.
        best: for each query its best row, or None.
        types: that the global stage found, or with the local stage alone all that the patient has.
    """

    rows: tuple[int, ...]
    asked: tuple[Asked, ...]
    best: tuple[int | None, ...]
    types: tuple[NoteType, ...]


class TwoStageSearch:
    """The search of one patient's chunks.

    Args:
        vectors: of texts, by content.
        queries: the questions and sub-queries.
        settings: what the paper leaves open.
    """

    def __init__(self, vectors: ContentVectors, queries: NoteQueries, settings: PatientSearchSettings) -> None:
        self._vectors = vectors
        self._queries = queries
        self._settings = settings

    def find(
        self, chunks: Sequence[PatientChunk], embedded: np.ndarray, document: Document, question: str = ""
    ) -> Candidates:
        """The chunks that some query brings. embedded: (len(chunks), d); question: the request's own, asked as well."""
        stages = self._settings.stages
        with PatientChunkStore([one.tags for one in chunks], embedded) as store:
            asked: list[Asked] = []
            hits: list[list[int]] = []
            types = store.types
            if stages is not SearchStages.LOCAL:
                texts = [one.text for one in self._queries.task[document]]
                asked = self._ask([*texts, question] if question.strip() else texts, None)
                hits = _nearest(store, asked, self._settings.per_question)
                found = {chunks[row].type for rows in hits for row in rows}
                types = tuple(kind for kind in types if kind in found)
            if stages is not SearchStages.GLOBAL:
                for kind in types:
                    local = self._ask(self._queries.local[kind], kind)
                    hits += _nearest(store, local, self._settings.per_sub_query)
                    asked += local
        rows = tuple(sorted({row for found_rows in hits for row in found_rows}))
        return Candidates(rows, tuple(asked), tuple(rows[0] if rows else None for rows in hits), types)

    def _ask(self, texts: Sequence[str], kind: NoteType | None) -> list[Asked]:
        vectors = self._vectors.vectors(texts)
        return [Asked(text, kind, vector) for text, vector in zip(texts, vectors, strict=True)]


def _nearest(store: PatientChunkStore, asked: Sequence[Asked], k: int) -> list[list[int]]:
    """The rows of each query, best first; all queries are of one type or of none."""
    if not asked:
        return []
    found = store.nearest(np.stack([one.vector for one in asked]), k, asked[0].note_type)
    return [[row for row, _ in hits] for hits in found]
