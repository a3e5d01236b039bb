"""`evaluate notes`: documents written by a grid of systems and generators, against the documents that were really written.

Takes pairs and drafters; gives concept-level, word-level and language figures with intervals, and each cell's differences
to a named baseline. The linker reads generated and true texts alike, so its misses count for both.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from backend.errors import InputError
from backend.evaluation.drafts.note_figures import LEVELS, NEW_RECALL, charts, failures, summarise, uses_of
from backend.evaluation.drafts.one_shot import one_shot_example
from backend.evaluation.metrics.bootstrap import RESAMPLES
from backend.evaluation.metrics.language_measures import LanguageMeasures
from backend.evaluation.metrics.seed_families import families
from backend.evaluation.metrics.set_scores import MEASURES, SetScores, set_scores
from backend.evaluation.reports.cell_use import (
    COSTS,
    FELL_BACK,
    FELL_BACK_MEANS,
    USE,
    captions,
    checked_cells,
    in_drawn_order,
    mean_use,
    warm,
)
from backend.evaluation.reports.failed_items import FAILED, failed_row, not_scored
from backend.evaluation.reports.journal import Journal, Progress
from backend.evaluation.reports.plotly_charts import Standing
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.interfaces import Linker
from backend.schemas.evaluation_results import Chart, Difference, Figure, NotAvailable
from backend.schemas.vocabulary import Assertion


class WrittenText(NamedTuple):
    """A text with how it came about, as `cell_use` keeps it."""

    text: str
    use: dict[str, Any]


class Drafter(Protocol):
    """One cell of the grid: a system with a generator. wants_example: it prompts with one worked example."""

    @property
    def name(self) -> str:
        """What the cell is called in figures."""
        ...

    @property
    def wants_example(self) -> bool:
        """Whether its prompt shows a worked example."""
        ...

    def write(self, note: str, seed: int, example: Pair | None) -> Sequence[WrittenText]:
        """The document's text and how it came about, once a draw of what the cell draws. Raises LeapnoteError where it cannot."""
        ...


class Named(NamedTuple):
    """What a text names: concept ids by semantic group, and the words as they were extracted, in lower case."""

    concepts: dict[str, str]
    words: frozenset[str]


class NotesSettings(NamedTuple):
    """What the figures are compared with, and how often the notes are drawn again.

    example_seed: which pair is the example. standing: by cell, the numbers of settings that other cells vary, for curves.
    """

    baseline: str
    resamples: int = RESAMPLES
    seed: int = 0
    example_seed: int = 0
    standing: Standing | None = None


