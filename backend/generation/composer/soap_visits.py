"""A SOAP note of one visit from the patient's own notes, without a language model.

Every statement is a sentence of a piece, with its date, the latest first within its part; undated ones come last and say so. Older
ones are told where they changed something, so that the note stays short whatever the number of visits.
Where a sentence goes is decided by its header, by its note's type where the header does not say, and by a few words that only
a complaint or a plan has. All four parts are there; one without a statement is a gap for the team.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.generation.composer.material import Material
from backend.generation.composer.wording import content_words
from backend.nlp.document import sentences
from backend.nlp.document.note_chunks import category_of
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.gaps import gap_text
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED, NoteType, claimed_date, dated_statement
from backend.schemas.vocabulary import Basis, SectionCategory, SoapPart

PASTED_NOTE = "Pasted note"
MOST_OF: dict[SoapPart, int] = {
    SoapPart.SUBJECTIVE: 9,
    SoapPart.OBJECTIVE: 12,
    SoapPart.ASSESSMENT: 7,
    SoapPart.PLAN: 7,
}
"""Statements of each part: some 40 lines are read, whatever the number of notes."""
LABEL = "Allergies"
MOST_PREVIOUS = 3
FEW = 4
"""Statements of a part below which an older one is told whatever it says."""
SAME, ABOUT = 0.8, 0.5
"""Shares of words from which two statements say the same, and speak of the same."""
PARTS: dict[SectionCategory, SoapPart] = {
    SectionCategory.ALLERGIES: SoapPart.SUBJECTIVE,
    SectionCategory.CHIEF_COMPLAINT: SoapPart.SUBJECTIVE,
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS: SoapPart.SUBJECTIVE,
    SectionCategory.PAST_MEDICAL_HISTORY: SoapPart.SUBJECTIVE,
    SectionCategory.PAST_SURGICAL_HISTORY: SoapPart.SUBJECTIVE,
    SectionCategory.FAMILY_HISTORY: SoapPart.SUBJECTIVE,
    SectionCategory.SOCIAL_HISTORY: SoapPart.SUBJECTIVE,
    SectionCategory.MEDICATIONS: SoapPart.SUBJECTIVE,
    SectionCategory.REVIEW_OF_SYSTEMS: SoapPart.SUBJECTIVE,
    SectionCategory.IMMUNIZATIONS: SoapPart.SUBJECTIVE,
    SectionCategory.DEMOGRAPHICS: SoapPart.SUBJECTIVE,
    SectionCategory.VITAL_SIGNS: SoapPart.OBJECTIVE,
    SectionCategory.PHYSICAL_EXAM: SoapPart.OBJECTIVE,
    SectionCategory.RESULTS: SoapPart.OBJECTIVE,
    SectionCategory.IMAGING: SoapPart.OBJECTIVE,
    SectionCategory.PROCEDURES: SoapPart.OBJECTIVE,
    SectionCategory.HOSPITAL_COURSE: SoapPart.OBJECTIVE,
    SectionCategory.ASSESSMENT: SoapPart.ASSESSMENT,
    SectionCategory.PLAN: SoapPart.PLAN,
    SectionCategory.INSTRUCTIONS: SoapPart.PLAN,
}
STUDIES = frozenset((NoteType.ECG, NoteType.ECHO, NoteType.RADIOLOGY))  # their impression is a finding
SHIFTS = frozenset((NoteType.NURSING, NoteType.NURSING_OTHER, NoteType.RESPIRATORY))  # their assessment too
WITHOUT_HEADER: dict[NoteType, SoapPart] = {
    NoteType.CASE_MANAGEMENT: SoapPart.PLAN,
    NoteType.SOCIAL_WORK: SoapPart.SUBJECTIVE,
}
GAPS = {
    SoapPart.SUBJECTIVE: "complaints and history; no note states them",
    SoapPart.OBJECTIVE: "vital signs, examination and results; no note states them",
    SoapPart.ASSESSMENT: "assessment; no note states one",
    SoapPart.PLAN: "plan; no note states one",
}


def has_visit_notes(pieces: Sequence[NotePiece]) -> bool:
    """Whether there is anything of the patient's earlier notes to write from."""
    return any(_of_visit(piece) for piece in pieces)


class _Statement(NamedTuple):
    """A sentence of a piece. words: its content words without numbers."""

    written: WrittenSentence
    day: str
    place: int
    words: frozenset[str]
    numbers: frozenset[str]
    kept: bool = False


def visit_soap(material: Material) -> Iterator[WrittenSentence]:
    """Yield the four parts in order, from the pieces of the evidence, latest first; nothing where there are none."""
    by_part: dict[SoapPart, list[_Statement]] = {part: [] for part in SoapPart}
    pieces = material.evidence.notes
    for place, piece in enumerate(pieces):
        for said in _sentences(piece):
            sentence = _under_its_header(piece, said)
            part = soap_part(piece, sentence)
            kind = piece.note_type
            day = piece.date
            if kind == PREVIOUS_VISIT:  # its sentences have the dates of what they say
                text = f"{PREVIOUS_VISIT}: {sentence}"
                day = claimed_date(sentence)[0] or day
            else:
                text = dated_statement(sentence, day, kind)
            written = WrittenSentence(
                text=text, section=part, basis=Basis.PATIENT, citations=(piece.id,), break_after=True
            )
            bare = claimed_date(sentence)[1]
            by_part[part].append(
                _Statement(
                    written,
                    "" if day in (None, UNDATED) else day or "",
                    place,
                    content_words(_NUMBER.sub(" ", bare)),
                    frozenset(_NUMBER.findall(bare)),
                )
            )
    if not any(by_part.values()):
        return
    newest = max(one.day for statements in by_part.values() for one in statements)
    for part, statements in by_part.items():
        yield from _chosen(part, statements, newest) or [_gap(part, GAPS[part])]
        if part is SoapPart.SUBJECTIVE and statements and not any(_allergies(piece) for piece in pieces):
            yield _gap(part, "allergies; no note found says whether there are any")


