"""`evaluate reading`: records of annotated notes against their annotations, with intervals over notes and the errors listed."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reading.gold_notes import AnnotatedNote, read_gold
from backend.evaluation.reading.record_scores import MEASURES, NoteCounts, confusion, score_note
from backend.evaluation.reports.evaluation_run import FEW, Run, RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.interfaces import Linker
from backend.nlp.measures.schedules import schedules_in
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind

SYSTEM = "record"
ERRORS = "errors.jsonl"
HALVES = {"even": 0, "odd": 1}
_LEAST_OF_SETTING = 3
"""Notes of one setting from which figures of its own are given."""


class ReadingOptions(NamedTuple):
    """gold, notes: folders of annotations and of notes. half: only every other note by name, to learn from one half."""

    gold: Path
    notes: Path
    run: RunOptions
    half: str | None = None


def evaluate_reading(container: Container, options: ReadingOptions) -> tuple[Result, Path]:
    """Read every note, count, and keep the result, with the errors beside it as errors.jsonl.

    Args:
        container: whose linker reads.
        options: what is measured.

    Returns:
        The result and its folder.

    Raises:
        InputError: the folders hold no annotated notes, or the half is none of even and odd.
    """
    if options.half is not None and options.half not in HALVES:
        raise InputError(f"--half {options.half!r} is none of: {', '.join(HALVES)}.")
    notes = read_gold(options.gold, options.notes)
    if options.half is not None:
        notes = notes[HALVES[options.half] :: 2]
    notes = options.run.chosen(notes)
    hashes = {file.name: file_sha256(file) for file in sorted(options.gold.glob("*.json"))}
    run = Run(
        ResultKind.READING,
        options.run,
        {"half": options.half or "all"},
        {"gold": hashes, "graph": container.graph.fingerprint},
        container.versions,
    )
    linker = container.linker
    concept_of = concept_finder(linker)
    counts = []
    for done, note in enumerate(notes):
        if options.run.progress is not None:
            options.run.progress(done, len(notes), "notes")
        record = linker.read(note.text).record
        if record is not None:
            counts.append(score_note(note, record, concept_of, _timing))
    if options.run.progress is not None:
        options.run.progress(len(notes), len(notes), "notes")
    caveats = ["The annotations were made by one reader a note and no clinician has checked them."]
    if len(counts) < FEW:
        caveats.append(f"Only {len(counts)} notes: the intervals are rough.")
    result = run.keep(
        data=DataCard(name=options.gold.name, sha256=_together(hashes), split=options.half or "all", items=len(counts)),
        graph=container.graph.fingerprint,
        systems={SYSTEM: "the patient record, pooled over all notes; after a colon, the notes of one setting"},
        measures=MEASURES,
        figures=tuple(_figures(notes, counts, options.run)),
        tables=confusion(counts),
        caveats=tuple(caveats),
    )
    lines = (json.dumps(error._asdict()) for one in counts for error in one.errors)
    (run.folder / ERRORS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return result, run.folder


def concept_finder(linker: Linker) -> Callable[[str], str | None]:
    """The concept that a whole name stands for, by the linker itself; None where it names none or several."""

    def concept_of(name: str) -> str | None:
        found = linker.link(name).note.mentions
        whole = len(found) == 1 and found[0].end_char - found[0].start_char >= len(name.strip())
        return found[0].concept_id if whole else None

    return concept_of


def _figures(notes: Sequence[AnnotatedNote], counts: Sequence[NoteCounts], options: RunOptions) -> list[Figure]:
    settings = sorted({note.gold.setting for note in notes})
    figures = []
    for about in ("", *settings):
        own = [c for note, c in zip(notes, counts, strict=True) if not about or note.gold.setting == about]
        if about and len(own) < _LEAST_OF_SETTING:
            continue
        resampler = Resampler(len(own), options.seed, options.resamples)
        for measure in MEASURES:
            top = np.array([float(c.hits[measure]) for c in own])
            bottom = np.array([float(c.totals[measure]) for c in own])
            found = resampler.figure(top, bottom)
            if found.value is None and about:
                continue
            figures.append(
                Figure(
                    system=f"{SYSTEM}: {about}" if about else SYSTEM,
                    measure=measure,
                    value=found.value,
                    low=found.low,
                    high=found.high,
                    n=int((bottom > 0).sum()),
                    reason="" if found.value is not None else "the notes hold nothing of the kind",
                )
            )
    return figures


def _together(hashes: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


def _timing(frequency: str) -> str:
    return next(iter(sorted(schedules_in(frequency)[0])), "")
