"""What can be said of a candidate passage for a query, as numbers: the features of the learned ranking.

A heading counts only as far as its page is near to what is asked: the right heading of the wrong disease is no answer.
"""

from collections.abc import Hashable, Sequence

import numpy as np

from backend.retrieval.passages.heading_fit import Kind, asked_kinds, heading_kinds, stated_share, stems
from backend.retrieval.passages.ranker import Candidates
from backend.stores.passages.passage_index import PassageRow

ASKS = "?"
FEATURES = {
    "cosine": "of the passage to the query",
    "topic": "cosine of the page's title and synonyms to the query; where they are not known or ask a question, the page's best cosine",
    "page": "the best cosine of the page's candidates",
    "page_words": "the best BM25 of the page's candidates over that of all",
    "answers": "the heading answers the kind of question, or the text states it, times the square of the page over the best page",
}


def features(candidates: Candidates) -> np.ndarray:
    """(n, len(FEATURES)): the features of each candidate, in their order."""
    rows = candidates.rows
    pages = [row.document_id for row in rows]
    page = best_of(pages, candidates.cosine)
    # a question in place of a title is near to any question of its form, whatever it is about
    unnamed = np.isnan(candidates.topic) | [topic(row).endswith(ASKS) for row in rows]
    about = np.where(unnamed, page, candidates.topic)
    words = best_of(pages, candidates.bm25) / (float(candidates.bm25.max()) or 1.0)
    near = np.clip(page, 0.0, None) / max(float(page.max()), 1e-6)
    asked, kinds = stems(candidates.query), asked_kinds(candidates.query)
    answers = np.array([of_kind(row, asked, kinds) for row in rows]) * near**2
    return np.stack([candidates.cosine, about, page, words, answers], axis=1)


def topic(row: PassageRow) -> str:
    """The title of a passage's document: what its shown title says before the section's heading; empty where it has none."""
    if row.title == row.document_id:  # shown in place of a title
        return ""
    ending = f": {row.section}"
    return row.title.removesuffix(ending) if row.section else row.title


def of_kind(row: PassageRow, words: frozenset[str], kinds: frozenset[Kind]) -> float:
    """0 to 1: how far a passage is of the kind asked for, by its heading, or without one by what its text states.

    A heading of no kind asked for counts by its words in the query that the title does not hold. A title that asks a question is the
    heading of a page without sections, and a heading that asks is read as what is asked is.
    """
    heading = row.section or (row.title if row.title.endswith(ASKS) else "")
    if not heading:
        return stated_share(row.text, kinds, opens=row.start_char == 0) if kinds else 0.0
    if kinds & (asked_kinds(heading) if heading.endswith(ASKS) else heading_kinds(heading)):
        return 1.0
    headed = stems(heading)
    return len((headed & words) - stems(topic(row))) / len(headed) if headed & words else 0.0


def best_of(keys: Sequence[Hashable], scores: np.ndarray) -> np.ndarray:
    """(n,): the best score among those of the same key."""
    best: dict[Hashable, float] = {}
    for key, score in zip(keys, scores.tolist(), strict=True):
        best[key] = max(score, best.get(key, score))
    return np.array([best[key] for key in keys])
