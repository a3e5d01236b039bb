"""Search over the text sources by name: lexical (BM25), dense (cosine) or hybrid.

Takes queries for one source; gives passages for each query, best first. Whatever holds passages is adapted here: a
stored source as it is, the starter knowledge by InMemory.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np

from backend.retrieval.passages.learned_ranker import LeapnoteRanker
from backend.retrieval.passages.passage_rows import CANDIDATES, as_passage, passage_text
from backend.retrieval.passages.ranker import Candidates, PassageRanker
from backend.retrieval.passages.shipped_rankers import best_rows
from backend.schemas.drafts.evidence import Passage
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Group, Bm25Index
from backend.stores.passages.passage_index import PassageRow

UNNUMBERED = "P0"
SHORT = 48  # words
READ_DOCUMENTS = 3
"""Documents whose passages around the best one join the candidates: an answer may stand beside what was found."""
UNTOUCHED, MOST_OF_PAGE = 10, 2
"""Of a hybrid search's order the first places that stay as they are, and how many of one page go before other pages behind them."""
BESIDE = 4  # rows before it, and after it


class SearchMode(StrEnum):
    """How candidates are found, and by what they are ordered."""

    LEXICAL = "lexical"
    DENSE = "dense"
    HYBRID = "hybrid"


class SourceSearch(Protocol):
    """The search that strategies ask for passages of a source."""

    def filled(self) -> frozenset[Source]:
        """The text sources that hold something."""
        ...

    def search(self, source: Source, queries: Sequence[str], mode: SearchMode, k: int) -> list[list[Passage]]:
        """For each query at most k passages, best first, ids all P0; a source that holds nothing finds nothing.

        scores name their search: bm25 (0 upwards, comparable within one query), cosine (-1 to 1), fused (up to 2). A
        hybrid search puts the passage whose title the query is first.
        """
        ...

    def across(self, sources: Sequence[Source], query: str, k: int) -> list[Passage]:
        """The k best passages of several sources by BM25 over all of them as one, best first, ids all P0."""
        ...


