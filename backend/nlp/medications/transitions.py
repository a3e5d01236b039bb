"""How one medicine ends and another begins: "rivaroxaban was switched to apixaban", "dalteparin until INR above 2", "last dose tonight".

Takes the note's medicines in order of place and their statements; gives the statements with what the note tells of their end and of
what takes their place. The words are rows of assets/rules/medications/transition_triggers.tsv. What was
taken and is told to have been stopped is stopped; it changes no other status.
"""

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.medications.medicine_events import BY_SECTION, DECIDED
from backend.nlp.medications.medicine_names import NamedMedicine
from backend.nlp.medications.open_plans import is_left_open
from backend.schemas.record import MedicationCategory, MedicationStatement, MedicationStatus

FAMILY = "medications/transition"
_REACH = 12
"""Words at most between a medicine and the words that tell its end; doses and times stand between."""
_BACK = 40
"""Tokens before "switched to" among which the medicine that ends may stand, if need be in the sentence before."""
_DIVIDES = frozenset({",", "\n", ")", "."})
_TO = frozenset({"to", "onto", "→", "with", "by"})
_OVER = frozenset({"stopped", "discontinued", "ended", "finished"})
"""Verbs of the past that end what was taken."""
_SWITCHED = "switched"
_ASIDE = 6
"""Words at most between the words "switched to" and the medicine that begins."""


class Turn(StrEnum):
    """What a row says of the medicines beside it; the rules file explains each."""

    SWITCH = "switch"
    TO = "to"
    FROM = "from"
    INSTEAD = "instead"
    ENDS = "ends"
    ENDS_NEXT = "ends next"
    NONE = "none"
    SWAP = "swap"


_BACKWARD = frozenset({Turn.SWITCH, Turn.TO})
_REPLACES = frozenset({Turn.SWITCH, Turn.FROM, Turn.INSTEAD, Turn.SWAP})
"""What takes the place of a medicine ends it."""


class Transition(NamedTuple):
    """A medicine that ends, what begins in its place where that is told, and the trigger that tells it."""

    ending: NamedMedicine
    beginning: NamedMedicine | None
    trigger: FoundTrigger


def transitions(note: ParsedNote, named: Sequence[NamedMedicine]) -> Iterator[Transition]:
    """The transitions of a note, in order; what begins stands in the sentence of the words that tell it."""
    if not named:
        return
    for found in note.triggers[FAMILY]:
        at = note.sentence_at(note.tokens.starts[found.first])
        if at is None or is_left_open(note, found):
            continue
        sentence = note.sentences[at]
        turn = Turn(found.row.event)
        since = sentence.first if turn not in _BACKWARD else found.first - _BACK
        before = [one for one in named if since <= one.first and one.last <= found.first]
        if all(one.first < sentence.first for one in before) and len({_key(m.concept_id, m.name) for m in before}) > 1:
            before = []  # of several medicines of the sentences before, none says which one ends: "Will switch to losartan."
        behind = [one for one in named if found.last <= one.first and one.last <= sentence.last]
        pair = _of(note, turn, found, before, behind)
        if pair is not None:
            yield Transition(*pair, found)


def with_transitions(
    note: ParsedNote, named: Sequence[NamedMedicine], statements: Sequence[MedicationStatement]
) -> list[MedicationStatement]:
    """The statements with the words that tell their end, and with what begins in their place.

    Args:
        note: the parsed note.
        named: its medicines in order of place.
        statements: what is told of them.
    """
    ends: dict[str, list[Transition]] = {}
    for one in transitions(note, named):
        ends.setdefault(_key(one.ending.concept_id, one.ending.name), []).append(one)
    if not ends:
        return list(statements)
    for_home = frozenset(
        one.spans[0].start_char for one in statements if one.listed is MedicationCategory.DISCHARGE and one.spans
    )
    begun = {
        one.beginning.start_char
        for told in ends.values()
        for one in told
        if one.beginning and _replaces(note, one, for_home)
    }
    told = [_with(note, one, ends.get(_key(one.concept_id, one.name), ()), for_home) for one in statements]
    return [_begun(one) if one.spans[0].start_char in begun else one for one in told]


