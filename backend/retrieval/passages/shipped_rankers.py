"""Rankings of passages by BM25 and cosine alone, which ours (learned_ranker.py) is compared with."""

from collections.abc import Sequence

import numpy as np

from backend.registry import passage_ranker
from backend.retrieval.passages.fusion import BM25_SHARE, RRF_K, rank_fused
from backend.retrieval.passages.ranker import Candidates
from backend.stores.passages.passage_index import PassageRow


class WeightedSum:
    """A weighted sum of BM25 over the best one's, and cosine. It opens no document.

    Args:
        bm25: BM25's weight, 0 to 1; cosine has the rest.
    """

    def __init__(self, bm25: float) -> None:
        """Keep the weight."""
        self._bm25 = bm25

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """None: no document is opened."""
        return None

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The weighted sum, at most 1."""
        return weighted_sum(candidates, self._bm25)


@passage_ranker("weighted", label="BM25 and cosine, weighted", order=2)
class WeightedRanker(WeightedSum):
    """BM25 over the best one's and cosine, weighted 0.3 and 0.7."""

    def __init__(self) -> None:
        """The weights that the reranking of patient notes uses too."""
        super().__init__(BM25_SHARE)


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


def weighted_sum(candidates: Candidates, bm25: float) -> np.ndarray:
    """(n,): BM25 over the best one's times its weight, and cosine times the rest."""
    if not len(candidates.rows):
        return np.zeros(0)
    most = float(candidates.bm25.max()) or 1.0
    return np.asarray(bm25 * candidates.bm25 / most + (1 - bm25) * candidates.cosine, dtype=np.float64)


def best_rows(rows: Sequence[PassageRow], scores: np.ndarray, documents: int) -> list[int]:
    """The places of the best rows of the best `documents` documents, one of each, best first."""
    best: dict[str, int] = {}
    for place in np.argsort(-scores, kind="stable").tolist():
        best.setdefault(rows[place].document_id, place)
        if len(best) == documents:
            break
    return list(best.values())
