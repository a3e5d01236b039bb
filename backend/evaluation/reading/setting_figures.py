"""What evaluations on annotated notes share: which notes, figures as a whole and by setting, and the list of errors."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reading.gold_notes import AnnotatedNote, read_gold
from backend.evaluation.reading.record_scores import NoteCounts
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.schemas.evaluation_results import Figure

ERRORS = "errors.jsonl"
HALVES = {"even": 0, "odd": 1}
_LEAST_OF_SETTING = 3
"""Notes of one setting from which figures of its own are given."""


def chosen_notes(
    gold: Path, notes: Path, half: str | None, run: RunOptions
) -> tuple[list[AnnotatedNote], dict[str, str]]:
    """The annotated notes of a run, with the hash of each annotation.

    Args:
        gold: the folder of annotations.
        notes: the folder of notes.
        half: even or odd for every other note by name, None for all.
        run: its limit and seed.

    Raises:
        InputError: the half is none of even and odd.
    """
    if half is not None and half not in HALVES:
        raise InputError(f"--half {half!r} is none of: {', '.join(HALVES)}.")
    found = read_gold(gold, notes)
    if half is not None:
        found = found[HALVES[half] :: 2]
    return run.chosen(found), {file.name: file_sha256(file) for file in sorted(gold.glob("*.json"))}


def setting_figures(
    system: str,
    measures: Mapping[str, str],
    notes: Sequence[AnnotatedNote],
    counts: Sequence[NoteCounts],
    run: RunOptions,
) -> list[Figure]:
    """Each measure pooled over all notes, then over those of each setting that has enough, with intervals over notes."""
    figures = []
    for about in ("", *sorted({note.gold.setting for note in notes})):
        own = [c for note, c in zip(notes, counts, strict=True) if not about or note.gold.setting == about]
        if about and len(own) < _LEAST_OF_SETTING:
            continue
        resampler = Resampler(len(own), run.seed, run.resamples)
        for measure in measures:
            top = np.array([float(c.hits[measure]) for c in own])
            bottom = np.array([float(c.totals[measure]) for c in own])
            found = resampler.figure(top, bottom)
            if found.value is None and about:
                continue
            figures.append(
                Figure(
                    system=f"{system}: {about}" if about else system,
                    measure=measure,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    n=int((bottom > 0).sum()),
                    reason="" if found.value is not None else "the notes hold nothing of the kind",
                )
            )
    return figures


def write_errors(folder: Path, counts: Sequence[NoteCounts]) -> None:
    """Write each disagreement with its sentence as a line of errors.jsonl, beside the result."""
    lines = (json.dumps(error._asdict()) for one in counts for error in one.errors)
    (folder / ERRORS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def together(hashes: Mapping[str, str]) -> str:
    """One sha256 of several files' hashes."""
    return hashlib.sha256(json.dumps(dict(hashes), sort_keys=True).encode()).hexdigest()
