"""How grave a safety row is, and how grave a flag it makes: the one place where grades become severities."""

from enum import StrEnum

from backend.schemas.vocabulary import Severity


class Grade(StrEnum):
    """What a row asks of whoever signs, the gravest first."""

    NEVER = "never"
    AVOID = "avoid"
    MONITOR = "monitor"
    INFORMATION = "information"


_SEVERITY = {
    Grade.NEVER: Severity.SEVERE,
    Grade.AVOID: Severity.WARNING,
    Grade.MONITOR: Severity.INFO,
    Grade.INFORMATION: Severity.INFO,
}
_ORDER = tuple(Grade)


def severity_of(grade: Grade) -> Severity:
    """The severity of a flag of this grade."""
    return _SEVERITY[grade]


def gravest_first(grade: Grade) -> int:
    """The place of a grade in a list that begins with the gravest."""
    return _ORDER.index(grade)


def softened(grade: Grade) -> Grade:
    """One grade lower, for what holds less: a course that is over, a medicine that was given in hospital alone."""
    return {Grade.NEVER: Grade.AVOID, Grade.AVOID: Grade.MONITOR}.get(grade, grade)


def at_most_avoid(grade: Grade) -> Grade:
    """No more than a warning, for what nobody has decided yet: a medicine that the draft alone names, a condition that is only possible."""
    return Grade.AVOID if grade is Grade.NEVER else grade


def at_most_monitor(grade: Grade) -> Grade:
    """What speaks against a medicine that is on hold: somebody has acted, and the restart is to be thought of."""
    return Grade.MONITOR if gravest_first(grade) < gravest_first(Grade.MONITOR) else grade
