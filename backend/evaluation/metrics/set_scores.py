"""Clinical-efficacy measures of a generated text: what it names against what the true document names.

Works on any two sets: concepts, or the words as they were extracted (ReinRAG's concept and N-gram level). Over full sets,
and "as printed": ReinRAG's Table 1 fits labels restricted to the true set, where precision is 1 for a text with any hit,
Hamming loss is 1 - recall, and only Jaccard is over full sets.
"""

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from typing import NamedTuple

MEASURES: dict[str, str] = {
    "precision": "share of what the text names that the document names",
    "recall": "share of what the document names that the text names",
    "f1": "harmonic mean of the two, for each note",
    "jaccard": "share of what either names that both name",
    "hamming": "share of what either names that only one of them names; lower is better",
    "precision_printed": "1 where the text names anything of the document, as ReinRAG's Table 1 seems to have it",
    "f1_printed": "harmonic mean of that precision and recall, for each note",
    "hamming_printed": "share of what the document names that the text leaves out; lower is better",
}


class SetScores(NamedTuple):
    """One value for each of MEASURES, 0 to 1."""

    precision: float
    recall: float
    f1: float
    jaccard: float
    hamming: float
    precision_printed: float
    f1_printed: float
    hamming_printed: float


def set_scores(named: AbstractSet[Hashable], true: AbstractSet[Hashable]) -> SetScores | None:
    """named: of the generated text. None where the document names nothing: there is nothing to be right about.

    A text that names nothing has precision 0. Over the labels that either names, Hamming loss is 1 - Jaccard.
    """
    if not true:
        return None
    hits = len(named & true)
    either = len(named | true)
    recall = hits / len(true)
    any_hit = float(hits > 0)
    return SetScores(
        precision=hits / len(named) if named else 0.0,
        recall=recall,
        f1=2 * hits / (len(named) + len(true)),
        jaccard=hits / either,
        hamming=(either - hits) / either,
        precision_printed=any_hit,
        f1_printed=2 * any_hit * recall / (any_hit + recall) if hits else 0.0,
        hamming_printed=1 - recall,
    )
