"""What is worked out anew once sentences have changed: the text's layout, support marks, flags, readability.

Where a check is not given, its result says so, or what was known before stays.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from backend.interfaces import FitVerifier, Layout, Linker, Readable, SafetyCheck, Verifier
from backend.registry import FLAG_KINDS
from backend.review.case_content import GAP, edited_by_person, gaps, identified, live
from backend.review.editing.medicine_work import as_decided, ended_medicines, entries_to_check, sentences_of_ended
from backend.schemas.drafts.draft import Checks, Draft, Flag, Readability, Sentence, Verdict, WrittenSentence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.letter_work import GivenAnswer, MedicineDecision
from backend.schemas.patients.saved_case import ReviewedSentence, ReviewFlag, VersionContent
from backend.schemas.vocabulary import Basis, Category, ConditionStatus, Document, Severity, Support
from backend.verification.fit.own_words import doubt_of
from backend.verification.safety.checks import make_flag
from backend.verification.safety.completeness import GAP as UNFILLED
from backend.verification.safety.completeness import MUST_NOT_MISS
from backend.verification.safety.flag_order import in_order

EDITED = "edited by a person"
OWN_WORDS = "the clinician's own words"
LEFT = "a gap for the team, no statement"
AMOUNT = re.compile(r"\d\s?(mg|mcg|µg|g|units?|meq|ml|tablets?|puffs?)\b", re.IGNORECASE)
DENIED = re.compile(r"\b(not|never|stop|stopped|avoid|without|no longer|instead of)\b", re.IGNORECASE)
MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
WARD_LIST = "Discharge medicines"
WARD_COURSE = "Hospital course"


class Checkers(NamedTuple):
    """What a letter is checked and drafted anew by.

    Attributes:
        layout: puts the sentences together.
        safety: None leaves the step out, visibly; so do verifier, readable and fit.
        verifier: of the support of each sentence.
        readable: measures the patient's text.
        fit: holds sentences against the record.
        linker: reads what a person writes.
        redraft: gives the draft of a request; None where nothing can be drafted.
    """

    layout: Layout
    safety: SafetyCheck | None = None
    verifier: Verifier | None = None
    readable: Readable | None = None
    fit: FitVerifier | None = None
    linker: Linker | None = None
    redraft: Callable[[DraftRequest], Draft] | None = None


class Changed(NamedTuple):
    """What is to be told anew.

    Attributes:
        texts: ids of sentences in a person's words.
        named: those whose citations the person named.
        before: the texts of the sentences that answers to alerts were given to, by id.
    """

    texts: Collection[str]
    named: Collection[str] = ()
    before: Mapping[str, str] = MappingProxyType({})


def rechecked(
    base: Draft, content: VersionContent, changed: Changed, checkers: Checkers, request: DraftRequest | None = None
) -> VersionContent:
    """The content with a fresh text, offsets, marks, flags and readability.

    Args:
        base: the draft it stands on, with the medicines as a clinician has them.
        content: the version.
        changed: what a person has just written, or what stands on other evidence than before.
        checkers: what is worked out.
        request: what the draft answers; where it is not known, as much as the draft says of it.
    """
    own = own_request(base, live(content.sentences), content.medicines, request, checkers.linker)
    told = _retold(base, content, changed, checkers, own)
    text, placed = _laid_out(base, told, checkers.layout)
    content = content.model_copy(update={"text": text, "sentences": placed})
    flags, checks = _flags(base, content, checkers.safety, own, request is not None)
    found = identified(flags, placed)
    return content.model_copy(
        update={
            "flags": found,
            "checks": checks,
            "readability": _readability(base, placed, checkers.readable),
            "answers": _answers_kept(content.answers, changed.before, placed, found),
        }
    )


def as_drafted(base: Draft, content: VersionContent, changed: Changed) -> VersionContent | None:
    """The content with the draft's own marks, flags and readability, where it reads as the draft does: that was checked whole.

    Args:
        base: the draft it stands on.
        content: the version, laid over that draft.
        changed: what answers to alerts were given to.

    Returns:
        None where a person's work makes it read otherwise.
    """
    now = live(content.sentences)
    if content.medicines or [_written(s) for s in now] != [_written(s) for s in base.sentences]:
        return None
    flags = identified(base.flags, now)
    nowhere = {"start_char": 0, "end_char": 0}
    return content.model_copy(
        update={
            "text": base.text,
            "sentences": tuple(s.model_copy(update=nowhere) if s.deleted else s for s in content.sentences),
            "flags": flags,
            "checks": base.checks,
            "readability": base.readability,
            "answers": _answers_kept(content.answers, changed.before, now, flags),
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


def _retold(
    base: Draft, content: VersionContent, changed: Changed, checkers: Checkers, request: DraftRequest
) -> tuple[ReviewedSentence, ...]:
    """The sentences; those in changed words with the citations, condition, support and fit that the words have now."""
    new = [s for s in live(content.sentences) if s.id in changed.texts and not GAP.search(s.text)]
    if not new:
        return content.sentences
    linked = _linked(base)
    if checkers.linker is not None:
        new = [_of_condition(s, checkers.linker) for s in new]
    if checkers.verifier is not None:
        new = supported(new, changed.named, lambda ask: _verdicts(ask, checkers.verifier, linked, base))
    if checkers.fit is not None:
        own = {place for place, s in enumerate(new) if edited_by_person(s)}
        fits = checkers.fit.check([_written(s) for s in new], linked, content.conditions, base.evidence, request, own)
        new = [
            s.model_copy(update={"fit": one.fit, "fit_reason": one.reason, "raised": one.raised})
            for s, one in zip(new, fits, strict=True)
        ]
    if checkers.linker is not None:
        confirmed = {c.concept_id for c in content.conditions if c.status is ConditionStatus.CONFIRMED}
        new = [_own_words(s, base, confirmed, checkers.linker) for s in new]
    by_id = {s.id: s for s in new}
    return tuple(by_id.get(s.id, s) for s in content.sentences)


def _own_words(sentence: ReviewedSentence, base: Draft, confirmed: Collection[str], linker: Linker) -> ReviewedSentence:
    """A clinician's sentence that cites nothing, marked where the record contradicts it or lacks what it claims."""
    if sentence.citations or not edited_by_person(sentence):
        return sentence
    doubt = doubt_of(sentence.text, base.record if base.note.text else None, base.evidence.notes, confirmed, linker)
    update: dict[str, object] = {"reason": f"{OWN_WORDS}: {doubt}" if doubt else OWN_WORDS}
    return sentence.model_copy(update=update | ({"support": Support.UNSUPPORTED} if doubt else {}))


