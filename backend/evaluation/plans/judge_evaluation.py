"""`evaluate judges`: signals of whether documents serve a question, against what people said of them (Omni-RAG Table 9).

Takes finds that somebody judged and signals; gives accuracy, precision, recall and F1 of each with intervals, how often it agrees with
the first of them, and what it costs. A cascade asks a cheap score first, and a model only where that is unsure.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from pydantic import Field, ValidationError

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import RESAMPLES, Resampler
from backend.evaluation.reports.cell_use import SAME_VERDICTS, VARIED, baseline_of, identical_cells, same_texts
from backend.evaluation.reports.failed_items import FAILED, failed_row
from backend.evaluation.reports.journal import Journal, Progress
from backend.schemas.base import Frozen
from backend.schemas.evaluation_results import Difference, Figure, NotAvailable
from backend.schemas.vocabulary import Source

MEASURES = {
    "accuracy": "share of finds on which the signal says what the person said",
    "precision": "share of the finds it takes that the person took",
    "recall": "share of the finds the person took that it takes",
    "f1": "harmonic mean of the two, over all finds",
    "agreement": "share of finds on which it says what the first signal says",
    "model_calls": "conversations sent to language models a find",
    "saved": "share of finds that a cascade decides without a model",
}


SAID_THE_SAME = "the same was said: nothing to compare"


class LabelledFind(Frozen):
    """What a query found in a source, and whether a person says that it supports the known answer."""

    id: str
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    options: tuple[str, ...] = ()
    source: Source
    documents: tuple[str, ...] = Field(min_length=1)
    supports: bool


class Said(NamedTuple):
    """What a signal says of a find. takes: None where it gives no verdict. asked: whether a cascade asked its model."""

    takes: bool | None
    calls: int = 0
    asked: bool | None = None


class SupportSignal(Protocol):
    """One signal. Raises LeapnoteError when it cannot say."""

    name: str
    """What it is called in figures."""

    def said(self, find: LabelledFind) -> Said:
        """Whether the find serves."""
        ...


class Cascade:
    """A score first, and a judge only where the score lies in a band.

    Args:
        name: in figures.
        score: of a find; higher is better.
        judge: asked from low to high, both included.
        low: below it the find is refused.
        high: above it the find is taken.

    Raises:
        InputError: the band ends before it begins.
    """

    def __init__(
        self, name: str, score: Callable[[LabelledFind], float], judge: SupportSignal, low: float, high: float
    ) -> None:
        if low > high:
            raise InputError(f"The band {low:g} to {high:g} ends before it begins. Give the lower number first.")
        self.name = name
        self._score, self._judge, self._low, self._high = score, judge, low, high

    def said(self, find: LabelledFind) -> Said:
        """The judge's verdict within the band, else the score's."""
        score = self._score(find)
        if self._low <= score <= self._high:
            return self._judge.said(find)._replace(asked=True)
        return Said(score > self._high, asked=False)


class JudgesFound(NamedTuple):
    """figures of each signal, differences to the baseline, and what failed."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    not_available: tuple[NotAvailable, ...]
    captions: tuple[str, ...] = ()


class JudgesSettings(NamedTuple):
    """baseline: a signal; empty for no differences."""

    baseline: str = ""
    resamples: int = RESAMPLES
    seed: int = 0


