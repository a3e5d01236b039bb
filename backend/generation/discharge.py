"""Discharge instructions from evidence, in plain words.

Takes the material of one draft; gives sentences section by section. Patient sentences cite the note, general ones the
passage they quote. What only the ward can know stays a visible gap.
"""

import re
from collections.abc import Iterator

from backend.generation.material import MEDICINES, SYMPTOMS, Material
from backend.generation.wording import Glossary, capital, distinct_mentions, listed
from backend.schemas.draft import WrittenSentence
from backend.schemas.evidence import Condition
from backend.schemas.note import Mention
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import (
    AllergyKind,
    AllergyStatus,
    Assertion,
    Basis,
    Category,
    ConditionStatus,
    SectionCategory,
)

WHY, MEDICINES_PART, DIET, ACTIVITY = "Why you were in the hospital", "Your medicines", "Food and drink", "Activity"
PRECAUTIONS, WARNING, FOLLOW_UP = "Staying safe", "When to get help", "Follow-up"
PARTS: tuple[tuple[str, str, int], ...] = (
    (DIET, "Diet", 4),
    (ACTIVITY, "Activity", 4),
)
SECOND_CONDITION_MOST = 2
TELL = re.compile(r"^(tell|inform)\b.*\b(allerg|drug|medicine)", re.IGNORECASE)
NOW = frozenset(
    {
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.ASSESSMENT,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    }
)


def discharge_instructions(material: Material, glossary: Glossary, request: DraftRequest) -> Iterator[WrittenSentence]:
    """The sections in the order a patient needs them. Yields nothing when the note told nothing at all."""
    if not material.linked.note.mentions and not material.linked.allergies.items and not request.hospital_course:
        return
    yield from _why(material, glossary, request)
    yield from _medicines(material, glossary, request)
    for heading, part, most in PARTS:
        yield from _quoted(material, heading, part, most)
    yield from _precautions(material, glossary)
    yield from _quoted(material, WARNING, "Warning signs", 6)
    yield from _quoted(material, FOLLOW_UP, "Follow-up", 4)
    yield _gap(FOLLOW_UP, "appointments, with dates and places")


def _why(material: Material, glossary: Glossary, request: DraftRequest) -> Iterator[WrittenSentence]:
    complaint = material.mentions(Assertion.PRESENT, SYMPTOMS | {Category.DISEASE}, {SectionCategory.CHIEF_COMPLAINT})
    now = material.mentions(Assertion.PRESENT, SYMPTOMS, NOW)
    reasons = distinct_mentions(complaint or now, 4)
    told = {m.concept_id for m in reasons}
    if reasons:
        yield _patient(
            WHY, f"You came to the hospital because of {_lay(reasons, glossary)}.", material.piece_ids(reasons)
        )
    others = [m for m in distinct_mentions(now, 12) if m.concept_id not in told and m.category == Category.SYMPTOM][:5]
    said = {glossary.lay(m) for m in reasons}
    others = [m for m in others if glossary.lay(m) not in said]
    if others:
        yield _patient(WHY, f"You also had {_lay(others, glossary)}.", material.piece_ids(others))
    for condition in material.focus:
        yield from _condition(material, glossary, condition)
    if request.hospital_course.strip():
        for piece in material.pieces_of("Hospital course"):
            yield _patient(WHY, piece.text, (piece.id,))
    else:
        yield _gap(WHY, "what was found and done during the stay")


def _condition(material: Material, glossary: Glossary, condition: Condition) -> Iterator[WrittenSentence]:
    term = glossary.term(condition.concept_id, condition.name)
    paths = material.path_ids(condition)
    if condition.status == ConditionStatus.CONFIRMED:
        confirmed = [p.id for p in material.pieces_of("Confirmed by clinician") if condition.name in p.text]
        cites = (*confirmed[:1], *glossary.source(condition.concept_id))
        yield _patient(WHY, f"Your team found that you have {term}.", cites)
    else:
        reasons = [m for m in material.linked.note.mentions if _speaks_for(condition, m)]
        ids = material.piece_ids(distinct_mentions(reasons, 3))
        lead = "Your note names" if condition.stated else "What you felt can fit"
        yield WrittenSentence(
            text=f"{lead} {term}.",
            section=WHY,
            basis=Basis.POSSIBLE,
            citations=(*ids[:3], *paths, *glossary.source(condition.concept_id)),
            condition_id=condition.concept_id,
        )
    most = 3 if condition is material.focus[0] else 1
    for quote in material.quotes(condition, "What it is", most):
        yield _general(WHY, quote.text, quote.passage.id, condition)


