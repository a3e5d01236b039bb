"""train ranking and train expansion: the weights by which passages are ordered, from questions with judged passages."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from backend.cli.cli_options import with_options
from backend.cli.program import CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.container import Container
    from backend.training.passage_ranking import Judged

app = CommandLine()


@dataclass(frozen=True, kw_only=True)
class RankingOptions:
    """What the fit takes; the n-th queries go with the n-th judgements."""

    queries: Annotated[list[Path], typer.Option("--queries", metavar="FILE", help="id, tab, question; may be repeated")]
    qrels: Annotated[
        list[Path], typer.Option("--qrels", metavar="FILE", help="TREC judgements of passages or documents, likewise")
    ]
    source: Annotated[Source, typer.Option("--source", help="the one that holds what is judged")] = Source.WIKI
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="the card; default: the one that ships")] = (
        None
    )
    depth: Annotated[int, typer.Option("--depth", help="candidates asked for")] = 20
    as_json: Annotated[bool, typer.Option("--json", help="print the card as JSON")] = False


@app.add("ranking", "the weights of the passage ranking, from questions with judged passages")
@with_options(RankingOptions)
def ranking(options: RankingOptions) -> None:
    """Fit the weights and write their card.

    Raises:
        InputError: files that do not go together, or no question that teaches anything.
    """
    from backend.container import Container
    from backend.evaluation.reports.journal import file_sha256
    from backend.retrieval.passages.learned_ranker import CARD
    from backend.training.passage_ranking import card

    _paired(options)
    container = Container(settings())
    try:
        groups = {
            queries.name: _judged(container, options, queries, qrels)
            for queries, qrels in zip(options.queries, options.qrels, strict=True)
        }
    finally:
        container.close()
    if not any(groups.values()):
        raise InputError(f"No candidate of any question is judged. Import what is judged into {options.source.value}.")
    made = card(groups, {file.name: file_sha256(file) for file in (*options.queries, *options.qrels)})
    _written(made, options.out or CARD)
    print(json.dumps(made) if options.as_json else _told(made))


@app.add("expansion", "what reasoning paths count as a second query beside a question, from judged passages")
@with_options(RankingOptions)
def expansion(options: RankingOptions) -> None:
    """Fit the share and write its card; 0 where it gains nothing beyond chance on questions it was not fitted on.

    Raises:
        InputError: files that do not go together, or fewer than two sets that teach anything.
    """
    from backend.container import Container
    from backend.evaluation.metrics.bootstrap import Resampler
    from backend.evaluation.reports.journal import file_sha256
    from backend.retrieval.passages.query_expansion import EXPANSION_CARD
    from backend.training.query_expansion import expansion_card

    def beyond(gains: np.ndarray) -> tuple[float, float, float]:
        found = Resampler(len(gains), 0).figure(gains)
        return found.value or 0.0, found.low or 0.0, found.high or 0.0

    _paired(options)
    container = Container(settings())
    try:
        groups = {
            queries.name: _beside(container, options, queries, qrels)
            for queries, qrels in zip(options.queries, options.qrels, strict=True)
        }
    finally:
        container.close()
    if sum(map(bool, groups.values())) < 2:
        raise InputError(
            "Fewer than two sets hold a question with judged passages among what it finds. Give more sets."
        )
    made = expansion_card(groups, {file.name: file_sha256(file) for file in (*options.queries, *options.qrels)}, beyond)
    _written(made, options.out or EXPANSION_CARD)
    gained = made["ndcg_10_gained_under_the_share_of_the_other_sets"]
    told = f"share {made['share']:g}; fitted {made['fitted_share']:g}, gains {gained[0]} [{gained[1]}, {gained[2]}]"
    print(json.dumps(made) if options.as_json else told)


def _paired(options: RankingOptions) -> None:
    if len(options.queries) != len(options.qrels):
        raise InputError(
            f"{len(options.queries)} files of queries and {len(options.qrels)} of judgements: give one --qrels for each --queries."
        )


def _written(made: dict[str, Any], target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    partial.replace(target)
    print(f"written to {target.name}", file=sys.stderr)


def _beside(container: "Container", options: RankingOptions, queries: Path, qrels: Path) -> "list[Judged]":
    """Questions whose own search finds something judged, with what leapnote's paths find beside it."""
    from backend.evaluation.retrieval.qrels import read_qrels, read_queries
    from backend.retrieval.strategies.thoughts import path_thought
    from backend.schemas.drafts.request import DraftRequest
    from backend.schemas.vocabulary import Document
    from backend.training.query_expansion import judged_twice

    progress, search, grades = ProgressLine(), container.text.index, read_qrels(qrels)
    pipeline = container.pipeline("leapnote", sources=(options.source,))
    asked, found = read_queries(queries), []
    for done, (name, text) in enumerate(asked.items(), start=1):
        own = search.across((options.source,), text, options.depth)
        request = DraftRequest(question=text, document=Document.CLINICAL_ANSWER, system="leapnote")
        thought = path_thought(pipeline.run_evidence(request).evidence.paths) if own else ""
        beside = search.across((options.source,), thought, options.depth) if thought else []
        row = judged_twice(name, own, beside, grades.get(name, {}), options.depth) if beside else None
        found += [row] if row is not None else []
        progress(done, len(asked), f"questions of {queries.name}")
    return found


def _judged(container: "Container", options: RankingOptions, queries: Path, qrels: Path) -> "list[Judged]":
    from backend.evaluation.retrieval.qrels import read_qrels, read_queries
    from backend.retrieval.passages.source_search import IndexedSearch, SearchMode
    from backend.training.passage_ranking import Recorder, judged

    recorder, progress = Recorder(), ProgressLine()
    search = IndexedSearch(container.sources, container.encoder.encode_queries, recorder)
    grades, found = read_qrels(qrels), []
    asked = read_queries(queries)
    for done, (name, text) in enumerate(asked.items(), start=1):
        search.search(options.source, [text], SearchMode.HYBRID, options.depth)
        if (held := recorder.last) is not None:
            own = grades.get(name, {})
            ids = [(f"{row.document_id}#{row.start_char}-{row.end_char}", row.document_id) for row in held.rows]
            row = judged(name, held, lambda place, ids=ids, own=own: max(own.get(key, 0) for key in ids[place]))  # type: ignore[misc]
            found += [row] if row is not None else []
        progress(done, len(asked), f"questions of {queries.name}")
    return found


def _told(made: dict[str, Any]) -> str:
    weights = ", ".join(f"{name} {value:.3f}" for name, value in made["weights"].items())
    crossed = ", ".join(f"{k} {v:.3f}" for k, v in made["ndcg_10_of_each_set_under_weights_of_the_others"].items())
    return f"weights: {weights}\nnDCG@10 of each set's candidates under the others' weights: {crossed}"
