"""What a note itself decides or asks, clause by clause: tests, treatment, follow-up, when to come back, who looks after the patient.

Takes a parsed note, its mentions and the attributes of spans. In sections of plan, assessment and instructions each sentence is read;
elsewhere only clauses that hold a trigger (assets/rules/plan/plan_triggers.tsv). The text of a statement is the note's own.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.procedures.plan_kinds import kind_of, names_only
from backend.nlp.procedures.plan_labels import LabelledLine, LabelledLines, LineKind
from backend.nlp.procedures.whom_and_when import trimmed, when_of, whom_of
from backend.schemas.drafts.note import Mention
from backend.schemas.record import Experiencer, PlanKind, PlanStatement
from backend.schemas.vocabulary import SectionCategory

FAMILY, TIME = "plan/plan", "procedures/time"
NONE = "none"


class Piece(NamedTuple):
    """A stretch of tokens that decides one thing, with its kind and the triggers that state it."""

    first: int
    last: int
    kind: PlanKind
    triggers: tuple[FoundTrigger, ...]
    certainty: float


def plan_statements(
    note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf
) -> tuple[PlanStatement, ...]:
    """What the note decides or asks, in order."""
    lines = LabelledLines(note.text, note.sections)
    pieces = [piece for sentence in note.sentences for piece in _pieces(note, sentence, lines, mentions)]
    asked = [note.trigger_span(piece.triggers[0]) for piece in pieces if piece.triggers]
    span_attributes = iter(attributes_of(asked) if asked else ())
    found: list[PlanStatement] = []
    for piece in pieces:
        attributes = next(span_attributes) if piece.triggers else None
        if (
            attributes is not None
            and attributes.experiencer is not Experiencer.PATIENT
            and piece.kind not in _OF_OTHERS
        ):
            continue
        start, end = note.tokens.starts[piece.first], note.tokens.ends[piece.last - 1]
        whom, when = whom_of(note, piece.first, piece.last, piece.kind), when_of(note, piece.first, piece.last)
        found.append(
            PlanStatement(
                id=f"plan-{len(found) + 1}",
                kind=piece.kind,
                text=note.text[start:end],
                whom=whom,
                when=when[0] if when else "",
                spans=note.record_spans((start, end), *(note.trigger_span(t) for t in piece.triggers)),
                rule_ids=tuple(
                    dict.fromkeys((*(t.row.rule_id for t in piece.triggers), *((when[1],) if when else ())))
                ),
                certainty=piece.certainty,
            )
        )
    return tuple(found)


def _pieces(note: ParsedNote, sentence: Sentence, lines: LabelledLines, mentions: Sequence[Mention]) -> Iterator[Piece]:
    """The pieces of a sentence that decide something; clauses that follow one of their kind go with it."""
    category = note.sections[sentence.section].category
    sentence, line = _without_label(note, sentence, lines)
    labelled = None if line is None else line.kind
    if category in _WITHOUT or labelled is LineKind.AGREEMENT:
        return
    planned = (category in _PLANS or labelled in _KINDS) and labelled is not LineKind.REASONING
    scopes = ("any", "plan", "now") if planned or category in _ASSESSMENTS else ("any", "now")
    triggers = [
        t
        for t in note.triggers_within(FAMILY, sentence.first, sentence.last)
        if t.row.cells["scope"] in scopes and t.row.event != NONE
    ]
    if not planned and (not triggers or all(_of_then(note, t, sentence) for t in triggers)):
        return
    clauses = _clauses(note, sentence)
    pieces: list[Piece] = []
    for first, last in clauses:
        inside = tuple(t for t in triggers if first <= t.first < last and (planned or not _of_then(note, t, sentence)))
        if not inside and (not planned or pieces):
            if (pieces and not planned and first == pieces[-1].last and category in _ASSESSMENTS) or (
                pieces and planned
            ):
                pieces[-1] = pieces[-1]._replace(last=last)
            continue
        kind = kind_of(note, inside, first, last, mentions)
        if kind is PlanKind.OTHER and not inside and labelled is not None:
            kind = _KINDS.get(labelled, kind)
        if pieces and pieces[-1].kind is kind and pieces[-1].last == first:
            pieces[-1] = pieces[-1]._replace(last=last, triggers=(*pieces[-1].triggers, *inside))
        else:
            pieces.append(Piece(first, last, kind, inside, 0.9 if inside else 0.6))
    for piece in pieces:
        first, last = trimmed(note, piece.first, piece.last)
        if first >= last or (not piece.triggers and names_only(note, first, last, mentions)):
            continue
        yield piece._replace(first=first, last=last)


def _without_label(note: ParsedNote, sentence: Sentence, lines: LabelledLines) -> tuple[Sentence, LabelledLine | None]:
    """A sentence without the label of its line, and that line."""
    first = next((i for i in range(sentence.first, sentence.last) if note.tokens.word[i]), sentence.first)
    line = lines.at(note.tokens.starts[first]) if first < sentence.last else None
    if line is not None:
        first = max(sentence.first, min(bisect_left(note.tokens.starts, line.body), sentence.last))
        return sentence._replace(first=first), line
    return sentence, None


def _clauses(note: ParsedNote, sentence: Sentence) -> list[tuple[int, int]]:
    begin = bisect_right(note.clauses, sentence.first, key=lambda clause: clause.last)
    found = []
    while begin < len(note.clauses) and note.clauses[begin].first < sentence.last:
        found.append((max(sentence.first, note.clauses[begin].first), note.clauses[begin].last))
        begin += 1
    return found or [(sentence.first, sentence.last)]


def _of_then(note: ParsedNote, t: FoundTrigger, sentence: Sentence) -> bool:
    """Whether running text tells another time than today's for what a trigger of `now` says."""
    if t.row.cells["scope"] != "now":
        return False
    near = note.triggers_within(TIME, sentence.first, sentence.last)
    return any(one.row.event == "past" for one in near)


_KINDS = {
    LineKind.TREATMENT: PlanKind.TREATMENT,
    LineKind.TEST: PlanKind.TEST,
    LineKind.REFERRAL: PlanKind.FOLLOW_UP,
    LineKind.EDUCATION: PlanKind.OTHER,
}
"""Lines of what is decided, in whatever section, with the kind of what in them tells none."""
_OF_OTHERS = frozenset((PlanKind.CARER, PlanKind.DISPOSITION))
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_ASSESSMENTS = frozenset((SectionCategory.ASSESSMENT, SectionCategory.HOSPITAL_COURSE))
_WITHOUT = frozenset(
    (
        SectionCategory.ALLERGIES,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.IMMUNIZATIONS,
    )
)
