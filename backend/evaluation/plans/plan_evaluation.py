"""`evaluate plans`: what systems ask of which source for a set of questions (Omni-RAG A.1, B.1, B.2).

Takes questions and cells; gives queries, words and diversity by source, and how well a judge found the documents to serve.
Without a judge nothing is scored. Rows keep numbers alone.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from backend.errors import InputError
from backend.evaluation.answers.question_sets import Question
from backend.evaluation.metrics.bootstrap import RESAMPLES, Resampler
from backend.evaluation.plans.plan_statistics import Encode, plan_figures
from backend.evaluation.reports.failed_items import failed_row
from backend.evaluation.reports.journal import Journal, Progress
from backend.evaluation.reports.plotly_charts import Point, bar_chart
from backend.planning.model_plan import FULL_SCORE
from backend.schemas.drafts.evidence import Plan
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable
from backend.schemas.vocabulary import Source

MEASURES = {
    "queries": "queries a plan has, skipped ones left out",
    "words": "words a query has",
    "diversity": "mean cosine distance over the pairs of a plan's queries to one source, 0 to 2; higher: less alike",
    "found": "passages and graph facts found",
    "judged": f"the judge's score of what was found, 0 to {FULL_SCORE}",
    "supported": f"share of plans whose finds the judge gave {FULL_SCORE} of {FULL_SCORE}",
}
Judge = Callable[[str, Plan, Sequence[str]], int | None]


class Planned(NamedTuple):
    """A plan with the texts of what it found."""

    plan: Plan
    found: tuple[str, ...]


class PlanMaker(Protocol):
    """One cell. Raises LeapnoteError when it cannot plan."""

    @property
    def name(self) -> str:
        """What the cell is called in figures."""
        ...

    def plan(self, question: Question, seed: int) -> Planned:
        """The plan for one question, and what came of it."""
        ...


class CellSettings(NamedTuple):
    """baseline: a cell, empty for no differences."""

    baseline: str = ""
    resamples: int = RESAMPLES
    seed: int = 0


class CellFigures(NamedTuple):
    """The figures and differences of the cells, with what could not be measured."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    not_available: tuple[NotAvailable, ...]


def run_plans(
    questions: Sequence[Question],
    makers: Sequence[PlanMaker],
    encode: Encode,
    judge: Judge | None,
    settings: CellSettings,
    journal: Path,
    key: str,
    progress: Progress | None = None,
) -> tuple[CellFigures, tuple[Chart, ...]]:
    """Let every cell plan for every question. A killed run with the same key goes on after its last whole question."""
    names = checked_cells([maker.name for maker in makers], settings.baseline)
    with Journal(journal, key) as book:
        for done, question in enumerate(questions):
            if progress is not None:
                progress(done, len(questions), "questions")
            if question.question_id not in book.rows:
                row = {maker.name: _numbers(maker, question, encode, judge, settings.seed) for maker in makers}
                book.add(question.question_id, row)
        if progress is not None:
            progress(len(questions), len(questions), "questions")
        rows = [book.rows[question.question_id] for question in questions]
    found = cell_figures(rows, names, settings)
    if judge is None:
        reason = "no judge model is set; without one nothing is scored"
        found = found._replace(
            figures=tuple(one for one in found.figures if one.measure not in ("judged", "supported")),
            not_available=(*found.not_available, NotAvailable(name="judged, supported", reason=reason)),
        )
    return found, _charts(found.figures)


def plan_numbers(plan: Plan, encode: Encode) -> dict[str, float | None]:
    """The figures of one plan: over all sources, and `measure source` for each."""
    counts = plan_figures([plan], encode)
    row: dict[str, float | None] = {
        "queries": counts.queries_a_plan,
        "words": counts.mean_words,
        "diversity": counts.mean_diversity,
    }
    for source in Source:
        row[f"queries {source.value}"] = counts.queries[source]
        row[f"words {source.value}"] = counts.words[source]
        row[f"diversity {source.value}"] = counts.diversity[source]
    return row


def cell_figures(rows: Sequence[Mapping[str, Any]], names: Sequence[str], settings: CellSettings) -> CellFigures:
    """Means with intervals of every measure that any row has, paired differences to the baseline, and what failed.

    rows: by cell, either measures with a number or None, or {"failed": kind}.
    """
    resampler = Resampler(len(rows), settings.seed, settings.resamples)
    measures = list(dict.fromkeys(m for row in rows for name in names for m in row.get(name, {}) if m != "failed"))
    figures, differences = [], []
    for measure in measures:
        columns = {name: np.array([_number(row.get(name, {}), measure) for row in rows]) for name in names}
        for name, values in columns.items():
            interval = resampler.figure(values)
            reason = "" if interval.value is not None else "there was nothing to measure it on"
            n = int(np.isfinite(values).sum())
            figures.append(Figure(system=name, measure=measure, n=n, reason=reason, **interval._asdict()))
        for name in names if settings.baseline else ():
            gap = resampler.difference(columns[name], columns[settings.baseline])
            if name != settings.baseline and gap.value is not None:
                n = int((np.isfinite(columns[name]) & np.isfinite(columns[settings.baseline])).sum())
                differences.append(
                    Difference(system=name, baseline=settings.baseline, measure=measure, n=n, **gap._asdict())
                )
    return CellFigures(tuple(figures), tuple(differences), _failed(rows, names))


def checked_cells(names: Sequence[str], baseline: str) -> list[str]:
    """The names, each once, the baseline among them. Raises InputError."""
    if not names or len(set(names)) != len(names):
        raise InputError(f"Each cell must be given once: {', '.join(names) or 'none'}.")
    if baseline and baseline not in names:
        raise InputError(f"The baseline {baseline!r} is no cell. Choose from: {', '.join(names)}")
    return list(names)


def _numbers(maker: PlanMaker, question: Question, encode: Encode, judge: Judge | None, seed: int) -> dict[str, Any]:
    try:
        made = maker.plan(question, seed)
    except Exception as error:
        return failed_row("plan", error)
    try:
        score = judge(question.text, made.plan, made.found) if judge is not None else None
        numbers = plan_numbers(made.plan, encode)
    except Exception as error:
        return failed_row("score", error)
    supported = None if score is None else float(score == FULL_SCORE)
    return {**numbers, "found": len(made.found), "judged": score, "supported": supported}


def _failed(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[NotAvailable, ...]:
    found = []
    for name in names:
        kinds = [row[name]["failed"] for row in rows if "failed" in row.get(name, {})]
        if kinds:
            summary = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            found.append(
                NotAvailable(name=name, reason=f"{len(kinds)} of {len(rows)} failed ({summary}); they are left out")
            )
    return tuple(found)


def _number(row: Mapping[str, Any], measure: str) -> float:
    value = row.get(measure)
    return float("nan") if value is None else float(value)


def _charts(figures: Sequence[Figure]) -> tuple[Chart, ...]:
    charts = []
    for measure, title in (
        ("queries", "Queries a plan has"),
        ("words", "Words a query has"),
        ("diversity", "Diversity"),
    ):
        bars: dict[str, list[Point]] = {}
        for figure in figures:
            if figure.measure.startswith(f"{measure} "):
                source = figure.measure.removeprefix(f"{measure} ")
                bars.setdefault(figure.system, []).append(Point(source, figure.value, figure.low, figure.high))
        if bars:
            charts.append(bar_chart(f"{measure}-by-source", f"{title}, by source", "source", measure, bars))
    return tuple(charts)
