"""What of a patient's life asks for advice whatever they came with: smoking, heavy drinking, a blood pressure that was too high.

Takes the record; gives names that rows of assets/rules/situations.tsv have. Nobody is told to quit a habit in a crisis or at the end of life.
"""

from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.people.care_frames import comfort_goal, crisis_problems
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.record import HabitStatus, PatientRecord, Setting, SocialKind, SocialStatement

SMOKING, HEAVY_DRINKING, HIGH_PRESSURE = "smoking", "heavy drinking", "high blood pressure reading"
AMOUNT = "people/heavy_drinking"
_PRESSURE = "blood pressure"
HIGH_FROM = (140, 90)
"""Millimeters of mercury from which a pressure of a visit is measured again (ACC/AHA 2017: stage 2)."""
_VISITS = frozenset({Setting.CLINIC, Setting.EMERGENCY})


def own_life(record: PatientRecord) -> frozenset[str]:
    """The names of what holds: habits of now by the social statements, and a high blood pressure of a visit.

    Args:
        record: of the note.
    """
    if comfort_goal(record) or crisis_problems(record):
        return frozenset()
    found = set[str]()
    if _current(record, SocialKind.TOBACCO):
        found.add(SMOKING)
    if any(_is_heavy(one) for one in _current(record, SocialKind.ALCOHOL)):
        found.add(HEAVY_DRINKING)
    measured = [one for one in record.observations if one.measure == _PRESSURE and not one.date]
    last = measured[-1] if measured else None
    if last and record.encounter.setting in _VISITS and _is_high(last.value_text):
        found.add(HIGH_PRESSURE)
    return frozenset(found)


def _current(record: PatientRecord, kind: SocialKind) -> list[SocialStatement]:
    """The statements that tell a habit of now; none where another tells it as given up, or the first as another."""
    told = [one for one in record.social if one.kind is kind and one.status is not HabitStatus.UNKNOWN]
    if not told or told[0].status is not HabitStatus.CURRENT or any(one.status is HabitStatus.FORMER for one in told):
        return []
    return [one for one in told if one.status is HabitStatus.CURRENT]


def _is_heavy(one: SocialStatement) -> bool:
    return bool(_amounts().find(plain_marks(tokens(one.text).words))[AMOUNT])


def _is_high(pressure: str) -> bool:
    """Whether a pressure, written as "142/94", is high by either number."""
    parts = [part.strip() for part in pressure.split("/")]
    return all(map(str.isdigit, parts)) and any(int(a) >= b for a, b in zip(parts, HIGH_FROM, strict=False))


@lru_cache(maxsize=1)
def _amounts() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(AMOUNT))
