"""`evaluate retrieval`: finders side by side on questions with judged passages or documents.

Takes a set and finders; gives nDCG@10, P@1, MRR, recall and times with intervals, and paired differences. Measures are ir_measures'
(its provider is trec_eval's code). What each finder found is kept question by question, so that a killed run goes on.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import RESAMPLES, Resampler
from backend.evaluation.reports.cell_use import (
    NOTHING_COMPARED,
    VARIED,
    Uses,
    baseline_of,
    identical_cells,
    in_drawn_order,
    same_texts,
    warm,
)
from backend.evaluation.reports.failed_items import failed_row
from backend.evaluation.reports.journal import Journal, Progress
from backend.evaluation.reports.plotly_charts import Point, bar_chart, forest_chart, line_chart
from backend.evaluation.retrieval.finders import OURS, Finder, KeptQueries, Place
from backend.evaluation.retrieval.test_sets import RetrievalSet, Unit
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable

CUTS = (1, 3, 5, 10, 20, 50, 100)
MEASURES = {
    "ndcg@10": "nDCG@10 with the judged grades as gains (ir_measures nDCG@10)",
    "p@1": "share of the questions whose first one is relevant, of whatever grade above 0 (P@1)",
    "mrr": "1 / rank of the first relevant one, 0 where none was found (RR)",
    "judged@1": "share of the questions whose first one somebody judged at all for that question (Judged@1)",
    "ndcg@10_judged": "nDCG@10 of the list without what nobody judged for that question",
    "p@1_judged": "P@1 of the list without what nobody judged for that question",
    "ms": "milliseconds a question, its vector included where one is needed",
}


class RetrievalSettings(NamedTuple):
    """depth: how many are asked for. baseline: empty compares Leapnote's ranking with each other one."""

    depth: int = 20
    baseline: str = ""
    resamples: int = RESAMPLES
    seed: int = 0


FOUND_ALIKE = "found the same, in the same order"
SAME_FOUND = "the same was found: nothing to compare"


