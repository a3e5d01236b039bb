"""train pairs and train plans: training data for language models, made by asking one and searching the sources.

`pairs` asks the planner's model, which is to be trained; `plans` the judge's, the expert. A run is taken up by the same
command.
"""

import dataclasses
import json
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backend.cli.cli_options import with_options
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError, MissingError
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.container import Container
    from backend.interfaces import LanguageModel
    from backend.schemas.drafts.request import DraftRequest
    from backend.training.questions import Question
    from backend.training.thoughts.thought_pairs import Reader

app = CommandLine()
OF_PAIRS = (
    "Samples thoughts and answers for questions with options, labels them by the answers they lead to, and writes pairs.jsonl "
    "for `train dpo --recipe rar2`. Run again, it goes on after the last question done."
)
OF_PLANS = (
    "Explores queries for every source, values what they find, and writes sft.jsonl and dpo.jsonl for "
    "`train sft --recipe spo` and then `train dpo --recipe spo`."
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """What both constructions take."""

    questions: Annotated[
        list[str],
        typer.Option(
            "--questions",
            metavar="FILE",
            help="JSONL with known answers, or KIND=FILE as evaluate answers reads it; may be repeated",
        ),
    ]
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of the data; default: under <LEAPNOTE_DATA>/runs")
    ] = None
    without_category: Annotated[
        list[str],
        typer.Option(
            "--without-category", metavar="NAME", help="of a set its task, as `evaluate sets` shows it; may be repeated"
        ),
    ] = dataclasses.field(default_factory=list)
    fraction: Annotated[float, typer.Option("--fraction", help="share of the questions, at random")] = 1.0
    workers: Annotated[int, typer.Option("--workers", help="questions at work at the same time")] = 8
    seed: Annotated[int, typer.Option("--seed", help="of every draw")] = 0
    restart: Annotated[bool, typer.Option("--restart", help="forget what lies in the folder")] = False
    as_json: Annotated[bool, typer.Option("--json", help="print the card as JSON")] = False


@app.add("pairs", "preference pairs of thoughts and answers (RAR2)", help=OF_PAIRS)
@with_options(QuestionOptions)
def thought_pairs(
    options: QuestionOptions,
    thoughts: Annotated[int, typer.Option("--thoughts", help="sampled for a question")] = 15,
    answers: Annotated[int, typer.Option("--answers", help="sampled for a set of documents")] = 5,
    document_sets: Annotated[
        int, typer.Option("--document-sets", help="how many thoughts' finds are answered from")
    ] = 15,
    temperature: Annotated[float, typer.Option("--temperature", help="of sampling")] = 0.2,
    top_p: Annotated[float, typer.Option("--top-p", help="of sampling")] = 0.9,
    documents: Annotated[int, typer.Option("--documents", help="passages that a thought brings")] = 32,
    with_question: Annotated[
        bool, typer.Option("--with-question", help="the question goes into the query too")
    ] = False,
    most_thought: Annotated[
        int | None, typer.Option("--most-thought", help="at most so many thought pairs; 0 for none")
    ] = None,
    most_answer: Annotated[
        int | None, typer.Option("--most-answer", help="at most so many answer pairs; 0 for none")
    ] = None,
) -> int:
    """0 when the file is written, 130 when interrupted; what was done is kept."""
    from backend.retrieval.strategies.text_search import TextFinder
    from backend.training.thoughts.pairs_run import build_pairs
    from backend.training.thoughts.thought_pairs import SamplingSettings

    container, questions, folder = _begun(options, "rar2-data")
    sampling = SamplingSettings(thoughts, answers, document_sets, temperature, top_p, with_question, options.seed)
    most = {"thought": most_thought, "answer": most_answer}
    made_by = {"kind": "pairs", "sampling": dataclasses.asdict(sampling), "documents": documents}

    def build(model: "LanguageModel", ledger: Any, line: ProgressLine) -> Mapping[str, Any]:
        built = build_pairs(
            questions,
            model,
            TextFinder(container.search, k=documents),
            sampling,
            ledger,
            folder,
            line,
            {kind: limit for kind, limit in most.items() if limit is not None},
            options.workers,
            _reader(container),
        )
        return {"samples": built.kinds, "labels": built.labels}

    return _built(options, container, folder, made_by, build, "pairs.jsonl")


@app.add("plans", "source plans to learn from (SPO, trainable-planning, rafe)", help=OF_PLANS)
@with_options(QuestionOptions)
def source_plans(
    options: QuestionOptions,
    signal: Annotated[
        Literal["judge", "answer", "rerank"],
        typer.Option("--signal", help="judge gives spo, answer trainable-planning, rerank rafe"),
    ] = "judge",
    explored: Annotated[int, typer.Option("--explored", help="queries a source")] = 6,
    threshold: Annotated[
        float, typer.Option("--threshold", help="of the rerank score; the default is for MedCPT")
    ] = 2.3,
    without_source: Annotated[list[Source] | None, typer.Option("--without-source", help="may be repeated")] = None,
    negative_alone: Annotated[
        bool, typer.Option("--negative-alone", help="fine-tune on what did not serve, as a control")
    ] = False,
) -> int:
    """0 when both files are written, 130 when interrupted; what was done is kept."""
    from backend.training.plans.plan_search import PlanSearch
    from backend.training.plans.plan_values import Signal, valuer
    from backend.training.plans.plans_training_run import PlanDataSettings, build_plans

    container, questions, folder = _begun(options, f"{Signal(signal).planner}-data")
    left_out = frozenset(without_source or ())
    chosen = PlanDataSettings(explored, left_out, negative_alone, options.seed)
    made_by: dict[str, Any] = {"kind": "plans", "signal": signal, "explored": explored, "seed": options.seed}
    if signal == "rerank":
        made_by |= {"threshold": threshold, "reranker": container.settings.reranker}

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
            valuer(Signal(signal), container.reranker, threshold),
            chosen,
            ledger,
            folder,
            line,
            options.workers,
            _reader(container),
        )
        left = {"without_source": sorted(source.value for source in left_out), "negative_alone": negative_alone}
        return {**built._asdict(), **left, "planner": Signal(signal).planner}

    return _built(options, container, folder, made_by, build, "sft.jsonl and dpo.jsonl")