def _medicines(material: Material, glossary: Glossary, request: DraftRequest) -> Iterator[WrittenSentence]:
    listed_now = material.mentions(Assertion.PRESENT, MEDICINES)
    taken = [m for m in listed_now if m.category == Category.DRUG and m.concept_id not in material.blocked]
    for mention in distinct_mentions(taken, 12):
        text = f"The note from before your stay lists {glossary.term(mention.concept_id, mention.name)}."
        cites = (*material.piece_ids([mention]), *glossary.source(mention.concept_id))
        yield _patient(MEDICINES_PART, text, cites)
    planned = material.pieces_of("Discharge medicines")
    for piece in planned:
        yield _patient(MEDICINES_PART, f"Your team's list for home has: {piece.text.rstrip('.')}.", (piece.id,))
    if not planned:
        yield _gap(MEDICINES_PART, "which medicines to take, change or stop, with doses")
    yield from _quoted(material, MEDICINES_PART, "Medicines", 4)


def _precautions(material: Material, glossary: Glossary) -> Iterator[WrittenSentence]:
    allergies = material.linked.allergies
    for item in allergies.items:
        piece = material.piece_at(item.start_char)
        cites: tuple[str, ...] = (piece.id,) if piece else ()
        name = item.text.strip()
        reaction = f" (reaction: {item.reaction.strip()})" if item.reaction.strip() else ""
        if item.kind == AllergyKind.INTOLERANCE:
            yield _patient(PRECAUTIONS, f"Your note says that {name} does not agree with you{reaction}.", cites)
        else:
            yield _patient(PRECAUTIONS, f"Your note says that you are allergic to {name}{reaction}.", cites)
    if allergies.items:
        told = next((q for q in material.all_quotes() if TELL.search(q.text)), None)
        if told:
            yield _general(PRECAUTIONS, told.text, told.passage.id, None)
    elif allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE):
        yield _gap(PRECAUTIONS, "allergies; the note does not say")
    yield from _quoted(material, PRECAUTIONS, "Precautions", 5)
    history = [c for c in material.conditions if c.historical and not c.focus]
    for condition in history[:4]:
        for quote in material.quotes(condition, "Precautions", 1):
            text = f"Your note also lists {glossary.term(condition.concept_id, condition.name)}."
            mentions = [m for m in material.linked.note.mentions if m.concept_id == condition.concept_id]
            cites = (*material.piece_ids(mentions[:1]), *glossary.source(condition.concept_id))
            yield _patient(PRECAUTIONS, text, cites)
            yield _general(PRECAUTIONS, quote.text, quote.passage.id, None)


def _quoted(material: Material, heading: str, part: str, most: int) -> Iterator[WrittenSentence]:
    """What the passages say under one part, the first condition in full, the second briefly."""
    said: set[str] = set()
    for place, condition in enumerate(material.focus):
        for quote in material.quotes(condition, part, most if place == 0 else SECOND_CONDITION_MOST):
            if quote.text not in said:
                said.add(quote.text)
                yield _general(heading, quote.text, quote.passage.id, condition)


def _speaks_for(condition: Condition, mention: Mention) -> bool:
    if mention.assertion not in (Assertion.PRESENT, Assertion.UNCERTAIN):
        return False
    return mention.concept_id == condition.concept_id or any(
        r.concept_id == mention.concept_id and r.weight > 0 for r in condition.because
    )


def _lay(mentions: list[Mention], glossary: Glossary) -> str:
    return listed(glossary.lay(m) for m in mentions)


def _patient(section: str, text: str, citations: tuple[str, ...]) -> WrittenSentence:
    basis = Basis.PATIENT if any(c.startswith("N") for c in citations) else Basis.GENERAL
    return WrittenSentence(text=capital(text), section=section, basis=basis, citations=citations)


def _general(section: str, text: str, citation: str, condition: Condition | None) -> WrittenSentence:
    possible = condition is not None and condition.status == ConditionStatus.POSSIBLE
    return WrittenSentence(
        text=text,
        section=section,
        basis=Basis.POSSIBLE if possible else Basis.GENERAL,
        citations=(citation,),
        condition_id=condition.concept_id if condition is not None and possible else None,
    )


def _gap(section: str, what: str) -> WrittenSentence:
    return WrittenSentence(text=f"[team to complete: {what}]", section=section, basis=Basis.GENERAL)
