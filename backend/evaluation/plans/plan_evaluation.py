"""`evaluate plans`: what systems ask of which source for a set of questions (Omni-RAG A.1, B.1, B.2).

Takes questions and cells; gives queries, words and diversity by source, how well a judge found the documents to serve and
whether they support the known answer, and what the plans cost. Without a judge nothing is scored. Rows keep numbers alone.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from backend.evaluation.answers.question_sets import Question
from backend.evaluation.plans.plan_statistics import Encode, plan_figures
from backend.evaluation.reports.cell_figures import CellFigures, CellSettings, cell_figures
from backend.evaluation.reports.cell_use import COSTS, USE, checked_cells, in_drawn_order, warm
from backend.evaluation.reports.failed_items import failed_row
from backend.evaluation.reports.journal import Journal, Progress
from backend.evaluation.reports.plotly_charts import Point, bar_chart
from backend.planning.model_plan import FULL_SCORE
from backend.schemas.drafts.evidence import Plan
from backend.schemas.evaluation_results import Chart, Figure, NotAvailable
from backend.schemas.vocabulary import Source

MEASURES = {
    "queries": "queries a plan has, skipped ones left out",
    "words": "words a query has",
    "diversity": "mean cosine distance over the pairs of a plan's queries to one source, 0 to 2; higher: less alike",
    "found": "passages and graph facts found",
    "judged": f"the judge's score of what was found, 0 to {FULL_SCORE}",
    "supported": "share of questions whose known answer the judge finds supported by what some source brought (Omni-RAG Eq. 1)",
    **{cost: meaning.replace("a text", "a plan") for cost, meaning in COSTS.items() if cost != "inference_s"},
}
SCORED = ("judged", "supported")


class Judge(Protocol):
    """Who scores what a plan found."""

    def score(self, question: Question, made: "Planned") -> int | None:
        """0 to FULL_SCORE for all that was found; None where there is no usable reply."""
        ...

    def supports(self, question: Question, documents: Sequence[str]) -> bool | None:
        """Whether one source's documents support the known answer; None where there is no usable reply."""
        ...


class Planned(NamedTuple):
    """A plan with the texts of what it found, by source and best first. use: how it came about, as `cell_use` keeps it."""

    plan: Plan
    found: Mapping[Source, Sequence[str]]
    use: Mapping[str, Any] | None = None


class PlanMaker(Protocol):
    """One cell. Raises LeapnoteError when it cannot plan."""

    @property
    def name(self) -> str:
        """What the cell is called in figures."""
        ...

    def plan(self, question: Question, seed: int) -> Planned:
        """The plan for one question, and what came of it."""
        ...


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
        if any(question.question_id not in book.rows for question in questions):
            warm(makers)
        for done, question in enumerate(questions):
            if progress is not None:
                progress(done, len(questions), "questions")
            if question.question_id not in book.rows:
                ordered = in_drawn_order(makers, settings.seed, question.question_id)
                row = {maker.name: _numbers(maker, question, encode, judge, settings.seed) for maker in ordered}
                book.add(question.question_id, row)
        if progress is not None:
            progress(len(questions), len(questions), "questions")
        rows = [book.rows[question.question_id] for question in questions]
    found = cell_figures(rows, names, settings)
    if judge is None:
        reason = "no judge model is set; without one nothing is scored"
        found = found._replace(
            figures=tuple(one for one in found.figures if one.measure.split()[0] not in SCORED),
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


def _numbers(maker: PlanMaker, question: Question, encode: Encode, judge: Judge | None, seed: int) -> dict[str, Any]:
    try:
        made = maker.plan(question, seed)
    except Exception as error:
        return failed_row("plan", error)
    try:
        numbers: dict[str, Any] = {**plan_numbers(made.plan, encode), "found": sum(map(len, made.found.values()))}
        numbers |= dict.fromkeys((*SCORED, *(f"supported {source.value}" for source in Source)))
        if judge is not None:
            numbers["judged"] = judge.score(question, made)
            numbers |= _supported(judge, question, made.found)
    except Exception as error:
        return failed_row("score", error)
    return numbers if made.use is None else {**numbers, USE: dict(made.use)}


def _supported(judge: Judge, question: Question, found: Mapping[Source, Sequence[str]]) -> dict[str, float | None]:
    """By source, and of all: supported by one source at least; None where no answer is known or the judge gave no verdict."""
    if not question.gold:
        return {}
    said = {source: judge.supports(question, texts) if texts else False for source, texts in found.items()}
    row = {f"supported {source.value}": None if one is None else float(one) for source, one in said.items()}
    unknown = None in said.values() and True not in said.values()
    return {**row, "supported": None if unknown else float(True in said.values())}


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
