"""What a note says of a problem in one word, and the statement that says so."""

from collections.abc import Container
from enum import StrEnum

from backend.schemas.record import ClinicalStatus, Experiencer, ProblemStatement, VerificationStatus

SCORED = "findings/scored"
"""The rule of a status that the scorer decided against the rows."""


class Told(StrEnum):
    """What a note says of a problem, in the words of those who annotate notes; what is chronic is present."""

    PRESENT = "present"
    PAST = "past"
    DENIED = "denied"
    UNCERTAIN = "uncertain"
    PLANNED = "planned"
    FAMILY = "family"
    OTHER = "other person"


TOLD = tuple(Told)
CHRONIC = "chronic"
STILL = "cue:left:own:still"
_SCORED = frozenset({Told.PAST, Told.UNCERTAIN, Told.PLANNED})
"""What the scorer may make of a problem that the rows say is there."""
_EXPERIENCERS = {Told.FAMILY: Experiencer.RELATIVE, Told.OTHER: Experiencer.OTHER}


def told_of(statement: ProblemStatement) -> Told:
    """The status of a statement in one word.

    Args:
        statement: as the rows have it.
    """
    if statement.verification_status is VerificationStatus.REFUTED:
        return Told.DENIED
    if statement.experiencer is not Experiencer.PATIENT:
        return Told.FAMILY if statement.experiencer is Experiencer.RELATIVE else Told.OTHER
    if statement.hypothetical:
        return Told.PLANNED
    if statement.clinical_status is not ClinicalStatus.ACTIVE:
        return Told.PAST
    return Told.PRESENT if statement.verification_status is VerificationStatus.CONFIRMED else Told.UNCERTAIN


def may_decide(told: Told, scored: Told, runs: str, known: Container[str] = ()) -> bool:
    """Whether the scorer decides: the rows say no more than that it is there. What they deny, doubt or give to a relative stands.

    A chronic disease is never made past: "intensive care for asthma at fourteen" ends no asthma, and medicines are held to it; nor is what is
    said to be there still.

    Args:
        told: what the rows say.
        scored: what the scorer says.
        runs: how it runs by its name.
        known: the features of its evidence.
    """
    lasts = runs == CHRONIC or STILL in known
    return told is Told.PRESENT and scored in _SCORED and not (scored is Told.PAST and lasts)


def with_status(statement: ProblemStatement, told: Told) -> ProblemStatement:
    """The statement with another status, and the rule that says so.

    Args:
        statement: as the rows have it.
        told: what the note says.
    """
    sure = {Told.DENIED: VerificationStatus.REFUTED, Told.UNCERTAIN: VerificationStatus.PROVISIONAL}
    past = told is Told.PAST
    return statement.model_copy(
        update={
            "clinical_status": ClinicalStatus.RESOLVED if past else ClinicalStatus.ACTIVE,
            "verification_status": sure.get(told, VerificationStatus.CONFIRMED),
            "hypothetical": told is Told.PLANNED,
            "experiencer": _EXPERIENCERS.get(told, Experiencer.PATIENT),
            "kinship": statement.kinship if told in _EXPERIENCERS else "",
            "chronic": statement.chronic and told is not Told.DENIED and not past,
            "rule_ids": (*statement.rule_ids, SCORED),
        }
    )
