"""The figures, differences and charts of `evaluate answers`, from the rows that its journal kept.

Accuracy counts a question without a usable answer as wrong; how many those were stands beside it. A question that failed
(the model could not be reached) is left out and told. The average over sets gives every set the same weight.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from backend.evaluation.answers.question_sets import AnswerKind
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reports.cell_use import (
    COSTS,
    SAME_TEXTS,
    USE,
    baseline_of,
    captions,
    same_texts,
)
from backend.evaluation.reports.plotly_charts import Point, bar_chart, forest_chart, line_chart
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable

AVERAGE = "average of the sets"
Row = tuple[str, AnswerKind, Mapping[str, Sequence[Mapping[str, Any]]]]


class AnswersFound(NamedTuple):
    """What a run of answers found, with what could not be measured."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    charts: tuple[Chart, ...]
    not_available: tuple[NotAvailable, ...]
    measures: dict[str, str]
    captions: tuple[str, ...] = ()


class Column(NamedTuple):
    """One measure on some questions, for every cell. weights: (n,), the denominator. sets: the chart's category."""

    measure: str
    meaning: str
    values: dict[str, np.ndarray]
    weights: np.ndarray
    compared: bool = True


def summarise(
    rows: Sequence[Row], names: Sequence[str], baseline: str, repeats: int, seed: int, resamples: int
) -> AnswersFound:
    """Figures by set and over all, differences to the baseline, and curves over what was varied (`system@setting=value`)."""
    resampler = Resampler(len(rows), seed, resamples)
    columns = _columns(rows, names)
    uses = {name: [entry.get(USE) for _, _, cells in rows for entry in cells[name]] for name in names}
    figures, differences = [], []
    for column in columns:
        for name in names:
            values = column.values[name]
            interval = resampler.figure(values * column.weights, column.weights)
            n = int((np.isfinite(values) & (column.weights > 0)).sum())
            reason = "" if interval.value is not None else "no question was answered"
            figures.append(Figure(system=name, measure=column.measure, n=n, reason=reason, **interval._asdict()))
        for name in names if column.compared else ():
            other = baseline_of(name, baseline)
            if other == name or other not in column.values:
                continue
            ours, theirs = column.values[name] * column.weights, column.values[other] * column.weights
            gap = resampler.difference(ours, theirs, column.weights, column.weights)
            if gap.value is None:
                continue
            if same_texts(uses, name, other):
                differences.append(Difference(system=name, baseline=other, measure=column.measure, reason=SAME_TEXTS))
                continue
            n = int((np.isfinite(ours) & np.isfinite(theirs) & (column.weights > 0)).sum())
            differences.append(Difference(system=name, baseline=other, measure=column.measure, n=n, **gap._asdict()))
    figures += _spread(rows, names, repeats)
    measures = {column.measure: column.meaning for column in columns}
    if any(figure.measure.startswith("sd") for figure in figures):
        measures |= {"sd …": "standard deviation of the accuracy over the repeats (n - 1)"}
    return AnswersFound(
        tuple(figures),
        tuple(differences),
        _charts(figures, differences),
        _failures(rows, names),
        measures,
        tuple(captions(uses)),
    )


def _columns(rows: Sequence[Row], names: Sequence[str]) -> list[Column]:
    sets = list(dict.fromkeys(name for name, _, _ in rows))
    judged = [name for name in sets if any(kind != AnswerKind.LONG for held, kind, _ in rows if held == name)]
    right = {name: _values(rows, name, "right") for name in names}
    found = [
        Column(f"accuracy {one}", f"share of {one} answered rightly", right, _of(rows, one, False)) for one in judged
    ]
    if len(judged) > 1:
        weights = sum(
            (_of(rows, one, False) / max(1.0, _of(rows, one, False).sum()) for one in judged), np.zeros(len(rows))
        )
        found.append(Column(f"accuracy {AVERAGE}", "mean of the sets' accuracies", right, weights))
    if judged:
        open_ended = {name: 1.0 - _values(rows, name, "answered") for name in names}
        closed = np.array([kind != AnswerKind.LONG for _, kind, _ in rows], dtype=float)
        found.append(Column("no_answer", "share of questions without a usable answer", open_ended, closed, False))
    harmful = {name: _values(rows, name, "harmful") for name in names}
    if any(np.isfinite(values).any() for values in harmful.values()):
        known = np.isfinite(next(iter(harmful.values()))).astype(float)
        found.append(Column("harmful", "share of questions answered with an option that harms", harmful, known, False))
    for one in sets:
        if one in judged:
            continue
        for measure, meaning in (("rouge_l", "ROUGE-L, F-measure"), ("cosine", "cosine of the whole texts")):
            values = {name: _values(rows, name, measure) for name in names}
            found.append(Column(f"{measure} {one}", f"{meaning}, to {one}'s reference", values, _of(rows, one, True)))
    every = np.ones(len(rows))
    passages = {name: _values(rows, name, "passages") for name in names}
    found.append(Column("passages", "passages an answer could rest on", passages, every, False))
    doubt = {name: _values(rows, name, "uncertainty") for name in names}
    if any(np.isfinite(values).any() for values in doubt.values()):
        meaning = "uncertainty of an answer by samples (LUQ), 0 certain to 1; of one scorer alone"
        found.append(Column("uncertainty", meaning, doubt, every, False))
    times = {name: _values(rows, name, "ms") for name in names}
    found.append(Column("ms", "milliseconds an answer", times, every, False))
    for cost, meaning in COSTS.items():
        values = {name: _values(rows, name, cost) for name in names}
        if any(np.isfinite(held).any() for held in values.values()):
            found.append(Column(cost, meaning, values, every, False))
    return found


