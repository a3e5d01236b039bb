"""The values of the visits page, from what was read and written. Pure functions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.jobs.draft_run import Progress
from app.jobs.visits_run import WrittenVisit
from app.view_data.draft_export import SUPPORT_WORDS, as_text
from app.view_data.pinned_data import alerts
from app.words.words import _, plural
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientOverview, VisitOverview
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED, claimed_date
from backend.schemas.patients.written_notes import latest, written_notes
from backend.schemas.vocabulary import Document

QUESTION = "What happened to the patient?"


class ReadFile(NamedTuple):
    """An uploaded file: what was read, or why it was refused."""

    name: str
    found: NotesFile | None
    refused: str = ""


class CollectedNotes(NamedTuple):
    """One patient's notes from all files and the field.

    Attributes:
        notes: in order.
        older: how many notes are left out, beyond the most that one request takes.
    """

    notes: tuple[PatientNote, ...]
    older: int


def patients(files: Sequence[ReadFile]) -> list[str]:
    """The ids of patients that the files name, in order."""
    named = [record.patient for file in files if file.found for record in file.found.patients if record.patient]
    return list(dict.fromkeys(named))


def collect_notes(files: Sequence[ReadFile], typed: str, patient: str) -> CollectedNotes:
    """The notes of one patient; what bears no patient's id is taken as the same patient's. The same note counts once."""
    held = [record for file in files if file.found for record in file.found.patients]
    notes = [note for record in held if record.patient in ("", patient) for note in record.notes]
    return CollectedNotes(*latest(list(dict.fromkeys([*notes, *written_notes(typed)]))))


def request_of(notes: Sequence[PatientNote], system: str, generator: str, seed: int) -> DraftRequest | None:
    """The request for the visits of the notes; None where there is no note."""
    if not notes:
        return None
    return DraftRequest(
        question=QUESTION,
        document=Document.PROGRESS_NOTE,
        system=system,
        generator=generator or None,
        seed=seed,
        patient_notes=tuple(notes),
    )


def file_words(file: ReadFile) -> str:
    """What a file was read as, what it held, and what was left out."""
    if file.found is None:
        return file.refused
    notes = sum(len(record.notes) for record in file.found.patients)
    held = _("{notes} of {patients}").format(
        notes=plural("{n} note", "{n} notes", notes),
        patients=plural("{n} patient", "{n} patients", len(file.found.patients)),
    )
    left = "; ".join(
        _("left out: {n} ({reason})").format(n=count, reason=reason) for reason, count in file.found.skipped.items()
    )
    return _("{file}: read as {kind}, {held}").format(file=file.name, kind=file.found.kind, held=held) + (
        f"; {left}" if left else ""
    )


def when(first: str | None, last: str | None) -> str:
    """The days of a visit."""
    if first is None:
        return _("without a date")
    return first if first == last else _("{first} to {last}").format(first=first, last=last)


def visit_rows(visits: Sequence[VisitOverview]) -> list[dict[str, str | int]]:
    """A row a visit: its days, how many notes, and of which types."""
    return [
        {
            _("visit"): visit.number,
            _("days"): when(visit.first, visit.last),
            _("notes"): len(visit.notes),
            _("types"): ", ".join(sorted({note.note_type for note in visit.notes})),
            _("without a date"): sum(note.date is None for note in visit.notes),
        }
        for visit in visits
    ]


def note_rows(visit: VisitOverview) -> list[dict[str, str | int]]:
    """The notes of a visit, in the order of time."""
    return [
        {
            _("visit"): visit.number,
            _("date"): (note.date or UNDATED).replace("T", " "),
            _("note"): note.note_type,
            _("the date is from"): "" if note.date is None else f"the {note.date_source.value}",
            _("why it has none"): note.reason,
            _("characters"): note.characters,
        }
        for note in visit.notes
    ]


def statement_rows(draft: Draft) -> list[dict[str, str]]:
    """Each statement with its date, the note it comes from, and how far the note supports it."""
    pieces = {piece.id: piece for piece in draft.evidence.notes}
    rows = []
    for sentence in draft.sentences:
        day, words = claimed_date(sentence.text)
        cited = [pieces[mark] for mark in sentence.citations if mark in pieces]
        rows.append(
            {
                _("part"): sentence.section,
                _("date"): day or "; ".join(sorted({piece.date or UNDATED for piece in cited})),
                _("statement"): words,
                _("source"): "; ".join(_source_words(piece) for piece in cited),
                _("mark"): _(SUPPORT_WORDS[sentence.support]),
            }
        )
    return rows


def _source_words(piece: NotePiece) -> str:
    return ", ".join(part for part in (piece.note_type, piece.section, piece.date or UNDATED) if part)


def earlier_statements(draft: Draft) -> list[str]:
    """What the draft of this visit was given from the visits before it."""
    return [piece.text for piece in draft.evidence.notes if piece.note_type == PREVIOUS_VISIT]


def allergy_values(overview: PatientOverview) -> dict[str, Any]:
    """The allergies of all notes, as the pinned line takes them."""
    items = [
        {"text": one.text, "reaction": one.reaction, "kind": one.kind.value, "checked": one.checked}
        for one in overview.allergies
    ]
    said = {
        "none_known": _("none known, as a note says"),
        "unreadable": _("an entry could not be read. Read it in the notes"),
    }
    status = overview.allergy_status.value
    return {
        "status": status,
        "said": "" if items else said.get(status, _("no note says. Ask the patient")),
        "items": items,
    }


def visit_alerts(visits: Sequence[Progress]) -> list[dict[str, str]]:
    """The severe flags of the visits written, each with the number of its visit; allergy conflicts first."""
    found = [(place, alerts(seen)) for place, seen in enumerate(visits, start=1)]
    both = [[(place, one) for place, kinds in found for one in kinds[kind]] for kind in (0, 1)]
    return [
        {**one, "message": _("visit {n}: {alert}").format(n=place, alert=one["message"])}
        for rows in both
        for place, one in rows
    ]


def all_as_text(written: Sequence[WrittenVisit], label: str, notice: str) -> str:
    """All visits as one text."""
    return "\n\n".join(
        f"VISIT {visit.number}, {when(visit.first, visit.last)}\n\n{as_text(visit.draft, label, notice)}"
        for visit in written
    )
