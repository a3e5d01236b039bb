"""Fits what a question's reasoning paths count as a second query beside it, as the weights of the ranking are fitted.

The share is kept only where it helps on questions that it was not fitted on: else it is 0, and the card says so.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from backend.retrieval.passages.query_expansion import both_queries
from backend.schemas.drafts.evidence import Passage
from backend.training.passage_ranking import Judged, fitted, ndcg

Beyond = Callable[[np.ndarray], tuple[float, float, float]]
"""The mean of gains (n,) with the bounds of its 95 % interval."""


def judged_twice(
    question: str, own: Sequence[Passage], beside: Sequence[Passage], grades: Mapping[str, int], k: int
) -> Judged | None:
    """What a question teaches; None where nothing that was found is judged, or all alike.

    Args:
        question: its id.
        own: what the question found.
        beside: what its paths found.
        grades: by passage, `document#start-end`, or document.
        k: how many were asked for.
    """
    found = both_queries(own, beside, k)
    ids = [(f"{p.document_id}#{p.start_char}-{p.end_char}", p.document_id) for p in found.passages]
    gain = np.array([max(grades.get(one, 0) for one in names) for names in ids], dtype=float)
    return Judged(question, found.scores, gain) if len(set(gain.tolist())) > 1 else None


def fitted_share(rows: Sequence[Judged]) -> float:
    """The paths' weight over the question's."""
    question, paths = fitted(rows).values
    return paths / question if question > 0 else 0.0


def gains(rows: Sequence[Judged], share: float) -> np.ndarray:
    """(n,): nDCG@10 with the share less that of the question alone."""
    return np.array(
        [ndcg(row.features @ np.array([1.0, share]), row.gain) - ndcg(row.features[:, 0], row.gain) for row in rows]
    )


def expansion_card(groups: Mapping[str, Sequence[Judged]], files: Mapping[str, str], beyond: Beyond) -> dict[str, Any]:
    """The card of a share: fitted on all groups, and kept if each group under the share of the others gains beyond chance.

    Args:
        groups: the questions by the set they are of; two at least hold any.
        files: sha256 of each file they come from.
        beyond: the mean of the gains, with its interval.
    """
    held = {name: rows for name, rows in groups.items() if rows}
    crossed = []
    for name, rows in held.items():
        others = [row for other, more in held.items() if other != name for row in more]
        crossed.append(gains(rows, fitted_share(others)))
    value, low, high = beyond(np.concatenate(crossed))
    alone = [ndcg(r.features[:, 1], r.gain) - ndcg(r.features[:, 0], r.gain) for rows in held.values() for r in rows]
    share = fitted_share([row for rows in held.values() for row in rows])
    return {
        "share": round(share, 4) if low > 0 else 0.0,
        "fitted_share": round(share, 4),
        "ndcg_10_gained_under_the_share_of_the_other_sets": [round(one, 4) for one in (value, low, high)],
        "ndcg_10_of_the_paths_alone_less_that_of_the_question": [round(one, 4) for one in beyond(np.array(alone))],
        "rule": "the fitted share where the interval of what it gains lies above 0, else 0",
        "loss": "listwise softmax over what question and paths found by BM25",
        "fitted": date.today().isoformat(),
        "questions": {name: len(rows) for name, rows in groups.items()},
        "files": dict(files),
    }
