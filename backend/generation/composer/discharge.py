"""Discharge instructions from evidence, in plain words.

Patient sentences cite the note, general ones the passage that they quote. What only the ward can know stays a visible gap.
"""

import re
from collections.abc import Collection, Iterator

from backend.generation.composer.material import SYMPTOMS, Material
from backend.generation.composer.patient_sentences import (
    LEFT_OUT,
    advice,
    allergy_sentences,
    home_medicines,
    left_out,
    situations,
    stated,
)
from backend.generation.composer.wording import (
    Glossary,
    capital,
    content_words,
    distinct_mentions,
    listed,
    without_repeats,
)
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.headings import ACTIVITY, DIET, FOLLOW_UP, MEDICINES_PART, PRECAUTIONS, WARNING, WHY
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import (
    AllergyStatus,
    Assertion,
    Basis,
    Category,
    ConditionStatus,
    SectionCategory,
)

SHARE = 0.7
FEWEST = 3
_OPENING = re.compile(r"^(?:call|see) [^,]*?\b(?:if|for)\b", re.IGNORECASE)


class WrittenSoFar:
    """What a document says already. Use one a document; it remembers."""

    def __init__(self) -> None:
        self._said: list[tuple[bool, frozenset[str]]] = []
        self._texts: set[str] = set()

    def is_new(self, text: str) -> bool:
        """Whether a sentence says something that was not said; one that does is remembered."""
        if text in self._texts:
            return False
        urgent = "ambulance" in text  # is no repeat of what one may call the doctor for
        words = content_words(_OPENING.sub("", text))
        for same, earlier in self._said:
            fewer = min(len(words), len(earlier))
            if same == urgent and fewer >= FEWEST and len(words & earlier) >= SHARE * fewer:
                return False
        self._texts.add(text)
        self._said.append((urgent, words))
        return True


PARTS: tuple[tuple[str, str, int], ...] = (
    (DIET, "Diet", 4),
    (ACTIVITY, "Activity", 4),
)
SECOND_CONDITION_MOST = 2
MOST_OF_CHAPTER = 12  # sentences of one part
CLOSE, MOST_CLOSE = 0.9, 3  # share of the leader's score from which another fits as well, and how many are named
TELL = re.compile(r"^tell every\b.*\ballerg", re.IGNORECASE)
_DOING = re.compile(
    r"(?:not|being|feeling|giving|having|hearing|losing|missing|passing|seeing|throwing|waking|wanting)\b"
)
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


_DONE = frozenset({Assertion.PRESENT, Assertion.HISTORICAL})


def discharge_instructions(material: Material, glossary: Glossary, request: DraftRequest) -> Iterator[WrittenSentence]:
    """Yield the sections in the order a patient needs them; nothing for a note in which nothing was recognised."""
    if not material.linked.note.mentions and not material.linked.allergies.items and not request.hospital_course:
        return
    written = WrittenSoFar()
    yield from _why(material, glossary, request)
    yield from _medicines(material, glossary, request, written)
    for heading, part, most in PARTS:
        yield from _quoted(material, written, heading, part, most)
    yield from _precautions(material, glossary, written)
    yield from _quoted(material, written, WARNING, "Warning signs", 6)
    yield from _of_situations(material, written, WARNING, "Warning signs")
    yield from _quoted(material, written, FOLLOW_UP, "Follow-up", 4)
    yield from _of_situations(material, written, FOLLOW_UP, "Follow-up")
    yield _gap(FOLLOW_UP, "appointments, with dates and places")


def _why(material: Material, glossary: Glossary, request: DraftRequest) -> Iterator[WrittenSentence]:
    complaint = _felt(material, SYMPTOMS | {Category.DISEASE}, {SectionCategory.CHIEF_COMPLAINT})
    # what somebody took it for before is no reason to come
    doubted = {c.concept_id for c in material.conditions if not (c.stated or c.focus)}
    complaint = [m for m in complaint if m.category != Category.DISEASE or m.concept_id not in doubted]
    now = [m for m in _felt(material, SYMPTOMS, NOW) if is_of_now(material, m)]
    reasons = _apart(distinct_mentions(complaint or now, 4), glossary)
    if reasons:
        yield _patient(
            WHY, f"You came to the hospital because of {_lay(reasons, glossary)}.", material.piece_ids(reasons)
        )
    symptoms = [m for m in distinct_mentions(now, 12) if m.category == Category.SYMPTOM]
    others = [m for m in _apart([*reasons, *symptoms], glossary) if m not in reasons][:5]
    if others:
        felt = _lay(others, glossary)
        doing = any(_DOING.match(glossary.lay(m)) for m in others)
        lead = "What was also noted" if doing else "You also had"
        yield _patient(WHY, f"{lead}: {felt}." if doing else f"{lead} {felt}.", material.piece_ids(others))
    for condition in material.focus:
        yield from _condition(material, glossary, condition)
    for condition in material.conditions:
        if condition.stated and condition.must_not_miss and not (condition.focus or condition.historical):
            yield from _named_beside(material, glossary, condition)
    if request.hospital_course.strip():
        for piece in material.pieces_of("Hospital course"):
            yield _patient(WHY, piece.text, (piece.id,))
    else:
        yield _gap(WHY, f"what was found and done during the stay{_undecided(material)}")


