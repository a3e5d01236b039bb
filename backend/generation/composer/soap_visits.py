"""A SOAP note of one visit from the patient's own notes, without a language model.

Every statement is a sentence of a piece, with its date, in time order within its part; undated ones come last and say so.
Where a sentence goes is decided by its header, by its note's type where the header does not say, and by a few words that only
a complaint or a plan has. All four parts are there; one without a statement is a gap for the team.
"""

import re
from collections.abc import Iterator, Sequence

from backend.generation.composer.material import Material
from backend.nlp.document import sentences
from backend.nlp.document.note_chunks import category_of
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.gaps import gap_text
from backend.schemas.patients.patient_notes import (
    PREVIOUS_VISIT,
    UNDATED,
    NoteType,
    SoapPart,
    claimed_date,
    dated_statement,
)
from backend.schemas.vocabulary import Basis, SectionCategory

PASTED_NOTE = "Pasted note"
MOST_STATEMENTS = 60  # of one part
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
    SoapPart.SUBJECTIVE: "complaints and history; no note tells them",
    SoapPart.OBJECTIVE: "vital signs, examination and results; no note tells them",
    SoapPart.ASSESSMENT: "assessment; no note tells one",
    SoapPart.PLAN: "plan; no note tells one",
}


def has_visit_notes(pieces: Sequence[NotePiece]) -> bool:
    """Whether there is anything of the patient's earlier notes to write from."""
    return any(_of_visit(piece) for piece in pieces)


def visit_soap(material: Material) -> Iterator[WrittenSentence]:
    """Yield the four parts in order, from the pieces of the evidence; nothing where there are none."""
    by_part: dict[SoapPart, list[tuple[tuple[bool, str, int], WrittenSentence]]] = {part: [] for part in SoapPart}
    pieces = material.evidence.notes
    for place, piece in enumerate(pieces):
        for sentence in _sentences(piece):
            part = soap_part(piece, sentence)
            kind = piece.note_type
            day = piece.date
            if kind == PREVIOUS_VISIT:  # its sentences have the dates of what they say
                text = f"{PREVIOUS_VISIT}: {sentence}"
                day = claimed_date(sentence)[0] or day
            else:
                text = dated_statement(sentence, day, kind)
            written = WrittenSentence(text=text, section=part, basis=Basis.PATIENT, citations=(piece.id,))
            by_part[part].append(((day in (None, UNDATED), day or "", place), written))
    if not any(by_part.values()):
        return
    for part, statements in by_part.items():
        ordered = [one for _, one in sorted(statements, key=lambda item: item[0])]
        yield from ordered[:MOST_STATEMENTS] or [_gap(part, GAPS[part])]
        if part is SoapPart.SUBJECTIVE and ordered and not any(_allergies(piece) for piece in pieces):
            yield _gap(part, "allergies; no note found says whether there are any")


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


def _allergies(piece: NotePiece) -> bool:
    return category_of(piece.section) is SectionCategory.ALLERGIES or "allerg" in piece.text.lower()


def _gap(part: SoapPart, what: str) -> WrittenSentence:
    return WrittenSentence(text=gap_text(what), section=part, basis=Basis.GENERAL)


_TYPES = {kind.value: kind for kind in NoteType}
_OWN_PARTS = {
    PREVIOUS_VISIT: SoapPart.SUBJECTIVE,
    "Hospital course": SoapPart.OBJECTIVE,
    "Discharge medicines": SoapPart.PLAN,
    "Confirmed by clinician": SoapPart.ASSESSMENT,
}
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
