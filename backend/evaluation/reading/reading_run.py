"""`evaluate reading`: records of annotated notes against their annotations, with intervals over notes and the errors listed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.evaluation.reading.record_scores import MEASURES, confusion, score_note
from backend.evaluation.reading.setting_figures import chosen_notes, setting_figures, together, write_errors
from backend.evaluation.reports.evaluation_run import FEW, Run, RunOptions
from backend.evaluation.reports.run_identity import identity
from backend.interfaces import Linker
from backend.nlp.measures.timing import timing_code
from backend.schemas.evaluation_results import DataCard, Result, ResultKind

SYSTEM = "record"


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

    The folders must hold annotated notes, and the half be none, even or odd.
    """
    notes, hashes = chosen_notes(options.gold, options.notes, options.half, options.run)
    run = Run(
        ResultKind.READING,
        options.run,
        {"half": options.half or "all"},
        {"gold": hashes, "graph": container.graph.fingerprint},
        container.versions,
        identity(container, ()),
    )
    linker = container.linker
    concept_of = concept_finder(linker)
    counts = []
    for done, note in enumerate(notes):
        if options.run.progress is not None:
            options.run.progress(done, len(notes), "notes")
        record = linker.read(note.text).record
        if record is not None:
            counts.append(score_note(note, record, concept_of, timing_code))
    if options.run.progress is not None:
        options.run.progress(len(notes), len(notes), "notes")
    caveats = ["The annotations were made by one reader a note and no clinician has checked them."]
    if len(counts) < FEW:
        caveats.append(f"Only {len(counts)} notes: the intervals are rough.")
    result = run.keep(
        data=DataCard(
            name=options.gold.name,
            sha256=together(hashes),
            split=options.half or "all",
            items=len(counts),
            synthetic=all(note.gold.synthetic for note in notes),
        ),
        graph=container.graph.fingerprint,
        systems={SYSTEM: "the patient record, pooled over all notes; after a colon, the notes of one setting"},
        measures=MEASURES,
        figures=tuple(setting_figures(SYSTEM, MEASURES, notes, counts, options.run)),
        tables=confusion(counts),
        caveats=tuple(caveats),
    )
    write_errors(run.folder, counts)
    return result, run.folder


def concept_finder(linker: Linker) -> Callable[[str], str | None]:
    """The concept that a whole name stands for, by the linker itself; None where it names none or several."""

    def concept_of(name: str) -> str | None:
        found = linker.link(name).note.mentions
        whole = len(found) == 1 and found[0].end_char - found[0].start_char >= len(name.strip())
        return found[0].concept_id if whole else None

    return concept_of