def _begun(options: QuestionOptions, name: str) -> "tuple[Container, tuple[Question, ...], Path]":
    from backend.container import Container
    from backend.training.questions import selected

    chosen = settings()
    questions = selected(
        _all_asked(options.questions, options.seed), options.without_category, options.fraction, options.seed
    )
    folder = options.out or chosen.data / "runs" / name
    if options.restart:
        shutil.rmtree(folder, ignore_errors=True)
    return Container(chosen), questions, folder


def _named(files: Sequence[Path]) -> dict[str, str]:
    """The names of files of questions, and one hash of what they hold."""
    from backend.evaluation.reports.journal import file_sha256, run_key

    hashes = [file_sha256(file) for file in files]
    return {
        "file": ", ".join(file.name for file in files),
        "hash": hashes[0] if len(hashes) == 1 else run_key(files=hashes),
    }


def _file(given: str) -> Path:
    """The file of --questions, without the kind before it."""
    return Path(given) if Path(given).exists() else Path(given.rpartition("=")[2])


def _all_asked(given: Sequence[str], seed: int) -> "tuple[Question, ...]":
    """The questions of every file; of several, the ids begin with the number of the file. Raises InputError for a file given twice."""
    if len({_file(one).resolve() for one in given}) != len(given):
        raise InputError("A file of questions is given twice. Give each file once with --questions.")
    if len(given) == 1:
        return _asked(given[0], seed)
    parts = [_asked(one, seed) for one in given]
    return tuple(
        question.model_copy(update={"id": f"{number}:{question.id}"})
        for number, part in enumerate(parts, start=1)
        for question in part
    )


def _asked(given: str, seed: int) -> "tuple[Question, ...]":
    """The questions of a JSONL file, or of a published set by its kind; their category is the set's task."""
    from backend.evaluation.answers.answers_run import read_set
    from backend.evaluation.answers.set_table import ABOUT
    from backend.training.questions import Question, read_questions

    kind, mark, _ = given.partition("=")
    if not mark or Path(given).exists():
        return read_questions(Path(given))
    return tuple(
        Question(
            id=one.question_id,
            question=f"{one.note}\n\n{one.text}" if one.note else one.text,
            options=one.options,
            answer=one.gold,
            category=ABOUT[kind][0] or kind,
        )
        for one in read_set(kind, _file(given), seed)
    )


def _built(
    options: QuestionOptions,
    container: "Container",
    folder: Path,
    made_by: Mapping[str, Any],
    build: "Callable[[LanguageModel, Any, ProgressLine], Mapping[str, Any]]",
    files: str,
) -> int:
    """Run a construction over its journal, and write the card of what came of it."""
    from backend.evaluation.reports.journal import Journal, run_key
    from backend.evaluation.reports.run_identity import identity
    from backend.training.cards import DATA_CARD, data_card, write_card

    model = _model(container, made_by["kind"])
    whole = {
        **made_by,
        "questions": _named([_file(one) for one in options.questions]),
        "model": model.name,
        "knowledge": container.versions,
        **identity(container),
    }
    line = ProgressLine()
    before, began = container.models.spent, time.perf_counter()
    # a share of the questions, or other plans from the same rows, take up the same journal
    with Journal(folder / "journal.jsonl", run_key(**whole)) as ledger:
        done_before = len(ledger.rows)
        if done_before:
            print(f"{done_before} questions were done before.", file=sys.stderr)
        try:
            made = build(model, ledger, line)
        except KeyboardInterrupt:
            line.end()
            print(f"Stopped. The same command goes on after the last question kept in {folder}.", file=sys.stderr)
            return INTERRUPTED
        spent, asked = container.models.spent.since(before), len(ledger.rows) - done_before
    line.end()
    cost = {
        "questions": asked,
        "seconds": round(time.perf_counter() - began, 1),
        "model_calls": spent.calls,
        "tokens_read": None if spent.untold else spent.read,
        "tokens_written": None if spent.untold else spent.written,
    }
    share = {"without_category": sorted(options.without_category), "fraction": options.fraction}
    card = data_card({**whole, **share}, {**made, "cost": cost})
    write_card(folder / DATA_CARD, card)
    print(
        json.dumps(card)
        if options.as_json
        else f"Written to {folder}: {files}. What was made: {json.dumps(card['made'])}"
    )
    return 0


def _model(container: "Container", kind: str) -> "LanguageModel":
    """Who is asked: for pairs the planner's model, which is to be trained; for plans the judge's, the expert.

    Raises MissingError when there is none, with the reason.

    Raises:
        MissingError: there is none; the message says why.
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
        linked = linker.read(request.text or request.question)
        return Read(linked, ranker.rank(linked, request), pieces.pieces(linked, request))

    return read
