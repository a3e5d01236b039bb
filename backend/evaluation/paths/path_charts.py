"""The charts of `evaluate paths`.

Recall by budget, recall by group (ReinRAG Figure 4), keywords by group (Figure 1), and recall by a setting, where
retrievers are named `<name>@<setting>=<number>` (Figure 3).
"""

from collections.abc import Sequence

import numpy as np

from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.evaluation.reports.plotly_charts import VARIANT, Point, bar_chart, line_chart, setting_charts
from backend.schemas.evaluation_results import Chart, Figure, Order
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup
from backend.stores.graph.graph import GROUPS


def charts(
    figures: Sequence[Figure], groups: np.ndarray, examples: Sequence[NoteExample], budgets: tuple[int, ...]
) -> tuple[Chart, ...]:
    """groups: (n,) the semantic group of each concept."""
    plain = [figure for figure in figures if not VARIANT.fullmatch(figure.system)]
    made = [_by_budget(plain, order) for order in Order]
    made += [_by_group(plain, max(budgets)), keyword_distribution(groups, examples), *_sensitivity(figures)]
    return tuple(made)


def keyword_distribution(groups: np.ndarray, examples: Sequence[NoteExample]) -> Chart:
    """Share of distinct concepts in each group: of the notes' keywords and of the documents (ReinRAG Figure 1)."""
    series: dict[str, list[Point]] = {}
    for label, sets in (
        ("notes", [example.keywords for example in examples]),
        ("documents", [example.truth for example in examples]),
    ):
        counts = sum((np.bincount(groups[found], minlength=len(GROUPS)) for found in sets), np.zeros(len(GROUPS)))
        total = counts.sum()
        series[label] = [
            Point(GROUP_NAMES[group], float(count / total) if total else None)
            for group, count in zip(GROUPS, counts, strict=True)
        ]
    return bar_chart(
        "keywords-by-group",
        "Concepts by semantic group, in notes and in documents",
        "semantic group",
        "share of concepts",
        series,
    )


def _by_budget(figures: Sequence[Figure], order: Order) -> Chart:
    series: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.measure == "recall" and figure.order == order and not figure.group and figure.budget is not None:
            series.setdefault(figure.system, []).append(Point(figure.budget, figure.value, figure.low, figure.high))
    ordered = "own order" if order == Order.OWN else "common order"
    return line_chart(
        f"recall-{order.value}",
        f"New-concept recall by budget, {ordered}",
        "distinct concepts retrieved",
        "recall",
        series,
    )


def _by_group(figures: Sequence[Figure], budget: int) -> Chart:
    series: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.group:
            point = Point(GROUP_NAMES[SemanticGroup(figure.group)], figure.value, figure.low, figure.high)
            series.setdefault(figure.system, []).append(point)
    title = f"New-concept recall by semantic group, {budget} concepts"
    return bar_chart("recall-by-group", title, "semantic group", "recall", series)


def _sensitivity(figures: Sequence[Figure]) -> list[Chart]:
    """One chart a setting that some retrievers vary; none where none does."""
    recall = [one for one in figures if one.measure == "recall" and one.order == Order.OWN and not one.group]
    return setting_charts(
        recall, "sensitivity", "new-concept recall", lambda base, figure: f"{base}, {figure.budget} concepts"
    )