def _replaces(note: ParsedNote, told: Transition, for_home: Collection[int]) -> bool:
    """Whether a medicine is put in another's place where the note decides, or by an entry of its discharge list."""
    if told.beginning is not None and told.beginning.start_char in for_home:
        return Turn(told.trigger.row.event) in _REPLACES
    section = note.section_at(note.tokens.starts[told.trigger.first])
    return Turn(told.trigger.row.event) in _REPLACES and section is not None and section.category in DECIDED


def _begun(statement: MedicationStatement) -> MedicationStatement:
    """The statement of what begins in another's place; words that end what it replaces ("replace A with B") do not end it."""
    if statement.status is MedicationStatus.STOPPED and statement.why_stopped == _SWITCHED:
        update = {"status": MedicationStatus.INTENDED, "category": MedicationCategory.DISCHARGE, "why_stopped": ""}
        return statement.model_copy(update={**update, "change": "started", "decided": True})
    planned = statement.status is MedicationStatus.INTENDED and not statement.change
    return statement.model_copy(update={"change": "started"}) if planned else statement


def _with(
    note: ParsedNote, statement: MedicationStatement, told: Sequence[Transition], for_home: Collection[int]
) -> MedicationStatement:
    if not told:
        return statement
    followed = dict.fromkeys(
        one.beginning.concept_id for one in told if one.beginning is not None and one.beginning.concept_id
    )
    trigger = told[0].trigger
    words = note.written(trigger.first, _clause_end(note, trigger))
    update: dict[str, object] = {"ends": " ".join(words.split()), "replaced_by": tuple(followed)}
    taken = statement.status is MedicationStatus.ACTIVE and statement.category is MedicationCategory.COMMUNITY
    if taken and not statement.change and note.words[trigger.last - 1] in _OVER:
        update["status"] = MedicationStatus.STOPPED  # "took steroids for three days and stopped"
    planned = statement.status is MedicationStatus.INTENDED and statement.rule_ids == (BY_SECTION,)
    if (taken or planned) and any(one.beginning is not None and _replaces(note, one, for_home) for one in told):
        update |= {"status": MedicationStatus.STOPPED, "why_stopped": _SWITCHED, "change": "", "decided": True}
    return statement.model_copy(update=update)


def _of(
    note: ParsedNote, turn: Turn, found: FoundTrigger, before: Sequence[NamedMedicine], behind: Sequence[NamedMedicine]
) -> tuple[NamedMedicine, NamedMedicine | None] | None:
    """What ends and what begins; None where no medicine stands where the row asks for one."""
    left = before[-1] if before and (turn in _BACKWARD or _near(note, before[-1].last, found.first)) else None
    right = behind[0] if behind and _near(note, found.last, behind[0].first, _ASIDE) else None
    if right is not None and turn is Turn.TO and not _DIVIDES.isdisjoint(note.words[found.last : right.first]):
        right = None  # "400 mg through Friday, then 200 mg daily, apixaban 5 mg"
    if turn is Turn.NONE:
        return None
    if turn is Turn.ENDS:
        return None if left is None else (left, None)
    if turn is Turn.ENDS_NEXT:
        return None if right is None else (right, None)
    if turn in (Turn.FROM, Turn.SWAP):
        leads = _TO | {"for"} if turn is Turn.SWAP else _TO
        after = next((one for one in behind[1:] if not leads.isdisjoint(note.words[behind[0].last : one.first])), None)
        return None if right is None or after is None else (right, after)
    if left is None or right is None or left.concept_id == right.concept_id:
        return None
    return (right, left) if turn is Turn.INSTEAD else (left, right)


def _near(note: ParsedNote, first: int, last: int, most: int = _REACH) -> bool:
    words = note.words[first:last]
    return ";" not in words and sum(word[:1].isalnum() for word in words) <= most


def _clause_end(note: ParsedNote, found: FoundTrigger) -> int:
    """The token behind the words that go on from a trigger: "until INR above 2"."""
    end = found.last
    while end < min(len(note.words), found.last + _ASIDE) and note.words[end] not in (".", ",", ";", "\n", ")"):
        end += 1
    return end


def _key(concept: str | None, name: str) -> str:
    return concept or name.lower()
