"""`evaluate safety`: flags and warning signs of drafts against the safety benchmark, with intervals over its rows.

For the odd half nothing of a row is kept or shown, only how many were counted.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from backend.container import Container
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reading.reading_run import concept_finder
from backend.evaluation.reading.record_scores import NoteCounts
from backend.evaluation.reading.setting_figures import together, write_errors
from backend.evaluation.reports.evaluation_run import Run, RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.safety.benchmark_rows import Prescription, SignProbe, Vignette, read_benchmark
from backend.evaluation.safety.flag_match import FlagMatch
from backend.evaluation.safety.safety_scores import (
    PRESCRIPTION_MEASURES,
    SIGN_MEASURES,
    VIGNETTE_MEASURES,
    note_of,
    score_prescription,
    score_sign,
    score_vignette,
)
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.headings import WARNING
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind
from backend.systems import DEFAULT_SYSTEM, system

VIGNETTES, PRESCRIPTIONS, SIGNS = "vignettes", "prescriptions", "warning signs"
FOUND_OF = "found:"
Row = TypeVar("Row", Vignette, Prescription, SignProbe)
_PARTS = {
    VIGNETTES: "notes with a danger or a foil: what the flags find and cry wolf about; after a colon, one kind of danger",
    PRESCRIPTIONS: "single prescriptions with or without a dose error; after a colon, one kind of error and its right pair",
    SIGNS: "what the letter tells of a sign under its heading of warning signs",
}


class SafetyOptions(NamedTuple):
    """folder: of the benchmark. half: even or odd; None for all. system: whose drafts."""

    folder: Path
    run: RunOptions
    half: str | None = None
    system: str = DEFAULT_SYSTEM
    generator: str = ""


class _Scored(NamedTuple):
    """A row's half and kind, with its counts."""

    half: str
    kind: str
    counts: NoteCounts


def evaluate_safety(container: Container, options: SafetyOptions) -> tuple[Result, Path]:
    """Draft every row, count, and keep the result; the errors of the even half lie beside it as errors.jsonl.

    Args:
        container: whose pipeline writes.
        options: what is measured.

    Returns:
        The result and its folder.

    The folder must hold the benchmark, and the system be one of those there are.
    """
    rows = read_benchmark(options.folder, options.half)
    hashes = {file.name: file_sha256(file) for file in rows.files}
    system(options.system)
    run = Run(
        ResultKind.SAFETY,
        options.run,
        {"half": options.half or "all", "system": options.system, "generator": options.generator},
        {"rows": hashes, "graph": container.graph.fingerprint},
        container.versions,
        identity(container, (options.generator,)),
    )
    match = FlagMatch(rows.same_names, names_finder(container))
    pipeline = container.pipeline(options.system, options.generator)

    def drafted(text: str, medicines: Sequence[str] = ()) -> Draft:
        request = DraftRequest(
            text=text, discharge_medicines=tuple(medicines), system=options.system, seed=options.run.seed
        )
        return pipeline.run(request)

    def of_vignette(row: Vignette) -> _Scored:
        flags = drafted(row.note, row.discharge_medicines).flags
        return _Scored(row.half, row.kind, score_vignette(row, flags, match))

    def of_prescription(row: Prescription) -> _Scored:
        flags = drafted(note_of(row), (*row.patient.medicines, row.prescription)).flags
        return _Scored(row.half, row.about, score_prescription(row, flags, match))

    def of_sign(row: SignProbe) -> _Scored:
        said = drafted(row.note).sentences
        warnings = [sentence.text for sentence in said if sentence.section == WARNING]
        return _Scored(row.half, "", score_sign(row, warnings, [sentence.text for sentence in said]))

    vignettes = _each(options.run, VIGNETTES, options.run.chosen(rows.vignettes), of_vignette)
    prescriptions = _each(options.run, PRESCRIPTIONS, options.run.chosen(rows.prescriptions), of_prescription)
    signs = _each(options.run, SIGNS, options.run.chosen(rows.signs), of_sign)
    every = [*vignettes, *prescriptions, *signs]
    result = run.keep(
        data=DataCard(
            name=options.folder.name,
            sha256=together(hashes),
            split=options.half or "all",
            items=len(every),
            notices={name: len(own) for name, own in zip(_PARTS, (vignettes, prescriptions, signs), strict=True)},
            synthetic=True,
        ),
        graph=container.graph.fingerprint,
        systems=_PARTS,
        measures={**VIGNETTE_MEASURES, **PRESCRIPTION_MEASURES, **SIGN_MEASURES},
        figures=(
            *_vignette_figures([one.counts for one in vignettes], options.run),
            *_prescription_figures(prescriptions, options.run),
            *_figures(SIGNS, dict.fromkeys(SIGN_MEASURES), [one.counts for one in signs], options.run),
        ),
        caveats=(
            "One author, who had not seen the rules, wrote and labelled every row; no clinician has checked them.",
            "A flag is matched with an annotation by the medicine and the partner that it names: a share, not a verdict.",
        ),
    )
    write_errors(run.folder, [one.counts for one in every if one.half == "even"])
    return result, run.folder


