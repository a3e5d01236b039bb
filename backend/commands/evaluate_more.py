"""evaluate retrieval, answers, plans, and progress notes: the parsers, and what they run."""

import argparse
from pathlib import Path
from typing import Any

from backend.commands.evaluate_parts import add_common, comma_list, kept, named_files, opened_house, run_options
from backend.errors import InputError
from backend.schemas.vocabulary import Source

SETS = ("medquad", "bioasq", "pubmedqa", "queries")


def add_retrieval(actions: Any) -> None:
    parser = actions.add_parser("retrieval", help="searches and systems side by side: nDCG@10, MRR, recall, times")
    parser.add_argument("kind", choices=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument(
        "--from", dest="data", type=Path, required=True, metavar="FILE", help="as published, or queries"
    )
    parser.add_argument("--qrels", type=Path, metavar="FILE", help="with queries: TREC judgements")
    parser.add_argument("--unit", choices=["passage", "document"], help="what is judged; default: told by the ids")
    parser.add_argument(
        "--retrievers",
        type=comma_list,
        default=[],
        metavar="A,B",
        help="bm25, cosine, weighted-0.3, hybrid, or a system's name; default: the plain ones and hybrid",
    )
    parser.add_argument("--run", dest="trec", action="append", metavar="NAME=FILE", help="a TREC run to compare with")
    parser.add_argument(
        "--source", type=comma_list, default=[], metavar="A,B", help="default: those that hold what is judged"
    )
    parser.add_argument(
        "--half", choices=["even", "odd"], help="one half of the topics, to tune on one and measure on the other"
    )
    parser.add_argument("--depth", type=int, default=20, help="how many are asked for")
    parser.add_argument("--baseline", default="", help="default: hybrid is compared with each of the others")
    add_common(parser)
    parser.set_defaults(run=run_retrieval)


def run_retrieval(args: argparse.Namespace) -> None:
    from backend.evaluation.retrieval_run import RetrievalOptions, evaluate_retrieval
    from backend.evaluation.retrieval_sets import Half, Unit

    options = RetrievalOptions(
        kind=args.kind,
        data=args.data,
        run=run_options(args),
        qrels=args.qrels,
        unit=Unit(args.unit) if args.unit else None,
        compared=tuple(args.retrievers),
        runs=named_files(args.trec, "--run"),
        sources=_sources(args.source),
        depth=args.depth,
        baseline=args.baseline,
        half=Half(args.half) if args.half else None,
    )
    with opened_house() as house:
        kept(args, evaluate_retrieval(house, options))


def _sources(names: list[str]) -> tuple[Source, ...]:
    known = [source.value for source in Source if source != Source.GRAPH]
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"There is no text source {unknown[0]!r}. Choose from: {', '.join(known)}")
    return tuple(Source(name) for name in names)
