"""train pairs and train plans: training data for language models, made by asking one and searching the sources.

`pairs` asks the planner's model, which is to be trained; `plans` the judge's, the expert. A run is taken up by the same
command.
"""

import argparse
import dataclasses
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.errors import MissingError
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.container import Container
    from backend.interfaces import LanguageModel
    from backend.schemas.drafts.request import DraftRequest
    from backend.training.questions import Question
    from backend.training.thoughts.thought_pairs import Reader

INTERRUPTED = 130


def add_to(actions: Any) -> None:
    """The parsers of this family, under `train`."""
    pairs = actions.add_parser(
        "pairs",
        help="preference pairs of thoughts and answers (RAR2)",
        description="Samples thoughts and answers for questions with options, labels them by the answers they lead to, and "
        "writes pairs.jsonl for `train dpo --recipe rar2`. Run again, it goes on after the last question done.",
    )
    _questions(pairs)
    pairs.add_argument("--thoughts", type=int, default=15, help="sampled for a question (15)")
    pairs.add_argument("--answers", type=int, default=5, help="sampled for a set of documents (5)")
    pairs.add_argument("--document-sets", type=int, default=15, help="how many thoughts' finds are answered from (15)")
    pairs.add_argument("--temperature", type=float, default=0.2, help="of sampling (0.2)")
    pairs.add_argument("--top-p", type=float, default=0.9, help="of sampling (0.9)")
    pairs.add_argument("--documents", type=int, default=32, help="passages that a thought brings (32)")
    pairs.add_argument("--with-question", action="store_true", help="the question goes into the query too")
    pairs.add_argument("--most-thought", type=int, help="at most so many thought pairs; 0 for none")
    pairs.add_argument("--most-answer", type=int, help="at most so many answer pairs; 0 for none")
    pairs.set_defaults(run=run_pairs)

    plans = actions.add_parser(
        "plans",
        help="source plans to learn from (SPO, trainable-planning, rafe)",
        description="Explores queries for every source, values what they find, and writes sft.jsonl and dpo.jsonl for "
        "`train sft --recipe spo` and then `train dpo --recipe spo`.",
    )
    _questions(plans)
    plans.add_argument(
        "--signal",
        choices=("judge", "answer", "rerank"),
        default="judge",
        help="judge gives spo, answer trainable-planning, rerank rafe",
    )
    plans.add_argument("--explored", type=int, default=6, help="queries a source (6)")
    plans.add_argument("--threshold", type=float, default=2.3, help="of the rerank score (2.3, for MedCPT)")
    plans.add_argument("--without-source", action="append", default=[], choices=tuple(Source), help="may be repeated")
    plans.add_argument("--negative-alone", action="store_true", help="fine-tune on what did not serve, as a control")
    plans.set_defaults(run=run_plans)


def run_pairs(args: argparse.Namespace) -> int:
    """0 when the file is written, 130 when interrupted; what was done is kept."""
    from backend.retrieval.strategies.text_search import TextFinder
    from backend.training.thoughts.pairs_run import build_pairs
    from backend.training.thoughts.thought_pairs import SamplingSettings

    container, questions, folder = _begun(args, "rar2-data")
    sampling = SamplingSettings(
        args.thoughts, args.answers, args.document_sets, args.temperature, args.top_p, args.with_question, args.seed
    )
    most = {"thought": args.most_thought, "answer": args.most_answer}
    told = {"kind": "pairs", "sampling": dataclasses.asdict(sampling), "documents": args.documents}

    def build(model: "LanguageModel", ledger: Any, line: ProgressLine) -> Mapping[str, Any]:
        built = build_pairs(
            questions,
            model,
            TextFinder(container.search, k=args.documents),
            sampling,
            ledger,
            folder,
            line,
            {kind: limit for kind, limit in most.items() if limit is not None},
            args.workers,
            _reader(container),
        )
        return {"samples": built.kinds, "labels": built.labels}

    return _built(args, container, folder, told, build, "pairs.jsonl")