def names_finder(container: Container) -> Callable[[str], Sequence[str]]:
    """All names of the concept that a whole name stands for, by the linker; none where it stands for none."""
    concept_of = concept_finder(container.linker)
    graph = container.graph

    def names_of(name: str) -> Sequence[str]:
        concept = concept_of(name)
        if concept is None or concept not in graph.index:
            return ()
        row = graph.row(concept)
        return (row.name, *row.synonyms)

    return names_of


def _each(run: RunOptions, part: str, rows: Sequence[Row], score: Callable[[Row], _Scored]) -> list[_Scored]:
    scored = []
    for done, row in enumerate(rows):
        if run.progress is not None:
            run.progress(done, len(rows), part)
        scored.append(score(row))
    if run.progress is not None and rows:
        run.progress(len(rows), len(rows), part)
    return scored


def _vignette_figures(counts: Sequence[NoteCounts], run: RunOptions) -> list[Figure]:
    kinds = sorted({name for one in counts for name in one.totals if name.startswith(FOUND_OF)})
    figures = _figures(VIGNETTES, dict.fromkeys(VIGNETTE_MEASURES), counts, run)
    for kind in kinds:
        about = f"{VIGNETTES}: {kind.removeprefix(FOUND_OF)}"
        figures += _figures(about, {"found": kind}, [one for one in counts if one.totals[kind]], run)
    return figures


def _prescription_figures(scored: Sequence[_Scored], run: RunOptions) -> list[Figure]:
    figures = _figures(PRESCRIPTIONS, dict.fromkeys(PRESCRIPTION_MEASURES), [one.counts for one in scored], run)
    for kind in sorted({one.kind for one in scored}):
        own = [one.counts for one in scored if one.kind == kind]
        figures += _figures(f"{PRESCRIPTIONS}: {kind}", dict.fromkeys(PRESCRIPTION_MEASURES), own, run)
    return figures


def _figures(
    about: str, measures: Mapping[str, str | None], counts: Sequence[NoteCounts], run: RunOptions
) -> list[Figure]:
    """Each measure pooled over rows, with its interval over them; n counts cases. A measure may be kept under another name."""
    if not counts:
        return []
    resampler = Resampler(len(counts), run.seed, run.resamples)
    figures = []
    for measure, counted in measures.items():
        name = counted or measure
        bottom = np.array([float(one.totals[name]) for one in counts])
        found = resampler.figure(np.array([float(one.hits[name]) for one in counts]), bottom)
        reason = "" if found.value is not None else "no row holds anything of the kind"
        figures.append(
            Figure(
                system=about,
                measure=measure,
                value=found.value,
                low=found.low,
                high=found.high,
                n=int(bottom.sum()),
                reason=reason,
            )
        )
    return figures
