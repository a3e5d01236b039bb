"""The figures, differences and charts of `evaluate notes`, from the rows that its journal kept."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from backend.evaluation.metrics.bootstrap import Interval, Resampler
from backend.evaluation.metrics.language_measures import LanguageScores
from backend.evaluation.metrics.seed_families import SEED, Members, families, gap_of, mean_of, others_of
from backend.evaluation.metrics.set_scores import MEASURES
from backend.evaluation.reports.cell_figures import compared
from backend.evaluation.reports.cell_use import (
    COSTS,
    FELL_BACK,
    SAME_TEXTS,
    USE,
    VARIED,
    WRITTEN_BY,
    Uses,
    baseline_of,
    same_texts,
)
from backend.evaluation.reports.plotly_charts import VARIANT, Point, Standing, bar_chart, forest_chart, setting_charts
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

NEW_RECALL = "new_recall"
LEVELS = ("concept", "word")
CURVES = {
    "concept_f1_printed": "concept F1 as printed",
    "rouge_l": "ROUGE-L",
    "meteor": "METEOR",
    "meteor_no_synonyms": "METEOR without synonyms",
}
"""The measures that are drawn over a setting."""
Row = Mapping[str, Any]


def summarise(
    rows: Sequence[Row], names: Sequence[str], baseline: str, seed: int, resamples: int
) -> tuple[tuple[Figure, ...], tuple[Difference, ...]]:
    """The figures and differences of the rows of a journal; arms of several training seeds also by their mean."""
    resampler = Resampler(len(rows), seed, resamples)
    all_measures = [f"{level}_{name}" for level in LEVELS for name in MEASURES]
    all_measures += [NEW_RECALL, *LanguageScores._fields, *COSTS, FELL_BACK]
    uses, found = uses_of(rows, names), families(names)
    figures: list[Figure] = []
    differences: list[Difference] = []
    for measure in all_measures:
        columns = {name: np.array([_value(row["cells"][name], measure) for row in rows]) for name in names}
        for name in names:
            counted = int(np.isfinite(columns[name]).sum())
            figures.append(_figure(name, measure, resampler.figure(columns[name]), counted))
        for family, members in found.items():
            figures.append(_figure(family, measure, *mean_of(columns, members, resampler)))
        if measure == FELL_BACK:
            continue  # a cell that falls back is no worse or better for it
        differences += compared(measure, columns, baseline, uses, resampler)
        differences += _between_families(measure, columns, found, baseline, uses, resampler)
    figures += _by_group(rows, names, found, resampler)
    return tuple(figures), tuple(differences)


def _figure(name: str, measure: str, found: Interval, n: int) -> Figure:
    return Figure(
        system=name,
        measure=measure,
        n=n,
        reason="" if found.value is not None else "not available",
        **found._asdict(),
    )


def _between_families(
    measure: str,
    columns: Mapping[str, np.ndarray],
    found: Mapping[str, Members],
    baseline: str,
    uses: Uses,
    resampler: Resampler,
) -> Iterator[Difference]:
    """Each family minus its baseline, and minus every other arm by the same writer that is no point of a curve.

    Yields:
        One a pair that has anything to compare.
    """
    plain = [name for name in columns if not SEED.match(name)]
    for family, members in found.items():
        own = baseline_of(family, baseline)
        for other, theirs in others_of(family, found, plain):
            one_writer = other.partition(WRITTEN_BY)[2] == family.partition(WRITTEN_BY)[2]
            if other != own and (VARIED in family or VARIED in other or not one_writer):
                continue
            gap, n = gap_of(columns, members, other, theirs, resampler)
            if gap.value is None:
                continue
            alike = all(same_texts(uses, name, theirs.get(seed, other)) for seed, name in members.items())
            if alike and measure not in COSTS:
                yield Difference(system=family, baseline=other, measure=measure, reason=SAME_TEXTS)
            else:
                yield Difference(system=family, baseline=other, measure=measure, n=n, **gap._asdict())


def charts(
    figures: Sequence[Figure], differences: Sequence[Difference], standing: Standing | None = None
) -> tuple[Chart, ...]:
    """Recall by semantic group, text measures over a setting, and the differences of the measures that tell most.

    Args:
        figures: of a result.
        differences: of it.
        standing: by cell that is not varied, the numbers at which its settings stand.

    Members of a family are left to its mean, and points of a curve to the curve.
    """
    means = families([name for name in dict.fromkeys(one.system for one in figures) if SEED.match(name)])
    members = {name for held in means.values() for name in held.values()}
    told = [one for one in figures if one.system not in members]
    gaps = [one for one in differences if one.system not in members]
    placed = dict(standing or {})
    placed |= {family: placed.get(next(iter(held.values())), {}) for family, held in means.items()}
    plain = [one for one in told if not VARIANT.fullmatch(one.system)]
    return (_group_chart(plain), *_curves(told, placed), *_difference_charts(gaps))


def failures(rows: Sequence[Row], names: Sequence[str]) -> tuple[NotAvailable, ...]:
    """The cells that wrote no text for some notes."""
    return tuple(_failed(name, rows) for name in names if any("failed" in row["cells"][name] for row in rows))


def uses_of(rows: Sequence[Row], names: Sequence[str]) -> Uses:
    """By cell, how each row's text came about; None where none was written."""
    return {name: [row["cells"][name].get(USE) for row in rows] for name in names}


def _value(cell: Mapping[str, Any], measure: str) -> float:
    held = cell.get(USE, {}) if measure in (*COSTS, FELL_BACK) else cell.get("scores", {})
    value = held.get(measure)
    return float("nan") if value is None else float(value)


def _by_group(
    rows: Sequence[Row], names: Sequence[str], found: Mapping[str, Members], resampler: Resampler
) -> list[Figure]:
    """Concept recall by semantic group (ReinRAG Figure 4): all hits over all there were."""
    figures = []
    for group in SemanticGroup:
        true = np.array([row["true"].get(group.value, 0) for row in rows], dtype=float)
        if not true.sum():
            continue
        hits = {name: np.array([_hits(row["cells"][name], group) for row in rows], dtype=float) for name in names}
        measured = {name: resampler.figure(hits[name], true) for name in names}
        for family, members in found.items():
            measured[family] = resampler.two_level(np.array([hits[name] for name in members.values()]), true)
        for name, interval in measured.items():
            figure = _figure(name, "concept_recall", interval, int((true > 0).sum()))
            reason = "" if interval.value is not None else "no text was written"
            figures.append(figure.model_copy(update={"group": group.value, "reason": reason}))
    return figures


def _hits(cell: Mapping[str, Any], group: SemanticGroup) -> float:
    return float(cell["hits"].get(group.value, 0)) if "hits" in cell else float("nan")


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


def _curves(figures: Sequence[Figure], standing: Standing) -> list[Chart]:
    """Text measures over a setting that arms vary (ReinRAG Figures 3b and 3c); METEOR without synonyms where it has none with."""
    plain = [one for one in figures if not one.group]
    whole = any(one.measure == "meteor" and one.value is not None for one in plain)
    found = []
    for measure, words in CURVES.items():
        if measure != ("meteor_no_synonyms" if whole else "meteor"):
            of_measure = [one for one in plain if one.measure == measure]
            found += setting_charts(of_measure, measure, words, lambda base, figure: base, standing)
    return found


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