class Searchable(Protocol):
    """What holds the passages of one source; stores.sources.StoredSource is one. Rows are numbered from 0."""

    @property
    def word_indexes(self) -> Sequence[Bm25Index]:
        """The BM25 indexes whose rows, one index after the other, are this source's rows."""
        ...

    def __len__(self) -> int: ...

    def lexical(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best rows by BM25 with their scores, best first."""
        ...

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each of the (n, d) query vectors the k nearest rows with their cosines, best first."""
        ...

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The rows of these numbers, in their order."""
        ...

    def vectors(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32 of length 1, in the order of the numbers."""
        ...

    def titled(self, title: str) -> int | None:
        """The number of the first row whose title this is, case aside; None where there is none."""
        ...

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what the rows' documents are about; zeros where it is not known."""
        ...

    def lexical_of(self, query: str, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers),): the BM25 scores of these rows, as `lexical` gives them."""
        ...


class InMemory:
    """Passages in memory, compared with exactly.

    Args:
        rows: the passages.
        vectors: (len(rows), d) float32 of length 1.
        topics: (len(rows), d) float32, of what each one's document is about; zeros where it is not known.
    """

    def __init__(self, rows: Sequence[PassageRow], vectors: np.ndarray, topics: np.ndarray | None = None) -> None:
        """Index the passages."""
        self._rows = tuple(rows)
        self._vectors = vectors
        self._topics = np.zeros_like(vectors) if topics is None else topics
        self._bm25 = Bm25Index([passage_text(row) for row in rows])
        self._titles = {row.title.lower(): i for i, row in reversed(list(enumerate(rows)))}

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def word_indexes(self) -> Sequence[Bm25Index]:
        """The one BM25 index of all rows."""
        return (self._bm25,)

    def lexical(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best rows by BM25 with their scores, best first."""
        return self._bm25.search(query, k)

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector the k nearest rows with their cosines; equal ones in the order of the rows."""
        found = []
        for near in queries @ self._vectors.T:
            best = np.lexsort((np.arange(len(near)), -near))[:k]
            found.append([(int(row), float(near[row])) for row in best])
        return found

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The rows of these numbers, in their order."""
        return [self._rows[number] for number in numbers]

    def vectors(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32 of length 1, in the order of the numbers."""
        return np.asarray(self._vectors[list(numbers)], dtype=np.float32)

    def titled(self, title: str) -> int | None:
        """The first row of that title, case aside."""
        return self._titles.get(title.lower())

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what the rows' documents are about."""
        return np.asarray(self._topics[list(numbers)], dtype=np.float32)

    def lexical_of(self, query: str, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers),): the BM25 scores of these rows."""
        return self._bm25.scores_of(query, numbers)


class IndexedSearch:
    """SourceSearch over what holds passages.

    Args:
        sources: what holds the passages of each source.
        encode_queries: queries to (n, d) vectors of length 1.
        ranker: orders what a hybrid search finds; ours where none is given.
    """

    def __init__(
        self,
        sources: Mapping[Source, Searchable],
        encode_queries: Callable[[Sequence[str]], np.ndarray],
        ranker: PassageRanker | None = None,
    ) -> None:
        self._sources = sources
        self._encode = encode_queries
        self._ranker = ranker or LeapnoteRanker()

    def filled(self) -> frozenset[Source]:
        """The sources that hold at least one passage."""
        return frozenset(source for source, held in self._sources.items() if len(held))

    def search(self, source: Source, queries: Sequence[str], mode: SearchMode, k: int) -> list[list[Passage]]:
        """For each query at most k passages, best first; a source that holds nothing finds nothing."""
        held = self._sources.get(source)
        if held is None or not len(held) or not queries or k < 1:
            return [[] for _ in queries]
        match mode:
            case SearchMode.LEXICAL:
                found = [{"bm25": held.lexical(query, k)} for query in queries]
            case SearchMode.DENSE:
                found = [{"cosine": near} for near in held.nearest(self._vectors(queries), k)]
            case SearchMode.HYBRID:
                found = self._hybrid(held, queries, k)
        return [self._passages(held, scores) for scores in found]

    def across(self, sources: Sequence[Source], query: str, k: int) -> list[Passage]:
        """The k best passages by BM25 over the rows of all the sources as one collection."""
        held = [found for source in sources if (found := self._sources.get(source)) is not None and len(found)]
        starts = np.cumsum([0, *(len(one) for one in held)])
        best = Bm25Group([index for one in held for index in one.word_indexes]).search(query, k)
        rows = np.array([row for row, _ in best], dtype=np.int64)
        places = np.searchsorted(starts, rows, side="right") - 1
        passages: dict[int, Passage] = {}
        for place, one in enumerate(held):
            chosen = np.flatnonzero(places == place)
            scores = {"bm25": [(int(rows[i] - starts[place]), best[i][1]) for i in chosen]}
            passages.update(zip(chosen.tolist(), self._passages(one, scores), strict=True))
        return [passages[i] for i in range(len(best))]

    def _vectors(self, queries: Sequence[str]) -> np.ndarray:
        """(len(queries), d). A long query is encoded by itself: a batch is as slow as its longest text."""
        short = [i for i, query in enumerate(queries) if len(query.split()) <= SHORT]
        alone = [[i] for i, query in enumerate(queries) if len(query.split()) > SHORT]
        found: dict[int, np.ndarray] = {}
        for group in [short, *alone] if short else alone:
            found.update(zip(group, self._encode([queries[i] for i in group]), strict=True))
        return np.stack([found[i] for i in range(len(queries))])

    def _hybrid(self, held: Searchable, queries: Sequence[str], k: int) -> list[dict[str, list[tuple[int, float]]]]:
        """Both searches' candidates, every one of them with its cosine, in the ranker's order."""
        vectors = self._vectors(queries)
        candidates = max(k, CANDIDATES)
        out: list[dict[str, list[tuple[int, float]]]] = []
        for query, vector, near in zip(queries, vectors, held.nearest(vectors, candidates), strict=True):
            lexical = dict(held.lexical(query, candidates))
            titled = held.titled(query)
            rows = sorted(lexical.keys() | {row for row, _ in near} | ({titled} if titled is not None else set()))
            if not rows:
                out.append({"fused": []})
                continue
            found = _candidates(held, query, vector, rows, held.rows(rows), lexical)
            first = self._ranker.first_scores(found)
            if first is not None:
                beside = _beside(held, rows, found.rows, best_rows(found.rows, first, READ_DOCUMENTS))
                if beside:
                    rows = [*rows, *beside]
                    found = _joined(found, _candidates(held, query, vector, list(beside), list(beside.values()), {}))
            fused = self._ranker.scores(found)
            if titled is not None:
                fused[rows.index(titled)] += 1.0  # a query that is a passage's title asks for that passage
            order = np.lexsort((np.array(rows), -fused)).tolist()
            best = spread(order, [row.document_id for row in found.rows])[:k]
            out.append(
                {
                    name: [(rows[i], float(values[i])) for i in best]
                    for name, values in (("fused", fused), ("bm25", found.bm25), ("cosine", found.cosine))
                }
            )
        return out

    def _passages(self, held: Searchable, scores: Mapping[str, Collection[tuple[int, float]]]) -> list[Passage]:
        """The first score's order; every score beside it is of the same rows."""
        numbers = [row for row, _ in next(iter(scores.values()))]
        by_row: dict[int, dict[str, float]] = {number: {} for number in numbers}
        for name, pairs in scores.items():
            for row, score in pairs:
                by_row[row][name] = round(score, 4)
        return [
            as_passage(UNNUMBERED, row, by_row[number]) for number, row in zip(numbers, held.rows(numbers), strict=True)
        ]