class RetrievalFound(NamedTuple):
    """runs: by finder, the ids found for each query in order, as they were judged."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    charts: tuple[Chart, ...]
    not_available: tuple[NotAvailable, ...]
    measures: dict[str, str]
    runs: dict[str, dict[str, list[str]]]
    captions: tuple[str, ...] = ()


def run_retrieval(
    chosen: RetrievalSet,
    finders: Sequence[Finder],
    queries: KeptQueries,
    settings: RetrievalSettings,
    journal: Path,
    key: str,
    others: Mapping[str, Mapping[str, Sequence[str]]] = {},
    progress: Progress | None = None,
) -> RetrievalFound:
    """Let every finder answer every question, and compare; others are runs that were made elsewhere, by name.

    A killed run with the same key goes on after its last whole question.

    Raises:
        InputError: a name does not fit.
    """
    names = [*(finder.name for finder in finders), *others]
    if len(set(names)) != len(names) or not names:
        raise InputError(f"Each retriever and run needs a name of its own; given: {', '.join(names) or 'none'}.")
    if settings.baseline and settings.baseline not in names:
        raise InputError(f"The baseline {settings.baseline!r} is not among: {', '.join(names)}.")
    keys = list(chosen.queries)
    with Journal(journal, key) as book:
        if any(query not in book.rows for query in keys):
            warm(finders)
        for done, query in enumerate(keys):
            if progress is not None:
                progress(done, len(keys), "questions")
            if query not in book.rows:
                book.add(
                    query,
                    _row(chosen.queries[query], in_drawn_order(finders, settings.seed, query), queries, settings.depth),
                )
        if progress is not None:
            progress(len(keys), len(keys), "questions")
        rows = [book.rows[query] for query in keys]
    runs = {
        finder.name: {
            query: _judged(row[finder.name]["places"], chosen.unit, chosen.qrels[query])
            for query, row in zip(keys, rows, strict=True)
            if "places" in row[finder.name]
        }
        for finder in finders
    }
    runs |= {name: {query: list(run.get(query, ())) for query in keys} for name, run in others.items()}
    columns = {name: measured(chosen.qrels, run, keys, settings.depth) for name, run in runs.items()}
    for finder in finders:
        columns[finder.name]["ms"] = np.array([row[finder.name].get("ms", np.nan) for row in rows], dtype=float)
    found = {
        name: [{"text": "\n".join(run[query])} if query in run else None for query in keys]
        for name, run in runs.items()
    }
    return _found(columns, settings, runs, _failures(finders, rows), found)


def measured(
    qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Sequence[str]], keys: Sequence[str], depth: int
) -> dict[str, np.ndarray]:
    """Each measure's values in the order of keys; a query whose run is missing is NaN, one that found nothing 0.

    Where judgements name wrong answers too, an unjudged good one counts as wrong: beside, lists without the unjudged (Sakai 2007).
    """
    import ir_measures

    wanted = {"ndcg@10": ir_measures.nDCG @ 10, "p@1": ir_measures.P @ 1, "mrr": ir_measures.RR}
    if any(
        grade <= 0 for query in keys for grade in qrels[query].values()
    ):  # what is wrong was judged too, so the rest is unknown
        wanted |= {"judged@1": ir_measures.Judged @ 1, "ndcg@10_judged": ir_measures.nDCG(judged_only=True) @ 10}
        wanted |= {"p@1_judged": ir_measures.P(judged_only=True) @ 1}
    wanted |= {f"recall@{cut}": ir_measures.R @ cut for cut in CUTS if cut <= depth}
    names = {str(measure): name for name, measure in wanted.items()}
    scored = {
        query: {document: 1.0 / rank for rank, document in enumerate(run[query], start=1)}
        for query in keys
        if run.get(query)
    }
    judged = {query: dict(qrels[query]) for query in keys}
    place = {query: i for i, query in enumerate(keys)}
    columns = {name: np.array([0.0 if query in run else np.nan for query in keys]) for name in wanted}
    if scored:
        for metric in ir_measures.iter_calc(list(wanted.values()), judged, scored):
            if metric.query_id in scored:
                columns[names[str(metric.measure)]][place[metric.query_id]] = metric.value
    return columns


def _row(question: str, finders: Sequence[Finder], queries: KeptQueries, depth: int) -> dict[str, Any]:
    """Ids and milliseconds alone."""
    row: dict[str, Any] = {}
    try:
        if any(finder.encodes for finder in finders):
            queries.ready(question)
    except Exception as error:
        return {finder.name: failed_row("encode", error) for finder in finders}
    for finder in finders:
        started = time.perf_counter()
        try:
            places = finder.find(question, depth)
        except Exception as error:
            row[finder.name] = failed_row("find", error)
            continue
        ms = (time.perf_counter() - started) * 1000 + (queries.last_ms if finder.encodes else 0.0)
        row[finder.name] = {"places": [list(place) for place in places], "ms": round(ms, 3)}
    return row


def _judged(places: Sequence[Sequence[Any]], unit: Unit, grades: Mapping[str, int]) -> list[str]:
    """Ids in order, each once: a document stands where its best passage stands, and so does a judged span.

    Judgements may name longer spans than the passages that sources are cut into: a passage counts as the span that holds it.
    """
    found = [Place(*place) for place in places]
    if unit == Unit.DOCUMENT:
        return list(dict.fromkeys(place.document_id for place in found))
    spans: dict[str, list[Place]] = {}
    for one in grades:
        if span := _span(one):
            spans.setdefault(span.document_id, []).append(span)
    ids = []
    for place in found:
        around = (s for s in spans.get(place.document_id, ()) if s.start <= place.start and place.end <= s.end)
        ids.append(next(around, place).passage_id)
    return list(dict.fromkeys(ids))


def _span(passage_id: str) -> Place | None:
    """The place that a passage's id names; None for an id of another form."""
    document, _, offsets = passage_id.rpartition("#")
    start, _, end = offsets.partition("-")
    return Place(document, int(start), int(end)) if document and start.isdigit() and end.isdigit() else None


