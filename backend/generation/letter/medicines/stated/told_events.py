"""What the words of a note tell of one statement of a medicine: that it is taken, was given once, or goes on in the stay."""

from functools import lru_cache

from backend.nlp.medications.lists.entry_decisions import RULE
from backend.nlp.medications.lists.entry_remarks import Remark
from backend.nlp.medications.medicine_events import BY_SECTION, FAMILY
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import MedicationCategory, MedicationStatement, MedicationStatus
from backend.schemas.vocabulary import SectionCategory

CHANGE_OF = {
    "CONTINUED": "continued",
    "RESUMED": "resumed",
    "INCREASED": "increased",
    "DECREASED": "decreased",
    "CHANGED": "changed",
}
"""Events of triggers by which a medicine that is taken goes on."""
_OF_ENTRY = {
    Remark.NEW: "ORDERED",
    Remark.SAME: "CONTINUED",
    Remark.CHANGED: "CHANGED",
    Remark.RESUME: "RESUMED",
    Remark.HOLD: "HELD",
    Remark.STOP: "STOPPED",
}
"""The event that a medicine's own entry tells."""
_LISTS = (SectionCategory.MEDICATIONS, SectionCategory.PAST_MEDICAL_HISTORY)
_INTO_THE_BODY = ("intramuscular", "intravenous")


def events_of(one: MedicationStatement) -> frozenset[str]:
    """The events of the rows that read a statement."""
    return frozenset(_events().get(rule, "") for rule in one.rule_ids)


def is_by_entry(one: MedicationStatement) -> bool:
    """Whether a medicine's own entry decides on it."""
    return any(rule.startswith(RULE) for rule in one.rule_ids)


def is_given(one: MedicationStatement) -> bool:
    """Whether all that words tell of a medicine is that it was given."""
    return events_of(one) == {"GIVEN"}


def is_told_as_taken(one: MedicationStatement) -> bool:
    """Whether words say that a medicine is taken, goes on or is held."""
    return bool(events_of(one) & {"TAKES", "HELD", "REFUSED", *CHANGE_OF})


def is_one_dose(one: MedicationStatement) -> bool:
    """Whether a dose is done with: "paracetamol 120 mg given at 1 am", or an injection of a history, of which nothing more is said."""
    injected = one.dosage.route in _INTO_THE_BODY and not one.dosage.as_needed and one.section not in _LISTS
    return events_of(one) == {"GIVEN"} or (injected and one.rule_ids == (BY_SECTION,))


def is_course_here(one: MedicationStatement) -> bool:
    """Whether a treatment of the stay is told as begun or going on, and as no single dose or drip: "was started on IV Flagyl"."""
    told = bool(events_of(one) & {"STARTED", "TAKES"}) and "GIVEN" not in events_of(one)
    once = one.dosage.dose is not None or one.dosage.timing in ("ONCE", "STAT", "CONT")
    here = one.category is MedicationCategory.INPATIENT and one.status is MedicationStatus.ACTIVE
    of_stay = word_lists("letter/words_medicines")["of_stay"] & set(one.name.lower().split())
    return here and told and not once and one.recognised and not of_stay


@lru_cache(maxsize=1)
def _events() -> dict[str, str]:
    own = {f"{RULE}/{remark}": event for remark, event in _OF_ENTRY.items()}
    return own | {row.rule_id: row.event for row in trigger_rows(FAMILY)}
