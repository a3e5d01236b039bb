"""What follows for a medicine from the event that a note tells of it: status, category and change."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from backend.nlp.medications.medicine_events import (
    DECIDED,
    DECIDED_LIST,
    DONE,
    HERE,
    NEVER,
    NO_EFFECT,
    NO_HELP,
    NOT_TOLERATED,
    NOW,
    PAST,
    STAY,
    TRIED,
    UNBEARABLE,
)
from backend.schemas.record import Dosage, MedicationCategory, MedicationStatus
from backend.schemas.vocabulary import SectionCategory

Change = Literal["", "started", "increased", "decreased", "changed", "resumed", "continued"]


class Context(NamedTuple):
    """Where a medicine is named: its section, the list that it stands in, and settings told in its sentence.

    ordered: it stands where a note of a hospital decides, and nothing puts it off, so that it is given there.
    of_ward: a heading says that the list is of a ward. goes_home: the patient leaves with the note. past_tense: the verb that governs it is of the past ("took", "was on").
    """

    section: SectionCategory
    list_event: str
    settings: frozenset[str]
    infused: bool
    ordered: bool = False
    past_tense: bool = False
    of_ward: bool = False
    goes_home: bool = False


class Outcome(NamedTuple):
    """What the note says of a medicine."""

    status: MedicationStatus
    category: MedicationCategory
    change: Change = ""
    refused: bool = False
    why_stopped: str = ""


def outcome(event: str, context: Context) -> Outcome:
    """The status, category and change of a medicine of which an event is told; the empty event is none."""
    if context.list_event in _OF_LABEL and event not in _NEVER_LISTED:
        return _OF_LABEL[context.list_event]
    if event == DONE and context.list_event == "LIST_DISCHARGE":
        return Outcome(MedicationStatus.COMPLETED, MedicationCategory.INPATIENT)
    event = "GIVEN" if event == DONE else event
    status, change, refused, why = _OF_EVENT[event]
    here = _in_hospital(context)
    category = MedicationCategory.INPATIENT if here else MedicationCategory.COMMUNITY
    decided = context.section in DECIDED
    past = not context.settings.isdisjoint(PAST)
    home = "HOME" in context.settings
    listed = context.section is SectionCategory.MEDICATIONS
    if event in ("GIVEN", "TREATED"):
        if (listed and not here) or home:
            category = MedicationCategory.COMMUNITY
        elif past or (event == "TREATED" and not here):
            status, category = MedicationStatus.COMPLETED, MedicationCategory.COMMUNITY
        else:
            category = MedicationCategory.INPATIENT
    elif event == "TAKES":
        category = MedicationCategory.COMMUNITY if home else category
        if past and context.past_tense and not listed:
            status = MedicationStatus.COMPLETED
    elif event == "STARTED" and decided and not here:
        status = MedicationStatus.ACTIVE
    elif event == "ORDERED" and context.ordered:
        return Outcome(MedicationStatus.ACTIVE, MedicationCategory.INPATIENT, "started")
    elif event == "TRIAL" and decided:
        status = MedicationStatus.INTENDED
    elif event == "PRESCRIBED":
        status = MedicationStatus.INTENDED if decided else status
        category = MedicationCategory.DISCHARGE if decided else MedicationCategory.COMMUNITY
    elif event == "PRESCRIBED_HERE":
        category = MedicationCategory.INPATIENT if here else MedicationCategory.DISCHARGE
    elif event == "DISCHARGED":
        unplaced = context.goes_home and context.section in _UNPLACED and not past
        later = decided or context.section is SectionCategory.HOSPITAL_COURSE or unplaced
        category = MedicationCategory.DISCHARGE if later else MedicationCategory.COMMUNITY
        status = MedicationStatus.INTENDED if later else status
    elif event in ("INCREASED", "DECREASED", "CHANGED", "RESUMED", "CONTINUED") and decided:
        status = MedicationStatus.ACTIVE
    elif event == "":
        if context.list_event == "LIST_DISCHARGE":
            return Outcome(MedicationStatus.INTENDED, MedicationCategory.DISCHARGE)
        if context.section in DECIDED:
            status = MedicationStatus.INTENDED
    return Outcome(status, category, change, refused, why)


def change_of(change: Change, old: Sequence[Dosage], current: Sequence[Dosage]) -> Change:
    """The change that is told, else what a dose before and one now come to.

    Args:
        change: as told; empty for none.
        old: the dosages of before.
        current: those of now.
    """
    if change or not old or not current:
        return change
    before, now = old[0].dose, current[0].dose
    if before is None or now is None or before == now:
        return "changed"
    return "increased" if now > before else "decreased"


def _in_hospital(context: Context) -> bool:
    if context.list_event in _NOT_OF_STAY:
        return False
    return (
        context.list_event == "LIST_INPATIENT"
        or context.section in HERE
        or (not context.settings.isdisjoint(("HOSPITAL", STAY)) and context.section is not SectionCategory.MEDICATIONS)
        or context.infused
    )


_NEVER_LISTED = frozenset({"NOT_TAKEN", NEVER, "AVOID", "REFUSED"})
"""Events of what is not to be taken, whatever the label above it says of the others."""
_UNPLACED = frozenset({SectionCategory.UNLABELED, SectionCategory.OTHER})
_NOT_OF_STAY = frozenset({"LIST_HOME", "LIST_DISCHARGE", DECIDED_LIST})
"""Lists of what is taken at home, whatever of it was given in hospital too."""
_A, _S, _C, _N = (
    MedicationStatus.ACTIVE, MedicationStatus.STOPPED, MedicationStatus.COMPLETED, MedicationStatus.NOT_TAKEN,
)  # fmt: skip
_OF_LABEL = {
    "LIST_STOPPED": Outcome(_S, MedicationCategory.COMMUNITY),
    "LIST_HELD": Outcome(MedicationStatus.ON_HOLD, MedicationCategory.COMMUNITY),
    "LIST_NEW": Outcome(MedicationStatus.INTENDED, MedicationCategory.DISCHARGE, "started"),
    "LIST_SAME": Outcome(_A, MedicationCategory.COMMUNITY, "continued"),
    "LIST_CHANGED": Outcome(_A, MedicationCategory.COMMUNITY, "changed"),
}
_OF_EVENT: dict[str, tuple[MedicationStatus, Change, bool, str]] = {
    "": (_A, "", False, ""),
    "TAKES": (_A, "", False, ""),
    NOW: (_A, "", False, ""),
    "GIVEN": (_A, "", False, ""),
    "TREATED": (_A, "", False, ""),
    "STARTED": (_A, "started", False, ""),
    "PLANNED": (MedicationStatus.INTENDED, "", False, ""),
    "ORDERED": (MedicationStatus.INTENDED, "", False, ""),
    "TRIAL": (_C, "", False, ""),
    "AVOID": (_N, "", False, ""),
    "HYPOTHETICAL": (MedicationStatus.INTENDED, "", False, ""),
    "PRESCRIBED": (_A, "", False, ""),
    "PRESCRIBED_HERE": (MedicationStatus.INTENDED, "started", False, ""),
    "DISCHARGED": (_A, "", False, ""),
    "STOPPED": (_S, "", False, ""),
    "SWITCHED_FROM": (_S, "", False, "switched"),
    "RAN_OUT": (_S, "", False, "ran out"),
    "HELD": (MedicationStatus.ON_HOLD, "", False, ""),
    "REFUSED": (_N, "", True, ""),
    "NOT_TAKEN": (_N, "", False, ""),
    NEVER: (_N, "", False, ""),
    "PAST": (_C, "", False, ""),
    TRIED: (_C, "", False, NO_HELP),
    NO_EFFECT: (_S, "", False, NO_HELP),
    NOT_TOLERATED: (_S, "", False, UNBEARABLE),
    "INCREASED": (_A, "increased", False, ""),
    "DECREASED": (_A, "decreased", False, ""),
    "CHANGED": (_A, "changed", False, ""),
    "RESUMED": (_A, "resumed", False, ""),
    "CONTINUED": (_A, "continued", False, ""),
}
