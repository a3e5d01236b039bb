"""The charts of `evaluate paths`: which there are, and what stands in them."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from backend.evaluation.paths.path_charts import charts, keyword_distribution
from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.schemas.evaluation_results import Chart, Figure, Order
from backend.stores.graph.graph import GROUPS


def example(keywords: list[int], truth: list[int]) -> NoteExample:
    return cast(NoteExample, SimpleNamespace(keywords=np.array(keywords, int), truth=np.array(truth, int)))


def figure(system: str, value: float, budget: int = 5, **fields: Any) -> Figure:
    return Figure(
        **{"system": system, "measure": "recall", "value": value, "budget": budget, "n": 1, "order": Order.OWN} | fields
    )


def drawn(chart: Chart) -> dict[str, list[float]]:
    """The values of a chart by the name of their series."""
    return {one["name"]: [None if y is None else float(y) for y in one["y"]] for one in chart.figure["data"]}


GROUP_OF = np.array([0, 0, 1])
"""Concepts 0 and 1 are of the first group, 2 of the second."""


def test_keywords_and_documents_are_counted_by_group() -> None:
    found = drawn(keyword_distribution(GROUP_OF, [example([0, 2], [0, 1]), example([0], [])]))
    assert (found["notes"][:2], found["documents"][:2]) == ([pytest.approx(2 / 3), pytest.approx(1 / 3)], [1.0, 0.0])
    assert len(found["notes"]) == len(GROUPS)


def test_without_a_concept_there_is_no_share_and_no_zero() -> None:
    assert set(drawn(keyword_distribution(GROUP_OF, []))["notes"]) == {None}


def test_a_setting_that_is_varied_has_a_chart_in_the_order_of_its_values() -> None:
    figures = [
        figure("gro", 0.5),
        figure("gro@paths=10", 0.6),
        figure("gro@paths=2", 0.4),
    ]
    made = {one.name: one for one in charts(figures, GROUP_OF, [example([0], [1])], (5,))}
    assert set(made) == {"recall-own", "recall-common", "recall-by-group", "keywords-by-group", "sensitivity-paths"}
    assert drawn(made["sensitivity-paths"]) == {"gro, 5 concepts": [0.4, 0.6]}
    assert list(drawn(made["recall-own"])) == ["gro"]  # a variant is no system of its own
    assert "sensitivity-paths" not in {one.name for one in charts(figures[:1], GROUP_OF, [], (5,))}
