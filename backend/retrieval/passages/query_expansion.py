"""The reasoning paths of a question as a second query beside it: what they count is learned, and nothing where they do not help.

The share and what it was fitted on stand in a card, `models/passages/expansion.json`, written by
`python -m backend train expansion`.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.retrieval.passages.passage_rows import passage_key
from backend.schemas.drafts.evidence import Passage
from backend.settings import ROOT

EXPANSION_CARD = ROOT / "models" / "passages" / "expansion.json"
SCORE = "bm25"


class BothQueries(NamedTuple):
    """What a question and the query beside it found.

    Attributes:
        passages: each once, those of the question first.
        scores: (n, 2) of the question and of the other, over each one's best: 0 to 1. What one of them did not find counts as
            its last, or 0 where it found fewer than were asked for.
    """

    passages: tuple[Passage, ...]
    scores: np.ndarray


def both_queries(own: Sequence[Passage], beside: Sequence[Passage], k: int) -> BothQueries:
    """Two finds by BM25 of at most k each as one list."""
    held = {passage_key(passage): passage for passage in (*beside, *own)}
    order = list(dict.fromkeys(passage_key(passage) for passage in (*own, *beside)))
    columns = [_relative({passage_key(p): p.scores[SCORE] for p in found}, order, k) for found in (own, beside)]
    return BothQueries(tuple(held[key] for key in order), np.stack(columns, axis=1))


def expanded(own: Sequence[Passage], beside: Sequence[Passage], share: float, k: int) -> list[Passage]:
    """The k best by the question's score and a share of the other query's, best first."""
    found = both_queries(own, beside, k)
    order = np.argsort(-(found.scores @ np.array([1.0, share])), kind="stable")[:k]
    return [found.passages[place] for place in order.tolist()]


@cache
def read_share(path: Path = EXPANSION_CARD) -> float:
    """What the paths count beside a lone question, 0 and above.

    Raises:
        KnowledgeError: the card is missing, or holds no such number.
        ValueError: caught here, and becomes a KnowledgeError.
    """
    try:
        share = float(json.loads(path.read_bytes())["share"])
        if not 0 <= share < float("inf"):
            raise ValueError("no share")
        return share
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnowledgeError(
            f"What reasoning paths count beside a question, {path.name} in {path.parent.name}, cannot be read "
            f"({type(error).__name__}). Fit it with: python -m backend train expansion"
        ) from error


def _relative(scores: Mapping[object, float], keys: Sequence[object], k: int) -> np.ndarray:
    last, best = min(scores.values(), default=0.0) if len(scores) >= k else 0.0, max(scores.values(), default=0.0)
    return np.array([scores.get(key, last) for key in keys]) / (best or 1.0)