def run_plans(args: argparse.Namespace) -> int:
    """The same for plans."""
    from backend.training.plans.plan_search import PlanSearch
    from backend.training.plans.plan_values import Signal, valuer
    from backend.training.plans.plans_training_run import PlanDataSettings, build_plans

    container, questions, folder = _begun(args, f"{Signal(args.signal).planner}-data")
    chosen = PlanDataSettings(
        args.explored, frozenset(Source(name) for name in args.without_source), args.negative_alone, args.seed
    )
    told: dict[str, Any] = {"kind": "plans", "signal": args.signal, "explored": args.explored, "seed": args.seed}
    if args.signal == "rerank":
        told |= {"threshold": args.threshold, "reranker": container.settings.reranker}

    def build(model: "LanguageModel", ledger: Any, line: ProgressLine) -> Mapping[str, Any]:
        built = build_plans(
            questions,
            model,
            PlanSearch(
                container.search,
                container.linker,
                container.reranker,
                container.assembly.graph_lookup(container.reranker),
            ),
            valuer(Signal(args.signal), container.reranker, args.threshold),
            chosen,
            ledger,
            folder,
            line,
            args.workers,
            _reader(container),
        )
        left = {"without_source": sorted(args.without_source), "negative_alone": args.negative_alone}
        return {**built._asdict(), **left, "planner": Signal(args.signal).planner}

    return _built(args, container, folder, told, build, "sft.jsonl and dpo.jsonl")


def _questions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--questions", type=Path, required=True, help="JSONL with known answers (docs/model_training.md)"
    )
    parser.add_argument("--out", type=Path, help="folder of the data; default: under <LEAPNOTE_DATA>/runs")
    parser.add_argument("--without-category", action="append", default=[], metavar="NAME", help="may be repeated")
    parser.add_argument("--fraction", type=float, default=1.0, help="share of the questions, at random")
    parser.add_argument("--workers", type=int, default=8, help="questions at work at the same time (8)")
    parser.add_argument("--seed", type=int, default=0, help="of every draw")
    parser.add_argument("--restart", action="store_true", help="forget what lies in the folder")
    parser.add_argument("--json", action="store_true", help="print the card as JSON")


def _begun(args: argparse.Namespace, name: str) -> "tuple[Container, tuple[Question, ...], Path]":
    from backend.container import Container
    from backend.training.questions import read_questions, selected

    chosen = settings()
    questions = selected(read_questions(args.questions), args.without_category, args.fraction, args.seed)
    folder = args.out or chosen.data / "runs" / name
    if args.restart:
        shutil.rmtree(folder, ignore_errors=True)
    return Container(chosen), questions, folder


def _built(
    args: argparse.Namespace,
    container: "Container",
    folder: Path,
    told: Mapping[str, Any],
    build: "Callable[[LanguageModel, Any, ProgressLine], Mapping[str, Any]]",
    files: str,
) -> int:
    """Run a construction over its journal, and write the card of what came of it."""
    from backend.evaluation.reports.journal import Journal, file_sha256, run_key
    from backend.training.cards import DATA_CARD, data_card, write_card

    model = _model(container, told["kind"])
    whole = {
        **told,
        "questions": {"file": args.questions.name, "hash": file_sha256(args.questions)},
        "model": model.name,
        "knowledge": container.versions,
        "sources": list(container.sources.state),
    }
    line = ProgressLine()
    # a share of the questions, or other plans from the same rows, take up the same journal
    with Journal(folder / "journal.jsonl", run_key(**whole)) as ledger:
        if ledger.rows:
            print(f"{len(ledger.rows)} questions were done before.", file=sys.stderr)
        try:
            made = build(model, ledger, line)
        except KeyboardInterrupt:
            line.end()
            print(f"Stopped. The same command goes on after the last question kept in {folder}.", file=sys.stderr)
            return INTERRUPTED
    line.end()
    share = {"without_category": sorted(args.without_category), "fraction": args.fraction}
    card = data_card({**whole, **share}, made)
    write_card(folder / DATA_CARD, card)
    print(json.dumps(card) if args.json else f"Written to {folder}: {files}. What was made: {json.dumps(card['made'])}")
    return 0


def _model(container: "Container", kind: str) -> "LanguageModel":
    """Who is asked: for pairs the planner's model, which is to be trained; for plans the judge's, the expert.

    Raises MissingError when there is none, with the reason.
    """
    chosen = container.models.chosen()
    model = chosen.roles.planner if kind == "pairs" else chosen.roles.judge
    if model is None:
        raise MissingError(
            f"Making training data needs a language model, and none is set ({chosen.generator.reason}). Set "
            "LEAPNOTE_GENERATOR, and LEAPNOTE_LLM_URL for a server."
        )
    return model


def _reader(container: "Container") -> "Reader":
    """Reads a question as the pipelines of rar2 and spo do: linked, its conditions ranked, its sentences as pieces."""
    from backend.retrieval.patient_notes.note_pieces import NotePieces
    from backend.stores.graph.graph import ConceptNames
    from backend.training.thoughts.thought_pairs import Read

    pieces = NotePieces(container.linker, ConceptNames(container.graph))
    linker, ranker = container.linker, container.ranker

    def read(request: "DraftRequest") -> Read:
        linked = linker.link(request.text or request.question)
        return Read(linked, ranker.rank(linked, request), pieces.pieces(linked, request))

    return read
