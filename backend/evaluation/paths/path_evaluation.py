"""`evaluate paths`: retrievers of concepts side by side on the same notes, at equal budgets.

Takes linked examples and retrievers; gives figures with intervals, differences to the baselines, and charts. A note whose
document has nothing new is left out, since there is nothing to find. It knows no file but the journal's.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import RESAMPLES, Interval, Resampler
from backend.evaluation.metrics.seed_families import families
from backend.evaluation.paths import path_charts
from backend.evaluation.paths.concepts_needed import needed_figures
from backend.evaluation.paths.path_scores import MEASURES, Goal, goal_of, list_scores
from backend.evaluation.paths.retrievers.concept_retrievers import (
    POOL,
    ConceptRetriever,
    Drawing,
    Knowledge,
    Preparing,
    common_order,
)
from backend.evaluation.paths.retrievers.linked_example import NoteExample
from backend.evaluation.paths.training_seeds import compared_lists, family_figures
from backend.evaluation.reports.cell_use import SAME_CONCEPTS, identical_cells, same_texts
from backend.evaluation.reports.failed_items import FAILED, failed_row, not_scored
from backend.evaluation.reports.journal import Journal, Progress
from backend.schemas.evaluation_results import Chart, Difference, Figure, Order
from backend.stores.graph.graph import GROUPS
from backend.systems import PATHS_BASELINE

BUDGETS = (10, 20, 30, 50)
BATCH = 64
SAME_FOUND = "the same was found: nothing to compare"


class PathsSettings(NamedTuple):
    """pool: how many concepts of each retriever the common order ranks, at least the largest budget.

    subjects: the retrievers whose differences to all others are told; none: those of every one to baseline.
    varied: retrievers under another setting, each compared with itself unvaried alone. over: as compared_lists has it.
    """

    budgets: tuple[int, ...] = BUDGETS
    pool: int = POOL
    resamples: int = RESAMPLES
    seed: int = 0
    baseline: str = PATHS_BASELINE
    subjects: tuple[str, ...] = ()
    varied: tuple[str, ...] = ()
    over: tuple[tuple[str, str], ...] = ()


class RankingError(ValueError):
    """A retriever broke its contract."""


class PathsFound(NamedTuple):
    """n: evaluated notes. left_out: how many were not, by reason."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    charts: tuple[Chart, ...]
    n: int
    left_out: dict[str, int]
    captions: tuple[str, ...] = ()


def run_paths(
    examples: Sequence[NoteExample],
    retrievers: Sequence[ConceptRetriever],
    knowledge: Knowledge,
    settings: PathsSettings,
    journal: Path,
    key: str,
    progress: Progress | None = None,
) -> PathsFound:
    """Measure every retriever on every note. A killed run with the same key goes on after its last whole row.

    Raises InputError for settings that do not fit, or examples that repeat an id or have no text vector.
    """
    checked = _checked(examples, retrievers, settings)
    kept = [example for example in checked if len(np.setdiff1d(example.truth, example.keywords))]
    with Journal(journal, key) as book:
        waiting = [example for example in kept if example.pair_id not in book.rows]
        for done, example in enumerate(waiting):
            if progress is not None:
                progress(len(kept) - len(waiting) + done, len(kept), "notes")
            if done % BATCH == 0:
                _prepare(retrievers, waiting[done : done + BATCH], settings.pool)
            book.add(example.pair_id, _row(example, retrievers, knowledge, settings))
        if progress is not None:
            progress(len(kept), len(kept), "notes")
        every = [book.rows[example.pair_id] for example in kept]
    failed = not_scored(every)
    kept = [example for example, row in zip(kept, every, strict=True) if FAILED not in row]
    rows = [row for row in every if FAILED not in row]
    names = [retriever.name for retriever in retrievers]
    empty = len(checked) - len(every)
    left_out = ({"the document has nothing new": empty} if empty else {}) | failed
    figures, differences = summarise(rows, names, settings)
    charts = path_charts.charts(figures, knowledge.graph.groups, kept, settings.budgets)
    alike = identical_cells(_lists(rows, names))
    captions = tuple(f"{', '.join(group)} {SAME_CONCEPTS}" for group in alike)
    return PathsFound(figures, differences, charts, len(kept), left_out, captions)


