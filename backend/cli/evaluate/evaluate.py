"""evaluate: measure, and keep what was found under LEAPNOTE_DATA/results. Paths, notes and linking here, the rest beside."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from backend.cli.cli_options import comma_list, with_options
from backend.cli.evaluate.evaluate_judges import app as judges
from backend.cli.evaluate.evaluate_more import ProgressNotes, evaluate_progress_notes
from backend.cli.evaluate.evaluate_more import app as more
from backend.cli.evaluate.evaluate_parts import (
    EvaluationOptions,
    Split,
    Vary,
    evaluation_container,
    named_files,
    names_option,
    print_result,
)
from backend.cli.evaluate.evaluate_planted import app as planted
from backend.cli.evaluate.evaluate_safety import app as safety
from backend.cli.program import CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import ROOT
from backend.systems import NO_RETRIEVAL
from backend.training.gro import Preset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from backend.container import Container
    from backend.evaluation.paths.paths_run import Loaded
    from backend.ingest.clinical_notes.note_pairs import Pair
    from models.policy.checkpoint import Checkpoint
    from models.policy.rollouts import Example


app = CommandLine("measure retrieval, written documents and the linker")
PAIRS = "JSONL with note and text"


@dataclass(frozen=True, kw_only=True)
class PathsRunOptions(EvaluationOptions):
    """What `evaluate paths` takes."""

    pairs: Annotated[Path, typer.Option("--pairs", metavar="FILE", help=PAIRS)]
    split: Annotated[Split, typer.Option("--split")] = "test"
    graph: Annotated[
        Path | None, typer.Option("--graph", metavar="FOLDER", help="an imported graph; default: LEAPNOTE_GRAPH")
    ] = None
    policy: Annotated[
        list[str],
        typer.Option(
            "--policy",
            metavar="FOLDER",
            help="a trained policy, or NAME=FOLDER, may be repeated; default: those that ship. NAME@G=5 plots it by G",
        ),
    ] = field(default_factory=list)
    no_variants: Annotated[
        bool, typer.Option("--no-variants", help="leave out uniform, shuffled, ablations and the like")
    ] = False
    training: Annotated[
        Path | None,
        typer.Option("--training", metavar="FILE", help="pairs of the split train; default: the same file"),
    ] = None
    retrievers: Annotated[
        list[str], typer.Option("--retrievers", metavar="NAME ...", help="only these comparisons; default: all")
    ] = field(default_factory=list)
    budgets: Annotated[list[int], typer.Option("--budgets", metavar="N ...")] = field(
        default_factory=lambda: [10, 20, 30, 50]
    )
    pool: Annotated[int, typer.Option("--pool", help="concepts of each retriever that the common order ranks")] = 100
    baseline: Annotated[
        str,
        typer.Option("--baseline", help="default: each policy is compared with all others, else all with sim1hop"),
    ] = ""
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            metavar="NEW=OLD",
            help="go or no-go of the proposals of NEW over those of OLD, two policies of the same seeds (NAME#SEED)",
        ),
    ] = field(default_factory=list)
    vary: Vary = field(default_factory=list)
    folds: Annotated[
        int,
        typer.Option(
            "--folds",
            metavar="N",
            help="train a policy on the other parts of the pairs for each of N, and measure all parts together; 0: none",
        ),
    ] = 0
    recipe: Annotated[Preset, typer.Option("--recipe", help="of --folds: the preset that is trained")] = Preset.LEAPNOTE
    into_card: Annotated[
        list[Path],
        typer.Option(
            "--into-card",
            metavar="FOLDER",
            help="keep the figures on this checkpoint's card as well; the policy that has its name is the one measured",
        ),
    ] = field(default_factory=list)
    card_note: Annotated[
        str, typer.Option("--card-note", metavar="TEXT", help="what else a reader of that card must know")
    ] = ""


@app.add("paths", "retrievers of concepts side by side, at equal budgets")
@with_options(PathsRunOptions)
def paths(options: PathsRunOptions) -> None:
    """Measure them and print the table."""
    from backend.evaluation.paths.path_cards import card_targets, into_card
    from backend.evaluation.paths.paths_run import PathsOptions, evaluate_paths, read_policies
    from backend.evaluation.reports.result_report import paths_summary

    chosen = PathsOptions(
        pairs=options.pairs,
        split=options.split,
        run=options.run(),
        policies=tuple(options.policy),
        variants=not options.no_variants,
        training=options.training,
        retrievers=tuple(options.retrievers),
        budgets=tuple(options.budgets),
        pool=options.pool,
        baseline=options.baseline,
        varied=tuple(options.vary),
        folds=options.folds,
        over=tuple((new, old) for new, _, old in (one.partition("=") for one in options.over)),
    )
    with evaluation_container(options.graph) as container:
        cards = options.into_card
        targets = card_targets(cards, read_policies(chosen.policies, container).named) if cards else ()
        found = evaluate_paths(
            container, chosen, _examples, lambda pairs, number: _of_fold(container, options, pairs, number)
        )
        for target in targets:
            into_card(target, found[0], options.card_note)
        print_result(found, options, paths_summary)


@dataclass(frozen=True, kw_only=True)
class NotesRunOptions(ProgressNotes, EvaluationOptions):
    """What `evaluate notes` takes."""

    pairs: Annotated[Path | None, typer.Option("--pairs", metavar="FILE", help=PAIRS)] = None
    split: Annotated[Split, typer.Option("--split")] = "test"
    document: Annotated[
        Literal["discharge_instructions", "progress_note"],
        typer.Option("--document", help="progress_note: SOAP notes from patients' own notes"),
    ] = "discharge_instructions"


@app.add("notes", "written documents against those that were really written")
@with_options(NotesRunOptions)
def notes(options: NotesRunOptions) -> None:
    """Measure them and print the table.

    Raises:
        InputError: where the pairs, or the patients' notes, are not given.
    """
    from backend.evaluation.drafts.notes_run import NotesOptions, evaluate_notes

    if options.document == "progress_note":
        evaluate_progress_notes(options, options)
        return
    if options.pairs is None:
        raise InputError("Give the pairs of notes and documents with --pairs FILE.jsonl")
    systems, generators = tuple(comma_list(options.systems)), tuple(comma_list(options.generators)) or ("",)
    varied = tuple(options.vary)
    chosen = NotesOptions(options.pairs, options.split, options.run(), systems, generators, options.baseline, varied)
    with evaluation_container() as container:
        print_result(evaluate_notes(container, chosen), options)


@dataclass(frozen=True, kw_only=True)
class Table1Options(EvaluationOptions):
    """What `evaluate table1` takes."""

    pairs: Annotated[Path, typer.Option("--pairs", metavar="FILE", help=PAIRS)]
    split: Annotated[Split, typer.Option("--split")] = "test"
    training: Annotated[
        Path | None,
        typer.Option(
            "--training", metavar="FILE", help="pairs of the split train for the example; default: the same file"
        ),
    ] = None
    systems: Annotated[str, names_option("--systems", "the arms")] = "no-retrieval,random1hop,sim1hop,drknows,reinrag"
    generators: Annotated[str, names_option("--generators", "which models; default: LEAPNOTE_GENERATOR")] = ""
    baseline: Annotated[str, typer.Option("--baseline", help="an arm")] = NO_RETRIEVAL
    policy: Annotated[
        list[str],
        typer.Option(
            "--policy",
            metavar="NAME=FOLDER",
            help="one more arm that walks by a trained policy; may be repeated. NAME#1, NAME#2 are training seeds, told by their mean; "
            "NAME@G=5 plots it by G",
        ),
    ] = field(default_factory=list)
    vary: Vary = field(default_factory=list)
    conditions: Annotated[bool, typer.Option("--conditions", help="show candidate conditions, to all arms alike")] = (
        False
    )
    draws: Annotated[
        int, typer.Option("--draws", help="texts a note of an arm whose paths are drawn; its scores are their mean")
    ] = 10
    example_seed: Annotated[
        int, typer.Option("--example-seed", help="which training pair is the worked example, whatever --seed is")
    ] = 0
    metric_encoder: Annotated[
        str,
        typer.Option(
            "--metric-encoder", help="of BERTScore and SBERT, as LEAPNOTE_ENCODER names one, whatever that is"
        ),
    ] = "minilm"


@app.add("table1", "ReinRAG's Table 1 and Figures 3 and 4: arms by the paper's own prompt, with one worked example")
@with_options(Table1Options)
def table1(options: Table1Options) -> None:
    """Write by the paper's prompt, measure, and print the paper's columns with differences and intervals."""
    from backend.evaluation.drafts.notes_run import NotesOptions, evaluate_notes
    from backend.evaluation.drafts.paper_cells import PaperOptions
    from backend.evaluation.drafts.paper_table import paper_tables

    policies = named_files(options.policy, "--policy", last=True)
    arms = PaperOptions(tuple(comma_list(options.systems)), policies, options.conditions, options.draws)
    chosen = NotesOptions(
        options.pairs,
        options.split,
        options.run(),
        generators=tuple(comma_list(options.generators)) or ("",),
        baseline=options.baseline,
        varied=tuple(options.vary),
        paper=arms,
        metric_encoder=options.metric_encoder,
        training=options.training,
        example_seed=options.example_seed,
    )
    with evaluation_container() as container:
        print_result(evaluate_notes(container, chosen), options, paper_tables)


app.add_typer(planted)


@app.add("linking", "mentions, concepts and assertions against labelled texts")
@with_options(EvaluationOptions)
def linking(
    data: Annotated[Path, typer.Option("--data", metavar="FILE", help="labelled JSONL, or PubTator; or .gz")],
    options: EvaluationOptions,
    groups: Annotated[
        str, names_option("--groups", "only mentions of these semantic groups; default: those labelled")
    ] = "",
) -> None:
    """Measure the linker and print the table.

    Raises:
        InputError: for a semantic group there is not.
    """
    from backend.evaluation.reading.linking_run import LinkingOptions, evaluate_linking

    known = {group.value for group in SemanticGroup}
    wanted = comma_list(groups)
    if unknown := set(wanted) - known:
        raise InputError(f"There is no semantic group {sorted(unknown)[0]!r}. Choose from: {', '.join(sorted(known))}")
    chosen = LinkingOptions(data, options.run(), tuple(SemanticGroup(name) for name in wanted))
    with evaluation_container() as container:
        print_result(evaluate_linking(container, chosen), options)


GOLD = typer.Argument(metavar="GOLD", help="folder of annotations, NAME.json (docs/reading.md)")


@dataclass(frozen=True, kw_only=True)
class AnnotatedOptions(EvaluationOptions):
    """What evaluations on annotated notes take."""

    notes: Annotated[
        Path | None, typer.Option("--notes", metavar="FOLDER", help="folder of NAME.txt; default: GOLD itself")
    ] = None
    half: Annotated[
        Literal["even", "odd"] | None,
        typer.Option("--half", help="every other note by name, to learn from one half and measure on the other"),
    ] = None


@app.add("reading", "patient records against annotated notes: what is found, its status, doses, allergies")
@with_options(AnnotatedOptions)
def reading(gold: Annotated[Path, GOLD], options: AnnotatedOptions) -> None:
    """Measure the reading and print the table; the errors stand in errors.jsonl of the result's folder."""
    from backend.evaluation.reading.reading_run import ReadingOptions, evaluate_reading

    chosen = ReadingOptions(gold, options.notes or gold, options.run(), options.half)
    with evaluation_container() as container:
        print_result(evaluate_reading(container, chosen), options)