def _found(
    columns: Mapping[str, Mapping[str, np.ndarray]],
    settings: RetrievalSettings,
    runs: dict[str, dict[str, list[str]]],
    failed: tuple[NotAvailable, ...],
    found: Uses,
) -> RetrievalFound:
    count = len(next(iter(columns.values()))["mrr"])
    resampler = Resampler(count, settings.seed, settings.resamples)
    figures: list[Figure] = []
    for name, held in columns.items():
        for measure, values in held.items():
            interval = resampler.figure(values)
            reason = "" if interval.value is not None else "no question was answered"
            n = int(np.isfinite(values).sum())
            figures.append(Figure(system=name, measure=measure, n=n, reason=reason, **interval._asdict()))
        times = held.get("ms", np.zeros(0))
        times = times[np.isfinite(times)]
        if len(times):
            figures += [
                Figure(system=name, measure=f"ms_p{share}", value=float(np.percentile(times, share)), n=len(times))
                for share in (50, 95)
            ]
    differences = _differences(columns, settings, found, resampler)
    measures = {**MEASURES, "ms_p50": "median of the milliseconds", "ms_p95": "95th percentile of the milliseconds"}
    measures |= {
        f"recall@{cut}": f"share of the relevant ones among the first {cut}" for cut in CUTS if cut <= settings.depth
    }
    alike = tuple(f"{', '.join(group)} {FOUND_ALIKE}{NOTHING_COMPARED}" for group in identical_cells(found))
    return RetrievalFound(tuple(figures), differences, _charts(figures, differences), failed, measures, runs, alike)


def _differences(
    columns: Mapping[str, Mapping[str, np.ndarray]], settings: RetrievalSettings, found: Uses, resampler: Resampler
) -> tuple[Difference, ...]:
    """Leapnote's ranking minus each other one; with a baseline named, each other one minus that; a varied one minus itself unvaried."""
    names = [name for name in columns if VARIED not in name]
    if settings.baseline:
        pairs = [(name, settings.baseline) for name in names if name != settings.baseline]
    else:
        ours = OURS if OURS in names else names[0]
        pairs = [(ours, name) for name in names if name != ours]
    pairs += [(name, baseline_of(name, "")) for name in columns if VARIED in name]
    told = []
    for measure in ("ndcg@10", "p@1", "mrr", "ndcg@10_judged", "p@1_judged", "recall@10"):
        for name, baseline in pairs:
            a, b = columns[name].get(measure), columns.get(baseline, {}).get(measure)
            if a is None or b is None:
                continue
            gap = resampler.difference(a, b)
            if gap.value is not None and same_texts(found, name, baseline):
                told.append(Difference(system=name, baseline=baseline, measure=measure, reason=SAME_FOUND))
            elif gap.value is not None:
                n = int((np.isfinite(a) & np.isfinite(b)).sum())
                told.append(Difference(system=name, baseline=baseline, measure=measure, n=n, **gap._asdict()))
    return tuple(told)


def _charts(figures: Sequence[Figure], differences: Sequence[Difference]) -> tuple[Chart, ...]:
    shown = [figure for figure in figures if figure.measure in ("ndcg@10", "mrr", "recall@10")]
    bars: dict[str, list[Point]] = {}
    curves: dict[str, list[Point]] = {}
    for figure in shown:
        bars.setdefault(figure.system, []).append(Point(figure.measure, figure.value, figure.low, figure.high))
    for figure in figures:
        if figure.measure.startswith("recall@"):
            at = int(figure.measure.removeprefix("recall@"))
            curves.setdefault(figure.system, []).append(Point(at, figure.value, figure.low, figure.high))
    charts = [
        bar_chart("retrieval", "Retrieval", "measure", "value", bars),
        line_chart("recall-by-depth", "Recall by depth", "passages or documents", "recall", curves),
    ]
    rows = [
        (f"{one.system} minus {one.baseline}", Point("", one.value, one.low, one.high))
        for one in differences
        if one.measure == "ndcg@10" and one.value is not None
    ]
    return (
        (*charts, forest_chart("difference-ndcg", "nDCG@10: differences", "difference", rows))
        if rows
        else tuple(charts)
    )


def _failures(finders: Sequence[Finder], rows: Sequence[Mapping[str, Any]]) -> tuple[NotAvailable, ...]:
    found = []
    for finder in finders:
        kinds = [row[finder.name]["failed"] for row in rows if "failed" in row[finder.name]]
        if kinds:
            summary = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            reason = f"{len(kinds)} of {len(rows)} questions failed ({summary}); they are left out"
            found.append(NotAvailable(name=finder.name, reason=reason))
    return tuple(found)
