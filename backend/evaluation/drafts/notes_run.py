"""`evaluate notes` from files: the grid of systems and generators, and the result."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Protocol

from backend.container import Container
from backend.evaluation.drafts.grid_cells import drafters
from backend.evaluation.drafts.note_evaluation import Drafter, NotesSettings, measures, run_notes
from backend.evaluation.drafts.paper_cells import PaperOptions, paper_drafters
from backend.evaluation.metrics.language_measures import LanguageMeasures
from backend.evaluation.metrics.seed_families import families
from backend.evaluation.reports.cell_use import baseline_named
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of, pair_card, pairs_of
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import read_variations
from backend.ingest.clinical_notes.note_pairs import read_pairs
from backend.schemas.evaluation_results import Result, ResultKind
from backend.systems import NO_RETRIEVAL, all_systems, system
from models.encoders.encoders import make_encoder
from models.policy.checkpoint import WEIGHTS

TRAIN = "train"
METRIC_ENCODER = "minilm"
"""Embedded, and an encoder of sentences: what is set for retrieval may know names alone."""
PACKAGES = ("rouge-score", "sacrebleu", "nltk")


class SystemCell(Drafter, Protocol):
    """A cell with the system that it is of, how often it writes for a note, and the numbers at which its settings stand."""

    system: str

    @property
    def draws(self) -> int:
        """Texts a note."""
        ...

    @property
    def standing(self) -> Mapping[str, float]:
        """The numbers at which its settings stand."""
        ...


class NotesOptions(NamedTuple):
    """What is written by whom, and compared.

    Attributes:
        pairs: the file of notes and documents.
        split: which of them.
        run: where the result goes, seed, limit.
        systems: names, none for all.
        generators: settings of who writes; empty for the one that is set.
        baseline: a system's name, by each generator where there are several, or system+generator.
        varied: NAME=a,b each: a setting's values, each of them one more cell a system.
        paper: the arms of ReinRAG's Table 1, written by the paper's prompt; then systems are its own.
        metric_encoder: of BERTScore and the cosine of texts, as LEAPNOTE_ENCODER names one; whatever encodes for retrieval.
        training: pairs that the one-shot example is drawn from; none for those of the file.
        example_seed: which of them it is, whatever the run's own seed.
    """

    pairs: Path
    split: str
    run: RunOptions
    systems: tuple[str, ...] = ()
    generators: tuple[str, ...] = ("",)
    baseline: str = NO_RETRIEVAL
    varied: tuple[str, ...] = ()
    paper: PaperOptions | None = None
    metric_encoder: str = METRIC_ENCODER
    training: Path | None = None
    example_seed: int = 0


def evaluate_notes(container: Container, options: NotesOptions) -> tuple[Result, Path]:
    """The result and its folder. Raises NotFoundError, MissingError or InputError for options that do not fit."""
    pairs = pairs_of(options.pairs, options.split, options.run)
    cells = _cells(container, options)
    names = [cell.name for cell in cells]
    means = families(names)
    baseline = baseline_named(options.baseline, [*names, *means])
    language = LanguageMeasures(make_encoder(options.metric_encoder))
    standing = {cell.name: cell.standing for cell in cells}
    settings = NotesSettings(baseline, options.run.resamples, options.run.seed, options.example_seed, standing)
    missing = [one.name for one in language.not_available]
    policies = options.paper.policies if options.paper else ()
    run = Run(
        ResultKind.NOTES,
        options.run,
        {
            "cells": names,
            "baseline": baseline,
            "split": options.split,
            "missing": missing,
            "paper": options.paper is not None,
            "conditions": options.paper is not None and options.paper.conditions,
            "metric_encoder": options.metric_encoder,
            "example_seed": options.example_seed,
            "draws": options.paper.draws if options.paper else 1,
        },
        {
            "pairs": file_sha256(options.pairs),
            "training": file_sha256(options.training) if options.training else "",
            "graph": container.graph.fingerprint,
            "policies": {name: file_sha256(folder / WEIGHTS) for name, folder in policies},
        },
        {**container.versions, **{package: version(package) for package in PACKAGES}},
        identity(container, options.generators),
    )
    wanted = any(cell.wants_example for cell in cells)
    candidates = list(read_pairs(options.training or options.pairs, (TRAIN,))) if wanted else []
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
        systems=_told(cells) | {name: f"mean of {len(held)} training seeds" for name, held in means.items()},
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


def _told(cells: Sequence[SystemCell]) -> dict[str, str]:
    """What each cell is; of one whose paths are drawn, over how many draws its scores are the mean."""
    drawn = {cell.name: f"; mean of {cell.draws} draws" if cell.draws > 1 else "" for cell in cells}
    return {cell.name: f"{system(cell.system).what}{drawn[cell.name]}" for cell in cells}


def _cells(container: Container, options: NotesOptions) -> Sequence[SystemCell]:
    varied = read_variations(options.varied, container.settings)
    if options.paper is not None:
        return paper_drafters(container, options.paper, options.generators, varied)
    names = options.systems or tuple(entry.name for entry in all_systems())
    for name in names:
        system(name)
    return drafters(container, names, options.generators, varied)
