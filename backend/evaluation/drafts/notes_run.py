"""`evaluate notes` from files: the grid of systems and generators, and the result."""

from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.evaluation.drafts.grid_cells import baseline_name, drafters
from backend.evaluation.drafts.note_evaluation import NotesSettings, measures, run_notes
from backend.evaluation.metrics.language_measures import LanguageMeasures
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of, pair_card, pairs_of
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import read_variations
from backend.ingest.clinical_notes.note_pairs import read_pairs
from backend.schemas.evaluation_results import Result, ResultKind
from backend.systems import NO_RETRIEVAL, all_systems, system

PACKAGES = ("rouge-score", "sacrebleu", "nltk")


class NotesOptions(NamedTuple):
    """What is written by whom, and compared.

    Attributes:
        pairs: the file of notes and documents.
        split: which of them.
        run: where the result goes, seed, limit.
        systems: names, none for all.
        generators: settings of who writes; empty for the one that is set.
        baseline: a system's name, or system+generator.
        varied: NAME=a,b each: a setting's values, each of them one more cell a system.
    """

    pairs: Path
    split: str
    run: RunOptions
    systems: tuple[str, ...] = ()
    generators: tuple[str, ...] = ("",)
    baseline: str = NO_RETRIEVAL
    varied: tuple[str, ...] = ()


def evaluate_notes(container: Container, options: NotesOptions) -> tuple[Result, Path]:
    """The result and its folder. Raises NotFoundError, MissingError or InputError for options that do not fit."""
    names = options.systems or tuple(entry.name for entry in all_systems())
    for name in names:
        system(name)
    pairs = pairs_of(options.pairs, options.split, options.run)
    cells = drafters(container, names, options.generators, read_variations(options.varied, container.settings))
    baseline = baseline_name(options.baseline, cells)
    language = LanguageMeasures(container.encoder)
    settings = NotesSettings(baseline, options.run.resamples, options.run.seed)
    missing = [one.name for one in language.not_available]
    run = Run(
        ResultKind.NOTES,
        options.run,
        {"cells": [cell.name for cell in cells], "baseline": baseline, "split": options.split, "missing": missing},
        {"pairs": file_sha256(options.pairs), "graph": container.graph.fingerprint},
        {**container.versions, **{package: version(package) for package in PACKAGES}},
        identity(container, options.generators),
    )
    candidates = list(read_pairs(options.pairs)) if any(cell.wants_example for cell in cells) else []
    found = run_notes(
        pairs, cells, container.linker, language, settings, run.journal, run.key, candidates, options.run.progress
    )
    card = pair_card(options.pairs, options.split, pairs, found.n, found.left_out)
    shown = (
        f"The one-shot example is the pair {found.example_id}."
        if found.example_id
        else "No cell prompts with an example."
    )
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={cell.name: system(cell.name.split("+")[0]).what for cell in cells},
        measures=measures(language),
        figures=found.figures,
        differences=found.differences,
        not_available=found.not_available,
        caveats=(
            *caveats_of(card),
            "The same linker reads generated and true texts: what it misses counts for neither.",
            shown,
            *found.captions,
        ),
        charts=found.charts,
    )
    return result, run.folder
