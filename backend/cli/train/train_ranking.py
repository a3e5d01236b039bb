"""train ranking: the weights by which passages are ordered, from questions with judged passages."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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

    if len(options.queries) != len(options.qrels):
        raise InputError(
            f"{len(options.queries)} files of queries and {len(options.qrels)} of judgements: give one --qrels for each --queries."
        )
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
    target = options.out or CARD
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    partial.replace(target)
    print(json.dumps(made) if options.as_json else _told(made))
    print(f"written to {target.name}", file=sys.stderr)


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
