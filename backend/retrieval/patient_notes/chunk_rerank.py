"""The order of the chunks that the two stages find, and the choice of those that a writer gets.

Duplicates go; BM25, cosine and the symptoms shared with the note decide.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from backend.interfaces import Linker
from backend.retrieval.patient_notes.chunks import PatientChunk
from backend.retrieval.patient_notes.two_stage_search import Asked, Candidates, PatientSearchSettings
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion, Category, SectionCategory
from backend.stores.passages.bm25 import Bm25Index

SYMPTOMS = frozenset((Category.SYMPTOM, Category.FINDING))
NOT_THE_PATIENTS = frozenset((Assertion.FAMILY, Assertion.HYPOTHETICAL))
COMPLAINTS = frozenset((SectionCategory.CHIEF_COMPLAINT, SectionCategory.HISTORY_OF_PRESENT_ILLNESS))


class Ranked(NamedTuple):
    """One chunk by its row, with its score; best first in a list."""

    row: int
    score: float


class PatientReranker:
    """linker reads which symptoms a chunk names; it may be slow, so only the first rerank_depth chunks are read."""

    def __init__(self, linker: Linker, settings: PatientSearchSettings) -> None:
        self._linker = linker
        self._settings = settings

    def choose(
        self, chunks: Sequence[PatientChunk], embedded: np.ndarray, found: Candidates, linked: LinkedNote
    ) -> list[Ranked]:
        """At most most_pieces chunks, best first.

        Every stated allergy among the patient's notes is taken, found or not; then the best chunk of each query, so that
        every part and type that has something is heard; then by score.
        """
        allergies = [i for i, one in enumerate(chunks) if one.chunk.category is SectionCategory.ALLERGIES]
        rows = without_repeats(chunks, sorted({*found.rows, *allergies}))
        scored = self._boosted(chunks, fused(chunks, embedded, rows, found.asked, self._settings), linked)
        place = {one.row: one for one in scored}
        must = [one for one in scored if chunks[one.row].chunk.category is SectionCategory.ALLERGIES]
        heard = sorted((place[row] for row in {*found.best} if row in place), key=_best_first)
        ordered = list(dict.fromkeys([*must, *heard, *scored]))
        return sorted(ordered[: max(self._settings.most_pieces, len(must))], key=_best_first)

    def _boosted(self, chunks: Sequence[PatientChunk], scored: Sequence[Ranked], linked: LinkedNote) -> list[Ranked]:
        depth, boost = self._settings.rerank_depth, self._settings.symptom_boost
        wanted = _symptoms(linked)
        if not boost:
            return list(scored)
        named = [self._named(chunks[one.row]) for one in scored[:depth]]
        if not wanted:  # no note was pasted: then what the patient's notes say of why the patient came
            pairs = zip(scored, named, strict=False)
            wanted = {c for one, concepts in pairs if chunks[one.row].chunk.category in COMPLAINTS for c in concepts}
        if not wanted:
            return list(scored)
        lifted = [
            Ranked(one.row, one.score + boost * len(concepts & wanted) / len(wanted))
            for one, concepts in zip(scored, named, strict=False)
        ]
        return sorted([*lifted, *scored[depth:]], key=_best_first)

    def _named(self, chunk: PatientChunk) -> set[str]:
        """The symptoms a chunk speaks of; one that is denied is spoken of as well, since it tells how it went on."""
        mentions = self._linker.link(chunk.chunk.text).note.mentions
        return {m.concept_id for m in mentions if m.category in SYMPTOMS and m.assertion not in NOT_THE_PATIENTS}


def fused(
    chunks: Sequence[PatientChunk],
    embedded: np.ndarray,
    rows: Sequence[int],
    asked: Sequence[Asked],
    settings: PatientSearchSettings,
) -> list[Ranked]:
    """Rows by bm25_weight * BM25/max + cosine_weight * cosine at the best query that may bring the chunk, best first.

    BM25 counts words over all of the patient's chunks and is divided by the query's highest, so that it lies in 0 to 1. A
    sub-query of one type scores chunks of that type alone.
    """
    if not rows:
        return []
    index = Bm25Index([one.chunk.searched for one in chunks])
    kept = np.asarray(rows)
    best = np.full(len(rows), -np.inf)
    for query in asked:
        lexical = index.scores(query.text)
        highest = float(lexical.max(initial=0.0))
        share = lexical[kept] / highest if highest > 0 else np.zeros(len(rows))
        score = settings.bm25_weight * share + settings.cosine_weight * (embedded[kept] @ query.vector)
        meant = np.array([query.note_type in (None, chunks[row].type) for row in rows])
        best = np.where(meant, np.maximum(best, score), best)
    # a chunk that no query may bring is there for its allergy alone, and comes last by score
    best = np.where(np.isneginf(best), -settings.cosine_weight, best)
    return sorted((Ranked(row, float(score)) for row, score in zip(rows, best, strict=True)), key=_best_first)


def without_repeats(chunks: Sequence[PatientChunk], rows: Collection[int]) -> list[int]:
    """The rows without chunks whose words repeat another's of the same visit; the earliest is kept, with its date.

    Text carried forward from one visit into the next stays: on each date it was written, it was said.
    """
    seen: set[tuple[int, str, tuple[str, ...]]] = set()
    kept = []
    for row in sorted(rows, key=lambda row: chunks[row].order):
        one = chunks[row]
        # undated notes are of no visit: each may be of another one, so only the same type repeats itself there
        key = (one.visit, "" if one.visit else one.shown, tuple(_WORD.findall(one.chunk.searched.lower())))
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept


def _symptoms(linked: LinkedNote) -> set[str]:
    return {
        mention.concept_id
        for mention in linked.note.mentions
        if mention.category in SYMPTOMS and mention.assertion is Assertion.PRESENT and not mention.allergen
    }


def _best_first(one: Ranked) -> tuple[float, int]:
    return -one.score, one.row


_WORD = re.compile(r"\w+")