Ask = list[tuple[ReviewedSentence, tuple[str, ...]]]


def supported(
    sentences: Sequence[ReviewedSentence], named: Collection[str], verdicts: Callable[[Ask], Sequence[Verdict]]
) -> list[ReviewedSentence]:
    """The sentences with their support, and with those citations alone that support them.

    Args:
        sentences: in a person's words.
        named: ids of those whose citations the person named: they stay.
        verdicts: tells of each sentence with its citations how far these support it.
    """
    alone: Ask = [(s, (c,)) for s in sentences if s.id not in named for c in s.citations]
    single = {(s.id, c[0]): verdict for (s, c), verdict in zip(alone, verdicts(alone) if alone else (), strict=True)}
    carry = {Support.SUPPORTED, Support.PARTIAL}
    cited = {
        s.id: tuple(c for c in s.citations if s.id in named or single[s.id, c].support in carry) for s in sentences
    }
    # what one citation alone supports is told already; what cites nothing is a person's word, which nothing is held against
    known = {name: single.get((name, kept[0])) for name, kept in cited.items() if len(kept) == 1}
    ask: Ask = [(s, cited[s.id]) for s in sentences if cited[s.id] and known.get(s.id) is None]
    together = {s.id: verdict for (s, _), verdict in zip(ask, verdicts(ask) if ask else (), strict=True)}
    nothing = Verdict(support=Support.NOT_SCORED)
    out = []
    for s in sentences:
        verdict = together.get(s.id) or known.get(s.id) or nothing
        reason = f"{EDITED}; {verdict.reason}" if verdict.reason else EDITED
        update = {"support": verdict.support, "support_score": verdict.score, "reason": reason}
        out.append(_citing(s, cited[s.id]).model_copy(update=update))
    return out


