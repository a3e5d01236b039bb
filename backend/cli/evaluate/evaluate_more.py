"""evaluate retrieval, answers, plans, and progress notes: the parsers, and what they run."""

import argparse
from pathlib import Path
from typing import Any

from backend.cli.evaluate.evaluate_parts import add_common, comma_list, kept, named_files, opened_container, run_options
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
    from backend.evaluation.retrieval.retrieval_run import RetrievalOptions, evaluate_retrieval
    from backend.evaluation.retrieval.test_sets import Half, Unit

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
    with opened_container() as container:
        kept(args, evaluate_retrieval(container, options))


def _sources(names: list[str]) -> tuple[Source, ...]:
    known = [source.value for source in Source if source != Source.GRAPH]
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"There is no text source {unknown[0]!r}. Choose from: {', '.join(known)}")
    return tuple(Source(name) for name in names)


def add_answers(actions: Any) -> None:
    parser = actions.add_parser("answers", help="systems side by side on question sets, with intervals")
    parser.add_argument(
        "--data",
        action="append",
        required=True,
        metavar="KIND=FILE",
        help="a question set; may be repeated (docs/answers.md)",
    )
    parser.add_argument("--systems", type=comma_list, default=["no-retrieval", "leapnote"], metavar="A,B")
    parser.add_argument("--generators", type=comma_list, default=["auto"], metavar="A,B")
    parser.add_argument(
        "--documents", type=_numbers, default=[], metavar="4,8,16", help="also with at most so many passages"
    )
    parser.add_argument(
        "--thoughts", type=_numbers, default=[], metavar="1,2,4", help="also with so many thoughts, 1 to 8"
    )
    parser.add_argument(
        "--repeats", type=int, default=1, help="answers to each question, for mean and standard deviation"
    )
    parser.add_argument("--baseline", default="", help="a cell; default: no-retrieval where it is one")
    parser.add_argument(
        "--drop-after-plan",
        nargs="+",
        default=[],
        metavar="SOURCE",
        help="also with the whole plan and each of these sources unread, one at a time (systems that plan by source)",
    )
    _searched(parser)
    add_common(parser)
    parser.set_defaults(run=run_answers)


def run_answers(args: argparse.Namespace) -> None:
    from backend.evaluation.answers.answers_run import AnswersOptions, evaluate_answers
    from backend.planning.source_plan import source_choice

    options = AnswersOptions(
        data=named_files(args.data, "--data"),
        run=run_options(args),
        systems=tuple(args.systems),
        generators=tuple(args.generators),
        documents=tuple(args.documents),
        thoughts=tuple(args.thoughts),
        baseline=args.baseline,
        repeats=args.repeats,
        sources=_allowed(args),
        withheld=source_choice(args.drop_after_plan).sources if args.drop_after_plan else (),
    )
    with opened_container() as container:
        kept(args, evaluate_answers(container, options))


def _searched(parser: argparse.ArgumentParser) -> None:
    """The source ablation, as `draft` takes it."""
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE", help="search these sources alone")
    parser.add_argument("--drop-source", nargs="+", default=[], metavar="SOURCE", help="leave these sources out")


def _allowed(args: argparse.Namespace) -> tuple[Source, ...]:
    """None where all sources may be searched. Raises InputError."""
    from backend.planning.source_plan import source_choice

    return source_choice(args.sources, args.drop_source).sources if args.sources or args.drop_source else ()


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in comma_list(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers, as 1,2,4") from None


def add_plans(actions: Any) -> None:
    parser = actions.add_parser("plans", help="what systems ask of which source: queries, words, diversity, support")
    parser.add_argument("--data", required=True, metavar="KIND=FILE", help="a question set (docs/answers.md)")
    parser.add_argument(
        "--systems", type=comma_list, default=[], metavar="A,B", help="default: leapnote, spo, original-question"
    )
    parser.add_argument("--baseline", default="", help="a system; default: none")
    _searched(parser)
    add_common(parser)
    parser.set_defaults(run=run_plans)


def run_plans(args: argparse.Namespace) -> None:
    from backend.evaluation.plans.plans_run import DEFAULT, PlansOptions, evaluate_plans

    ((kind, data),) = named_files([args.data], "--data")
    options = PlansOptions(kind, data, run_options(args), tuple(args.systems) or DEFAULT, args.baseline, _allowed(args))
    with opened_container() as container:
        kept(args, evaluate_plans(container, options, container.models.chosen().roles.judge))


def add_soap(parser: argparse.ArgumentParser) -> None:
    """What `evaluate notes` takes besides, for progress notes."""
    parser.add_argument(
        "--document",
        choices=["discharge_instructions", "progress_note"],
        default="discharge_instructions",
        help="progress_note: SOAP notes from patients' own notes",
    )
    parser.add_argument(
        "--patients", type=Path, metavar="FILE", help="for progress_note: what knowledge add noteevents wrote"
    )
    parser.add_argument(
        "--reference", default="Physician", metavar="TYPE", help="for progress_note: the note type held out"
    )


def run_soap(args: argparse.Namespace) -> None:
    from backend.evaluation.drafts.soap_run import SoapOptions, evaluate_soap
    from backend.schemas.patients.patient_notes import NoteType

    if args.patients is None:
        raise InputError("Progress notes are written from patients' notes. Give them with --patients FILE.jsonl")
    types = [kind.value for kind in NoteType]
    if args.reference not in types:
        raise InputError(f"There is no note type {args.reference!r}. Choose from: {', '.join(types)}")
    if len(args.generators) != 1:
        raise InputError("Progress notes are evaluated with one generator at a time.")
    options = SoapOptions(
        data=args.patients,
        run=run_options(args),
        systems=tuple(args.systems) or ("cli-rag", "no-retrieval"),
        generator=args.generators[0],
        reference=NoteType(args.reference),
        baseline="" if args.baseline not in args.systems else args.baseline,
    )
    with opened_container() as container:
        kept(args, evaluate_soap(container, options, container.models.chosen(options.generator).roles.judge))
