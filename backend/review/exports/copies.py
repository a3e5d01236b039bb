"""What a copy of a case says, before it becomes a file: the clinician's copy and the patient's.

It is plain text in parts; each file format escapes it in its own way. The clinician's copy says everything and says
DRAFT unless it is signed; the patient's exists of a signed version only and has the text alone.
"""

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.errors import ConflictError
from backend.review.case_content import GAP
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import NotePiece, Passage
from backend.schemas.drafts.headings import DISCHARGE_HEADINGS, MEDICINES_PART
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.patients.saved_case import (
    CaseState,
    CaseView,
    CopyKind,
    ReviewedSentence,
    ReviewFlag,
    VersionRecord,
    WriterKind,
)
from backend.schemas.vocabulary import LETTERS, AllergyStatus, Basis, Document, SectionCategory, Severity, Support

UNREVIEWED = "not reviewed by a clinician"
STARTER_NOTICE = f"Starter knowledge: written for Leapnote, {UNREVIEWED}, not a guideline, adults only."
TITLES = {
    Document.DISCHARGE_INSTRUCTIONS: "Discharge instructions",
    Document.PROGRESS_NOTE: "Progress note",
    Document.CLINICAL_ANSWER: "Clinical answer",
}
SUPPORT_WORDS = {
    Support.SUPPORTED: "stated in the cited text",
    Support.PARTIAL: "partly",
    Support.UNSUPPORTED: "not found",
    Support.NOT_SCORED: "not scored",
}
BASIS_WORDS = {Basis.POSSIBLE: "possible: confirm", Basis.GENERAL: "general: check that it fits this patient"}
MEDICINE_COLUMNS = ("Medicine", "How much", "When", "What for, or why", "What to do")
_MEDICINES_AT = DISCHARGE_HEADINGS.index(MEDICINES_PART)
STAR = "*"
PLEASE_NOTE = "Please note"
ALLERGY_WORDS = {
    AllergyStatus.NONE_KNOWN: "No known allergies, as the note says.",
    AllergyStatus.NOT_STATED: "The note does not say whether there are allergies. Nothing was checked against them.",
    AllergyStatus.UNREADABLE: "The allergies of the note could not be read. Nothing was checked against them.",
    AllergyStatus.LISTED: "",
}


class PartKind(StrEnum):
    """alarm: what must not be missed. body: the document itself. apparatus: what it rests on."""

    ALARM = "alarm"
    BODY = "body"
    APPARATUS = "apparatus"


class Line(NamedTuple):
    """One statement. marks are words that stand behind it; strong: it must catch the eye (a gap, a severe flag)."""

    text: str
    citations: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    strong: bool = False