def read_finds(path: Path) -> list[LabelledFind]:
    """The judged finds of a JSONL file. Raises InputError that names the line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    found: dict[str, LabelledFind] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = {"id": str(number)} | json.loads(line)
            one = LabelledFind.model_validate(row)
        except (ValueError, TypeError, ValidationError):
            raise InputError(
                f"{path.name}, line {number}: no judged find. It needs question, answer, source, documents and supports."
            ) from None
        if one.id in found:
            raise InputError(f"{path.name}, line {number}: the id {one.id!r} stands twice.")
        found[one.id] = one
    if not found:
        raise InputError(f"{path.name} holds no judged find.")
    return list(found.values())


def run_judges(
    finds: Sequence[LabelledFind],
    signals: Sequence[SupportSignal],
    settings: JudgesSettings,
    journal: Path,
    key: str,
    progress: Progress | None = None,
) -> JudgesFound:
    """Ask every signal of every find. A killed run with the same key goes on after its last whole find."""
    names = [signal.name for signal in signals]
    if not names or len(set(names)) != len(names):
        raise InputError(f"Each signal must be given once: {', '.join(names) or 'none'}.")
    if settings.baseline and settings.baseline not in names:
        raise InputError(f"The baseline {settings.baseline!r} is no signal. Choose from: {', '.join(names)}")
    with Journal(journal, key) as book:
        for done, find in enumerate(finds):
            if progress is not None:
                progress(done, len(finds), "finds")
            if find.id not in book.rows:
                book.add(find.id, {signal.name: _row(signal, find) for signal in signals})
        if progress is not None:
            progress(len(finds), len(finds), "finds")
        rows = [book.rows[find.id] for find in finds]
    return summarise([find.supports for find in finds], rows, names, settings)


def summarise(
    truth: Sequence[bool], rows: Sequence[Mapping[str, Any]], names: Sequence[str], settings: JudgesSettings
) -> JudgesFound:
    """The figures of the rows of a journal.

    Args:
        truth: what the person said of each find.
        rows: by signal, its `takes`, `calls` and `asked`, or {"failed": kind}.
        names: of the signals.
        settings: baseline and bootstrap.
    """
    resampler = Resampler(len(rows), settings.seed, settings.resamples)
    person = np.array(truth, dtype=float)
    takes = {name: np.array([_number(row[name], "takes") for row in rows]) for name in names}
    said = {name: [{"text": row[name]["takes"]} if "takes" in row[name] else None for row in rows] for name in names}
    figures, differences = [], []
    for name in names:
        columns = _columns(person, takes[name], takes[names[0]], rows, name)
        for measure, (top, bottom) in columns.items():
            interval = resampler.figure(top, bottom)
            n = int((np.isfinite(top) & (bottom > 0)).sum())
            reason = "" if interval.value is not None else "there was nothing to measure it on"
            figures.append(Figure(system=name, measure=measure, n=n, reason=reason, **interval._asdict()))
            baseline = baseline_of(name, "") if VARIED in name else settings.baseline
            if not baseline or name == baseline or measure in ("agreement", "saved"):
                continue
            if VARIED in name and measure != "model_calls" and same_texts(said, name, baseline):
                differences.append(Difference(system=name, baseline=baseline, measure=measure, reason=SAID_THE_SAME))
                continue
            other = _columns(person, takes[baseline], takes[names[0]], rows, baseline)[measure]
            gap = resampler.difference(top, other[0], bottom, other[1])
            if gap.value is not None:
                differences.append(Difference(system=name, baseline=baseline, measure=measure, n=n, **gap._asdict()))
    failed = [
        NotAvailable(name=name, reason=f"{count} of {len(rows)} finds failed; they are left out")
        for name in names
        if (count := sum(FAILED in row[name] for row in rows))
    ]
    # two signals of another kind that agree have a difference of 0; of a setting that changes nothing there is none
    groups = [group for group in identical_cells(said) if any(VARIED in name for name in group)]
    alike = [f"{', '.join(group)} {SAME_VERDICTS}" for group in groups]
    return JudgesFound(tuple(figures), tuple(differences), tuple(failed), tuple(alike))


def _columns(
    person: np.ndarray, takes: np.ndarray, first: np.ndarray, rows: Sequence[Mapping[str, Any]], name: str
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By measure, numerators and denominators a find; NaN where the signal said nothing."""
    hit, known = takes * person, np.ones(len(person))
    found = {
        "accuracy": (np.where(np.isnan(takes), np.nan, takes == person), known),
        "precision": (hit, np.nan_to_num(takes)),
        "recall": (hit, person),
        "f1": (2 * hit, np.nan_to_num(takes) + person),
        "agreement": (np.where(np.isnan(takes) | np.isnan(first), np.nan, takes == first), known),
        "model_calls": (np.array([_number(row[name], "calls") for row in rows]), known),
    }
    asked = np.array([_number(row[name], "asked") for row in rows])
    return found | ({"saved": (1.0 - asked, known)} if np.isfinite(asked).any() else {})


def _row(signal: SupportSignal, find: LabelledFind) -> dict[str, Any]:
    try:
        return signal.said(find)._asdict()
    except Exception as error:
        return failed_row("judge", error)


def _number(cell: Mapping[str, Any], name: str) -> float:
    value = cell.get(name)
    return float("nan") if value is None else float(value)
