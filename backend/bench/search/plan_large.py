"""Rows `plan-large` and `plan-large-chroma`: a whole plan's searches in one source of 200,000 passages.

A plan has 15 hybrid queries, two passages each.

The collection is a real one, opened from its files as an import leaves it: passages in SQLite, words and vectors mapped.
Words and vectors come from a seed and mean nothing. No encoder runs: a query's vector is that of the passage its words are
from, disturbed. Nearest rows are found by comparing all, as where no Chroma is open, or by Chroma, as in the service.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from backend.bench.graph.paths_large import random_vectors
from backend.bench.measuring import Measured, Times, median, p95, rss_mb, timed
from backend.bench.notes.synthetic_texts import made_up_words, passages
from backend.bench.peers import run_peer
from backend.retrieval.passages.passage_rows import CANDIDATES
from backend.retrieval.passages.source_search import IndexedSearch, SearchMode
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import K1, B, Bm25Index
from backend.stores.passages.collection_build import BM25, TABLE
from backend.stores.passages.collection_meta import CollectionMeta
from backend.stores.passages.collections import Collection, nearest_halves
from backend.stores.passages.passage_index import VectorIndexes
from backend.stores.passages.passage_table import Cut, DocumentRow, PassageTable, TableWriter
from backend.stores.passages.stored_sources import StoredSource
from backend.stores.swapped_folder import MARK

PASSAGES, DIMENSION, QUERIES, EACH = 200_000, 384, 15, 2
PLANS, WARM, PEER_QUERIES, TOP = 60, 5, 10, 32
HEADINGS = ("Overview", "Symptoms", "Causes", "Tests", "Treatment", "Outlook", "Prevention", "Research")
ASKED = ("What is {}?", "{}: Treatment", "Warning signs of {}, recommendations", "{} tests in adults", "{}")
NOISE = 0.5  # of a query's vector beside its passage's, both of length 1: a cosine of about 0.9


class Query(NamedTuple):
    """A query and the vector it has."""

    text: str
    vector: np.ndarray


def plan_large_chroma(peer_python: str | None) -> Measured:
    """The same with Chroma's index. Random vectors are the hardest case for its graph, so what it misses is told too."""
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1, user_api="blas"):
        texts = _build(Path(folder))
        begun = time.perf_counter()
        indexes = VectorIndexes(Path(folder) / "chroma")
        held = Collection(Path(folder), indexes)
        built = time.perf_counter() - begun
        source = StoredSource(Source.WIKI, [held])
        asked = _plans(source, texts, PLANS + WARM)
        times = _timed_plans(source, asked)
        vectors = np.stack([query.vector for query in asked[0]])
        near = timed(lambda plan: held.nearest(np.stack([query.vector for query in plan]), CANDIDATES), asked[WARM:])
        found, exact = held.nearest(vectors, CANDIDATES), nearest_halves(held.vectors, vectors, CANDIDATES)
        kept = [{row for row, _ in ours} & {row for row, _ in all_} for ours, all_ in zip(found, exact, strict=True)]
        first = sum(ours[0][0] == all_[0][0] for ours, all_ in zip(found, exact, strict=True))
        memory = rss_mb()
        indexes.close()
    share = sum(map(len, kept)) / (CANDIDATES * len(kept))
    return Measured(
        times_ms=times.wall,
        cpu_ms=times.cpu,
        rss_mb=memory,
        build_s=round(built, 1),
        about=f"{QUERIES} queries, hybrid, {PASSAGES:,} passages, {DIMENSION} dimensions, nearest by Chroma: median "
        f"{median(near.wall)} ms a plan, {share:.0%} of the exact {CANDIDATES} nearest and {first} of {len(kept)} nearest ones",
        peer_reason="the same plans without Chroma are the row plan-large",
    )