class Table(NamedTuple):
    """A table: what stands above its columns, and the cells of each row, as many."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Part(NamedTuple):
    """One section of a copy: a heading with its lines, and a table before them."""

    kind: PartKind
    heading: str
    lines: tuple[Line, ...]
    table: Table | None = None


class Copy(NamedTuple):
    """banner says what the copy is not yet (draft, superseded); it is empty for a signed, current version."""

    kind: CopyKind
    title: str
    banner: str
    identity: str
    parts: tuple[Part, ...]
    notices: tuple[str, ...]


def clinician_copy(view: CaseView) -> Copy:
    """Everything: allergies, flags, the text with citations and marks, references, what it rests on, versions."""
    parts = (
        Part(PartKind.ALARM, "Allergies", _allergies(view.draft)),
        Part(PartKind.ALARM, "Flags", _flags(view)),
        *_with_medicines(
            _body(view, [_clinician_line(s) for s in view.sentences if not s.deleted]),
            view.draft,
            CopyKind.CLINICIAN,
        ),
        Part(PartKind.APPARATUS, "References", tuple(map(Line, reference_lines(view.draft)))),
        Part(PartKind.APPARATUS, "What was checked", _checks(view.draft)),
        Part(PartKind.APPARATUS, "What this rests on", _rests_on(view)),
        Part(PartKind.APPARATUS, "Versions", tuple(Line(_version_words(v)) for v in view.versions)),
    )
    notices = [*_starter(view.draft)]
    if view.signature is None:
        notices.insert(0, "This is a draft. Signing it is a clinician's act; it has not been signed.")
    return Copy(
        CopyKind.CLINICIAN,
        TITLES[view.draft.document],
        _banner(view),
        _identity(view),
        tuple(part for part in parts if part.lines or part.table),
        tuple(notices),
    )


def patient_copy(view: CaseView) -> Copy:
    """The text alone, for the patient.

    Raises:
        ConflictError: the version is not signed, or not the newest; with the reason.
    """
    if view.state != CaseState.SIGNED or view.signature is None:
        raise ConflictError(
            f"A patient's copy exists only of a signed version; version {view.version} is {_words(view.state)}. "
            + (f"The newest is {view.newest}." if view.version != view.newest else "Sign it first.")
        )
    lines = [_patient_line(s) for s in view.sentences if not s.deleted]
    signed = f"Read and signed by {view.signature.name}, {view.signature.role}, on {_day(view.signature.at)}."
    title = TITLES[view.draft.document]
    if view.draft.document == Document.DISCHARGE_INSTRUCTIONS:
        title = "Your discharge instructions"
    parts = (*_unconfirmed(view), *_with_medicines(_body(view, lines), view.draft, CopyKind.PATIENT))
    return Copy(CopyKind.PATIENT, title, "", _identity(view), parts, (signed, *_starter(view.draft)))


def _body(view: CaseView, lines: list[Line]) -> tuple[Part, ...]:
    """The lines under the sections they stand in, in the order of the text."""
    now = [s for s in view.sentences if not s.deleted]
    parts: list[Part] = []
    for sentence, line in zip(now, lines, strict=True):
        if parts and parts[-1].heading == sentence.section:
            parts[-1] = parts[-1]._replace(lines=(*parts[-1].lines, line))
        else:
            parts.append(Part(PartKind.BODY, sentence.section, (line,)))
    if view.draft.answer:
        parts.insert(0, Part(PartKind.BODY, "Chosen option", (Line(view.draft.answer_text),)))
    if view.draft.question:
        options = tuple(Line(f"{a}: {option}") for a, option in zip(LETTERS, view.draft.options, strict=False))
        parts.insert(0, Part(PartKind.BODY, "Question", (Line(view.draft.question), *options)))
    return tuple(parts)


def _with_medicines(body: tuple[Part, ...], draft: Draft, kind: CopyKind) -> tuple[Part, ...]:
    """The sections with the table of medicines under its heading, which is added where no sentence stands under it."""
    table = medicine_table(draft.medicines, kind)
    if table is None or draft.document != Document.DISCHARGE_INSTRUCTIONS:
        return body
    at = next((i for i, part in enumerate(body) if part.heading == MEDICINES_PART), None)
    if at is not None:
        return (*body[:at], body[at]._replace(table=table), *body[at + 1 :])
    before = [i for i, part in enumerate(body) if part.heading in DISCHARGE_HEADINGS[:_MEDICINES_AT]]
    at = before[-1] + 1 if before else 0
    return (*body[:at], Part(PartKind.BODY, MEDICINES_PART, (), table), *body[at:])


def medicine_table(rows: Sequence[MedicineRow], kind: CopyKind) -> Table | None:
    """The medicines as a table; a patient's copy has neither what was given in hospital alone nor where a row is from.

    Args:
        rows: of the draft.
        kind: whose copy.
    """
    if kind == CopyKind.PATIENT:
        cells = [_medicine_cells(row) for row in rows if row.action is not MedicineAction.HOSPITAL_ONLY]
        return Table(MEDICINE_COLUMNS, tuple(cells)) if cells else None
    cells = [(*_medicine_cells(row), _medicine_source(row)) for row in rows]
    return Table((*MEDICINE_COLUMNS, "Source"), tuple(cells)) if cells else None


def _medicine_cells(row: MedicineRow) -> tuple[str, ...]:
    return row.name, row.dose, row.timing, row.reason, row.what_to_do


def _medicine_source(row: MedicineRow) -> str:
    cited = f" [{', '.join(row.citations)}]" if row.citations else ""
    marks = [] if row.recognised else ["not recognised, not checked"]
    marks += ["to decide"] if row.action is MedicineAction.UNDECIDED else []
    marked = f" ({'; '.join(marks)})" if marks else ""
    return f"{row.source}{cited}{marked}"


def _clinician_line(s: ReviewedSentence) -> Line:
    if GAP.search(s.text):
        return Line(s.text, strong=True)
    by_person = s.written_by.kind == WriterKind.PERSON
    # what a person of the team wrote about the patient is not general knowledge, though it cites nothing
    basis = "" if by_person and s.basis == Basis.GENERAL else BASIS_WORDS.get(s.basis, "")
    support = SUPPORT_WORDS[s.support]
    if s.reason and s.support != Support.SUPPORTED:
        support = f"{support}: {s.reason}"
    at = f" on {_day(s.written_by.at)}" if s.written_by.at else ""
    writer = f"written by {s.written_by.name}{at}" if by_person else ""
    return Line(s.text, s.citations, tuple(mark for mark in (basis, support, writer) if mark))


def _patient_line(s: ReviewedSentence) -> Line:
    # a star, since words such as "possible" would weaken "Call an ambulance if …"
    return Line(f"{s.text} {STAR}" if s.basis == Basis.POSSIBLE else s.text, strong=bool(GAP.search(s.text)))


def _unconfirmed(view: CaseView) -> tuple[Part, ...]:
    """What the star means, and for which conditions; nothing when all are confirmed."""
    now = [s for s in view.sentences if not s.deleted and s.basis == Basis.POSSIBLE]
    if not now:
        return ()
    names = {c.concept_id: c.name for c in view.draft.conditions}
    about = " and ".join(dict.fromkeys(names[s.rests_on] for s in now if s.rests_on in names))
    text = (
        f"A star ({STAR}) marks what is about {about or 'a condition'}. Your team has not confirmed that you have it."
    )
    return (Part(PartKind.BODY, PLEASE_NOTE, (Line(text),)),)


def _allergies(draft: Draft) -> tuple[Line, ...]:
    text = ALLERGY_WORDS[draft.allergies.status]
    items = []
    for item in draft.allergies.items:
        reaction = f" ({item.reaction})" if item.reaction else ""
        items.append(
            Line(f"{item.text}{reaction}, {item.kind.value}{'' if item.checked else ': not recognised, not checked'}")
        )
    return (*((Line(text),) if text else ()), *items)


def _flags(view: CaseView) -> tuple[Line, ...]:
    answered = {a.flag: a.reason for a in view.signature.acknowledgements} if view.signature else {}
    return tuple(_flag_line(flag, answered.get(flag.id, ""), view) for flag in view.flags)


def _flag_line(flag: ReviewFlag, reason: str, view: CaseView) -> Line:
    by = view.signature.name if view.signature else ""
    marks = (f"acknowledged by {by}: {reason}",) if reason else ()
    text = f"{flag.severity.value.upper()}: {flag.message}"
    return Line(text, marks=marks, strong=flag.severity == Severity.SEVERE)


def _checks(draft: Draft) -> tuple[Line, ...]:
    compared = [Line(f"{c.kind} {c.text}: {c.found}") for c in draft.checks.compared]
    unknown = [Line(f"{u.kind} {u.text}: not recognised, not checked") for u in draft.checks.unrecognised]
    open_rules = [
        Line(f"{n.medicine}: not checked, no {n.missing}{f' ({n.why})' if n.why else ''}")
        for n in draft.checks.not_checked
    ]
    return (*unknown, *open_rules, *compared)


def _rests_on(view: CaseView) -> tuple[Line, ...]:
    draft = view.draft
    lines = [*_starter(draft), f"System: {draft.system}; written by {draft.generator.name} ({draft.generator.reason})"]
    lines += [f"{name}: {value}" for name, value in draft.versions.items()]
    if draft.status.value != "complete":
        lines.append(f"The draft was saved as {draft.status.value}.")
    return tuple(Line(line) for line in lines)


def _starter(draft: Draft) -> tuple[str, ...]:
    review = draft.versions.get("knowledge_review", UNREVIEWED)
    held = any("starter" in value.lower() for value in draft.versions.values())
    return (STARTER_NOTICE.replace(UNREVIEWED, review),) if held else ()


def _version_words(version: VersionRecord) -> str:
    corrects = ", corrects a signed version" if version.corrects_signed else ""
    signed = version.signature
    by = f"; signed by {signed.name}, {signed.role}, {_minute(signed.at)}" if signed else ""
    return f"Version {version.version}, {_words(version.state)}{corrects}: {version.author}, {_minute(version.at)}{by}"


def _banner(view: CaseView) -> str:
    words = [] if view.signature else ["DRAFT, NOT SIGNED"]
    if view.state == CaseState.SUPERSEDED:
        words.append(f"SUPERSEDED BY VERSION {view.newest}")
    return "; ".join(words)


def _identity(view: CaseView) -> str:
    return f"Case {view.id}, version {view.version}, {_words(view.state)}"


def _words(state: CaseState) -> str:
    return state.value.replace("_", " ")


def _day(at: object) -> str:
    return f"{at:%Y-%m-%d}"


def _minute(at: object) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def reference_lines(draft: Draft) -> tuple[str, ...]:
    """`[P1, P3] title (source), licence, address` and the like. A citation without evidence is left out."""
    evidence = draft.evidence
    passages = {p.id: p for p in evidence.passages}
    pieces = {n.id: n for n in evidence.notes}
    plain = {path.id: f"Reasoning path: {path.text}" for path in evidence.paths}
    plain |= {item.id: f"Graph: {item.text}" for item in evidence.graph}
    entries: dict[str, list[str]] = {}
    cited = [c for sentence in draft.sentences for c in sentence.citations]
    cited += [c for row in draft.medicines for c in row.citations]
    for citation in dict.fromkeys(cited):
        if citation in passages:
            words = _passage(passages[citation])
        elif citation in pieces:
            words = _piece(pieces[citation])
        elif citation in plain:
            words = plain[citation]
        else:
            continue
        entries.setdefault(words, []).append(citation)
    return tuple(f"[{', '.join(ids)}] {words}" for words, ids in entries.items())


def _passage(passage: Passage) -> str:
    parts = [f"{passage.title or passage.document_id} ({passage.source.value})", passage.licence, passage.url]
    return ", ".join(part for part in parts if part)


def _piece(piece: NotePiece) -> str:
    section = "" if piece.section in (piece.note_type, SectionCategory.UNLABELED.value) else piece.section
    return ", ".join(part for part in (f"The patient's notes: {piece.note_type}", section, piece.date or "") if part)


# Embeddings and overrides could make a signed text read otherwise than it is stored; plain direction marks stay.
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
SPACES = str.maketrans({"\t": " ", "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2009": " ", "\u2011": "-"})
DROPPED = frozenset(("Cc", "Cs"))


def printable(text: str) -> str:
    """The text with one kind of line break, and without what no document format may hold."""
    text = BREAKS.sub("\n", text).translate(SPACES)
    return "".join(c for c in text if c == "\n" or not _dropped(c))


def _dropped(c: str) -> bool:
    noncharacter = (ord(c) & 0xFFFE) == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF
    return noncharacter or c in BIDI or unicodedata.category(c) in DROPPED