def summarise(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], settings: PathsSettings
) -> tuple[tuple[Figure, ...], tuple[Difference, ...]]:
    """The figures and differences of the rows of a journal."""
    resampler = Resampler(len(rows), settings.seed, settings.resamples)
    found_lists = _lists(rows, names)
    figures: list[Figure] = []
    differences: list[Difference] = []
    for order in Order:
        # (notes, budgets, measures) for each retriever
        tables = {name: np.array([row["scores"][name][order.value] for row in rows], dtype=float) for name in names}
        for b, budget in enumerate(settings.budgets):
            for m, measure in enumerate(MEASURES):
                column = {name: table[:, b, m] if len(rows) else np.zeros(0) for name, table in tables.items()}
                for name in names:
                    found = resampler.figure(column[name])
                    figures.append(_figure(name, measure, budget, order, found, len(rows)))
                if measure == "retrieved":
                    continue
                for ours, theirs in pairs_to_compare(names, settings):
                    if ours in settings.varied and same_texts(found_lists, ours, theirs):
                        differences.append(
                            Difference(
                                system=ours,
                                baseline=theirs,
                                measure=measure,
                                budget=budget,
                                order=order,
                                reason=SAME_FOUND,
                            )
                        )
                        continue
                    gap = resampler.difference(column[ours], column[theirs])
                    differences.append(
                        Difference(
                            system=ours,
                            baseline=theirs,
                            measure=measure,
                            budget=budget,
                            order=order,
                            value=gap.value,
                            low=gap.low,
                            high=gap.high,
                            n=len(rows),
                        )
                    )
        if len(rows) and families(names):
            more, gaps = family_figures(tables, names, order, settings.budgets, resampler)
            figures += more
            differences += gaps
        if len(rows):
            compared = compared_lists(names, settings.over)
            figures += needed_figures(rows, compared, order, settings.budgets, settings.pool, resampler)
    figures += _by_group(rows, names, settings, resampler)
    return tuple(figures), tuple(differences)


def pairs_to_compare(names: Sequence[str], settings: PathsSettings) -> list[tuple[str, str]]:
    """Which differences are reported.

    Each subject is compared with every other that is no point of a sensitivity curve, or every one with the baseline; one under a
    varied setting with itself unvaried.
    """
    own = [(name, name.rpartition("@")[0]) for name in settings.varied if name.rpartition("@")[0] in names]
    if settings.subjects:
        plain = [name for name in names if "@" not in name]
        return [(ours, theirs) for ours in settings.subjects for theirs in plain if theirs != ours] + own
    unvaried = [name for name in names if name not in settings.varied]
    return [(name, settings.baseline) for name in unvaried if name != settings.baseline] + own


def _row(
    example: NoteExample, retrievers: Sequence[ConceptRetriever], knowledge: Knowledge, settings: PathsSettings
) -> dict[str, Any]:
    goal: Goal = goal_of(knowledge, example)
    groups = knowledge.graph.groups
    scores: dict[str, dict[str, list[list[float]]]] = {}
    hits: dict[str, dict[str, float]] = {}
    found: dict[str, str] = {}
    ranks: dict[str, dict[str, list[list[int]]]] = {}
    for retriever in retrievers:
        try:
            drawn = retriever.drawn() if isinstance(retriever, Drawing) else [retriever]
            pools = [checked_ranking(one, example, settings.pool, len(groups)) for one in drawn]
        except RankingError:
            raise
        except Exception as error:  # the figures are paired, so a note that one retriever fails on counts for none
            return failed_row(retriever.name, error)
        lists = {Order.OWN: pools, Order.COMMON: [common_order(knowledge, example, pool) for pool in pools]}
        own, common = ([list_scores(knowledge, goal, one, settings.budgets) for one in made] for made in lists.values())
        ranks[retriever.name] = {
            order.value: [np.flatnonzero(np.isin(one, goal.new)).tolist() for one in made]
            for order, made in lists.items()
        }
        scores[retriever.name] = {
            order.value: [
                [round(value, 6) for value in line] for line in np.mean([s.table for s in of], axis=0).tolist()
            ]
            for order, of in ((Order.OWN, own), (Order.COMMON, common))
        }
        counted = _counts(groups[np.concatenate([one.hits for one in own])])
        hits[retriever.name] = {group: count / len(own) for group, count in counted.items()}
        found[retriever.name] = hashlib.sha256(b";".join(pool.tobytes() for pool in pools)).hexdigest()[:16]
    return {"scores": scores, "hits": hits, "ranks": ranks, "new": _counts(groups[goal.new]), "found": found}