def plan_large(peer_python: str | None) -> Measured:
    """One input is one plan. The peer's time is of one query by its words alone: it knows nothing else."""
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1, user_api="blas"):
        begun = time.perf_counter()
        texts = _build(Path(folder))
        built = time.perf_counter() - begun
        source = StoredSource(Source.WIKI, [Collection(Path(folder), None)])
        asked = _plans(source, texts, PLANS + WARM)
        times = _timed_plans(source, asked)
        words = timed(lambda query: source.lexical(query.text, TOP), [query for plan in asked for query in plan])
        memory = rss_mb()
        by_words = [" ".join(source.word_indexes[0].words(query.text)) for plan in asked[WARM:] for query in plan]
    peer, reason = run_peer(
        "rank_bm25", sys.executable, "search/rank_bm25_search.py", _task(texts, by_words[:PEER_QUERIES])
    )
    return Measured(
        times_ms=times.wall,
        cpu_ms=times.cpu,
        rss_mb=memory,
        build_s=round(built, 1),
        about=f"{QUERIES} queries, hybrid, {EACH} passages each, {PASSAGES:,} passages of 60 words, {DIMENSION} dimensions, every "
        f"vector compared, no encoding; BM25 alone, top {TOP}: median {median(words.wall)} ms, p95 {p95(words.wall)} ms, "
        f"processor {median(words.cpu)} ms a query",
        peer=peer.model_copy(update={"name": f"{peer.name}, one query by its words"}) if peer else None,
        peer_reason=reason,
    )


def _timed_plans(source: StoredSource, asked: Sequence[Sequence[Query]]) -> Times:
    """Each plan's searches but those that warm up."""
    known = {query.text: query.vector for plan in asked for query in plan}
    search = IndexedSearch({Source.WIKI: source}, lambda words: np.stack([known[text] for text in words]))

    def one(plan: Sequence[Query]) -> None:
        search.search(Source.WIKI, [query.text for query in plan], SearchMode.HYBRID, EACH)

    timed(one, asked[:WARM])
    return timed(one, asked[WARM:])


def _build(folder: Path) -> list[str]:
    """Write the collection; what was written of each passage is given back."""
    texts = list(passages(PASSAGES))
    names = made_up_words(50_000)
    writer = TableWriter(folder / TABLE)
    for number, start in enumerate(range(0, len(texts), len(HEADINGS))):
        title = f"{names[number % len(names)]} {names[(number * 7 + 1) % len(names)]}".capitalize()
        cuts = [
            Cut(heading, text, 400 * place, 400 * place + len(text))
            for place, (heading, text) in enumerate(zip(HEADINGS, texts[start : start + len(HEADINGS)], strict=False))
        ]
        writer.add(DocumentRow(f"synthetic/{number}", title, licence="CC0"), cuts)
    writer.save({})
    writer.close()
    table = PassageTable(folder / TABLE, Source.WIKI, "synthetic")
    indexed = list(table.indexed_texts())
    documents = table.documents
    table.close()
    Bm25Index(indexed).write(folder / BM25)
    random_vectors(folder / "vectors.npy", len(indexed), DIMENSION)
    meta = ("synthetic", Source.WIKI, "none", "none", "CC0", "", "none", DIMENSION, documents, len(indexed))
    (folder / MARK).write_text(CollectionMeta(*meta, 1000, "0" * 16, "none", 0, {}).as_json(), encoding="utf-8")
    return indexed


def _plans(source: StoredSource, texts: Sequence[str], count: int) -> list[list[Query]]:
    """Plans as planners word them: a third by words of a passage, the others about a title."""
    rng = np.random.default_rng(1)
    plans = []
    for _ in range(count):
        rows = rng.integers(len(texts), size=QUERIES)
        vectors = source.vectors(rows.tolist())
        noise = rng.standard_normal(vectors.shape).astype(np.float32)
        vectors = vectors + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        plan = []
        for place, row in enumerate(rows.tolist()):
            title, _, text = texts[row].partition(". ")
            drawn = " ".join(rng.choice(text.split(), 8, replace=False))
            about = ASKED[place % len(ASKED)].format(title.partition(":")[0])
            plan.append(Query(drawn if place % 3 == 0 else about, vectors[place]))
        plans.append(plan)
    return plans


def _task(texts: Sequence[str], asked: Sequence[str]) -> dict[str, object]:
    """The same passages and queries for the peer: words by number. Its passages are cut as they stand, without stems."""
    codes: dict[str, int] = {}
    coded = [[codes.setdefault(word, len(codes)) for word in text.lower().split()] for text in texts]
    wanted = [[codes[word] for word in query.split() if word in codes] for query in asked]
    return {"words": list(codes), "texts": coded, "queries": wanted, "k": TOP, "k1": K1, "b": B}
