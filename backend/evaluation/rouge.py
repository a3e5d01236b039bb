"""ROUGE-1, ROUGE-2 and ROUGE-L as F-measures, by the package rouge-score, without stemming."""

from functools import lru_cache
from typing import Any, NamedTuple


class Rouge(NamedTuple):
    """Each 0 to 1, higher is nearer to the reference."""

    rouge1: float
    rouge2: float
    rouge_l: float


def rouge(text: str, reference: str) -> Rouge:
    found = _scorer().score(reference, text)
    return Rouge(found["rouge1"].fmeasure, found["rouge2"].fmeasure, found["rougeL"].fmeasure)


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
