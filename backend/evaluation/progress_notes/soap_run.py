"""`evaluate notes --document progress_note`: SOAP notes written from patients' own notes (CLI-RAG), scored.

Takes the JSONL that `knowledge add noteevents` writes, a patient a line with visits and dated notes, or patients' own files. The last visit's last note
of the reference type is held out and compared with; a system may read what was known before it was written.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from backend.container import Container
from backend.evaluation.answers.answer_match import long_scores
from backend.evaluation.progress_notes import planted_visit
from backend.evaluation.progress_notes.note_cells import ALL_NOTES, AllNotes, NoteCell, OneVisit, VisitsInTurn
from backend.evaluation.progress_notes.patient_visits import PatientVisits, data_digest, read_patients
from backend.evaluation.progress_notes.planted_visit import PlantedVisits
from backend.evaluation.progress_notes.soap_scores import soap_scores
from backend.evaluation.progress_notes.temporal import SourceNote, Statement, temporal_scores
from backend.evaluation.reports.cell_figures import CellSettings, cell_figures
from backend.evaluation.reports.cell_use import COSTS, USE, VARIED, checked_cells, in_drawn_order, warm
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of, writer_of
from backend.evaluation.reports.failed_items import failed_row
from backend.evaluation.reports.journal import Journal
from backend.evaluation.reports.plotly_charts import Point, bar_chart
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import containers, read_variations
from backend.generation.composer.soap_visits import PARTS
from backend.interfaces import Encoder, LanguageModel
from backend.nlp.document import sections, sentences
from backend.prompts.verdicts import preference
from backend.schemas.drafts.draft import Draft
from backend.schemas.evaluation_results import Chart, DataCard, Figure, NotAvailable, Result, ResultKind
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.vocabulary import SoapPart
from backend.systems import NOTES_COMPARED, system

CLINICIAN = "clinician"
MEASURES = {
    "completeness": "share of the four SOAP parts that say something",
    "alignment": "share of statements that bear the date of a note that supports them, in order (docs/retrieval.md)",
    "dated": "share of statements that bear a date",
    "supported": "share of statements that some note supports",
    "right": "of the dated and supported statements, those with the date of a note that supports them",
    "ordered": "of the dated statements, those in time order within their part",
    "statements": "statements written",
    "pairs": "statements that tell a date themselves",
    "pairs_right": "of them, those whose event some note has with that date: asked alike of clinicians and of systems",
    "cosine": "cosine of the whole text to the held-out note, by the encoder",
    "rouge_l": "ROUGE-L to the held-out note, F-measure",
    "preferred": "1 where a judge prefers it to the held-out note in both orders, 0 where the other one in both, else 0.5",
}


class SoapOptions(NamedTuple):
    """What an evaluation of progress notes reads, writes with and compares.

    Attributes:
        data: the file of patients, or a folder of their files.
        run: where the result goes, seed, limit.
        systems: by name.
        generator: who writes; empty for the one that is set.
        reference: the type of the note that is held out.
        baseline: a cell; empty for none.
        varied: NAME=a,b each: a setting's values, each of them one more cell a system.
        in_turn: whether the visits before are written too, each told to the next, beside a baseline of all notes at once.
        planted: whether wrong facts are planted in the first visit; only with in_turn.
    """

    data: Path
    run: RunOptions
    systems: tuple[str, ...] = NOTES_COMPARED
    generator: str = ""
    reference: NoteType = NoteType.PHYSICIAN
    baseline: str = ""
    varied: tuple[str, ...] = ()
    in_turn: bool = False
    planted: bool = False


def evaluate_soap(
    container: Container, options: SoapOptions, judge_model: LanguageModel | None = None
) -> tuple[Result, Path]:
    """The result and its folder. judge_model: without one preference is not scored."""
    gap = container.settings.patient_visit_gap_days
    patients = options.run.chosen(list(read_patients(options.data, options.reference, gap)))
    writer = writer_of(container, options.generator)
    cells, plants = note_cells(container, options, judge_model)
    names = checked_cells([*(cell.name for cell in cells), CLINICIAN], options.baseline)
    run = Run(
        ResultKind.SOAP,
        options.run,
        {
            "cells": names,
            "generator": writer,
            "reference": options.reference.value,
            "baseline": options.baseline,
            "judge": judge_model.name if judge_model else "",
            "in_turn": options.in_turn,
            "planted": options.planted,
        },
        {"data": data_digest(options.data), "graph": container.graph.fingerprint},
        container.versions,
        identity(container, (options.generator,)),
    )
    with Journal(run.journal, run.key) as book:
        if any(patient.patient_id not in book.rows for patient in patients):
            warm(cells)
        for done, patient in enumerate(patients):
            if options.run.progress is not None:
                options.run.progress(done, len(patients), "patients")
            if patient.patient_id not in book.rows:
                row = {
                    cell.name: written_scores(
                        patient, cell, container.encoder, judge_model, options.run.seed, plants.get(cell.name)
                    )
                    for cell in in_drawn_order(cells, options.run.seed, patient.patient_id)
                }
                book.add(patient.patient_id, row | {CLINICIAN: clinician_scores(patient)})
        if options.run.progress is not None:
            options.run.progress(len(patients), len(patients), "patients")
        rows = [book.rows[patient.patient_id] for patient in patients]
    found = cell_figures(rows, names, CellSettings(options.baseline, options.run.resamples, options.run.seed))
    card = DataCard(
        name=options.data.name,
        sha256=data_digest(options.data),
        items=len(patients),
        notices=_notices(patients, options),
    )
    missing = () if judge_model else (_NO_JUDGE,)
    turned = (_IN_TURN,) if options.in_turn else ()
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={cell.name: _what(cell.name, options.in_turn) for cell in cells}
        | {CLINICIAN: "the held-out note itself; a sentence that tells no date is taken as of the note's own"},
        measures=MEASURES | (planted_visit.MEASURES if options.planted else {}) | COSTS,
        figures=tuple(one for one in found.figures if judge_model or one.measure != "preferred"),
        differences=found.differences,
        not_available=(*found.not_available, *missing),
        caveats=(
            *caveats_of(card),
            "Completeness and alignment compare headers, words and dates: they find what is missing or misdated, not what is wrong.",
            *turned,
            *found.captions,
        ),
        charts=_charts(found.figures),
    )
    return result, run.folder


def note_cells(
    container: Container, options: SoapOptions, judge: LanguageModel | None = None
) -> tuple[list[NoteCell], dict[str, PlantedVisits]]:
    """Every system, and once more for each varied setting; by name what plants in the first visit.

    Args:
        container: whose pipelines write.
        options: which cells.
        judge: asked whether it rejects notes with wrong facts.
    """
    cells: list[NoteCell] = []
    plants: dict[str, PlantedVisits] = {}
    for label, own in containers(container, read_variations(options.varied, container.settings)):
        for name in options.systems:
            if not options.in_turn:
                cells.append(OneVisit(own, name, options.generator, label))
                continue
            cell = VisitsInTurn(own, name, options.generator, label)
            cells.append(cell)
            if options.planted:
                plants[cell.name] = PlantedVisits(own, cell, judge)
    if options.in_turn:
        cells.append(AllNotes(container, options.generator))
    return cells, plants


def written_scores(
    patient: PatientVisits,
    cell: NoteCell,
    encoder: Encoder,
    judge: LanguageModel | None,
    seed: int,
    plants: PlantedVisits | None = None,
) -> dict[str, Any]:
    """The scores of what a cell writes, numbers alone."""
    try:
        written = cell.write(patient, seed)
        draft = written.draft
        preferred = None
        if judge is not None and patient.reference is not None:
            preferred = preference(judge, draft.text, patient.reference.note.text, seed)
        planted = plants.scores(patient, seed) if plants is not None else {}
    except Exception as error:
        return failed_row("write", error)
    row = {"completeness": soap_scores(draft.text).completeness, **_timed(_statements(draft), patient, None)}
    if patient.reference is not None:
        near = long_scores(draft.text, patient.reference.note.text, encoder)
        row |= {"cosine": near.cosine, "rouge_l": near.rouge_l}
    return {**row, **planted, "preferred": preferred, USE: written.use}


def clinician_scores(patient: PatientVisits) -> dict[str, Any]:
    """The same of the held-out note; nothing where there is none."""
    if patient.reference is None:
        return {}
    text, day = patient.reference.note.text, patient.reference.when.day
    scored = [
        Statement(PARTS[section.category], text[section.body_char + a : section.body_char + b])
        for section in sections(text)
        if section.category in PARTS
        for a, b in sentences(text[section.body_char : section.end_char])
    ]
    return {"completeness": soap_scores(text).completeness, **_timed(scored, patient, day)}


def _statements(draft: Draft) -> list[Statement]:
    """The draft's sentences by part; those of other sections are no part of the SOAP note."""
    parts = {part.value.lower(): part for part in SoapPart}
    return [
        Statement(parts[sentence.section.lower()], sentence.text)
        for sentence in draft.sentences
        if sentence.section.lower() in parts
    ]


