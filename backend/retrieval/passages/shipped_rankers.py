"""The rankings that ship: BM25 and cosine in shares, and ours, which adds the query's words, headings and company.

Shares were chosen on halves of public question sets and measured on the other halves (docs/retrieval.md).
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from backend.registry import passage_ranker
from backend.retrieval.passages.fusion import BM25_SHARE, RRF_K, rank_fused
from backend.retrieval.passages.heading_fit import Kind, asked_kinds, heading_kinds, stated_share, stems
from backend.retrieval.passages.ranker import Candidates
from backend.stores.passages.passage_index import PassageRow

LONGEST_TOPIC = 6  # stems; names of diseases and medicines have fewer, titles of articles more
UNTITLED = 0.5  # how much what a text states counts where no title names its topic


class Shares(NamedTuple):
    """What each part may add to a passage's score; the parts before `section` are summed first.

    Attributes:
        bm25: the score over the best one's.
        cosine: to the query.
        words: of the query's words, weighted by their rarity among the candidates, those that the candidates of its
            document hold together.
        heading: the section's heading answers the kind of question asked, or its words are in the query; without a
            heading, how much the text states of that kind.
        likeness: cosine to the best candidate so far (pseudo-relevance feedback).
        section: the best sum of the same section.
        document: the best sum of the same document.
    """

    bm25: float = 0.1
    cosine: float = 0.8
    words: float = 0.25
    heading: float = 0.15
    likeness: float = 0.2
    section: float = 0.4
    document: float = 0.4

    @property
    def most(self) -> float:
        """What a passage can reach."""
        own = self.bm25 + self.cosine + self.words + self.heading + self.likeness
        return own * (1 + self.section + self.document)


SHARES = Shares()


class SharedScores:
    """A ranking by shares.

    Args:
        shares: what each part may add.
    """

    def __init__(self, shares: Shares = SHARES) -> None:
        self._shares = shares

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """BM25 and cosine in their shares; None where a document's company adds nothing."""
        return self._plain(candidates) if self._shares.document else None

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The sum of the shares over what a passage can reach."""
        rows, shares = candidates.rows, self._shares
        if not len(rows):
            return np.zeros(0)
        words, kinds = stems(candidates.query), asked_kinds(candidates.query)
        own = self._plain(candidates)
        if shares.words:
            own = own + shares.words * covered(words, rows)
        if shares.heading:
            own = own + shares.heading * np.array([_of_kind(row, words, kinds) for row in rows])
        if shares.likeness:
            # reranking by likeness to what is best so far brings in passages that say the same in other words
            own = own + shares.likeness * (candidates.vectors @ candidates.vectors[int(np.argmax(own))])
        total = own
        if shares.section:
            total = total + shares.section * _best_of([(row.document_id, row.section) for row in rows], own)
        if shares.document:
            total = total + shares.document * _best_of([row.document_id for row in rows], own)
        return np.asarray(total / shares.most, dtype=np.float64)

    def _plain(self, candidates: Candidates) -> np.ndarray:
        """(n,): BM25 over the best one's, and cosine, in their shares."""
        most = float(candidates.bm25.max()) or 1.0
        return np.asarray(self._shares.bm25 * candidates.bm25 / most + self._shares.cosine * candidates.cosine)


@passage_ranker("leapnote", label="Words, headings and company beside BM25 and cosine", order=1)
class LeapnoteRanker(SharedScores):
    """BM25 and cosine, then the query's words, what it asks for, and the company a passage is in."""

    def __init__(self) -> None:
        super().__init__(SHARES)


@passage_ranker("weighted", label="BM25 and cosine, weighted", order=2)
class WeightedRanker(SharedScores):
    """BM25 over the best one's and cosine, weighted 0.3 and 0.7."""

    def __init__(self) -> None:
        super().__init__(plain_shares(BM25_SHARE))


@passage_ranker("rank-fusion", label="BM25 and cosine, by rank", order=3)
class RankFusionRanker:
    """Reciprocal rank fusion of BM25 and cosine (Cormack, Clarke and Buettcher 2009)."""

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """None: no document is opened."""
        return None

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The sum of the reciprocal ranks over what two first ranks reach."""
        if not len(candidates.rows):
            return np.zeros(0)
        return rank_fused(candidates.bm25, candidates.cosine).astype(np.float64) * (RRF_K + 1) / 2


def plain_shares(bm25: float) -> Shares:
    """Shares of BM25 and cosine alone.

    Args:
        bm25: 0 to 1; cosine has the rest.
    """
    return Shares(bm25=bm25, cosine=1 - bm25, words=0, heading=0, likeness=0, section=0, document=0)


def covered(words: frozenset[str], rows: Sequence[PassageRow]) -> np.ndarray:
    """(n,), 0 to 1: how much of the words (stems) the rows of each row's document hold in titles and texts.

    A word weighs by its rarity in the rows. One passage names the disease and another one answers, so that a document's
    rows count together. A stem counts where a word begins with it, which is looked up without stemming the text.
    """
    beginnings = [" " + (stem[:-1] if stem.endswith("i") else stem) for stem in sorted(words)]  # studi: study, studies
    if not beginnings:
        return np.zeros(len(rows))
    texts = [_spaced(f" {row.title} {row.text}".lower()) for row in rows]
    held = np.array([[beginning in text for beginning in beginnings] for text in texts])
    found = held.sum(axis=0)
    rarity = np.log(1 + (len(rows) - found + 0.5) / (found + 0.5))
    numbers: dict[str, int] = {}
    documents = [numbers.setdefault(row.document_id, len(numbers)) for row in rows]
    together = np.zeros((len(numbers), len(beginnings)), dtype=bool)
    np.logical_or.at(together, documents, held)
    return np.asarray((together @ rarity / rarity.sum())[documents])


def best_rows(rows: Sequence[PassageRow], scores: np.ndarray, documents: int) -> list[int]:
    """The places of the best rows of the best `documents` documents, one of each, best first."""
    best: dict[str, int] = {}
    for place in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(rows[place].document_id, place)
        if len(best) == documents:
            break
    return list(best.values())


def topic(row: PassageRow) -> str:
    """The title of a passage's document: what its shown title says before the section's heading; empty where it has none."""
    if row.title == row.document_id:  # shown in place of a title
        return ""
    ending = f": {row.section}"
    return row.title.removesuffix(ending) if row.section else row.title


def _of_kind(row: PassageRow, words: frozenset[str], kinds: frozenset[Kind]) -> float:
    """0 to 1: how far a passage is of the kind asked for, by its heading, or without one by what its text states.

    A heading of no kind asked for counts by its words in the query that the title does not hold.
    """
    if not row.section:
        # a long title is a sentence, as of an article, and names no topic
        names = kinds and 0 < len(stems(topic(row))) <= LONGEST_TOPIC
        return stated_share(row.text, kinds, opens=row.start_char == 0) * (1.0 if names else UNTITLED) if kinds else 0.0
    if kinds & heading_kinds(row.section):
        return 1.0
    headed = stems(row.section)
    return len((headed & words) - stems(topic(row))) / len(headed) if headed & words else 0.0


def _best_of(keys: Sequence[Hashable], scores: np.ndarray) -> np.ndarray:
    """(n,): the best score among those of the same key."""
    best: dict[Hashable, float] = {}
    for key, score in zip(keys, scores.tolist(), strict=True):
        best[key] = max(score, best.get(key, score))
    return np.array([best[key] for key in keys])


def _spaced(text: str) -> str:
    """The text with spaces for what else stands before a word; five times as fast as str.translate."""
    return text.replace("(", " ").replace("-", " ").replace("/", " ").replace("\n", " ")
