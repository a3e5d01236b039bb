"""Whole clinical texts, some with one wrong sentence that a file marks: whether texts and sentences are told apart, nothing cited.

Reads CSV with the columns `Sentences` (one a line, each after its number), `Error Flag` (1 where one is wrong), `Error Sentence ID` and,
where there is one, `Error Type`, as published sets of such texts have them. Only scores within one text are compared for
sentences; for texts it is the score of the most suspicious sentence.
"""

import csv
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import Interval, Resampler
from backend.evaluation.planted.planted_figures import auc
from backend.evaluation.planted.planted_vignettes import interval_text
from backend.interfaces import Linker
from backend.verification.consistency.consistency import SUSPECTED_AT, TextConsistency

COLUMNS = ("Sentences", "Error Flag", "Error Sentence ID")
KIND = "Error Type"
_NUMBERED = re.compile(r"^\s*(\d+)[\s.:)]+(.*\S)\s*$")


class MarkedText(NamedTuple):
    """sentences by their numbers. wrong: the number of the wrong one, None where all are right. kind: of the error, as the file has it."""

    sentences: tuple[tuple[int, str], ...]
    wrong: int | None
    kind: str


class MarkedFigure(NamedTuple):
    """How well wrong texts of one kind stand out.

    Attributes:
        name: of the kind.
        n: wrong texts.
        texts: the chance that the top score of a wrong text is above that of a right one.
        auc: of the wrong sentence among those of its text.
        first: how often the wrong sentence has its text's top score.
        chance: the same for a sentence drawn blindly.
        flagged: the share of wrong sentences at SUSPECTED_AT or above.
    """

    name: str
    n: int
    texts: float | None
    auc: Interval
    first: Interval
    chance: float
    flagged: Interval


class MarkedFigures(NamedTuple):
    """right: how many texts without a wrong sentence; alarmed: the share of them in which some sentence is at SUSPECTED_AT or above."""

    right: int
    alarmed: float | None
    rows: tuple[MarkedFigure, ...]


def read_marked(path: Path) -> list[MarkedText]:
    """Raises InputError for a file that is no such CSV, naming the column or the row."""
    if not path.is_file():
        raise InputError(f"There is no file {path}. Name a CSV with the columns {', '.join(COLUMNS)}.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise InputError(f"{path.name} lacks the column {missing[0]!r}; it needs {', '.join(COLUMNS)}.")
        return [_read(path.name, number, row) for number, row in enumerate(rows, 2)]


def marked_figures(
    texts: Sequence[MarkedText],
    linker: Linker,
    checker: TextConsistency,
    seed: int,
    progress: Callable[[int, int], None],
) -> MarkedFigures:
    """All kinds together, then kind by kind. Raises InputError where no text has a wrong sentence among others."""
    right: list[float] = []
    found: dict[str, list[tuple[float, float, float, float, float]]] = {}
    for done, one in enumerate(texts):
        progress(done, len(texts))
        scores = _scores(one, linker, checker)
        top = max(scores.values(), default=0.0)
        if one.wrong is None:
            right.append(top)
            continue
        score = scores[one.wrong]
        others = [value for number, value in scores.items() if number != one.wrong]
        if others:
            first = (score == top) / sum(value == top for value in scores.values())
            scores_of_text = (top, auc([score], others), first, 1 / len(scores), float(score >= SUSPECTED_AT))
            found.setdefault(one.kind, []).append(scores_of_text)
    if not found:
        raise InputError("No text of what was given has a wrong sentence among others.")
    groups = [("all", [one for group in found.values() for one in group]), *sorted(found.items())]
    if len(found) == 1:
        groups = groups[:1]
    alarmed = float(np.mean([top >= SUSPECTED_AT for top in right])) if right else None
    return MarkedFigures(len(right), alarmed, tuple(_figure(name, group, right, seed) for name, group in groups))


def marked_table(found: MarkedFigures) -> str:
    """The figures as a table of Markdown."""
    lines = [
        "| kind | texts | text AUC | sentence AUC | ranked first | by chance | flagged |",
        "|---|---|---|---|---|---|---|",
    ]
    for f in found.rows:
        texts = "-" if f.texts is None else f"{f.texts:.3f}"
        cells = (texts, interval_text(f.auc), interval_text(f.first), f"{f.chance:.3f}", interval_text(f.flagged))
        lines.append(f"| {f.name} | {f.n} | {' | '.join(cells)} |")
    if found.alarmed is not None:
        lines += [
            "",
            f"{found.right} texts without a wrong sentence; a sentence is suspected in {found.alarmed:.3f} of them.",
        ]
    return "\n".join(lines)


def _read(name: str, number: int, row: dict[str, str]) -> MarkedText:
    matches = [_NUMBERED.match(line) for line in row["Sentences"].splitlines() if line.strip()]
    sentences = tuple((int(one[1]), one[2]) for one in matches if one)
    try:
        wrong = int(float(row["Error Sentence ID"])) if int(float(row["Error Flag"])) else None
    except ValueError as error:
        raise InputError(f"{name}, row {number}: the error's flag and number must be whole numbers.") from error
    if not sentences or (wrong is not None and wrong not in dict(sentences)):
        raise InputError(
            f"{name}, row {number}: a sentence a line is needed, each after its number, the wrong one among them."
        )
    return MarkedText(sentences, wrong, (row.get(KIND) or "").strip().lower() or "all")


def _scores(one: MarkedText, linker: Linker, checker: TextConsistency) -> dict[int, float]:
    """The score of each sentence by its number: of what the program's own cutting has of it, the highest."""
    text, spans = "", {}
    for number, sentence in one.sentences:
        start = len(text)
        text += f"{sentence} "
        spans[number] = (start, len(text) - 1)
    found = checker.suspicions(linker.link(text.rstrip()))
    return {
        number: max((s.score for s in found if s.start < end and s.end > start), default=0.0)
        for number, (start, end) in spans.items()
    }


def _figure(name: str, group: Sequence[tuple[float, ...]], right: Sequence[float], seed: int) -> MarkedFigure:
    tops, aucs, firsts, chances, flagged = (np.array(values) for values in zip(*group, strict=True))
    drawn = Resampler(len(group), seed)
    texts = auc(tops, right) if right else None
    chance = float(chances.mean())
    return MarkedFigure(
        name, len(group), texts, drawn.figure(aucs), drawn.figure(firsts), chance, drawn.figure(flagged)
    )