def _felt(material: Material, categories: frozenset[Category], sections: Collection[SectionCategory]) -> list[Mention]:
    """What the note says in words that the patient has now; a measured value is nothing that somebody feels."""
    found = material.mentions(Assertion.PRESENT, categories, sections)
    return [m for m in found if any(c.isalpha() for c in m.text)]


def _undecided(material: Material) -> str:
    """What else fits as well as the condition that is written about; beside one that the note names only what must not be missed."""
    lead = material.focus[0] if material.focus else None
    if lead is None or lead.status == ConditionStatus.CONFIRMED:
        return ""
    close = [c for c in material.conditions if c.score >= CLOSE * lead.score and not c.focus and not c.historical]
    if lead.stated:  # it may be an old name: what must not be missed is said all the same
        close = [c for c in close if c.must_not_miss]
    names = listed(c.name for c in close[:MOST_CLOSE])
    fit = "fits" if len(close) == 1 else "fit"
    return f"; {names} {fit} about as well as {lead.name}" if close else ""


def _condition(material: Material, glossary: Glossary, condition: Condition) -> Iterator[WrittenSentence]:
    quotes = material.quotes(condition, "What it is", 3 if condition is material.focus[0] else 1)
    # the chapter's first sentence says what it is
    term = condition.name if quotes else glossary.term(condition.concept_id, condition.name)
    paths = material.path_ids(condition)
    if condition.status == ConditionStatus.CONFIRMED:
        confirmed = [p.id for p in material.pieces_of("Confirmed by clinician") if condition.name in p.text]
        cites = (*confirmed[:1], *glossary.source(condition.concept_id))
        yield _patient(WHY, f"Your team found that you have {term}.", cites)
    else:
        reasons = [m for m in material.linked.note.mentions if _speaks_for(condition, m)]
        ids = material.piece_ids(distinct_mentions(reasons, 3))
        lead = "What your note says can fit" if condition.stated else "What you felt can fit"
        if _is_named(material, condition):
            lead = "Your note names"
        yield WrittenSentence(
            text=f"{lead} {term}.",
            section=WHY,
            basis=Basis.POSSIBLE,
            citations=(*ids[:3], *paths, *glossary.source(condition.concept_id)),
            condition_id=condition.concept_id,
        )
    for quote in quotes:
        yield _general(WHY, quote.text, quote.passage.id, condition)


def _is_named(material: Material, condition: Condition) -> bool:
    """Whether the note says a condition's name, and not only what shows it: a number, a clot in a vein."""
    own = [m for m in material.linked.note.mentions if m.concept_id == condition.concept_id]
    said = any(not (m.text[:1].isdigit() or m.why.startswith("read from")) for m in own)
    return (condition.stated and said) or _is_operation(material, condition)


def _is_operation(material: Material, condition: Condition) -> bool:
    """Whether the note has a condition as something that was done: nobody feels a hip replacement."""
    mentions = [m for m in material.linked.note.mentions if m.concept_id == condition.concept_id]
    return any(m.category is Category.PROCEDURE and m.assertion in _DONE for m in mentions)


def _named_beside(material: Material, glossary: Glossary, condition: Condition) -> Iterator[WrittenSentence]:
    """Yield a condition that the note names and the document is not about, where it must not be missed."""
    names = [
        m for m in material.linked.note.mentions if m.concept_id == condition.concept_id and _speaks_for(condition, m)
    ]
    if cites := material.piece_ids(names[:1]):
        yield WrittenSentence(
            text=f"Your note also names {glossary.term(condition.concept_id, condition.name)}.",
            section=WHY,
            basis=Basis.POSSIBLE,
            citations=(*cites, *glossary.source(condition.concept_id)),
            condition_id=condition.concept_id,
        )