def _timed(scored: Sequence[Statement], patient: PatientVisits, own_day: str | None) -> Mapping[str, float | None]:
    visits = (*patient.earlier, patient.visit)
    notes = [SourceNote(one.when.day, one.note.text) for visit in visits for one in visit.notes]
    return temporal_scores(scored, notes, own_day)._asdict()


def _notices(patients: Sequence[PatientVisits], options: SoapOptions) -> dict[str, int]:
    counted = {
        f"without a note of type {options.reference.value} to compare with": sum(p.reference is None for p in patients),
        "in whose visit notes not known to be earlier than the held-out one are left out": sum(
            p.left_out > 0 for p in patients
        ),
        "without an earlier visit": sum(not p.earlier for p in patients) if options.in_turn else 0,
    }
    return {notice: n for notice, n in counted.items() if n}


def _what(name: str, in_turn: bool) -> str:
    if name == ALL_NOTES:
        return "the notes of all visits at once in one prompt, none retrieved"
    what = system(name.split(VARIED, maxsplit=1)[0]).what
    return f"{what}; every visit in turn" if in_turn else what


def _charts(figures: Sequence[Figure]) -> tuple[Chart, ...]:
    bars: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.measure in ("completeness", "alignment", "cosine"):
            bars.setdefault(figure.system, []).append(Point(figure.measure, figure.value, figure.low, figure.high))
    return (bar_chart("soap", "Progress notes", "measure", "value", bars),) if bars else ()


_NO_JUDGE = NotAvailable(name="preferred", reason="no judge model is set; without one nothing is scored")
_IN_TURN = "Every visit was written in turn; the last one is scored, and its costs are of that note alone."
