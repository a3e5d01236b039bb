"""evaluate retrieval, answers, sets, plans, and progress notes."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import typer

from backend.cli.cli_options import Json, Seed, comma_list, with_options
from backend.cli.evaluate.evaluate_parts import (
    EvaluationOptions,
    SearchedOptions,
    Vary,
    evaluation_container,
    named_files,
    names_option,
    print_result,
)
from backend.cli.program import CommandLine
from backend.errors import InputError
from backend.evaluation.retrieval import COMPARED, TestSet
from backend.schemas.vocabulary import Source
from backend.systems import NO_RETRIEVAL, NOTES_COMPARED, PLANS_COMPARED

app = CommandLine()


@dataclass(frozen=True, kw_only=True)
class RetrievalRunOptions(EvaluationOptions):
    """What `evaluate retrieval` takes besides the set."""

    data: Annotated[Path, typer.Option("--from", metavar="FILE", help="as published, or queries")]
    qrels: Annotated[Path | None, typer.Option("--qrels", metavar="FILE", help="with queries: TREC judgements")] = None
    unit: Annotated[
        Literal["passage", "document"] | None,
        typer.Option("--unit", help="what is judged; default: as the ids say"),
    ] = None
    retrievers: Annotated[
        str,
        names_option(
            "--retrievers",
            f"{COMPARED}; default: the plain ones and hybrid",
        ),
    ] = ""
    trec: Annotated[list[str], typer.Option("--run", metavar="NAME=FILE", help="a TREC run to compare with")] = field(
        default_factory=list
    )
    source: Annotated[str, names_option("--source", "default: those that hold what is judged")] = ""
    half: Annotated[
        Literal["even", "odd"] | None,
        typer.Option("--half", help="one half of the topics, to tune on one and measure on the other"),
    ] = None
    depth: Annotated[int, typer.Option("--depth", help="how many are asked for")] = 20
    baseline: Annotated[str, typer.Option("--baseline", help="default: hybrid is compared with each of the others")] = (
        ""
    )
    vary: Vary = field(default_factory=list)


@app.add("retrieval", "searches and systems side by side: nDCG@10, MRR, recall, times")
@with_options(RetrievalRunOptions)
def retrieval(
    kind: Annotated[
        TestSet,
        typer.Argument(metavar="SET", help="the questions", show_default=False),
    ],
    options: RetrievalRunOptions,
) -> None:
    """Measure them and print the table."""
    from backend.evaluation.retrieval.retrieval_run import RetrievalOptions, evaluate_retrieval
    from backend.evaluation.retrieval.test_sets import Half, Unit

    chosen = RetrievalOptions(
        kind=kind,
        data=options.data,
        run=options.run(),
        qrels=options.qrels,
        unit=Unit(options.unit) if options.unit else None,
        compared=tuple(comma_list(options.retrievers)),
        runs=named_files(options.trec, "--run"),
        sources=_sources(comma_list(options.source)),
        depth=options.depth,
        baseline=options.baseline,
        half=Half(options.half) if options.half else None,
        varied=tuple(options.vary),
    )
    with evaluation_container() as container:
        print_result(evaluate_retrieval(container, chosen), options)


def _sources(names: list[str]) -> tuple[Source, ...]:
    known = [source.value for source in Source if source != Source.GRAPH]
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"There is no text source {unknown[0]!r}. Choose from: {', '.join(known)}")
    return tuple(Source(name) for name in names)


def _numbers(flag: str, text: str) -> list[int]:
    try:
        return [int(part) for part in comma_list(text)]
    except ValueError:
        raise InputError(f"{flag} {text!r} is no list of whole numbers, as 1,2,4.") from None


@dataclass(frozen=True, kw_only=True)
class AnswersRunOptions(SearchedOptions):
    """What `evaluate answers` takes."""

    data: Annotated[
        list[str],
        typer.Option("--data", metavar="KIND=FILE", help="a question set; may be repeated (docs/training.md)"),
    ]
    systems: Annotated[str, names_option("--systems", "which systems")] = "no-retrieval,leapnote"
    generators: Annotated[str, names_option("--generators", "which writers; default: LEAPNOTE_GENERATOR")] = ""
    documents: Annotated[
        str, typer.Option("--documents", metavar="4,8,16", help="also with at most so many passages")
    ] = ""
    thoughts: Annotated[str, typer.Option("--thoughts", metavar="1,2,4", help="also with so many thoughts, 1 to 8")] = (
        ""
    )
    repeats: Annotated[
        int, typer.Option("--repeats", help="answers to each question, for mean and standard deviation")
    ] = 1
    baseline: Annotated[str, typer.Option("--baseline", help="a cell; default: no-retrieval where it is one")] = ""
    vary: Vary = field(default_factory=list)
    drop_after_plan: Annotated[
        list[str],
        typer.Option(
            "--drop-after-plan",
            metavar="SOURCE ...",
            help="also with the whole plan and each of these sources unread, one at a time (systems that plan by source)",
        ),
    ] = field(default_factory=list)


@app.add("answers", "systems side by side on question sets, with intervals")
@with_options(AnswersRunOptions)
def answers(options: AnswersRunOptions) -> None:
    """Measure them and print the table."""
    from backend.evaluation.answers.answers_run import AnswersOptions, evaluate_answers
    from backend.planning.source_plan import source_choice

    unread = options.drop_after_plan
    chosen = AnswersOptions(
        data=named_files(options.data, "--data"),
        run=options.run(),
        systems=tuple(comma_list(options.systems)),
        generators=tuple(comma_list(options.generators)) or ("",),
        varied=tuple(options.vary),
        documents=tuple(_numbers("--documents", options.documents)),
        thoughts=tuple(_numbers("--thoughts", options.thoughts)),
        baseline=options.baseline,
        repeats=options.repeats,
        sources=options.allowed(),
        withheld=source_choice(unread).sources if unread else (),
    )
    with evaluation_container() as container:
        print_result(evaluate_answers(container, chosen), options)


@app.add("sets", "what question sets hold: task, questions, options, words")
def sets(
    data: Annotated[
        list[str],
        typer.Option("--data", metavar="KIND=FILE", help="a question set; a kind may be given with several files"),
    ],
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Count and print the table; nothing is measured and nothing kept."""
    from backend.evaluation.answers.set_table import set_rows, set_table

    rows = set_rows(named_files(data, "--data"), seed)
    print(json.dumps([row._asdict() for row in rows]) if as_json else set_table(rows))