def _chosen(part: SoapPart, statements: Sequence[_Statement], newest: str) -> list[WrittenSentence]:
    """The statements of a part that are told, latest first, undated last.

    All of the newest day, as far as there is room; an older one only where it says otherwise what a later one says, or where
    little is told. What a later one says alike is told once. Allergies and the previous visit have a place of their own.
    """
    ordered = sorted(statements, key=lambda one: one.place)
    ordered.sort(key=lambda one: one.day, reverse=True)
    chosen: list[_Statement] = []
    earlier = 0
    for one in ordered:
        listed = "allerg" in one.written.text.lower()
        previous = one.written.text.startswith(PREVIOUS_VISIT)
        if any(_same(one, other) for other in chosen):
            continue
        room = len([x for x in chosen if not x.kept]) < MOST_OF[part]
        if listed or (previous and earlier < MOST_PREVIOUS):
            earlier += previous and not listed
            chosen.append(one._replace(kept=True))
        elif room and (one.day == newest or len(chosen) < FEW or any(_otherwise(one, other) for other in chosen)):
            chosen.append(one)
    return [one.written for one in chosen]


def _same(one: _Statement, later: _Statement) -> bool:
    """Whether a statement says what a later one says: nearly the same words, and no number that that has not."""
    both = len(one.words & later.words)
    return one.numbers <= later.numbers and bool(one.words) and both >= SAME * len(one.words | later.words)


def _otherwise(one: _Statement, later: _Statement) -> bool:
    """Whether a statement speaks of what a later one speaks of, and says it otherwise."""
    fewer = min(len(one.words), len(later.words))
    return fewer > 0 and len(one.words & later.words) >= ABOUT * fewer


def soap_part(piece: NotePiece, sentence: str) -> SoapPart:
    """The part a sentence belongs to."""
    if piece.note_type in _OWN_PARTS:
        return _OWN_PARTS[piece.note_type]
    kind = _TYPES.get(piece.note_type)
    category = category_of(piece.section)
    part = PARTS.get(category)
    if kind in STUDIES:
        return SoapPart.SUBJECTIVE if category is SectionCategory.CHIEF_COMPLAINT else SoapPart.OBJECTIVE
    if kind in SHIFTS and part is SoapPart.ASSESSMENT:
        part = SoapPart.OBJECTIVE
    if part is SoapPart.ASSESSMENT:
        return SoapPart.PLAN if _PLANNED.search(sentence) or _ORDERED.match(sentence) else part
    if part is not None:
        return part
    if _COMPLAINS.search(sentence):
        return SoapPart.SUBJECTIVE
    if _PLANNED.search(sentence):
        return SoapPart.PLAN
    return WITHOUT_HEADER.get(kind, SoapPart.OBJECTIVE) if kind else SoapPart.OBJECTIVE


def _of_visit(piece: NotePiece) -> bool:
    return piece.note_type == PREVIOUS_VISIT or piece.note_type not in {PASTED_NOTE, *_OWN_PARTS}


def _sentences(piece: NotePiece) -> list[str]:
    if piece.note_type == PREVIOUS_VISIT:
        return [piece.text]
    return [" ".join(piece.text[start:end].split()) for start, end in sentences(piece.text)]


def _under_its_header(piece: NotePiece, sentence: str) -> str:
    """A sentence as it reads alone: an entry of a list of allergies says that it is one, or it would read as what is given."""
    listed = category_of(piece.section) is SectionCategory.ALLERGIES
    return f"{LABEL}: {sentence}" if listed and "allerg" not in sentence.lower() else sentence


def _allergies(piece: NotePiece) -> bool:
    return category_of(piece.section) is SectionCategory.ALLERGIES or "allerg" in piece.text.lower()


def _gap(part: SoapPart, what: str) -> WrittenSentence:
    return WrittenSentence(text=gap_text(what), section=part, basis=Basis.GENERAL, break_after=True)


_TYPES = {kind.value: kind for kind in NoteType}
_OWN_PARTS = {
    PREVIOUS_VISIT: SoapPart.SUBJECTIVE,
    "Hospital course": SoapPart.OBJECTIVE,
    "Discharge medicines": SoapPart.PLAN,
    "Confirmed by clinician": SoapPart.ASSESSMENT,
}
_NUMBER = re.compile(r"\d+(?:[.,/:]\d+)*")
_COMPLAINS = re.compile(
    r"\b(?:complain(?:s|ed|ing)?|c/o|denie[sd]|denying|report(?:s|ed)|states|stated|feels|felt|says|endorses?)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:plan(?:s|ned)?|will|continue|recommend(?:ed|s)?|follow[- ]?up|to be|should|consider|wean as)\b",
    re.IGNORECASE,
)
# an order opens its sentence under "Assessment and Plan"; elsewhere "Check" and "Monitor" open findings as well
_ORDERED = re.compile(
    r"[\W\d]*(?:(?:re)?start|stop|hold|give|order|obtain|check|repeat|trend|monitor|transfuse|consult|admit|wean|taper|titrate|resume"
    r"|increase|decrease|switch|add|send|replete|restrict|encourage|avoid|discontinue|d/c|begin|initiate)\s(?!(?:is|was|shows?|in|of)\b)",
    re.IGNORECASE,
)
