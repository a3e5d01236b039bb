"""fusion: which ranking finds a question's own answer best, on public data; it decides how the retriever fuses.

nDCG@10 (Järvelin and Kekäläinen 2002) with gain 1 for each passage of the question's own answer and 0 for all others. Other
pages may answer as well, so the figures compare rankings and say nothing absolute.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from backend.bench.measuring import data_folder
from backend.bench.search.medquad_sample import Sample, read_sample
from backend.retrieval.passages.passage_rows import BM25_SHARE, CANDIDATES, COSINE_SHARE
from backend.schemas.base import Frozen
from backend.settings import settings
from backend.stores.passages.bm25 import Bm25Index

PASSAGES = 3_000
TOP = 10
RRF_K = 60
DRAWS = 1_000

Ranking = Callable[[int], Sequence[int]]


class FusionRow(Frozen):
    """One ranking. low and high: the 95 % bootstrap interval of ndcg10 over questions. All scores 0 to 1."""

    name: str = "fusion"
    ranking: str
    ndcg10: float
    low: float
    high: float
    recall10: float
    questions: int
    passages: int
    encoder: str

    def as_text(self) -> str:
        """The row as one line."""
        return (
            f"{self.ranking}: nDCG@10 {self.ndcg10:.3f} ({self.low:.3f} to {self.high:.3f}), recall@10 {self.recall10:.3f}; "
            f"{self.questions:,} questions, {self.passages:,} passages, {self.encoder}"
        )


def compare_rankings(size: int = PASSAGES, seed: int = 0) -> list[FusionRow]:
    """BM25 without and with titles, cosine, the retriever's weighted sum, reciprocal rank fusion; same questions."""
    from models.encoders.encoders import make_encoder

    sample = read_sample(data_folder(), size, seed)
    encoder = make_encoder(settings().encoder)
    titled = [f"{title}. {text}" for title, text in zip(sample.titles, sample.texts, strict=True)]
    cosines = encoder.encode(sample.questions) @ encoder.encode(titled).T
    plain, with_titles = Bm25Index(sample.texts), Bm25Index(titled)
    rankings: dict[str, Ranking] = {
        "BM25, text alone": lambda q: _rows(plain.search(sample.questions[q], TOP)),
        "BM25, titles in the text": lambda q: _rows(with_titles.search(sample.questions[q], TOP)),
        "cosine, titles in the text": lambda q: _best(cosines[q], TOP),
        f"{BM25_SHARE} BM25/max + {COSINE_SHARE} cosine": lambda q: weighted(
            with_titles.search(sample.questions[q], CANDIDATES), cosines[q], BM25_SHARE, COSINE_SHARE
        ),
        f"reciprocal rank fusion, k={RRF_K}": lambda q: reciprocal(
            [_rows(with_titles.search(sample.questions[q], CANDIDATES)), _best(cosines[q], CANDIDATES)]
        ),
    }
    return [_row(name, rank, sample, encoder.name) for name, rank in rankings.items()]


def weighted(lexical: list[tuple[int, float]], cosine: np.ndarray, bm25_share: float, cosine_share: float) -> list[int]:
    """The TOP rows by the weighted sum, among the best of either ranking."""
    best = max((score for _, score in lexical), default=1.0)
    shares = {row: score / best for row, score in lexical}
    rows = sorted(shares.keys() | set(_best(cosine, CANDIDATES)))
    return sorted(rows, key=lambda row: -(bm25_share * shares.get(row, 0.0) + cosine_share * float(cosine[row])))[:TOP]


def reciprocal(rankings: Sequence[Sequence[int]], k: int = RRF_K) -> list[int]:
    """The TOP rows by the sum of 1 / (k + rank), ranks from 1 (Cormack, Clarke and Büttcher 2009)."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + 1.0 / (k + rank)
    return sorted(scores, key=lambda row: (-scores[row], row))[:TOP]


def ndcg(ranking: Sequence[int], relevant: frozenset[int], k: int = TOP) -> float:
    """0 to 1; 0 when nothing is relevant."""
    gained = sum(1 / math.log2(rank + 1) for rank, row in enumerate(ranking[:k], start=1) if row in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))
    return gained / ideal if ideal else 0.0


def _row(name: str, rank: Ranking, sample: Sample, encoder: str) -> FusionRow:
    found = [rank(q) for q in range(len(sample.questions))]
    gains = np.array([ndcg(ranking, relevant) for ranking, relevant in zip(found, sample.answers, strict=True)])
    recall = [
        len(relevant.intersection(ranking[:TOP])) / min(TOP, len(relevant))
        for ranking, relevant in zip(found, sample.answers, strict=True)
    ]
    rng = np.random.default_rng(0)
    means = np.sort([gains[rng.integers(0, len(gains), len(gains))].mean() for _ in range(DRAWS)])
    return FusionRow(
        ranking=name,
        ndcg10=round(float(gains.mean()), 4),
        low=round(float(means[int(DRAWS * 0.025)]), 4),
        high=round(float(means[int(DRAWS * 0.975)]), 4),
        recall10=round(float(np.mean(recall)), 4),
        questions=len(sample.questions),
        passages=len(sample.texts),
        encoder=encoder,
    )


def _rows(found: list[tuple[int, float]]) -> list[int]:
    return [row for row, _ in found]


def _best(scores: np.ndarray, k: int) -> list[int]:
    return [int(row) for row in np.argsort(-scores, kind="stable")[:k]]