def spread(order: Sequence[int], documents: Sequence[str]) -> list[int]:
    """An order of places in which no page crowds the others out: beyond the best few of its own, a page's turn comes later.

    Args:
        order: places, best first; the first UNTOUCHED stay.
        documents: the document of each place.

    Returns:
        The same places: behind the first, those that are among the MOST_OF_PAGE best of their document, then the next of each
        document, and so on.
    """
    seen: Counter[str] = Counter()
    turns = []
    for rank, place in enumerate(order):
        seen[documents[place]] += 1
        turns.append(0 if rank < UNTOUCHED else max(0, seen[documents[place]] - MOST_OF_PAGE))
    return [order[i] for i in sorted(range(len(order)), key=lambda i: (turns[i], i))]


def _candidates(
    held: Searchable,
    query: str,
    vector: np.ndarray,
    numbers: Sequence[int],
    rows: Sequence[PassageRow],
    lexical: Mapping[int, float],
) -> Candidates:
    """The rows of these numbers with every score that a ranking may use; lexical: the BM25 scores that are known already."""
    others = [number for number in numbers if number not in lexical]
    exact = {**lexical, **dict(zip(others, held.lexical_of(query, others).tolist(), strict=True))}
    known, about = held.vectors(numbers), held.topics(numbers)
    topic = np.where(about.any(axis=1), about @ vector, np.nan)
    return Candidates(query, rows, np.array([exact[number] for number in numbers]), known @ vector, known, topic)


def _joined(found: Candidates, more: Candidates) -> Candidates:
    """The candidates of both."""
    arrays = (np.concatenate([a, b]) for a, b in zip(found[2:], more[2:], strict=True))
    return Candidates(found.query, [*found.rows, *more.rows], *arrays)


def _beside(
    held: Searchable, rows: Sequence[int], texts: Sequence[PassageRow], places: Sequence[int]
) -> dict[int, PassageRow]:
    """The rows near those at these places, of the same document, by number; without those that are in rows."""
    near = {
        number: texts[place].document_id
        for place in places
        for number in range(max(0, rows[place] - BESIDE), min(len(held), rows[place] + BESIDE + 1))
    }
    wanted = sorted(near.keys() - set(rows))
    return {
        number: row for number, row in zip(wanted, held.rows(wanted), strict=True) if row.document_id == near[number]
    }
