"""Habits, living, work and wishes of a patient: tobacco, alcohol, drugs, with whom, what work, goals of care, resuscitation.

Takes a parsed note and the attributes of spans. A habit is never, former or current by the words of its clause; where several
things are denied together, the denial holds for all of them. The text is the note's own clause.
"""

from collections.abc import Sequence

from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.procedures.whom_and_when import trimmed
from backend.schemas.drafts.note import Mention
from backend.schemas.record import Experiencer, HabitStatus, SocialKind, SocialStatement
from backend.schemas.vocabulary import SectionCategory

TOPICS, HABITS = "people/social", "people/habit"
_HABITS = frozenset((SocialKind.TOBACCO, SocialKind.ALCOHOL, SocialKind.DRUGS))
_ANYWHERE = frozenset((SocialKind.GOALS_OF_CARE, SocialKind.RESUSCITATION))
_NEAR = 12
_BESIDE = 3
_ENDED = "ended"
_NAMED = 0.7
"""The certainty of a habit that is only named, as a label is: "tobacco; he smoked for 40 years, but quit"."""


def social_statements(
    note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf
) -> tuple[SocialStatement, ...]:
    """The social statements of a note: one for each kind and clause, of a habit one for each status; the social history comes first.

    Outside the social history, a habit, a home or a job counts only where its clause says whose it is by the engine's attributes; a
    relative's is none.
    """
    found = sorted((t for t in note.triggers[TOPICS] if _counts(note, t)), key=lambda t: not _in_history(note, t))
    spans = [note.trigger_span(t) for t in found]
    statements: list[SocialStatement] = []
    seen: set[tuple[SocialKind, object]] = set()
    for t, span, attributes in zip(found, spans, attributes_of(spans) if spans else (), strict=True):
        kind = SocialKind(t.row.event)
        number = note.clause_at(span[0])
        if attributes.experiencer is not Experiencer.PATIENT or number is None or (kind, number) in seen:
            continue
        seen.add((kind, number))
        status, because = _status(note, t, kind, negated=attributes.negated, historical=attributes.historical)
        if kind in _HABITS and (kind, status) in seen:
            continue
        seen.add((kind, status))
        first, last = trimmed(note, note.clauses[number].first, note.clauses[number].last)
        last -= note.words[last - 1] == "."
        start, end = note.tokens.starts[first], note.tokens.ends[last - 1]
        statements.append(
            SocialStatement(
                id=f"social-{len(statements) + 1}",
                kind=kind,
                status=status,
                text=note.text[start:end],
                spans=note.record_spans(span, *((note.trigger_span(because),) if because else ()), (start, end)),
                rule_ids=(t.row.rule_id, *((because.row.rule_id,) if because else ())),
                certainty=0.9 if because or t.row.cells["status"] != "-" else _NAMED,
            )
        )
    over = {one.kind for one in statements if one.status is HabitStatus.FORMER}
    return tuple(
        one
        for one in statements
        if one.kind not in over or one.status is not HabitStatus.CURRENT or one.certainty > _NAMED
    )


def _in_history(note: ParsedNote, t: FoundTrigger) -> bool:
    """Whether a topic stands in the social history, which says it first."""
    section = note.section_at(note.tokens.starts[t.first])
    return section is not None and section.category is SectionCategory.SOCIAL_HISTORY


def _counts(note: ParsedNote, t: FoundTrigger) -> bool:
    """Whether a topic stands where the patient's own life is described."""
    section = note.section_at(note.tokens.starts[t.first])
    category = section.category if section else SectionCategory.UNLABELED
    if note.sentence_at(note.tokens.starts[t.first]) is None:
        return False
    if category is SectionCategory.SOCIAL_HISTORY or SocialKind(t.row.event) in _ANYWHERE:
        return True
    return t.row.cells["where"] == "any" and category not in _ELSEWHERE


def _status(
    note: ParsedNote, t: FoundTrigger, kind: SocialKind, *, negated: bool, historical: bool
) -> tuple[HabitStatus, FoundTrigger | None]:
    """The status of a habit and the word of its clause that tells it."""
    if kind not in _HABITS:
        return HabitStatus.UNKNOWN, None
    said = t.row.cells["status"]
    if said != "-":
        return HabitStatus.NEVER if negated and said == "former" else HabitStatus(said), None
    number = note.clause_at(note.tokens.starts[t.first])
    sentence = note.sentences[note.clauses[number].sentence] if number is not None else None
    near: list[FoundTrigger] = []
    if sentence is not None and number is not None:
        clause = note.clauses[number]
        inside = note.triggers_within(HABITS, clause.first, clause.last)
        near = [one for one in inside if abs(one.first - t.first) <= _NEAR]
    by_event = {"former" if one.row.event == _ENDED else one.row.event: one for one in reversed(near)}
    if "former" in by_event and not (negated or "never" in by_event):
        return HabitStatus.FORMER, by_event["former"]
    if negated or "never" in by_event:
        return HabitStatus.NEVER, by_event.get("never")
    if (ended := _ended_behind(note, t)) is not None:
        return HabitStatus.FORMER, ended
    if historical and "current" not in by_event:
        return HabitStatus.FORMER, None
    return HabitStatus.CURRENT, by_event.get("current")


def _ended_behind(note: ParsedNote, t: FoundTrigger) -> FoundTrigger | None:
    """The words of a later clause of the sentence that end a habit: "he smoked for 40 years, but quit in 1996"."""
    number = note.clause_at(note.tokens.starts[t.first])
    if number is None:
        return None
    clause, sentence = note.clauses[number], note.sentences[note.clauses[number].sentence]
    later = note.triggers_within(HABITS, clause.last, sentence.last)
    ended = next((one for one in later if one.row.event == _ENDED), None)
    if ended is None:
        return None
    between = (one for one in note.triggers[TOPICS] if t.last <= one.first < ended.last + _BESIDE)
    return None if any(one.row.event != t.row.event for one in between) else ended


_ELSEWHERE = frozenset(
    (
        SectionCategory.ALLERGIES,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.REVIEW_OF_SYSTEMS,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.PLAN,
        SectionCategory.INSTRUCTIONS,
    )
)
