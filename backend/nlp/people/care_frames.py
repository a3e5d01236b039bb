"""What the record says of a patient that changes for whom a document is: a child, comfort as the goal, a crisis of suicide or of harm to others.

Read from statements alone: whose a problem is, and whether it is denied or past, they say already. The words are rows of
assets/rules/people/crisis_triggers.tsv and comfort_triggers.tsv.
"""

from functools import lru_cache

from backend.nlp.attributes.family import person_words
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import (
    ClinicalStatus,
    DeviceStatement,
    Experiencer,
    HabitStatus,
    PatientRecord,
    PlanKind,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    SocialKind,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

_OFFICES = frozenset({Setting.CLINIC, Setting.PRE_OPERATIVE})
CRISIS, COMFORT = "people/crisis", "people/comfort"
CHILD, SURELY_A_CHILD = 16, 10
"""Years below which a letter speaks to the parent: the first unless the note names habits, work or a pregnancy, which below the
second are somebody else's."""
_NAMED = frozenset({VerificationStatus.CONFIRMED, VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL})
_BREATHED_FOR = frozenset(
    {"ventilator", "mechanical ventilation", "endotracheal intubation", "et tube", "endotracheal tube"}
)
_NOT_AWAKE = frozenset({"sedation", "coma"})
_SEEN = frozenset({SectionCategory.PHYSICAL_EXAM, SectionCategory.VITAL_SIGNS})
_HABITS = frozenset((SocialKind.TOBACCO, SocialKind.ALCOHOL, SocialKind.DRUGS))
_KEPT = frozenset((HabitStatus.CURRENT, HabitStatus.FORMER))


def is_child(record: PatientRecord) -> bool:
    """Whether a parent is to read what is written for the patient."""
    person = record.person
    grown = person.pregnant or any(
        one.kind is SocialKind.WORK or (one.kind in _HABITS and one.status in _KEPT) for one in record.social
    )
    young = SURELY_A_CHILD if grown else CHILD
    return person.age_years is not None and person.age_years < young


def may_be_child(record: PatientRecord) -> bool:
    """Whether the patient's age is not stated and a parent tells the history: advice for adults may not be theirs."""
    return record.person.age_years is None and record.person.informant.lower() in person_words().parents


def is_office_visit(record: PatientRecord) -> bool:
    """Whether a note is of a visit from which the patient goes home as they came: to a clinic, or one that only plans to see them again."""
    setting = record.encounter.setting
    planned = any(one.kind is PlanKind.FOLLOW_UP for one in record.plan)
    return setting in _OFFICES or (setting is Setting.UNKNOWN and planned)


def comfort_goal(record: PatientRecord) -> bool:
    """Whether the note states comfort as the goal of care, or treatment where the patient lives and not in hospital; what is refused, or only talked about, is none.

    An order against resuscitation alone is no goal of care: whoever has one may come to hospital for everything else.
    """
    for one in record.social:
        events = _events(COMFORT, one.text) if one.kind is SocialKind.GOALS_OF_CARE else frozenset()
        if events & {"GOAL", "DYING"} and ("OPEN" not in events or "DECIDED" in events):
            return True
        if "PLACE" in events and "BACK" not in events:  # "in the home if possible": its "if" leaves nothing open
            return True
    return False


def cannot_read(record: PatientRecord, going_home: bool) -> bool:
    """Whether the patient is dying, or lies sedated on a breathing machine: nothing that a patient does at home is theirs to do.

    Args:
        record: of the note.
        going_home: the team has written a course of the stay or a list for home, so that what the note tells is over.
    """
    return not going_home and (is_dying(record) or on_life_support(record))


def is_dying(record: PatientRecord) -> bool:
    """Whether the note tells that the patient is dying now, or that what keeps them alive is withdrawn; what is refused, or only talked about, is not."""
    told = (_events(COMFORT, one.text) for one in record.social if one.kind is SocialKind.GOALS_OF_CARE)
    return any("DYING" in events and ("OPEN" not in events or "DECIDED" in events) for events in told)


def on_life_support(record: PatientRecord) -> bool:
    """Whether the patient lies sedated on a breathing machine."""
    support: list[ProcedureStatement | DeviceStatement] = [*record.procedures, *record.devices]
    breathed_for = any(one.status is ProcedureStatus.DONE_NOW and one.name.lower() in _BREATHED_FOR for one in support)
    return breathed_for and any(
        one.name in _NOT_AWAKE and one.section in _SEEN and one.verification_status is not VerificationStatus.REFUTED
        for one in record.problems
    )


def crisis_problems(record: PatientRecord) -> tuple[ProblemStatement, ...]:
    """The patient's own thoughts, plans or acts of suicide, self-harm or harm to others of now; those of a checklist that the note also denies are none."""
    own = [p for p in record.problems if p.experiencer is Experiencer.PATIENT and not p.hypothetical]
    denied = {p.concept_id or p.name for p in own if p.verification_status is VerificationStatus.REFUTED}
    return tuple(
        p
        for p in own
        if p.verification_status in _NAMED
        and p.clinical_status is ClinicalStatus.ACTIVE
        and p.section is not SectionCategory.ALLERGIES
        and not (p.section is SectionCategory.REVIEW_OF_SYSTEMS and (p.concept_id or p.name) in denied)
        and any(_events(CRISIS, text) for text in (p.name, *(span.text for span in p.spans[:1])))
    )


def _events(family: str, text: str) -> frozenset[str]:
    return frozenset(one.row.event for one in _automaton(family).find(plain_marks(tokens(text).words))[family])


@lru_cache(maxsize=2)
def _automaton(family: str) -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(family))
