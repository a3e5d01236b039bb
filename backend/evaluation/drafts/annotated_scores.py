"""How well a draft serves an annotated note: what it leads with, what it tells, what it must not say, what it flags."""

from collections.abc import Callable, Sequence

from backend.evaluation.drafts.medicine_lines import MEDICINE_MEASURES, count_medicines
from backend.evaluation.reading.gold_notes import AnnotatedNote
from backend.evaluation.reading.record_scores import NoteCounts, ReadingError
from backend.evaluation.reading.statement_match import alternatives, content_stems, places_of
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.drafts.evidence import NAMED, Condition
from backend.schemas.drafts.gaps import GAP
from backend.schemas.vocabulary import Basis, ConditionStatus, Severity

MEASURES: dict[str, str] = {
    "lead": "notes that name a lead whose leading condition the draft has, by any accepted name",
    "abstains": "notes without a lead on which the draft leads with no condition",
    "must_have_cited": "what must be said that a sentence says: it cites the quote's place and shares its words; a gap says nothing",
    "must_have_asked": "the same, where a gap may also ask the team for it, or the note's words stand beside the letter",
    "must_not_suspected": "what must not be said that a sentence comes close to by its words, to be read by a person; lower is better",
    "unheld_condition": "sentences about a condition that the note does not hold, of those about one; lower is better",
    "written_held": "conditions written about that the note holds as the patient's: its lead, or a problem of now",
    "sure_high": "conditions of high confidence that the note holds as the patient's (reliability)",
    "sure_moderate": "the same of moderate confidence",
    "sure_low": "the same of low confidence",
    "advice_short": "drafts with at most 250 words of general advice",
    "dangers_severe": "severe dangers that a flag names",
    "dangers_other": "other dangers that a flag names",
    **MEDICINE_MEASURES,
}
_STATED = 0.4
"""Share of a fact's words, or of its quote's, that a sentence must have; a letter words it for the patient."""
_SUSPECTED = 0.6
_HELD = frozenset({"active", "chronic", "uncertain"})
_ADVICE_WORDS = 250
_SUPPOSED, _SUPPOSING = ("if given", "if misused"), frozenset(("if", "given", "misused"))
"""How a danger begins that nothing gives yet, and the words that say so."""
_NAMED = 2
"""Content words that a flag must share with a danger: the medicine, and what makes it one."""


def score_draft(note: AnnotatedNote, draft: Draft, concept_of: Callable[[str], str | None]) -> NoteCounts:
    """Count one draft.

    Args:
        note: the annotated note.
        draft: written from it alone.
        concept_of: the concept id of a whole name, or None.
    """
    counts = NoteCounts()
    _lead(note, draft, concept_of, counts)
    spans = {n.id: (n.start_char, n.end_char) for n in draft.evidence.notes if n.text in note.text}
    for fact in note.gold.must_have:
        places = places_of(note.text, fact.quote)
        near = [
            s
            for s in draft.sentences
            if any(a < p.end and p.start < b for p in places for c in s.citations if c in spans for a, b in [spans[c]])
            and max(_share(fact.fact, s.text), _share(fact.quote, s.text)) >= _STATED
        ]
        stated = any(GAP.search(s.text) is None for s in near)
        counts.count("must_have_cited", stated)
        beside = any(u.start_char < p.end and p.start < u.end_char for u in draft.untold for p in places)
        counts.count("must_have_asked", bool(near) or beside)
        if not stated:
            counts.errors.append(ReadingError(note.name, "must_have_cited", fact.fact, "", fact.quote))
    for trap in note.gold.must_not:
        nearest = max(draft.sentences, key=lambda s: _share(trap.statement, s.text), default=None)
        said = nearest is not None and _share(trap.statement, nearest.text) >= _SUSPECTED
        counts.count("must_not_suspected", said)
        if said and nearest is not None:
            counts.errors.append(
                ReadingError(note.name, "must_not_suspected", trap.statement, nearest.text, trap.because)
            )
    for sentence in draft.sentences:
        if sentence.condition_id is not None and sentence.basis is not Basis.PATIENT:
            _condition(note, draft, sentence, counts)
    _held(note, draft, concept_of, counts)
    count_medicines(note, draft, counts)
    general = (s.text for s in draft.sentences if s.basis is not Basis.PATIENT and s.citations)
    advice = sum(len(text.split()) for text in general if GAP.search(text) is None)
    counts.count("advice_short", advice <= _ADVICE_WORDS)
    for danger in note.gold.dangers:
        flagged = any(
            names_danger(danger.what, danger.because, f"{f.message} {' '.join(f.evidence)}") for f in draft.flags
        )
        measure = "dangers_severe" if danger.severity == Severity.SEVERE.value else "dangers_other"
        counts.count(measure, flagged)
        if not flagged:
            counts.errors.append(ReadingError(note.name, measure, danger.what, "", danger.because))
    return counts