def _medicines(
    material: Material, glossary: Glossary, request: DraftRequest, written: WrittenSoFar
) -> Iterator[WrittenSentence]:
    for text, cites in home_medicines(material, glossary):
        yield _patient(MEDICINES_PART, text, cites)
    if left_out(material):
        yield _gap(MEDICINES_PART, LEFT_OUT)
    planned = material.pieces_of("Discharge medicines")
    for piece in planned:
        yield _patient(MEDICINES_PART, f"Your team's list for home has: {piece.text.rstrip('.')}.", (piece.id,))
    if not planned:
        yield _gap(MEDICINES_PART, "which medicines to take, change or stop, with doses")
    before = material.left_out
    yield from _quoted(material, written, MEDICINES_PART, "Medicines", 4)
    if not planned and material.left_out > before:
        names = listed(c.name for c in material.focus)
        yield _gap(
            MEDICINES_PART, f"what is used for {names} instead of usual medicines that an allergy speaks against"
        )


def _precautions(material: Material, glossary: Glossary, written: WrittenSoFar) -> Iterator[WrittenSentence]:
    for text, cites in allergy_sentences(material):
        yield _patient(PRECAUTIONS, text, cites)
    allergies = material.linked.allergies
    if allergies.items:
        advice = next((q for q in material.all_quotes() if TELL.search(q.text)), None)
        if advice and written.is_new(advice.text):
            yield _general(PRECAUTIONS, advice.text, advice.passage.id, None)
    elif allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE):
        yield _gap(PRECAUTIONS, "allergies; the note does not say")
    for situation in situations(material):
        text, cites = stated(material, situation, glossary)
        if cites:
            yield _patient(PRECAUTIONS, text, cites)
    yield from _of_situations(material, written, PRECAUTIONS, "Precautions")
    yield from _quoted(material, written, PRECAUTIONS, "Precautions", 5)
    history = [c for c in material.conditions if c.historical and not c.focus]
    for condition in history[:4]:
        lasting = [q for q in material.quotes(condition, "Precautions", MOST_OF_CHAPTER) if material.fit.lasts(q.text)]
        for quote in lasting[:1]:
            if not written.is_new(quote.text):
                continue
            text = f"Your note also lists {glossary.term(condition.concept_id, condition.name)}."
            mentions = [m for m in material.linked.note.mentions if m.concept_id == condition.concept_id]
            cites = (*material.piece_ids(mentions[:1]), *glossary.source(condition.concept_id))
            yield _patient(PRECAUTIONS, text, cites)
            yield _general(PRECAUTIONS, quote.text, quote.passage.id, None)


def _quoted(material: Material, written: WrittenSoFar, heading: str, part: str, most: int) -> Iterator[WrittenSentence]:
    """Yield what the passages say under one part: the first condition in full, the second briefly, nothing a second time."""
    for place, condition in enumerate(material.focus):
        for quote in material.quotes(condition, part, most if place == 0 else SECOND_CONDITION_MOST):
            if written.is_new(quote.text):
                yield _general(heading, quote.text, quote.passage.id, condition)


def _of_situations(material: Material, written: WrittenSoFar, heading: str, part: str) -> Iterator[WrittenSentence]:
    """Yield what a situation of the patient asks for, whatever the document is about."""
    for quote in advice(material, part):
        if written.is_new(quote.text):
            yield _general(heading, quote.text, quote.passage.id, None)


def _speaks_for(condition: Condition, mention: Mention) -> bool:
    if mention.assertion not in (Assertion.PRESENT, Assertion.UNCERTAIN):
        return False
    return mention.concept_id == condition.concept_id or any(
        r.concept_id == mention.concept_id and r.weight > 0 for r in condition.because
    )


def _apart(mentions: list[Mention], glossary: Glossary) -> list[Mention]:
    """The mentions without those that another one says more fully in everyday words."""
    phrases = without_repeats([glossary.lay(m) for m in mentions])
    first = {glossary.lay(m): m for m in reversed(mentions)}
    return [first[phrase] for phrase in phrases]


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


def is_of_now(material: Material, mention: Mention) -> bool:
    """False where the words before a mention say that something gave it to the patient ("codeine made her ...")."""
    piece = material.piece_at(mention.start_char)
    if piece is None:
        return True
    before = _NOW.split(piece.text[: mention.start_char - piece.start_char])[-1]
    return _EFFECT.search(before) is None


_NOW = re.compile(
    r"\b(?:but|now|today|currently|this (?:morning|time|week)|since (?:yesterday|last night|then)|since|yesterday|presents?|came in|comes in|returns?)\b|;",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:gave|gives|made|makes|caused|causes|left) (?:him|her|them|the patient)\b|\b(?:which|that) (?:gave|made|caused)\b",
    re.IGNORECASE,
)
