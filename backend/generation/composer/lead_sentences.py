"""What a letter is about, named where the story has not named it: the illness or the operation of this stay, or a complaint."""

import re
from collections.abc import Iterator, Sequence

from backend.diagnosis.todays_problems import is_own
from backend.generation.composer.material import Material
from backend.generation.composer.wording import Glossary, capital, content_words
from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story import Story, StorySentence, addressee
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import NAMED, Condition
from backend.schemas.drafts.headings import WHY
from backend.schemas.record import (
    ClinicalStatus,
    PatientRecord,
    ProcedureStatement,
    ProcedureStatus,
    VerificationStatus,
)
from backend.schemas.vocabulary import Basis, Category, ConditionStatus, SectionCategory

_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})


def lead_sentences(material: Material, glossary: Glossary, story: Story) -> Iterator[WrittenSentence]:
    """Yield what the draft is about, where the story has not named it yet.

    Why they came names an illness even where a later part of the letter does, or the history; a symptom that the story tells needs no
    other name.

    Args:
        material: what may be said.
        glossary: explains terms at first use.
        story: of the patient.
    """
    record, why = material.record, story.why
    whole = (*why, *story.found, *story.decided)
    told = {p.id: p.section in _HISTORIES for p in record.problems}
    told |= {p.id: p.status is ProcedureStatus.PAST for p in record.procedures}
    past = [[told[held] for held in one.statement_ids if held in told] for one in why]
    today = [one for one, of_past in zip(why, past, strict=True) if not of_past or not all(of_past)]
    diagnosed = story.opening > 1
    for place, condition in enumerate(material.focus):
        illness = is_illness(condition, record)
        first = today if why else story.found
        parts = first if place == 0 and illness else whole
        if condition.status is ConditionStatus.CONFIRMED:
            parts = [one for one in parts if not _doubts(one, condition, record)]
        named = _is_named(condition, parts, record, glossary) or _is_told_as_had(condition, whole, record)
        if named or is_withheld(condition.name) or (why and not illness):
            continue
        yield _lead(condition, material, glossary, opened=bool(story.opening), first=not diagnosed)
        diagnosed = True


def operation_sentences(material: Material, glossary: Glossary, told: Sequence[str]) -> Iterator[WrittenSentence]:
    """Yield each operation of this stay that the letter has not named yet, once, with its day as the note writes it; never its steps.

    Args:
        material: what may be said.
        glossary: explains terms.
        told: the sentences of the letter so far.
    """
    said = " ".join(told).lower()
    you = addressee(material.record).you
    operations: dict[str, ProcedureStatement] = {}
    for one in material.record.procedures:
        concept = one.concept_id or ""
        if one.status is not ProcedureStatus.DONE_NOW or not material.fit.is_operation(concept):
            continue
        if concept not in operations or (one.date and not operations[concept].date):
            operations[concept] = one
    for concept, one in operations.items():
        meaning = glossary.plain.get(concept, "")
        if any(name.lower() in said for name in (one.name, one.spans[0].text, meaning) if name):
            continue
        piece = material.piece_at(one.spans[0].start_char)
        if piece is None:
            continue
        day = f" on {one.date}" if one.date else ""
        what = f"{one.name} ({meaning})" if meaning else one.name
        yield patient_sentence(WHY, f"{you} had an operation{day}: {what}.", (piece.id, *glossary.source(concept)))


def is_illness(condition: Condition, record: PatientRecord) -> bool:
    """Whether a condition is an illness or an operation rather than a symptom, by what the record holds of it."""
    stated = _named_by(condition) | {condition.concept_id}
    held = (one for one in record.problems if one.concept_id in stated)
    ill = any(one.category is Category.DISEASE for one in held) or _is_operation(condition, record)
    return condition.status is not ConditionStatus.IN_NOTE or ill


def is_sure(condition: Condition, record: PatientRecord) -> bool:
    """Whether a condition is more than thought of: the note states it, or holds it beside as what the patient has."""
    known = (
        one.concept_id == condition.concept_id
        and is_own(one)
        and one.verification_status is VerificationStatus.CONFIRMED
        for one in record.stated_problems
    )
    return condition.stated or condition.status is not ConditionStatus.IN_NOTE or any(known)


def calls_it(condition: Condition, text: str) -> bool:
    """Whether a text calls a complaint by the name of another, whose chapter tells of it."""
    return condition.concept_id not in _named_by(condition) and condition.name.lower() in text.lower()


def patient_sentence(section: str, text: str, citations: tuple[str, ...]) -> WrittenSentence:
    """A sentence of the patient, of basis patient where it cites a piece of their notes."""
    basis = Basis.PATIENT if any(c.startswith("N") for c in citations) else Basis.GENERAL
    return WrittenSentence(text=capital(text), section=section, basis=basis, citations=citations)


def _is_operation(condition: Condition, record: PatientRecord) -> bool:
    return any(one.concept_id == condition.concept_id for one in record.procedures)


