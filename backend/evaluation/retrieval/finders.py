"""What `evaluate retrieval` compares: plain searches over the sources, and the passages of whole systems.

A finder takes a question and gives places in documents, best first. It knows nothing of what is relevant.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from backend.errors import InputError, NotFoundError
from backend.evaluation.reports.cell_use import WARM_QUESTION
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.retrieval import COMPARED
from backend.registry import PASSAGE_RANKERS
from backend.retrieval.passages.heading_fit import asked_sentences
from backend.retrieval.passages.learned_ranker import LeapnoteRanker
from backend.retrieval.passages.ranker import PassageRanker
from backend.retrieval.passages.shipped_rankers import WeightedSum
from backend.retrieval.passages.source_search import IndexedSearch, SearchMode
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.systems import System, all_systems

Encode = Callable[[Sequence[str]], np.ndarray]
WEIGHTED = "weighted-"
RANKER = "ranker:"
PLAIN = ("bm25", "cosine", f"{WEIGHTED}0.1", f"{WEIGHTED}0.2", f"{WEIGHTED}0.3", f"{WEIGHTED}0.5")
OURS = "hybrid"
CUT = "hybrid-asked"
"""Leapnote's ranking for the question cut to what it asks: a comparison, which searches do not use (docs/retrieval.md)."""


class Place(NamedTuple):
    """A passage by where it lies: half-open offsets in its document."""

    document_id: str
    start: int
    end: int

    @property
    def passage_id(self) -> str:
        """The passage's id in judgements: document#start-end."""
        return f"{self.document_id}#{self.start}-{self.end}"


class Finder(Protocol):
    """encodes: whether a question's vector is part of its work."""

    @property
    def name(self) -> str:
        """What it is called in figures."""
        ...

    @property
    def what(self) -> str:
        """What it is, in one line."""
        ...

    @property
    def encodes(self) -> bool:
        """Whether it needs the question's vector, which is then made before its time is taken."""
        ...

    def find(self, question: str, k: int) -> list[Place]:
        """The k best places for a question, best first."""
        ...


class EvidencePipeline(Protocol):
    """A pipeline that stops before the writing."""

    def run_evidence(self, request: DraftRequest) -> Draft:
        """A draft without text, with all that was retrieved."""
        ...


class KeptQueries:
    """Encodes each question once for all finders. last_ms: what the last `ready` took."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._kept: dict[str, np.ndarray] = {}
        self.last_ms = 0.0

    def ready(self, question: str) -> None:
        """Encode the question and keep its vector for the finders that follow."""
        started = time.perf_counter()
        self._kept = {question: self._encode([question])[0]}
        self.last_ms = (time.perf_counter() - started) * 1000

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), d): kept vectors where all texts have one, else encoded anew."""
        if all(text in self._kept for text in texts):
            return np.stack([self._kept[text] for text in texts])
        return self._encode(texts)


class SearchFinder:
    """One mode of search over some sources.

    Several sources are merged by the score, which BM25 of two sources shares only roughly.
    """

    def __init__(
        self,
        name: str,
        what: str,
        search: IndexedSearch,
        mode: SearchMode,
        score: str,
        sources: Sequence[Source],
        asked: Callable[[str], str] = str,
    ) -> None:
        self.name, self.what = name, what
        self.encodes = mode != SearchMode.LEXICAL and asked is str  # another text has a vector of its own
        self._asked = asked
        self._search, self._mode, self._score, self._sources = search, mode, score, tuple(sources)

    def warm(self) -> None:
        """Search once, unmeasured."""
        self.find(WARM_QUESTION, 1)

    def find(self, question: str, k: int) -> list[Place]:
        """The k best passages over all its sources."""
        found: list[Passage] = []
        for source in self._sources:
            found += self._search.search(source, [self._asked(question)], self._mode, k)[0]
        found.sort(key=lambda passage: -passage.scores[self._score])
        return [_place(passage) for passage in found[:k]]


class SystemFinder:
    """The passages that a whole system gathers for the question, in its order; at most as many as its settings let it."""

    encodes = False  # it encodes within, and keeps what it encoded

    def __init__(
        self,
        name: str,
        what: str,
        pipeline: EvidencePipeline,
        seed: int,
        label: str = "",
        forget: Callable[[], None] | None = None,
    ) -> None:
        """label: the end of its name, where a setting is varied. forget: lets go of what was kept of a question."""
        self.name, self.what = f"{name}{label}", what
        self._system, self._pipeline, self._seed, self._forget = name, pipeline, seed, forget

    def warm(self) -> None:
        """Run once, unmeasured."""
        self.find(WARM_QUESTION, 1)

    def find(self, question: str, k: int) -> list[Place]:
        """The passages of the system's evidence, at most k."""
        if self._forget is not None:
            self._forget()
        request = DraftRequest(
            question=question, document=Document.CLINICAL_ANSWER, system=self._system, seed=self._seed
        )
        return [_place(passage) for passage in whole(self._pipeline.run_evidence(request)).evidence.passages[:k]]


def search_finder(
    name: str, make: Callable[[PassageRanker], IndexedSearch], sources: Sequence[Source]
) -> SearchFinder | None:
    """The search of a name; an unknown ranking is refused by its registry.

    Args:
        name: one of COMPARED, where it is no system's.
        make: a search whose hybrid candidates are ordered by a ranking.
        sources: those to search.

    Returns:
        None for a name that is none.

    Raises:
        InputError: the weight is none from 0 to 1.
    """
    if name == "bm25":
        return SearchFinder(name, "BM25 alone", make(LeapnoteRanker()), SearchMode.LEXICAL, "bm25", sources)
    if name == "cosine":
        return SearchFinder(name, "cosine alone", make(LeapnoteRanker()), SearchMode.DENSE, "cosine", sources)
    if name == OURS:
        what = "Leapnote's hybrid ranking (backend/retrieval/passages/learned_ranker.py)"
        return SearchFinder(name, what, make(LeapnoteRanker()), SearchMode.HYBRID, "fused", sources)
    if name == CUT:
        what = "Leapnote's hybrid ranking, the question cut to its first sentence and those that ask"
        search = make(LeapnoteRanker())
        return SearchFinder(name, what, search, SearchMode.HYBRID, "fused", sources, asked_sentences)
    if name.startswith(RANKER):
        entry = PASSAGE_RANKERS.get(name.removeprefix(RANKER))
        return SearchFinder(name, entry.label, make(entry.value()), SearchMode.HYBRID, "fused", sources)
    if name.startswith(WEIGHTED):
        try:
            weight = float(name.removeprefix(WEIGHTED))
        except ValueError:
            weight = -1.0
        if not 0 <= weight <= 1:
            raise InputError(f"{name!r} names no weight. Write weighted-0.3 for 0.3 BM25/max + 0.7 cosine.")
        what = f"{weight:g} BM25/max + {1 - weight:g} cosine"
        return SearchFinder(name, what, make(WeightedSum(weight)), SearchMode.HYBRID, "fused", sources)
    return None


def compared_system(name: str) -> System:
    """The system of a name that `search_finder` does not know.

    Raises:
        NotFoundError: it is no system either; the message says what can be compared, and lists rankers and systems.
    """
    known = {row.name: row for row in all_systems()}
    if name not in known:
        raise NotFoundError(
            f"There is no {name!r} to compare. Give {COMPARED}. "
            f"Rankers: {', '.join(PASSAGE_RANKERS.names())}. Systems: {', '.join(known)}."
        )
    return known[name]


def _place(passage: Passage) -> Place:
    return Place(passage.document_id, passage.start_char, passage.end_char)
