"""`evaluate notes --document progress_note`: SOAP notes written from patients' own notes (CLI-RAG), scored.

Takes the JSONL that `knowledge add noteevents` writes: a patient a line, with visits and dated notes. The last visit's last note
of the reference type is held out and compared with; the visit's other notes are what a system may read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.answers.answer_match import long_scores
from backend.evaluation.drafts.soap_scores import soap_scores
from backend.evaluation.drafts.temporal import SourceNote, Statement, temporal_scores
from backend.evaluation.plans.plan_evaluation import CellSettings, cell_figures, checked_cells
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of, writer_of
from backend.evaluation.reports.failed_items import failed_row, whole
from backend.evaluation.reports.journal import Journal, file_sha256
from backend.evaluation.reports.plotly_charts import Point, bar_chart
from backend.evaluation.reports.run_identity import identity
from backend.generation.composer.soap_visits import PARTS
from backend.interfaces import Encoder, LanguageModel, Pipeline
from backend.nlp.document import sections, sentences
from backend.prompts.verdicts import preference
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.evaluation_results import Chart, DataCard, Figure, NotAvailable, Result, ResultKind
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.vocabulary import Document, SoapPart
from backend.systems import NOTES_COMPARED, system

CLINICIAN = "clinician"
ASKED = "Write the progress note of this visit."
MEASURES = {
    "completeness": "share of the four SOAP parts that say something",
    "alignment": "share of statements that bear the date of a note that supports them, in order (docs/retrieval.md)",
    "dated": "share of statements that bear a date",
    "supported": "share of statements that some note supports",
    "right": "of the dated and supported statements, those with the date of a note that supports them",
    "ordered": "of the dated statements, those in time order within their part",
    "statements": "statements written",
    "cosine": "cosine of the whole text to the held-out note, by the encoder",
    "rouge_l": "ROUGE-L to the held-out note, F-measure",
    "preferred": "1 where a judge prefers it to the held-out note in both orders, 0 where the other one in both, else 0.5",
}


class PatientVisit(NamedTuple):
    """One visit to write up. reference: the held-out note, None where the visit has none."""

    patient_id: str
    notes: tuple[PatientNote, ...]
    reference: PatientNote | None


class SoapOptions(NamedTuple):
    """What an evaluation of progress notes reads, writes with and compares."""

    data: Path
    run: RunOptions
    systems: tuple[str, ...] = NOTES_COMPARED
    generator: str = ""
    reference: NoteType = NoteType.PHYSICIAN
    baseline: str = ""


def evaluate_soap(
    container: Container, options: SoapOptions, judge_model: LanguageModel | None = None
) -> tuple[Result, Path]:
    """The result and its folder. judge_model: without one preference is not scored."""
    whole = list(read_visits(options.data, options.reference))
    visits = options.run.chosen(whole)
    writer = writer_of(container, options.generator)
    names = checked_cells([*options.systems, CLINICIAN], options.baseline)
    pipelines = {name: container.pipeline(name, options.generator) for name in options.systems}
    run = Run(
        ResultKind.SOAP,
        options.run,
        {
            "systems": list(options.systems),
            "generator": writer,
            "reference": options.reference.value,
            "baseline": options.baseline,
            "judge": judge_model.name if judge_model else "",
        },
        {"data": file_sha256(options.data), "graph": container.graph.fingerprint},
        container.versions,
        identity(container, (options.generator,)),
    )
    with Journal(run.journal, run.key) as book:
        for done, visit in enumerate(visits):
            if options.run.progress is not None:
                options.run.progress(done, len(visits), "visits")
            if visit.patient_id not in book.rows:
                row: dict[str, Any] = {
                    name: written_scores(visit, name, pipeline, container.encoder, judge_model, options.run.seed)
                    for name, pipeline in pipelines.items()
                }
                book.add(visit.patient_id, row | {CLINICIAN: clinician_scores(visit)})
        rows = [book.rows[visit.patient_id] for visit in visits]
    found = cell_figures(rows, names, CellSettings(options.baseline, options.run.resamples, options.run.seed))
    without = sum(visit.reference is None for visit in visits)
    card = DataCard(
        name=options.data.name,
        sha256=file_sha256(options.data),
        items=len(visits),
        notices={f"without a note of type {options.reference.value} to compare with": without} if without else {},
    )
    missing = () if judge_model else (_NO_JUDGE,)
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={name: system(name).what for name in options.systems}
        | {CLINICIAN: "the held-out note itself; a sentence without a date is taken as of the note's own"},
        measures=MEASURES,
        figures=tuple(one for one in found.figures if judge_model or one.measure != "preferred"),
        differences=found.differences,
        not_available=(*found.not_available, *missing),
        caveats=(
            *caveats_of(card),
            "Completeness and alignment compare headers, words and dates: they find what is missing or misdated, not what is wrong.",
        ),
        charts=_charts(found.figures),
    )
    return result, run.folder


def read_visits(path: Path, reference: NoteType) -> Iterator[PatientVisit]:
    """Each patient's last visit that has a note besides the held-out one. Raises InputError that names the line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    found = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            visits = [[PatientNote.model_validate(note) for note in visit["patient_notes"]] for visit in row["visits"]]
            patient = str(row["subject_id"])
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise InputError(
                f"{path.name}, line {number}: no patient ({type(error).__name__}). Make the file with: "
                "python -m backend knowledge add noteevents --from FILE --to FILE.jsonl"
            ) from None
        for notes in reversed(visits):
            held = next((note for note in reversed(notes) if note.note_type == reference.value), None)
            rest = tuple(note for note in notes if note is not held)
            if rest:
                found = True
                yield PatientVisit(patient, rest, held)
                break
    if not found:
        raise InputError(f"{path.name} holds no visit to write up.")


