"""BLEU-1 and BLEU-2 of one text, by sacrebleu (13a tokens, exponential smoothing, effective order).

They are sentence-level values, averaged over notes, since a paired bootstrap needs a value a note; a corpus-level BLEU is
another number.
"""

from functools import cache
from typing import Any, NamedTuple


class Bleu(NamedTuple):
    """Each 0 to 1, higher is nearer to the reference. An empty text scores 0."""

    bleu1: float
    bleu2: float


def bleu(text: str, reference: str) -> Bleu:
    return Bleu(*(float(_scorer(order).sentence_score(text, [reference]).score) / 100 for order in (1, 2)))


@cache
def _scorer(order: int) -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(max_ngram_order=order, effective_order=True)