def _is_named(condition: Condition, parts: Sequence[StorySentence], record: PatientRecord, glossary: Glossary) -> bool:
    said = " ".join(one.text.lower() for one in parts)
    ids = {held for one in parts for held in one.statement_ids}
    named = {one.concept_id for one in record.problems if one.id in ids and is_own(one)}
    written = (reason.name for reason in condition.because if reason.relation == NAMED)
    names = (condition.name, glossary.plain.get(condition.concept_id, ""), *written)
    stated = condition.status is ConditionStatus.IN_NOTE and named & (_named_by(condition) | {condition.concept_id})
    if stated and content_words(said) & content_words(" ".join(names)):
        return (
            True  # a sentence that holds the statement may tell another in its place: of "fall, long lie" the long lie
        )
    return any(name and re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", said) for name in names)


def _is_told_as_had(condition: Condition, parts: Sequence[StorySentence], record: PatientRecord) -> bool:
    """Whether a condition that a clinician confirmed is told already as what the patient has, be it in the history: once is enough."""
    ids = {held for one in parts for held in one.statement_ids}
    return condition.status is ConditionStatus.CONFIRMED and any(
        one.id in ids
        and one.concept_id in _named_by(condition) | {condition.concept_id}
        and is_own(one)
        and one.clinical_status is ClinicalStatus.ACTIVE
        and one.verification_status is VerificationStatus.CONFIRMED
        for one in record.problems
    )


def _doubts(part: StorySentence, condition: Condition, record: PatientRecord) -> bool:
    """Whether a sentence tells a condition as no more than possible."""
    told = [p for p in record.problems if p.id in part.statement_ids and p.concept_id == condition.concept_id]
    return bool(told) and all(one.verification_status is not VerificationStatus.CONFIRMED for one in told)


def _named_by(condition: Condition) -> frozenset[str]:
    """The concepts by which the note names a condition."""
    return frozenset(one.concept_id for one in condition.because if one.relation == NAMED)


def _wider_name(condition: Condition) -> str:
    """The note's own name where it says less than the concept's: "anxiety disorder", which need not be a generalized one; else empty."""
    whole, head = content_words(condition.name), condition.name.rpartition(" ")[2]
    written = (one.name for one in condition.because if one.relation == NAMED)
    return next((one for one in written if one.endswith(head) and one.islower() and content_words(one) < whole), "")


def _lead(
    condition: Condition, material: Material, glossary: Glossary, *, opened: bool, first: bool
) -> WrittenSentence:
    wider = _wider_name(condition)
    term = wider or glossary.term(condition.concept_id, condition.name)
    source = () if wider else glossary.source(condition.concept_id)
    you = addressee(material.record).you
    have, were = ("have", "were") if you.lower() == "you" else ("has", "was")
    if condition.status is ConditionStatus.CONFIRMED:
        confirmed = [p.id for p in material.pieces_of("Confirmed by clinician") if condition.name in p.text]
        return patient_sentence(WHY, f"Your team found that {you} {have} {term}.", (*confirmed[:1], *source))
    cites = material.reasons_cited(condition)
    if _is_operation(condition, material.record):
        return patient_sentence(WHY, f"{you} had an operation: {term}.", (*cites, *source))
    if condition.status is ConditionStatus.IN_NOTE:
        sure, assessed = _certainty(condition, material)
        text = f"{you} {were} seen for {term}."
        if opened and not sure:
            text = f"The team thought of {term}; it was not yet sure."
        elif not sure:
            text = f"{text} Your team thought of this; it was not yet sure."
        elif assessed and _is_behind_another(condition, material):
            text = f"The team also dealt with: {term}."
        elif opened and assessed:
            text = f"The team's diagnosis: {term}." if first else f"The team also dealt with: {term}."
        return patient_sentence(WHY, text, (*cites, *source))
    return WrittenSentence(
        text=f"What {you} felt can fit {term}. It is not confirmed.",
        section=WHY,
        basis=Basis.POSSIBLE,
        citations=(*cites, *material.path_ids(condition), *source),
        condition_id=condition.concept_id,
    )


def _certainty(condition: Condition, material: Material) -> tuple[bool, bool]:
    """Whether the note is sure of a condition, and whether its assessment names it."""
    names = _named_by(condition) | {condition.concept_id}
    held = [one for one in material.record.stated_problems if one.concept_id in names and is_own(one)]
    known = not held or any(one.verification_status is VerificationStatus.CONFIRMED for one in held)
    places = [span.start_char for one in held for span in one.spans if not span.note_id]
    assessed = any(material.category_at(place) is SectionCategory.ASSESSMENT for place in places)
    return condition.stated and known, assessed


def _is_behind_another(condition: Condition, material: Material) -> bool:
    """Whether the assessment names first what no vocabulary holds, which is then the diagnosis, and not this condition."""
    names = _named_by(condition) | {condition.concept_id}
    places: dict[bool, list[int]] = {True: [], False: []}
    for one in material.record.stated_problems:
        if is_own(one) and (one.concept_id in names or not one.concept_id):
            places[bool(one.concept_id)] += [
                span.start_char
                for span in one.spans
                if not span.note_id and material.category_at(span.start_char) is SectionCategory.ASSESSMENT
            ]
    return bool(places[False]) and min(places[False]) < min(places[True], default=0)
