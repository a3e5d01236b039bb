"""What training documents say for themselves, where no edge leads to a concept: how often they name it.

Takes the counts of the learned concept step; gives words with the two numbers, or None where the concept is too rare in
the documents of notes with the keyword to be called usual. It knows nothing of the note beside the keyword.
"""

import numpy as np

from backend.retrieval.paths.path_text import NO_LINK
from backend.stores.graph.graph import Graph
from models.policy.concept_step.concept_features import Statistics

OFTEN = 0.1
"""The share of the documents, of notes with the keyword, that must name a concept."""
FEWEST = 3
"""And so many documents at least: less may be chance."""


def said_often(graph: Graph, statistics: Statistics, keyword: int, concept: int) -> str | None:
    """Words for a leap from a keyword to a concept, both places in the graph; None if documents seldom name it there."""
    row, column = _place(statistics.keywords, keyword), _place(statistics.vocabulary, concept)
    if row is None or column is None:
        return None
    times, notes = int(statistics.joint[row, column]), int(statistics.keyword_counts[row])
    if times < max(FEWEST, OFTEN * notes):
        return None
    return f"{NO_LINK}, but {times} of {notes} training documents for notes with {graph.concepts[keyword].name} name it"


def _place(rising: np.ndarray, wanted: int) -> int | None:
    place = int(np.searchsorted(rising, wanted))
    return place if place < len(rising) and int(rising[place]) == wanted else None