@app.add("sentences", "reading of single sentences by somebody who has seen no rule: allergies, attributes, medicines")
@with_options(EvaluationOptions)
def sentences(
    options: EvaluationOptions,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="default: tests/benchmarks/fresh_sentences")
    ] = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="also write errors.jsonl with the sentences; who writes rules reads none")
    ] = False,
) -> None:
    """Measure the reading and print the table, never a sentence."""
    from backend.evaluation.reading.sentences_run import SentencesOptions, evaluate_sentences

    chosen = SentencesOptions(folder or ROOT / "tests" / "benchmarks" / "fresh_sentences", options.run(), errors)
    with evaluation_container() as container:
        print_result(evaluate_sentences(container, chosen), options)


@app.add("drafts", "letters of annotated notes: what they lead with, tell, must not say, and flag")
@with_options(AnnotatedOptions)
def drafts(
    gold: Annotated[Path, GOLD],
    options: AnnotatedOptions,
    systems: Annotated[str, names_option("--systems", "which systems; default: leapnote")] = "",
    generator: Annotated[str, typer.Option("--generator", help="who writes; default: LEAPNOTE_GENERATOR")] = "",
) -> None:
    """Write the letters, measure them and print the table; the errors stand in errors.jsonl of the result's folder."""
    from backend.evaluation.drafts.annotated_run import DraftsOptions, evaluate_drafts

    names = tuple(comma_list(systems))
    chosen = DraftsOptions(gold, options.notes or gold, options.run(), options.half, names, generator)
    with evaluation_container() as container:
        print_result(evaluate_drafts(container, chosen), options)


