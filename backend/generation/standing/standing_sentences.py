"""The sentences that a letter or a progress note has whoever writes it, each under its heading.

What the hospital's clinicians signed as standing instructions or wrote themselves; a crisis line for a patient who may end their life; when to get help where nothing else says it; whom the note names to call where comfort is the goal, or that the team has to say
it; and each contradiction of the note as a place that the team has to settle, which no writer may smooth.
"""

import re
from collections.abc import Generator as Steps
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from backend.generation.standing.contradictions import Contradiction, contradictions
from backend.generation.standing.crisis_line import DOCUMENT as CRISIS_LINE
from backend.generation.standing.general_warnings import DOCUMENT as GENERAL_WARNINGS
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.people.care_frames import comfort_goal
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.gaps import WHICH, gap_text
from backend.schemas.drafts.headings import (
    ACTIVITY,
    ASSESSMENT,
    DIET,
    FOLLOW_UP,
    FOUND,
    HEADINGS,
    MEDICINES_PART,
    PRECAUTIONS,
    SUBJECTIVE,
    WARNING,
)
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import PatientRecord, SocialKind
from backend.schemas.vocabulary import Basis, Category, Document
from backend.verification.fit.patient_fit import SIGNED_INSTRUCTION

CALL = "letter/call"
PASTED = "Pasted note"
WHOM_TO_CALL = "whom to call for comfort, by day and by night; the note names nobody to call"
_PARTS = {
    Document.DISCHARGE_INSTRUCTIONS: {"allergy": PRECAUTIONS, "medication": MEDICINES_PART, "problem": FOUND},
    Document.PROGRESS_NOTE: {"allergy": SUBJECTIVE, "medication": SUBJECTIVE, "problem": ASSESSMENT},
}
"""Where the contradictions of each kind of statement stand."""
_PART_OF = {
    "Medicines": MEDICINES_PART, "Diet": DIET, "Activity": ACTIVITY, "Precautions": PRECAUTIONS, "Follow-up": FOLLOW_UP,
}  # fmt: skip
"""The part of a letter that an instruction of a section stands in."""
_BRACKETS = re.compile(r"[\[\]]")
Other = TypeVar("Other")
Given = TypeVar("Given")


def standing_sentences(request: DraftRequest, linked: LinkedNote, evidence: Evidence) -> tuple[WrittenSentence, ...]:
    """The sentences, none for an answer or where there is no note.

    Args:
        request: as it came.
        linked: the note with its record.
        evidence: with the patient's notes, which they cite.
    """
    record = linked.record
    if record is None or not request.text.strip() or request.document not in _PARTS:
        return ()
    pieces = [piece for piece in evidence.notes if piece.note_type == PASTED]
    found = [_gap(one, request.document, pieces) for one in contradictions(record, _no_medicines(linked))]
    if request.document is Document.DISCHARGE_INSTRUCTIONS:
        found += _quoted(evidence)
        if comfort_goal(record):
            found += _whom_to_call(record, pieces)
    order = HEADINGS[request.document]
    return tuple(sorted(found, key=lambda one: order.index(one.section)))


def with_standing(
    items: Steps[Other, None, Given], standing: Sequence[WrittenSentence], document: Document
) -> Steps[Other | WrittenSentence, None, Given]:
    """What a writer gives with the standing sentences, each at the head of its part; none where it writes no sentence.

    What stands in a part that the writer leaves out comes before the next part, or last of all.

    Args:
        items: of a writer, with the parts in their order.
        standing: in the order of their parts.
        document: whose parts they are.

    Yields:
        What the writer gives, as soon as it comes, and the standing sentences between.

    Returns:
        What the writer returns.
    """
    order, waiting, written = HEADINGS[document], list(standing), False
    try:
        while True:
            try:
                item = next(items)
            except StopIteration as stop:
                given: Given = stop.value
                break
            if isinstance(item, WrittenSentence):
                written = True
                reached = order.index(item.section) if item.section in order else -1
                while waiting and order.index(waiting[0].section) <= reached:
                    yield waiting.pop(0)
            yield item
    finally:
        items.close()
    if written:
        yield from waiting
    return given


def _gap(one: Contradiction, document: Document, pieces: Sequence[NotePiece]) -> WrittenSentence:
    kind = one.statement_ids[0].partition("-")[0] if one.statement_ids else "problem"
    parts = _PARTS[document]
    text = _BRACKETS.sub("", " ".join(one.text.split()))
    return WrittenSentence(
        text=gap_text(f"{text} {WHICH}"),
        section=parts.get(kind, parts["problem"]),
        basis=Basis.PATIENT,
        citations=_cited(pieces, [(span.start_char, span.end_char) for span in one.spans if not span.note_id]),
        break_after=True,
    )


def _no_medicines(linked: LinkedNote) -> frozenset[str]:
    mentions = linked.note.mentions
    drugs = {m.concept_id for m in mentions if m.category in (Category.DRUG, Category.DRUG_CLASS)}
    ills = [m for m in mentions if m.category in (Category.DISEASE, Category.SYMPTOM)]
    of_an_ill = {  # "seasonal allergies"
        item.concept_id
        for item in linked.allergies.items
        if item.concept_id and any(m.start_char <= item.start_char < m.end_char for m in ills)
    }
    return (frozenset(m.concept_id for m in mentions) | of_an_ill) - drugs


def _quoted(evidence: Evidence) -> Iterator[WrittenSentence]:
    """Yield the crisis line, the general warnings and the signed instructions, where they are among the passages."""
    for passage in evidence.passages:
        if passage.document_id.startswith(SIGNED_INSTRUCTION):
            part = _PART_OF.get(passage.section, PRECAUTIONS)
            yield WrittenSentence(text=passage.text, section=part, basis=Basis.GENERAL, citations=(passage.id,))
        if passage.document_id.startswith((CRISIS_LINE, GENERAL_WARNINGS)):
            for text in re.split(r"(?<=\.) ", passage.text):
                yield WrittenSentence(text=text, section=WARNING, basis=Basis.GENERAL, citations=(passage.id,))


def _whom_to_call(record: PatientRecord, pieces: Sequence[NotePiece]) -> Iterator[WrittenSentence]:
    """Yield the note's own sentence that names whom to call, else that the team has to say it."""
    texts = [(one.text, one.spans) for one in record.plan]
    texts += [(one.text, one.spans) for one in record.social if one.kind is SocialKind.GOALS_OF_CARE]
    for text, spans in texts:
        if spans and _automaton().find(plain_marks(tokens(text).words))[CALL]:
            cites = _cited(pieces, [(spans[-1].start_char, spans[-1].end_char)])
            said = " ".join(text.split()).rstrip(".")
            yield WrittenSentence(
                text=f"Your note says: “{said}.”", section=WARNING, basis=Basis.PATIENT, citations=cites
            )
            return
    yield WrittenSentence(text=gap_text(WHOM_TO_CALL), section=WARNING, basis=Basis.GENERAL)


def _cited(pieces: Sequence[NotePiece], spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(p.id for p in pieces if any(p.start_char < end and start < p.end_char for start, end in spans))


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(CALL))
