"""`evaluate planted`: plants wrong statements in true sentences, has the verifier judge both, and gives the figures."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.planted.planted_figures import Figure, figures, judge
from backend.evaluation.planted.planted_sets import draft_pairs, held, note_pairs, pool_of, synonyms_of
from backend.ingest.clinical_notes.visit_pairs import read_visit_notes
from backend.interfaces import Verifier
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
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
    """

    notes: tuple[Path, ...]
    corpora: tuple[Path, ...]
    half: str
    limit: int | None
    seed: int
    progress: Progress


def evaluate_planted(container: Container, verifier: Verifier, options: PlantedOptions) -> list[Figure]:
    """Figures over all pairs and kind by kind. Raises InputError where there is nothing to plant in."""
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
        drafts = _drafts(container, options)
        pairs = [
            pair
            for pair in draft_pairs(drafts, container.linker, pool, options.seed)
            if _wanted_pair(pair.held, options.half)
        ]
    if not pairs:
        raise InputError("No sentence of what was given holds anything to change. Give more notes, or the other half.")
    return figures(judge(pairs, verifier, step("pairs judged")))


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


def _drafts(
    container: Container, options: PlantedOptions
) -> Iterator[tuple[str, Sequence[WrittenSentence], LinkedNote, Evidence]]:
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
        draft = pipeline.run(request)
        written = [
            WrittenSentence(text=s.text, section=s.section, basis=s.basis, citations=s.citations)
            for s in draft.sentences
        ]
        yield (
            case.name,
            written,
            LinkedNote(note=draft.note, allergies=draft.allergies, patient=draft.patient),
            draft.evidence,
        )


def _wanted(name: str, half: str) -> bool:
    return _wanted_pair(held(name), half)


def _wanted_pair(is_held: bool, half: str) -> bool:
    return half == "all" or is_held == (half == "held")