def _values(rows: Sequence[Row], name: str, measure: str) -> np.ndarray:
    """(n,): each question's mean over its repeats; NaN where none of them has the measure."""
    out = np.full(len(rows), np.nan)
    for i, (_, _, cells) in enumerate(rows):
        held = [value for entry in cells[name] if (value := _value(entry, measure)) is not None]
        if held:
            out[i] = float(np.mean(held))
    return out


def _value(entry: Mapping[str, Any], measure: str) -> float | None:
    if measure == "answered":
        return None if "chosen" not in entry else float(entry["chosen"] is not None)
    value = entry.get(USE, {}).get(measure) if measure in COSTS else entry.get(measure)
    return None if value is None else float(value)


def _of(rows: Sequence[Row], name: str, long: bool) -> np.ndarray:
    return np.array([float(held == name and (kind == AnswerKind.LONG) == long) for held, kind, _ in rows])


def _spread(rows: Sequence[Row], names: Sequence[str], repeats: int) -> list[Figure]:
    """The standard deviation of a set's accuracy over the repeats (ClinicalRAG's tables); none for a single one."""
    found = []
    for one in dict.fromkeys(name for name, kind, _ in rows if kind != AnswerKind.LONG) if repeats > 1 else ():
        for name in names:
            each = [
                [cells[name][i].get("right") for held, kind, cells in rows if held == one and kind != AnswerKind.LONG]
                for i in range(repeats)
            ]
            means = [
                float(np.mean([v for v in held if v is not None])) for held in each if any(v is not None for v in held)
            ]
            value = float(np.std(means, ddof=1)) if len(means) > 1 else None
            reason = "" if value is not None else "fewer than two repeats were answered"
            found.append(Figure(system=name, measure=f"sd {one}", value=value, n=len(means), reason=reason))
    return found


def _failures(rows: Sequence[Row], names: Sequence[str]) -> tuple[NotAvailable, ...]:
    found = []
    for name in names:
        kinds = [entry["failed"] for _, _, cells in rows for entry in cells[name] if "failed" in entry]
        if kinds:
            summary = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            total = sum(len(cells[name]) for _, _, cells in rows)
            reason = f"{len(kinds)} of {total} answers were not given ({summary}); they are left out"
            found.append(NotAvailable(name=name, reason=reason))
    return tuple(found)


def _charts(figures: Sequence[Figure], differences: Sequence[Difference]) -> tuple[Chart, ...]:
    accuracies = [figure for figure in figures if figure.measure.startswith("accuracy ")]
    bars: dict[str, list[Point]] = {}
    curves: dict[str, dict[str, list[Point]]] = {}
    for figure in accuracies:
        swept = _SWEPT.fullmatch(figure.system)
        one = figure.measure.removeprefix("accuracy ")
        if swept:
            line = curves.setdefault(swept["setting"], {}).setdefault(f"{swept['system']}, {one}", [])
            line.append(Point(int(swept["value"]), figure.value, figure.low, figure.high))
        else:
            bars.setdefault(figure.system, []).append(Point(one, figure.value, figure.low, figure.high))
    charts = [bar_chart("accuracy", "Accuracy", "question set", "accuracy", bars)] if bars else []
    charts += [
        line_chart(
            f"accuracy-by-{setting}", f"Accuracy by number of {setting}", f"{setting} (at most)", "accuracy", lines
        )
        for setting, lines in curves.items()
    ]
    rows = [
        (f"{one.system}, {one.measure.removeprefix('accuracy ')}", Point("", one.value, one.low, one.high))
        for one in differences
        if one.measure.startswith("accuracy ") and one.value is not None
    ]
    if rows:
        others = {one.baseline for one in differences}
        named = others.pop() if len(others) == 1 else "its baseline"
        charts.append(forest_chart("difference", f"Accuracy: difference to {named}", "difference", rows))
    return tuple(charts)


_SWEPT = re.compile(r"(?P<system>.+)@(?P<setting>[a-z0-9_]+)=(?P<value>\d+)")
