"""`evaluate planted`: plants wrong statements in true sentences, has the verifier judge both, and gives the figures."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.planted.planted_figures import CurvePoint, Figure, Judged, figures, judge
from backend.evaluation.planted.planted_sets import draft_pairs, held, note_pairs, pool_of, synonyms_of
from backend.evaluation.progress_notes.note_cells import ASKED
from backend.evaluation.progress_notes.patient_visits import read_patients
from backend.ingest.clinical_notes.visit_pairs import read_visit_notes
from backend.interfaces import Verifier
from backend.schemas.drafts.draft import Draft, WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.patients.written_notes import latest
from backend.schemas.vocabulary import Document
from backend.settings import ROOT

HALVES = ("tune", "held", "all")
Progress = Callable[[int, int, str], None]


class PlantedOptions(NamedTuple):
    """What an evaluation of planted errors reads.

    Attributes:
        notes: files or folders of public notes; none for the drafts of the demonstration cases.
        corpora: PubTator files whose names are put in although the vocabulary does not know them.
        half: of the notes, by their names.
        limit: at most so many notes.
        seed: of the choice of changes.
        progress: how far the run is.
        patients: patients' own notes, of which SOAP notes are written and changed, instead; None for none.
    """

    notes: tuple[Path, ...]
    corpora: tuple[Path, ...]
    half: str
    limit: int | None
    seed: int
    progress: Progress
    patients: Path | None = None


def evaluate_planted(container: Container, verifier: Verifier, options: PlantedOptions) -> list[Figure]:
    """Figures over all pairs and kind by kind. Raises InputError where there is nothing to plant in."""
    return figures(judged_pairs(container, verifier, options))


def judged_pairs(container: Container, verifier: Verifier, options: PlantedOptions) -> list[Judged]:
    """Every pair with the verifier's scores.

    Raises:
        InputError: there is no such half, or nothing to plant in.
    """
    if options.half not in HALVES:
        raise InputError(f"There is no half {options.half!r}. Choose from: {', '.join(HALVES)}")

    def step(what: str) -> Callable[[int, int], None]:
        return lambda done, total: options.progress(done, total, what)

    pool = pool_of(container.graph.concepts, container.linker, options.corpora)
    if options.notes:
        notes = [note for path in options.notes for note in read_visit_notes(path) if _wanted(note.name, options.half)]
        random.Random(options.seed).shuffle(notes)
        names = synonyms_of(container.graph.concepts)
        pairs = list(
            note_pairs(notes[: options.limit], container.linker, pool, names, options.seed, step("notes read"))
        )
    else:
        drafts = _soap_notes(container, options) if options.patients else _drafts(container, options)
        pairs = [
            pair
            for pair in draft_pairs(drafts, container.linker, pool, options.seed)
            if _wanted_pair(pair.held, options.half)
        ]
    if not pairs:
        raise InputError("No sentence of what was given holds anything to change. Give more notes, or the other half.")
    return judge(pairs, verifier, step("pairs judged"))


def figure_table(found: Sequence[Figure]) -> str:
    """The figures as a table of Markdown."""
    lines = [
        "| what | pairs | AUC | caught | false alarms | true one higher | calibration error | risk at half |",
        "|---" * 8 + "|",
    ]
    for f in found:
        values = (f.auc, f.caught, f.false_alarm, f.won, f.ece, f.risk_at_half)
        lines.append(f"| {f.name} | {f.n} | " + " | ".join("-" if v is None else f"{v:.3f}" for v in values) + " |")
    return "\n".join(lines)


def curve_table(curve: Sequence[CurvePoint]) -> str:
    """The curve of risk against coverage as a table of Markdown."""
    lines = ["| coverage | sentences | least score | risk |", "|---|---|---|---|"]
    lines += [f"| {one.coverage:.1f} | {one.n} | {one.least_score:.3f} | {one.risk:.3f} |" for one in curve]
    return "\n".join(lines)


Drafted = tuple[str, Sequence[WrittenSentence], LinkedNote, Evidence]


def _soap_notes(container: Container, options: PlantedOptions) -> Iterator[Drafted]:
    """The SOAP note of each patient's notes, as `cli-rag` finds and the composer writes them."""
    pipeline = container.pipeline("cli-rag", "composer")
    gap = container.settings.patient_visit_gap_days
    patients = list(read_patients(options.patients or Path(), NoteType.PHYSICIAN, gap))[: options.limit]
    for done, patient in enumerate(patients):
        options.progress(done, len(patients), "notes written")
        if _wanted(patient.patient_id, options.half):
            notes = latest(patient.every)[0]
            request = DraftRequest(
                question=ASKED,
                document=Document.PROGRESS_NOTE,
                system="cli-rag",
                patient_notes=notes,
                seed=options.seed,
            )
            yield _drafted(patient.patient_id, pipeline.run(request))


def _drafts(container: Container, options: PlantedOptions) -> Iterator[Drafted]:
    pipeline = container.pipeline("leapnote", "composer")
    paths = sorted((ROOT / "assets" / "cases").glob("*.json"))[: options.limit]
    for done, path in enumerate(paths):
        options.progress(done, len(paths), "drafts written")
        case = DemonstrationCase.model_validate(json.loads(path.read_text(encoding="utf-8")))
        if not _wanted(case.name, options.half):
            continue
        request = DraftRequest(
            text=case.text,
            discharge_medicines=case.discharge_medicines,
            hospital_course=case.hospital_course,
            confirmed_conditions=case.confirmed_conditions,
            patient_notes=case.patient_notes,
        )
        yield _drafted(case.name, pipeline.run(request))


def _drafted(name: str, draft: Draft) -> Drafted:
    written = [
        WrittenSentence(text=s.text, section=s.section, basis=s.basis, citations=s.citations) for s in draft.sentences
    ]
    linked = LinkedNote(note=draft.note, allergies=draft.allergies, patient=draft.patient)
    return name, written, linked, draft.evidence


def _wanted(name: str, half: str) -> bool:
    return _wanted_pair(held(name), half)


def _wanted_pair(is_held: bool, half: str) -> bool:
    return half == "all" or is_held == (half == "held")