def written_scores(
    visit: PatientVisit, name: str, pipeline: Pipeline, encoder: Encoder, judge: LanguageModel | None, seed: int
) -> dict[str, Any]:
    """The scores of what a system writes, numbers alone."""
    request = DraftRequest(
        question=ASKED, document=Document.PROGRESS_NOTE, system=name, seed=seed, patient_notes=visit.notes
    )
    try:
        draft = whole(pipeline.run(request))
        preferred = None
        if judge is not None and visit.reference is not None:
            preferred = preference(judge, draft.text, visit.reference.text, seed)
    except Exception as error:
        return failed_row("write", error)
    row = {"completeness": soap_scores(draft.text).completeness, **_timed(_statements(draft), visit, None)}
    if visit.reference is not None:
        near = long_scores(draft.text, visit.reference.text, encoder)
        row |= {"cosine": near.cosine, "rouge_l": near.rouge_l}
    return row | {"preferred": preferred}


def clinician_scores(visit: PatientVisit) -> dict[str, Any]:
    """The same of the held-out note; nothing where there is none."""
    if visit.reference is None:
        return {}
    text, day = visit.reference.text, (visit.reference.date or "")[:10] or None
    scored = [
        Statement(PARTS[section.category], text[section.body_char + a : section.body_char + b])
        for section in sections(text)
        if section.category in PARTS
        for a, b in sentences(text[section.body_char : section.end_char])
    ]
    return {"completeness": soap_scores(text).completeness, **_timed(scored, visit, day)}


def _statements(draft: Draft) -> list[Statement]:
    """The draft's sentences by part; those of other sections are no part of the SOAP note."""
    parts = {part.value.lower(): part for part in SoapPart}
    return [
        Statement(parts[sentence.section.lower()], sentence.text)
        for sentence in draft.sentences
        if sentence.section.lower() in parts
    ]


def _timed(scored: Sequence[Statement], visit: PatientVisit, own_day: str | None) -> Mapping[str, float | None]:
    notes = [SourceNote((note.date or "")[:10] or None, note.text) for note in visit.notes]
    return temporal_scores(scored, notes, own_day)._asdict()


def _charts(figures: Sequence[Figure]) -> tuple[Chart, ...]:
    bars: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.measure in ("completeness", "alignment", "cosine"):
            bars.setdefault(figure.system, []).append(Point(figure.measure, figure.value, figure.low, figure.high))
    return (bar_chart("soap", "Progress notes", "measure", "value", bars),) if bars else ()


_NO_JUDGE = NotAvailable(name="preferred", reason="no judge model is set; without one nothing is scored")