@app.add("fit", "which sentences do not belong to a patient, against judged sentences")
@with_options(EvaluationOptions)
def fit(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="JSONL of judged sentences")],
    notes: Annotated[
        list[Path],
        typer.Option(
            "--notes", metavar="FOLDER", help="notes that the sentences name, by the folder's name; may be repeated"
        ),
    ],
    options: EvaluationOptions,
) -> None:
    """Check every judged sentence and print the table; the errors stand in errors.jsonl of the result's folder."""
    from backend.evaluation.drafts.fit_run import FitOptions, evaluate_fit

    with evaluation_container() as container:
        print_result(evaluate_fit(container, FitOptions(folder, tuple(notes), options.run())), options)


app.add_typer(judges)
app.add_typer(safety)
app.add_typer(more)


def _of_fold(
    container: "Container", options: PathsRunOptions, pairs: "Sequence[Pair]", number: int
) -> "tuple[Checkpoint, Path]":
    """A policy of the recipe on the pairs of the other folds, in a folder of its own, where its training is taken up again."""
    from backend.evaluation.reports.journal import file_sha256, run_key
    from backend.ingest.clinical_notes.note_pairs import write_pairs
    from backend.stores.swapped_folder import private_folder
    from backend.training.gro.gro_run import run_gro
    from backend.training.gro.gro_settings import loaded_from
    from backend.training.gro.presets import preset

    run = options.run()
    what = run_key(
        pairs=file_sha256(options.pairs), graph=container.graph.fingerprint, seed=run.seed, folds=options.folds
    )
    folder = private_folder(container.settings.data / "runs" / "folds" / f"{options.recipe}-{what[:12]}-{number + 1}")
    learning = folder / "pairs.jsonl"
    write_pairs(learning, [pair._replace(split="train") for pair in pairs])
    settings = preset(options.recipe, None, {"seed": run.seed}, "auto", None)
    loaded = loaded_from(container, container.loaded.concept_vectors)
    finished = run_gro(learning, loaded, settings, folder, run.progress or ProgressLine())
    learning.unlink()  # its texts; what was linked of them stays for the next run
    assert finished is not None, "a run that nobody stops comes to its end"
    return finished.checkpoint, folder / "checkpoint"


def _examples(pairs: "Iterable[Pair]", loaded: "Loaded", encode: bool) -> "Iterator[Example]":
    from backend.training.gro.linked_examples import examples_of

    return examples_of(pairs, loaded.linker, loaded.graph.index, loaded.allowed, loaded.encoder if encode else None)