def _lists(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, list[dict[str, str] | None]]:
    """By retriever, a digest of what it found for each note, as `cell_use` tells cells apart by."""
    return {
        name: [{"text": row["found"][name]} if name in row.get("found", {}) else None for row in rows] for name in names
    }


def _prepare(retrievers: Sequence[ConceptRetriever], examples: Sequence[NoteExample], most: int) -> None:
    for retriever in retrievers:
        if isinstance(retriever, Preparing):
            retriever.prepare(examples, most)


def checked_ranking(retriever: ConceptRetriever, example: NoteExample, most: int, concepts: int) -> np.ndarray:
    """What the retriever gives, held to its contract: a breach would make it look better than it is."""
    ranked = np.asarray(retriever.ranked(example, most), dtype=np.int64)
    wrong = (
        len(ranked) > most
        or len(np.unique(ranked)) != len(ranked)
        or bool(np.isin(ranked, example.keywords).any())
        or bool(((ranked < 0) | (ranked >= concepts)).any())
    )
    if wrong:
        raise RankingError(
            f"The retriever {retriever.name!r} gave a list that repeats a concept, holds a keyword, is longer than {most} "
            "or leaves the graph."
        )
    return ranked


def _counts(groups: np.ndarray) -> dict[str, int]:
    counted = np.bincount(groups, minlength=len(GROUPS)).tolist()
    return {group.value: n for group, n in zip(GROUPS, counted, strict=True) if n}


def _by_group(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], settings: PathsSettings, resampler: Resampler
) -> list[Figure]:
    """Recall by semantic group at the largest budget in own order (ReinRAG Figure 4): all hits over all there were."""
    figures = []
    for group in GROUPS:
        new = np.array([row["new"].get(group.value, 0) for row in rows], dtype=float)
        if not new.sum():
            continue
        for name in names:
            hits = np.array([row["hits"][name].get(group.value, 0) for row in rows], dtype=float)
            found = resampler.figure(hits, new)
            made = _figure(name, "recall", max(settings.budgets), Order.OWN, found, int((new > 0).sum()))
            figures.append(made.model_copy(update={"group": group.value}))
    return figures


def _figure(name: str, measure: str, budget: int, order: Order, found: Interval, n: int) -> Figure:
    return Figure(
        system=name,
        measure=measure,
        budget=budget,
        order=order,
        value=found.value,
        low=found.low,
        high=found.high,
        n=n,
        reason="" if found.value is not None else "no note has anything to find",
    )


def _checked(
    examples: Sequence[NoteExample], retrievers: Sequence[ConceptRetriever], settings: PathsSettings
) -> Sequence[NoteExample]:
    names = [retriever.name for retriever in retrievers]
    if not names or len(set(names)) != len(names):
        raise InputError(f"Each retriever must be named once; given: {', '.join(names) or 'none'}.")
    unknown = [name for name in settings.subjects if name not in names]
    if not settings.subjects and settings.baseline not in names:
        unknown.append(settings.baseline)
    if unknown:
        raise InputError(f"{unknown[0]!r} is not among the retrievers that run: {', '.join(names)}.")
    if not settings.budgets or min(settings.budgets) < 1:
        raise InputError("Give budgets of at least 1, as --budgets 10 20 30 50.")
    if settings.pool < max(settings.budgets):
        raise InputError(f"The pool of {settings.pool} concepts is smaller than the budget {max(settings.budgets)}.")
    seen: set[str] = set()
    for example in examples:
        if example.pair_id in seen:
            raise InputError(f"The pair id {example.pair_id!r} stands twice. Ids must be unique within a file.")
        seen.add(example.pair_id)
        if not len(example.text_vector):
            raise InputError(f"The pair {example.pair_id!r} has no vector of its note; link it with an encoder.")
    return examples
