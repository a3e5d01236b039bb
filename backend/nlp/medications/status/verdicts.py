"""What triggers, section and attributes say of a medicine, and whether the scorer may say otherwise."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.lists.entry_decisions import RULE, Entry
from backend.nlp.medications.lists.list_kinds import LISTED
from backend.nlp.medications.medicine_clauses import waits
from backend.nlp.medications.medicine_events import (
    DECIDED,
    DONE,
    HERE,
    LABELS,
    PAST,
    PLAN_ITEM,
    SCORED,
    SWITCHED,
    was_taken,
)
from backend.nlp.medications.medicine_outcomes import Outcome, outcome
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.medications.status.status_scorer import Told, told_of
from backend.schemas.record import Experiencer, MedicationCategory, MedicationStatus


class Verdict(NamedTuple):
    """What the triggers, the section and the attributes say of a medicine, or the scorer against them; how surely; and in one word. of_entry: words of the medicine's own entry say it."""

    outcome: Outcome
    sure: float
    told: Told
    rule_ids: tuple[str, ...]
    of_entry: bool = False


def by_entry(entry: Entry, result: Outcome) -> Verdict:
    """What a medicine's own entry says of it."""
    if result.status in (MedicationStatus.STOPPED, MedicationStatus.ON_HOLD):
        result = result._replace(why_stopped=entry.detail)
    return Verdict(result, 1.0, told_of(result, Experiencer.PATIENT), (f"{RULE}/{entry.remark}",), of_entry=True)


def instead(one: StatedMedicine, verdict: Verdict, told: Told) -> Verdict:
    """What the scorer says against the triggers; a change of the dose that was told stays for what is taken."""
    change, rules = verdict.outcome.change, (*verdict.rule_ids, SCORED)
    event = _EVENT_OF[told]
    if told is Told.STARTED and one.context.ordered:
        event = "ORDERED"
    result = outcome(event, one.context._replace(settings=frozenset()))
    community = told in (Told.HOME, Told.PAST, Told.OTHER)
    result = result._replace(category=MedicationCategory.COMMUNITY) if community else result
    if told is Told.GIVEN:
        result = result._replace(status=MedicationStatus.ACTIVE, category=MedicationCategory.INPATIENT)
        result = result._replace(change=change if change == "started" else "")
    elif told is Told.HOME and change != "started":
        result = result._replace(status=MedicationStatus.ACTIVE, change=change)
    if result.status in (MedicationStatus.STOPPED, MedicationStatus.COMPLETED):
        result = result._replace(why_stopped=verdict.outcome.why_stopped)
    return Verdict(result, one.named.score, told, rules)


def is_settled(
    note: ParsedNote, one: StatedMedicine, verdict: Verdict, told: Told, known: Sequence[str], *, outside: bool
) -> bool:
    """Whether the triggers' verdict stands whatever the scorer says.

    That is where both mean one status; under a heading of discharge or of a ward; where a row says that it is over, held, refused or to
    come, or that it goes on; where a reason tells why; where it was given in hospital; where it was begun or is taken, and no word ends it.
    """
    if PLAN_ITEM in verdict.rule_ids or verdict.of_entry:
        return True
    begun = verdict.outcome.change == "started"
    alike = any({told, verdict.told} <= same for same in _ALIKE)
    if one.context.list_event in LABELS or alike or (told is Told.STARTED and begun):
        return True
    if one.governing is None:
        listed = LISTED.get(one.context.list_event) is MedicationCategory.DISCHARGE
        return one.context.of_ward or one.context.infused or listed
    begins = one.governing.event in ("STARTED", "PRESCRIBED", "PRESCRIBED_HERE", "DISCHARGED")
    changes = one.governing.event in _CHANGES or one.governing.trigger.row.event == SWITCHED
    if one.context.section in DECIDED and changes:
        planned = told is Told.PLANNED and one.governing.event not in ("RESUMED", "CONTINUED")
        planned &= not outside or waits(note, one.named)  # "we will increase her lisinopril" is a change
        begun = told is Told.STARTED and one.governing.event == "RESUMED"  # at another dose a restart is a start
        return told is not Told.OTHER and not planned and not begun
    replaces = begun and told is Told.HOME and one.governing.trigger.row.event == SWITCHED  # "was changed to" it
    over = told in _ENDED and one.governing.event in ("HYPOTHETICAL", *_CHANGES)
    if one.governing.event == DONE or over or replaces:
        return True
    if verdict.outcome.why_stopped or (begins and told in _ENDED and _SAID_OVER[told].isdisjoint(known)):
        return True
    takes = verdict.told is Told.HOME and one.governing.event == "TAKES" and not was_taken(note, one.governing.trigger)
    if takes and told in _ENDED and (_SAID_OVER[told] or _SAID_PAST).isdisjoint(known):
        return True
    if verdict.told in _ENDED and told not in _ENDED and (told is not Told.OTHER or one.context.section in DECIDED):
        return True
    written = verdict.outcome.category is MedicationCategory.DISCHARGE
    for_home = written or (one.context.goes_home and one.context.section in DECIDED)
    if verdict.told is Told.PLANNED and (told is Told.HOME or (for_home and told is Told.GIVEN)):
        return True
    placed = "HOSPITAL" in one.context.settings or one.context.section in HERE
    return verdict.told is Told.GIVEN and placed


_CHANGES = frozenset({"INCREASED", "DECREASED", "CHANGED", "RESUMED", "CONTINUED"})
"""Events by which a plan decides on what is taken."""
_SAID_OVER = {
    Told.STOPPED: frozenset({"cue:stop", "later:STOPPED", "earlier:STOPPED"}),
    Told.HELD: frozenset({"cue:hold", "later:HELD", "earlier:HELD"}),
    Told.NOT_TAKEN: frozenset({"cue:refuse", "later:NOT_TAKEN"}),
    Told.PAST: frozenset[str](),
}
"""Features without which what was begun, or is taken, is not said to be over in this way."""
_SAID_PAST = frozenset({"dated", "cue:stop", "later:STOPPED", "earlier:STOPPED", *(f"told:{when}" for when in PAST)})
"""Features without which what a row says is taken is no past course: a history, an age or a year alone ends nothing."""
_ENDED = frozenset({Told.STOPPED, Told.HELD, Told.NOT_TAKEN, Told.PAST})
_ALIKE = (frozenset({Told.PLANNED, Told.STARTED}), frozenset({Told.STOPPED, Told.PAST}))
"""Statuses that differ little: both are intended, both are over; there the triggers know more."""
_EVENT_OF = {
    Told.HOME: "TAKES", Told.GIVEN: "GIVEN", Told.STARTED: "PRESCRIBED_HERE", Told.PLANNED: "PLANNED", Told.HELD: "HELD",
    Told.STOPPED: "STOPPED", Told.PAST: "PAST", Told.NOT_TAKEN: "NOT_TAKEN", Told.OTHER: "TAKES",
}  # fmt: skip
