"""One run of an evaluation: its key, its folder, its result. What the three kinds share.

The key covers everything the figures depend on, so that a run is taken up only by the same run.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from backend import __version__
from backend.container import Container
from backend.errors import InputError, MissingError
from backend.evaluation.metrics.bootstrap import RESAMPLES
from backend.evaluation.reports.journal import Progress, file_sha256, run_key
from backend.evaluation.reports.result_folders import PARTIAL, run_folder, write_result
from backend.ingest.clinical_notes.note_pairs import SPLITS, Pair, read_pairs
from backend.schemas.evaluation_results import DataCard, Result, ResultKind
from models.llm.engine_choice import AUTO, COMPOSER

SYNTHETIC = "synthetic"
ALL = "all"
FEW = 30
Item = TypeVar("Item")


class RunOptions(NamedTuple):
    """day: ISO date. root: the folder of results. limit: at most so many items, drawn by the seed; None for all."""

    root: Path
    day: str
    seed: int = 0
    limit: int | None = None
    resamples: int = RESAMPLES
    progress: Progress | None = None

    def chosen(self, items: Sequence[Item]) -> list[Item]:
        """All items, or limit of them drawn by the seed, in their order. Raises InputError for a limit below 1."""
        if self.limit is None or self.limit >= len(items):
            return list(items)
        if self.limit < 1:
            raise InputError(f"--limit {self.limit} leaves nothing to evaluate. Give at least 1.")
        drawn = np.random.default_rng(self.seed).choice(len(items), size=self.limit, replace=False)
        return [items[i] for i in sorted(drawn.tolist())]


def writer_of(container: Container, asked: str) -> str:
    """The name of who writes under a generator's setting; empty for the one that is set.

    Raises:
        MissingError: another would stand in for it, whose drafts say nothing of the one that was asked for.
    """
    chosen, wanted = container.models.chosen(asked).generator, asked or container.settings.generator
    if chosen.name == COMPOSER and wanted not in (AUTO, COMPOSER):
        raise MissingError(f"The generator {wanted!r} cannot be evaluated: {chosen.reason}.")
    return chosen.name


class Run:
    """One run: what it asks, of which data, and everything else that its figures depend on.

    Args:
        kind: of the result.
        options: where it is kept, seed, limit and resamples.
        settings: what was asked for, as JSON values.
        inputs: names with hashes of the files that are read.
        versions: of the program, graph, encoder, policy and measuring packages.
        identity: of writers, weights, settings, prompts and code, as `run_identity.identity` gives it.
    """

    def __init__(
        self,
        kind: ResultKind,
        options: RunOptions,
        settings: dict[str, Any],
        inputs: dict[str, Any],
        versions: dict[str, str],
        identity: dict[str, Any],
    ) -> None:
        """Name the run's key and folder."""
        self._kind = kind
        self._options = options
        self._settings = {**settings, "limit": options.limit, "resamples": options.resamples}
        self._versions = {**versions, "leapnote": __version__}
        self._identity = identity
        self.key = run_key(
            kind=kind.value,
            seed=options.seed,
            settings=self._settings,
            inputs=inputs,
            versions=self._versions,
            identity=identity,
        )
        self.folder = run_folder(options.root, kind, self.key, options.day)

    @property
    def journal(self) -> Path:
        """The file of the rows that are done."""
        return self.folder / PARTIAL

    def keep(self, **found: Any) -> Result:
        """Write and return the result. found: its fields from data on."""
        result = Result(
            id=self.folder.name,
            kind=self._kind,
            date=self._options.day,
            key=self.key,
            seed=self._options.seed,
            settings=self._settings,
            versions=self._versions,
            identity=self._identity,
            **found,
        )
        write_result(self.folder, result)
        return result


def pairs_of(path: Path, split: str, options: RunOptions) -> list[Pair]:
    """The pairs of a split (or of all). Raises InputError when there is none."""
    splits = SPLITS if split == ALL else (split,)
    pairs = list(read_pairs(path, splits))
    if not pairs:
        held = Counter(pair.split for pair in read_pairs(path))
        splits_held = ", ".join(f"{name} {n}" for name, n in sorted(held.items())) or "none"
        raise InputError(
            f"{path.name} holds no pair of the split {split!r}; it holds {splits_held}. Choose with --split."
        )
    return options.chosen(pairs)


def pair_card(path: Path, split: str, pairs: Sequence[Pair], items: int, left_out: dict[str, int]) -> DataCard:
    """What a result says of the file of pairs it rests on."""
    notices = Counter(notice for pair in pairs for notice in pair.notices)
    synthetic = all(SYNTHETIC in pair.notices for pair in pairs)
    return DataCard(
        name=path.name,
        sha256=file_sha256(path),
        split=split,
        items=items,
        left_out=left_out,
        notices=dict(sorted(notices.items())),
        synthetic=synthetic,
    )


def caveats_of(card: DataCard) -> list[str]:
    """What must be borne in mind of any figure on this data."""
    caveats = []
    if card.synthetic:
        caveats.append(
            "Every pair is synthetic: made by a generator, of no real patient. Real notes are another matter."
        )
    if card.items < FEW:
        caveats.append(f"Only {card.items} items: the intervals are rough.")
    if course := card.notices.get("hpi_tells_course"):
        caveats.append(f"{course} notes already tell the hospital course, which a pre-admission note cannot know.")
    return caveats
