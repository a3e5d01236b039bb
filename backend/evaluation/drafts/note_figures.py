"""The figures, differences and charts of `evaluate notes`, from the rows that its journal kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.metrics.language_measures import LanguageScores
from backend.evaluation.metrics.set_scores import MEASURES
from backend.evaluation.reports.cell_figures import compared
from backend.evaluation.reports.cell_use import COSTS, USE
from backend.evaluation.reports.plotly_charts import Point, bar_chart, forest_chart
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

NEW_RECALL = "new_recall"
LEVELS = ("concept", "word")
Row = Mapping[str, Any]


def summarise(
    rows: Sequence[Row], names: Sequence[str], baseline: str, seed: int, resamples: int
) -> tuple[tuple[Figure, ...], tuple[Difference, ...]]:
    """The figures and differences of the rows of a journal."""
    resampler = Resampler(len(rows), seed, resamples)
    all_measures = [f"{level}_{name}" for level in LEVELS for name in MEASURES]
    all_measures += [NEW_RECALL, *LanguageScores._fields, *COSTS]
    uses = uses_of(rows, names)
    figures: list[Figure] = []
    differences: list[Difference] = []
    for measure in all_measures:
        columns = {name: np.array([_value(row["cells"][name], measure) for row in rows]) for name in names}
        for name in names:
            found = resampler.figure(columns[name])
            counted = int(np.isfinite(columns[name]).sum())
            reason = "" if found.value is not None else "not available"
            figures.append(
                Figure(
                    system=name,
                    measure=measure,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    n=counted,
                    reason=reason,
                )
            )
        differences += compared(measure, columns, baseline, uses, resampler)
    figures += _by_group(rows, names, resampler)
    return tuple(figures), tuple(differences)


def charts(figures: Sequence[Figure], differences: Sequence[Difference]) -> tuple[Chart, ...]:
    """Recall by semantic group, and the differences of the measures that tell most."""
    return (_group_chart(figures), *_difference_charts(differences))


def failures(rows: Sequence[Row], names: Sequence[str]) -> tuple[NotAvailable, ...]:
    """The cells that wrote no text for some notes."""
    return tuple(_failed(name, rows) for name in names if any("failed" in row["cells"][name] for row in rows))


def uses_of(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[Mapping[str, Any] | None]]:
    """By cell, how each row's text came about; None where none was written."""
    return {name: [row["cells"][name].get(USE) for row in rows] for name in names}


def _value(cell: Mapping[str, Any], measure: str) -> float:
    held = cell.get(USE, {}) if measure in COSTS else cell.get("scores", {})
    value = held.get(measure)
    return float("nan") if value is None else float(value)


def _by_group(rows: Sequence[Row], names: Sequence[str], resampler: Resampler) -> list[Figure]:
    """Concept recall by semantic group (ReinRAG Figure 4): all hits over all there were."""
    figures = []
    for group in SemanticGroup:
        true = np.array([row["true"].get(group.value, 0) for row in rows], dtype=float)
        if not true.sum():
            continue
        for name in names:
            cells = [row["cells"][name] for row in rows]
            hits = np.array([cell["hits"].get(group.value, 0) if "hits" in cell else np.nan for cell in cells])
            found = resampler.figure(hits.astype(float), true)
            figures.append(
                Figure(
                    system=name,
                    measure="concept_recall",
                    group=group.value,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    n=int((true > 0).sum()),
                    reason="" if found.value is not None else "no text was written",
                )
            )
    return figures


def _failed(name: str, rows: Sequence[Row]) -> NotAvailable:
    kinds = [row["cells"][name]["failed"] for row in rows if "failed" in row["cells"][name]]
    summary = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
    return NotAvailable(
        name=name, reason=f"{len(kinds)} of {len(rows)} texts were not written ({summary}); they are left out"
    )


def _group_chart(figures: Sequence[Figure]) -> Chart:
    series: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.group:
            point = Point(GROUP_NAMES[SemanticGroup(figure.group)], figure.value, figure.low, figure.high)
            series.setdefault(figure.system, []).append(point)
    return bar_chart("recall-by-group", "Concept recall by semantic group", "semantic group", "recall", series)


def _difference_charts(differences: Sequence[Difference]) -> list[Chart]:
    """One chart a measure that ReinRAG's Table 1 holds."""
    charts = []
    for measure in ("concept_f1", "concept_recall", NEW_RECALL, "rouge_l"):
        rows = [
            (one.system, Point("", one.value, one.low, one.high))
            for one in differences
            if one.measure == measure and one.value is not None
        ]
        if rows:
            others = list(dict.fromkeys(one.baseline for one in differences if one.measure == measure))
            named = others[0] if len(others) == 1 else "its baseline"
            title = f"{measure.replace('_', ' ')}: difference to {named}"
            charts.append(forest_chart(f"difference-{measure}", title, "difference", rows))
    return charts