def _citing(sentence: ReviewedSentence, citations: tuple[str, ...]) -> ReviewedSentence:
    basis = sentence.basis
    if basis is Basis.PATIENT and not any(c.startswith("N") for c in citations):
        basis = Basis.GENERAL
    return sentence.model_copy(update={"citations": citations, "basis": basis})


def _verdicts(ask: Ask, verifier: Verifier | None, linked: LinkedNote, base: Draft) -> Sequence[Verdict]:
    written = [_written(s).model_copy(update={"citations": cited}) for s, cited in ask]
    return verifier.verify(written, linked, base.evidence) if verifier else ()


def _of_condition(sentence: ReviewedSentence, linker: Linker) -> ReviewedSentence:
    """The sentence; one whose words no longer name the condition it was written for does not rest on it."""
    concept = sentence.condition_id
    if concept is None or any(m.concept_id == concept for m in linker.link(sentence.text).note.mentions):
        return sentence
    cites_patient = any(c.startswith("N") for c in sentence.citations)
    update: dict[str, object] = {"condition_id": None, "rests_on": None}
    if sentence.basis is Basis.POSSIBLE:
        update["basis"] = Basis.PATIENT if cites_patient else Basis.GENERAL
    return sentence.model_copy(update=update)


def _answers_kept(
    answers: Sequence[GivenAnswer],
    was: Mapping[str, str],
    sentences: Sequence[ReviewedSentence],
    flags: Sequence[ReviewFlag],
) -> tuple[GivenAnswer, ...]:
    """The answers whose alert still stands, of a sentence that still reads as it did.

    was: the texts of the sentences before, by id.
    """
    there, now = {flag.id: flag for flag in flags}, live(sentences)
    kept = []
    for answer in answers:
        flag = there.get(answer.flag)
        about = now[flag.sentence] if flag is not None and flag.sentence is not None else None
        reads = about is None or was.get(about.id) == about.text
        if flag is not None and reads:
            kept.append(answer)
    return tuple(kept)


def _flags(
    base: Draft, content: VersionContent, safety: SafetyCheck | None, request: DraftRequest, known: bool
) -> tuple[tuple[Flag, ...], Checks]:
    """Every flag of the new text, and those of the draft that still hold, the severest first. known: the request is the draft's."""
    now = live(content.sentences)
    if safety is None:
        found, checks = list[Flag](), base.checks
        left = len({gap.sentence for gap in gaps(content)})
        if left:
            message = f"{left} place{'s are' if left > 1 else ' is'} left for the team to complete."
            found.append(make_flag(UNFILLED, message))
    else:
        linked = _linked(base)
        untaken = sentences_of_ended(base.medicines)
        told = linked.model_copy(update={"record": as_decided(linked.record, content.medicines)})
        fresh, checks = safety.check(request, told, content.conditions, [_checkable(s, untaken) for s in now])
        found = list(fresh)
    seen = {(flag.kind, flag.message) for flag in found}
    held = _still_held(base, content, safety is None)
    if safety is not None and known:  # the checks were asked all that they were asked for the draft
        held = [flag for flag in held if flag.sentence is not None or not _is_of_checks(flag)]
    kept = [flag for flag in held if (flag.kind, flag.message) not in seen]
    return in_order((*found, *kept)), checks


