"""Figures of plans, derived by hand."""

import numpy as np
import pytest

from backend.evaluation.plans.plan_statistics import diversity, plan_figures
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.vocabulary import Source

VECTORS = {"x": [1.0, 0.0], "y": [0.0, 1.0], "not x": [-1.0, 0.0], "three word query": [0.6, 0.8]}


def encode(texts: object) -> np.ndarray:
    return np.array([VECTORS[text] for text in texts], dtype=np.float32)  # type: ignore[attr-defined]


def query(source: Source, text: str, skipped: str = "") -> SubQuery:
    return SubQuery(source=source, text=text, skipped=skipped)


def test_figures_are_means_over_plans() -> None:
    first = Plan(
        sub_queries=(
            query(Source.BOOK, "x"),
            query(Source.BOOK, "y"),
            query(Source.BOOK, "not x"),
            query(Source.WIKI, "x"),
        )
    )
    second = Plan(sub_queries=(query(Source.BOOK, "three word query"), query(Source.GRAPH, "", "nothing there")))
    figures = plan_figures([first, second], encode)
    assert figures.queries == {
        Source.BOOK: 2.0,  # (3 + 1) / 2
        Source.WIKI: 0.5,
        Source.GUIDELINE: 0.0,
        Source.RESEARCH: 0.0,
        Source.GRAPH: 0.0,
    }
    assert figures.queries_a_plan == 2.5
    assert figures.words[Source.BOOK] == 1.75  # (1 + 1 + 2 + 3) / 4
    assert figures.words[Source.GRAPH] is None
    # distances: x and y 1, x and not x 2, y and not x 1; the second plan has no pair
    assert figures.diversity[Source.BOOK] == pytest.approx(4 / 3)
    assert figures.diversity[Source.WIKI] is None
    assert figures.mean_diversity == pytest.approx(4 / 3)
    assert figures.mean_words == pytest.approx((1.75 + 1.0) / 2)


def test_no_plans_have_no_figures() -> None:
    figures = plan_figures([], encode)
    assert figures.queries_a_plan == 0.0
    assert figures.mean_words is None
    assert diversity([]) is None
