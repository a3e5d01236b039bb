"""What is worked out anew once sentences have changed: the text's layout, support marks, flags, readability.

Where a check is not given, its result says so, or what was known before stays.
"""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from backend.interfaces import Layout, Readable, SafetyCheck, Verifier
from backend.review.case_content import GAP, gaps, identified, live
from backend.schemas.drafts.draft import Checks, Draft, Flag, Readability, Sentence, WrittenSentence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import ReviewedSentence, VersionContent, WriterKind
from backend.schemas.vocabulary import ConditionStatus, Document, Severity, Support
from backend.verification.safety.checks import make_flag
from backend.verification.safety.completeness import GAP as UNFILLED
from backend.verification.safety.completeness import MUST_NOT_MISS
from backend.verification.safety.flag_order import in_order

EDITED = "edited by a person"
LEFT = "a gap for the team, no statement"
AMOUNT = re.compile(r"\d\s?(mg|mcg|µg|g|units?|meq|ml|tablets?|puffs?)\b", re.IGNORECASE)
DENIED = re.compile(r"\b(not|never|stop|stopped|avoid|without|no longer|instead of)\b", re.IGNORECASE)
WARD_LIST = "Discharge medicines"
WARD_COURSE = "Hospital course"


class Checkers(NamedTuple):
    """layout puts the sentences together. safety, verifier, readable: None leaves the step out, visibly."""

    layout: Layout
    safety: SafetyCheck | None = None
    verifier: Verifier | None = None
    readable: Readable | None = None


def rechecked(base: Draft, content: VersionContent, changed: Collection[str], checkers: Checkers) -> VersionContent:
    """The content with a fresh text, offsets, flags and readability.

    changed: ids of the sentences a person has just written; they are verified anew where there is a verifier.
    """
    sentences = _laid_out(base, _verified(base, content.sentences, changed, checkers.verifier), checkers.layout)
    text, placed = sentences
    content = content.model_copy(update={"text": text, "sentences": placed})
    flags, checks = _flags(base, content, checkers.safety)
    return content.model_copy(
        update={
            "flags": identified(flags, placed),
            "checks": checks,
            "readability": _readability(base, placed, checkers.readable),
        }
    )


def _laid_out(
    base: Draft, sentences: Sequence[ReviewedSentence], layout: Layout
) -> tuple[str, tuple[ReviewedSentence, ...]]:
    now = live(sentences)
    text, spans = layout.lay_out([_written(s) for s in now], base.document, _style(base))
    places = {s.id: span for s, span in zip(now, spans, strict=True)}
    placed = []
    for sentence in sentences:
        start, end = places.get(sentence.id, (0, 0))
        placed.append(sentence.model_copy(update={"start_char": start, "end_char": end}))
    return text, tuple(placed)


def _style(base: Draft) -> str:
    """How the draft was laid out: a draft does not say it, its text does."""
    if not base.sentences:
        return "sections"
    first = base.sentences[0]
    return "sections" if base.text[: first.start_char].strip() else "paragraph"


def _verified(
    base: Draft, sentences: Sequence[ReviewedSentence], changed: Collection[str], verifier: Verifier | None
) -> tuple[ReviewedSentence, ...]:
    if verifier is None:
        return tuple(sentences)
    new = [s for s in live(sentences) if s.id in changed and not GAP.search(s.text)]
    verdicts = verifier.verify([_written(s) for s in new], _linked(base), base.evidence) if new else ()
    marks = {}
    for sentence, verdict in zip(new, verdicts, strict=True):
        reason = f"{EDITED}; {verdict.reason}" if verdict.reason else EDITED
        marks[sentence.id] = {"support": verdict.support, "support_score": verdict.score, "reason": reason}
    return tuple(s.model_copy(update=marks[s.id]) if s.id in marks else s for s in sentences)


def _flags(base: Draft, content: VersionContent, safety: SafetyCheck | None) -> tuple[tuple[Flag, ...], Checks]:
    """Every flag of the new text, and those of the saved draft that still hold, the severest first."""
    now = live(content.sentences)
    if safety is None:
        found, checks = list[Flag](), base.checks
        left = len(gaps(content))
        if left:
            message = f"{left} place{'s are' if left > 1 else ' is'} left for the team to complete."
            found.append(make_flag(UNFILLED, message))
    else:
        fresh, checks = safety.check(
            _request(base, now), _linked(base), content.conditions, [_checkable(s) for s in now]
        )
        found = list(fresh)
    seen = {(flag.kind, flag.message) for flag in found}
    kept = [flag for flag in _still_held(base, content, safety is None) if (flag.kind, flag.message) not in seen]
    return in_order((*found, *kept)), checks


def _still_held(base: Draft, content: VersionContent, every: bool) -> list[Flag]:
    """The saved draft's flags that an edit did not answer: severe ones, or with `every` those of any severity.

    A flag on a sentence goes when the sentence was deleted or rewritten; one on the note stays.
    """
    places = {s.id: i for i, s in enumerate(live(content.sentences))}
    by_id = {s.id: s for s in content.sentences}
    possible = {c.concept_id for c in content.conditions if c.status == ConditionStatus.POSSIBLE}
    kept = []
    for flag in base.flags:
        if flag.kind == UNFILLED or not (every or flag.severity == Severity.SEVERE):
            continue
        if flag.kind == MUST_NOT_MISS and not possible & set(flag.evidence):
            continue
        if flag.sentence is None:
            kept.append(flag)
            continue
        name = f"S{flag.sentence + 1}"
        if name in places and by_id[name].text == base.sentences[flag.sentence].text:
            kept.append(flag.model_copy(update={"sentence": places[name]}))
    return kept


def _checkable(sentence: ReviewedSentence) -> Sentence:
    """The sentence as the safety check should see it: what a person wrote counts as a filled part, though not scored."""
    fields = {name: getattr(sentence, name) for name in Sentence.model_fields}
    if sentence.written_by.kind == WriterKind.PERSON and not GAP.search(sentence.text):
        fields |= {"support": Support.PARTIAL} if sentence.support == Support.NOT_SCORED else {}
    return Sentence(**fields)


def _request(base: Draft, now: Sequence[ReviewedSentence]) -> DraftRequest:
    """The request the draft answered, as far as the checks need it.

    An amount that a person wrote into the draft is what the patient is to take, so it is checked as the list for home is.
    """
    ward = [piece.text for piece in base.evidence.notes if piece.note_type == WARD_LIST]
    ordered = [
        s.text
        for s in now
        if s.written_by.kind == WriterKind.PERSON and AMOUNT.search(s.text) and not DENIED.search(s.text)
    ]
    return DraftRequest(
        text=base.note.text or base.question or "-",
        question=base.question,
        document=base.document,
        system=base.system,
        hospital_course=" ".join(p.text for p in base.evidence.notes if p.note_type == WARD_COURSE),
        discharge_medicines=(*ward, *ordered),
    )


def _readability(base: Draft, sentences: Sequence[ReviewedSentence], readable: Readable | None) -> Readability:
    if readable is None:
        return Readability()
    patient_text = base.document == Document.DISCHARGE_INSTRUCTIONS
    return readable.measure([s.text for s in live(sentences)] if patient_text else [])


def _linked(base: Draft) -> LinkedNote:
    return LinkedNote(note=base.note, allergies=base.allergies, patient=base.patient)


def _written(s: ReviewedSentence) -> WrittenSentence:
    return WrittenSentence(
        text=s.text, section=s.section, basis=s.basis, citations=s.citations, condition_id=s.condition_id
    )