def names_danger(what: str, because: str, said: str) -> bool:
    """Whether a flag's words name a danger: two content words of it.

    What would be one only if it were given, or is named by a single word ("haloperidol"), has its reason in `because`: there one word of the
    danger counts beside one of its reason.
    """
    if _shared(what, said) >= _NAMED:
        return True
    supposed = what.lower().startswith(_SUPPOSED)
    own = " ".join(word for word in what.split() if word.lower().strip(":") not in _SUPPOSING)
    if not supposed and len(content_stems(what)) >= _NAMED:
        return False
    return _shared(own, said) >= 1 and _shared(f"{own} {because}", said) >= _NAMED


def _lead(note: AnnotatedNote, draft: Draft, concept_of: Callable[[str], str | None], counts: NoteCounts) -> None:
    gold = note.gold.lead
    leading = [c for c in draft.conditions if c.focus]
    said = ", ".join(c.name for c in leading)
    if gold.abstain:
        counts.count("abstains", not leading)
        if leading:
            counts.errors.append(ReadingError(note.name, "abstains", "none", said, ""))
        return
    concepts = {concept for concept in map(concept_of, gold.names) if concept}
    names = [one for name in gold.names for one in alternatives(name)]
    right = any(
        c.concept_id in concepts
        or any(a and b and (a <= b or b <= a) for a in names for b in _names(c.name, c.plain, *_as_written(c)))
        for c in leading
    )
    counts.count("lead", right)
    if not right:
        counts.errors.append(ReadingError(note.name, "lead", ", ".join(gold.names), said or "none", ""))


def _held(note: AnnotatedNote, draft: Draft, concept_of: Callable[[str], str | None], counts: NoteCounts) -> None:
    """Count, by confidence, the conditions that the note holds as the patient's of now."""
    held = [*note.gold.lead.names, *(p.name for p in note.gold.problems if p.status in _HELD)]
    concepts = {concept for concept in map(concept_of, held) if concept}
    names = [one for name in held for one in alternatives(name)]
    for condition in draft.conditions:
        if condition.status in (ConditionStatus.RULED_OUT, ConditionStatus.CONFIRMED):
            continue
        right = condition.concept_id in concepts or any(
            a and b and (a <= b or b <= a) for a in names for b in _names(condition.name, *_as_written(condition))
        )
        counts.count(f"sure_{condition.confidence.partition(':')[0]}", right)
        if condition.written:
            counts.count("written_held", right)
            if not right:
                counts.errors.append(ReadingError(note.name, "written_held", "", condition.name, ""))


def _condition(note: AnnotatedNote, draft: Draft, sentence: Sentence, counts: NoteCounts) -> None:
    of = next((c for c in draft.conditions if c.concept_id == sentence.condition_id), None)
    held = of is not None and (
        of.stated or of.historical or of.status in (ConditionStatus.CONFIRMED, ConditionStatus.IN_NOTE)
    )
    counts.count("unheld_condition", not held)
    if not held:
        counts.errors.append(ReadingError(note.name, "unheld_condition", "", of.name if of else "", sentence.text))


def _as_written(condition: Condition) -> Sequence[str]:
    return [reason.name for reason in condition.because if reason.relation == NAMED]


def _names(*names: str) -> Sequence[frozenset[str]]:
    return [content_stems(name) for name in names if name]


def _share(wanted: str, said: str) -> float:
    words = content_stems(wanted)
    return len(words & content_stems(said)) / len(words) if words else 0.0


def _shared(wanted: str, said: str) -> int:
    return len(content_stems(wanted) & content_stems(said))