@app.add("plans", "what systems ask of which source: queries, words, diversity, support")
@with_options(SearchedOptions)
def plans(
    data: Annotated[str, typer.Option("--data", metavar="KIND=FILE", help="a question set (docs/training.md)")],
    options: SearchedOptions,
    systems: Annotated[str, names_option("--systems", "default: leapnote, spo, original-question")] = "",
    baseline: Annotated[str, typer.Option("--baseline", help="a system; default: none")] = "",
    vary: Vary = (),  # type: ignore[assignment]
) -> None:
    """Measure them and print the table."""
    from backend.evaluation.plans.plans_run import PlansOptions, evaluate_plans

    ((kind, file),) = named_files([data], "--data")
    compared = tuple(comma_list(systems)) or PLANS_COMPARED
    chosen = PlansOptions(kind, file, options.run(), compared, baseline, options.allowed(), tuple(vary))
    with evaluation_container() as container:
        print_result(evaluate_plans(container, chosen, container.models.chosen().roles.judge), options)


@dataclass(frozen=True, kw_only=True)
class ProgressNotes:
    """What `evaluate notes` takes of the systems, and for progress notes besides."""

    systems: Annotated[str, names_option("--systems", "default: all systems")] = ""
    generators: Annotated[str, names_option("--generators", "which writers; default: LEAPNOTE_GENERATOR")] = ""
    baseline: Annotated[str, typer.Option("--baseline", help="a system, or system+generator")] = NO_RETRIEVAL
    vary: Vary = field(default_factory=list)
    patients: Annotated[
        Path | None,
        typer.Option(
            "--patients",
            metavar="FILE",
            help="for progress_note: what knowledge add noteevents wrote (.jsonl), or a file or folder of patients' files: "
            "C-CDA, FHIR, laboratory results, text",
        ),
    ] = None
    reference: Annotated[
        str, typer.Option("--reference", metavar="TYPE", help="for progress_note: the note type held out")
    ] = "Physician"
    in_turn: Annotated[
        bool,
        typer.Option(
            "--in-turn",
            help="for progress_note: write every visit, each told to the next, beside all-notes, which reads them at once",
        ),
    ] = False
    planted: Annotated[
        bool,
        typer.Option(
            "--planted", help="with --in-turn: also plant wrong facts in the first visit, and see how far they come"
        ),
    ] = False


def evaluate_progress_notes(asked: ProgressNotes, options: EvaluationOptions) -> None:
    """Measure progress notes and print the table.

    Raises:
        InputError: no patients, a note type there is not, more than one generator, or --planted without --in-turn.
    """
    from backend.evaluation.progress_notes.note_cells import ALL_NOTES
    from backend.evaluation.progress_notes.soap_run import CLINICIAN, SoapOptions, evaluate_soap
    from backend.schemas.patients.patient_notes import NoteType

    if asked.patients is None:
        raise InputError(
            "Progress notes are written from patients' notes. Give them with --patients FILE.jsonl or a folder of their files."
        )
    types = [kind.value for kind in NoteType]
    if asked.reference not in types:
        raise InputError(f"There is no note type {asked.reference!r}. Choose from: {', '.join(types)}")
    systems, generators = comma_list(asked.systems), comma_list(asked.generators) or [""]
    if len(generators) != 1:
        raise InputError("Progress notes are evaluated with one generator at a time.")
    if asked.planted and not asked.in_turn:
        raise InputError("--planted plants in the first of several visits. Add --in-turn.")
    chosen = SoapOptions(
        data=asked.patients,
        run=options.run(),
        systems=tuple(systems) or NOTES_COMPARED,
        generator=generators[0],
        reference=NoteType(asked.reference),
        baseline=asked.baseline if asked.baseline in (*systems, ALL_NOTES, CLINICIAN) else "",
        varied=tuple(asked.vary),
        in_turn=asked.in_turn,
        planted=asked.planted,
    )
    with evaluation_container() as container:
        print_result(evaluate_soap(container, chosen, container.models.chosen(chosen.generator).roles.judge), options)
