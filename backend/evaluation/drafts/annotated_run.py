"""`evaluate drafts`: the letters of annotated notes against what must and must not be told, by system."""

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from backend.container import Container
from backend.evaluation.drafts.annotated_scores import MEASURES, score_draft
from backend.evaluation.reading.reading_run import concept_finder
from backend.evaluation.reading.setting_figures import chosen_notes, setting_figures, together, write_errors
from backend.evaluation.reports.cell_figures import CellSettings, cell_figures
from backend.evaluation.reports.cell_use import COSTS, USE, metered
from backend.evaluation.reports.evaluation_run import FEW, Run, RunOptions
from backend.evaluation.reports.run_identity import identity
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind
from backend.systems import DEFAULT_SYSTEM, system


class DraftsOptions(NamedTuple):
    """gold, notes: folders of annotations and of notes. half: every other note by name. systems: names, none for ours."""

    gold: Path
    notes: Path
    run: RunOptions
    half: str | None = None
    systems: tuple[str, ...] = ()
    generator: str = ""


def evaluate_drafts(container: Container, options: DraftsOptions) -> tuple[Result, Path]:
    """Write a letter from each note by each system, count, and keep the result with its errors.

    Args:
        container: whose pipelines write.
        options: what is measured.

    Returns:
        The result and its folder.
    """
    notes, hashes = chosen_notes(options.gold, options.notes, options.half, options.run)
    names = options.systems or (DEFAULT_SYSTEM,)
    entries = {name: system(name).what for name in names}
    run = Run(
        ResultKind.DRAFTS,
        options.run,
        {"half": options.half or "all", "systems": list(names), "generator": options.generator},
        {"gold": hashes, "graph": container.graph.fingerprint},
        container.versions,
        identity(container, (options.generator,)),
    )
    concept_of = concept_finder(container.linker)
    figures: list[Figure] = []
    every = []
    uses: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for name in names:
        pipeline = container.pipeline(name, options.generator)
        counts = []
        for done, note in enumerate(notes):
            if options.run.progress is not None:
                options.run.progress(done, len(notes), name)
            request = DraftRequest(text=note.text, system=name, seed=options.run.seed)
            draft, use = metered(container, partial(pipeline.run, request))
            uses[name].append(use)
            counts.append(score_draft(note, draft, concept_of))
        if options.run.progress is not None:
            options.run.progress(len(notes), len(notes), name)
        figures += setting_figures(name, MEASURES, notes, counts, options.run)
        every += counts
    caveats = [
        "The annotations were made by one reader a note and no clinician has checked them.",
        "What is said, suspected and flagged is matched by words: a share, not a verdict.",
    ]
    rows = [{name: {USE: uses[name][i]} for name in names} for i in range(len(notes))]
    spent = cell_figures(rows, names, CellSettings(resamples=options.run.resamples, seed=options.run.seed))
    if len(notes) < FEW:
        caveats.append(f"Only {len(notes)} notes: the intervals are rough.")
    result = run.keep(
        data=DataCard(
            name=options.gold.name,
            sha256=together(hashes),
            split=options.half or "all",
            items=len(notes),
            synthetic=all(note.gold.synthetic for note in notes),
        ),
        graph=container.graph.fingerprint,
        systems=entries,
        measures=MEASURES | COSTS,
        figures=(*figures, *spent.figures),
        caveats=(*caveats, *spent.captions),
    )
    write_errors(run.folder, every)
    return result, run.folder