class NotesFound(NamedTuple):
    """example_id: the pair that served as the one-shot example; empty where no drafter wants one."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    charts: tuple[Chart, ...]
    not_available: tuple[NotAvailable, ...]
    n: int
    left_out: dict[str, int]
    example_id: str
    captions: tuple[str, ...] = ()


def run_notes(
    pairs: Sequence[Pair],
    drafters: Sequence[Drafter],
    linker: Linker,
    language: LanguageMeasures,
    settings: NotesSettings,
    journal: Path,
    key: str,
    candidates: Sequence[Pair] = (),
    progress: Progress | None = None,
) -> NotesFound:
    """Let every drafter write for every pair, and compare.

    A killed run with the same key goes on after its last whole note. The one-shot example comes from the candidates.

    Raises:
        InputError: a name does not fit.
    """
    names = [drafter.name for drafter in drafters]
    checked_cells([*names, *families(names)], settings.baseline)
    if len({pair.pair_id for pair in pairs}) != len(pairs):
        raise InputError("Two pairs share an id. Ids must be unique within a file.")
    wanting = any(drafter.wants_example for drafter in drafters)
    example = one_shot_example(candidates, pairs, settings.example_seed) if wanting else None
    with Journal(journal, key) as book:
        if any(pair.pair_id not in book.rows for pair in pairs):
            warm(drafters)
        for done, pair in enumerate(pairs):
            if progress is not None:
                progress(done, len(pairs), "notes")
            if pair.pair_id not in book.rows:
                book.add(pair.pair_id, _row(pair, drafters, linker, language, settings.seed, example))
        if progress is not None:
            progress(len(pairs), len(pairs), "notes")
        rows = [book.rows[pair.pair_id] for pair in pairs]
    read = [row for row in rows if FAILED not in row]
    kept = [row for row in read if row["true"]]
    empty = len(read) - len(kept)
    left_out = ({"no concept is recognised in the document": empty} if empty else {}) | not_scored(rows)
    figures, differences = summarise(kept, names, settings.baseline, settings.seed, settings.resamples)
    return NotesFound(
        figures,
        differences,
        charts(figures, differences, settings.standing),
        (*language.not_available, *failures(kept, names)),
        len(kept),
        left_out,
        "" if example is None else example.pair_id,
        tuple(captions(uses_of(kept, names))),
    )


def named_in(text: str, linker: Linker) -> Named:
    """What a text says there is: every mention that is neither negated nor of the family."""
    kept = [
        mention
        for mention in linker.link(text).note.mentions
        if mention.assertion not in (Assertion.NEGATED, Assertion.FAMILY)
    ]
    concepts = {mention.concept_id: mention.group.value for mention in kept}
    return Named(concepts, frozenset(" ".join(mention.text.lower().split()) for mention in kept))


def measures(language: LanguageMeasures) -> dict[str, str]:
    """Every measure of this evaluation with what it means."""
    explained = {f"{level}_{name}": f"{what} ({level}s)" for level in LEVELS for name, what in MEASURES.items()}
    explained[NEW_RECALL] = "share of the document's concepts that the note does not name and the text does"
    return explained | language.meanings | COSTS | {FELL_BACK: FELL_BACK_MEANS}


def _row(
    pair: Pair,
    drafters: Sequence[Drafter],
    linker: Linker,
    language: LanguageMeasures,
    seed: int,
    example: Pair | None,
) -> dict[str, Any]:
    """Numbers alone: neither text nor concept is kept. What cannot be read or written is a row or a cell that says so."""
    try:
        true, known = named_in(pair.text, linker), named_in(pair.note, linker).concepts.keys()
    except Exception as error:
        return failed_row("link", error)
    fresh = true.concepts.keys() - known
    cells: dict[str, Any] = {}
    for drafter in in_drawn_order(drafters, seed, pair.pair_id):
        try:
            drawn = drafter.write(pair.note, seed, example if drafter.wants_example else None)
        except Exception as error:
            cells[drafter.name] = failed_row("write", error)
            continue
        try:
            scored = [_cell(written.text, pair, true, fresh, linker, language) for written in drawn]
            cells[drafter.name] = _mean_cell(scored) | {USE: mean_use([written.use for written in drawn])}
        except Exception as error:
            cells[drafter.name] = failed_row("score", error)
    return {"true": _counts(true.concepts.values()), "cells": cells}


def _cell(
    text: str, pair: Pair, true: Named, fresh: Collection[str], linker: Linker, language: LanguageMeasures
) -> dict[str, Any]:
    """The scores of one text against the document. fresh: the document's concepts that the note does not name."""
    named = named_in(text, linker)
    scores: dict[str, float | None] = {}
    for level, given, wanted in (
        ("concept", frozenset(named.concepts), frozenset(true.concepts)),
        ("word", named.words, true.words),
    ):
        found = set_scores(given, wanted)
        for name in SetScores._fields:
            scores[f"{level}_{name}"] = None if found is None else getattr(found, name)
    scores[NEW_RECALL] = len(set(fresh) & named.concepts.keys()) / len(fresh) if fresh else None
    scores.update(language.scores(text, pair.text)._asdict())
    hits = [true.concepts[concept] for concept in true.concepts.keys() & named.concepts.keys()]
    return {"scores": scores, "hits": _counts(hits)}


def _mean_cell(cells: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean over draws; a measure that some draw has no value for is the mean of the others."""
    scores: dict[str, float | None] = {}
    for name in cells[0]["scores"]:
        told = [cell["scores"][name] for cell in cells if cell["scores"][name] is not None]
        scores[name] = sum(told) / len(told) if told else None
    groups = {group for cell in cells for group in cell["hits"]}
    hits = {group: sum(cell["hits"].get(group, 0) for cell in cells) / len(cells) for group in sorted(groups)}
    return {"scores": scores, "hits": hits}


def _counts(groups: Iterable[str]) -> dict[str, int]:
    found = list(groups)
    return {group: found.count(group) for group in sorted(set(found))}