def _is_of_checks(flag: Flag) -> bool:
    """Whether the safety checks make flags of this kind, and not a stage of the pipeline."""
    return flag.kind in FLAG_KINDS.names() and not FLAG_KINDS.get(flag.kind).facts.get("by_pipeline", False)


def _still_held(base: Draft, content: VersionContent, every: bool) -> list[Flag]:
    """The saved draft's flags that an edit did not answer: severe ones, or with `every` those of any severity.

    A flag on a sentence goes when the sentence was deleted or rewritten; one on the note stays.
    """
    places: dict[tuple[str, str], int] = {}
    for i, s in enumerate(live(content.sentences)):
        places.setdefault((s.section, s.text), i)
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
        about = base.sentences[flag.sentence]
        if (place := places.get((about.section, about.text))) is not None:
            kept.append(flag.model_copy(update={"sentence": place}))
    return kept


def _checkable(sentence: ReviewedSentence, untaken: Collection[str]) -> Sentence:
    """The sentence as the safety check should see it: what a person wrote counts as a filled part, though not scored.

    untaken: the table's sentences of what is stopped or held, which give no medicine.
    """
    fields = {name: getattr(sentence, name) for name in Sentence.model_fields}
    if sentence.text in untaken:
        fields["text"] = ""
    if edited_by_person(sentence) and not GAP.search(sentence.text):
        own = sentence.support == Support.NOT_SCORED or not sentence.citations
        fields |= {"support": Support.PARTIAL} if own else {}
    return Sentence(**fields)


def own_request(
    base: Draft,
    now: Sequence[ReviewedSentence],
    medicines: Sequence[MedicineDecision],
    request: DraftRequest | None,
    linker: Linker | None = None,
) -> DraftRequest:
    """The request with what a person has written of medicines.

    An amount that a person wrote into the draft or its table is what the patient is to take, so it is checked as the list
    for home is; what they stopped is on that list no more.
    """
    ordered = [s.text for s in now if edited_by_person(s) and AMOUNT.search(s.text) and not DENIED.search(s.text)]
    asked = request or _request(base)
    ended = ended_medicines(medicines)
    home = asked.discharge_medicines
    if ended and linker is not None:
        home = tuple(entry for entry in home if not _names_only(entry, ended, linker))
    listed = (*home, *ordered, *entries_to_check(medicines))
    return asked.model_copy(update={"discharge_medicines": listed})


def _names_only(entry: str, concepts: Collection[str], linker: Linker) -> bool:
    """Whether all medicines that an entry of a list names are of these."""
    named = {m.concept_id for m in linker.link(entry).note.mentions if m.category in MEDICINES}
    return bool(named) and named <= set(concepts)


def _request(base: Draft) -> DraftRequest:
    """The request the draft answered, as far as the draft says it."""
    return DraftRequest(
        text=base.note.text or base.question or "-",
        question=base.question,
        document=base.document,
        system=base.system,
        hospital_course=" ".join(p.text for p in base.evidence.notes if p.note_type == WARD_COURSE),
        discharge_medicines=tuple(piece.text for piece in base.evidence.notes if piece.note_type == WARD_LIST),
    )


def _readability(base: Draft, sentences: Sequence[ReviewedSentence], readable: Readable | None) -> Readability:
    if readable is None:
        return Readability()
    patient_text = base.document == Document.DISCHARGE_INSTRUCTIONS
    return readable.measure([s.text for s in live(sentences)] if patient_text else [])


def _linked(base: Draft) -> LinkedNote:
    return LinkedNote(note=base.note, allergies=base.allergies, patient=base.patient, record=base.record)


def _written(s: ReviewedSentence | Sentence) -> WrittenSentence:
    return WrittenSentence(
        text=s.text, section=s.section, basis=s.basis, citations=s.citations, condition_id=s.condition_id
    )
