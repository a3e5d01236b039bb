"""What a clause of a note is worth in a letter: the weights of what was read in it and of its section.

The rows of assets/rules/letter/story_weights.tsv, by feature.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import (
    ClinicalStatus,
    DeviceStatement,
    Experiencer,
    MedicationStatement,
    ObservationStatement,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    SocialStatement,
    Statement,
    VerificationStatus,
)


def feature_of(one: Statement) -> str:
    """The feature of a statement."""
    if isinstance(one, PlanStatement):
        return f"plan:{one.kind.value}"
    if isinstance(one, MedicationStatement):
        return f"medication:{'changed' if one.change not in ('', 'continued') else one.status.value}"
    if isinstance(one, ProcedureStatement):
        return f"procedure:{one.status.value}"
    if isinstance(one, DeviceStatement):
        return f"device:{one.status.value}"
    if isinstance(one, SocialStatement):
        return f"social:{one.kind.value}"
    if isinstance(one, ObservationStatement):
        return "observation"
    return f"problem:{state_of(one)}" if isinstance(one, ProblemStatement) else "none"


def state_of(one: ProblemStatement) -> str:
    """How the note tells a problem: present, past, uncertain, hypothetical, denied, or a relative's."""
    if one.experiencer is not Experiencer.PATIENT:
        return "relative"
    if one.verification_status is VerificationStatus.REFUTED:
        return "denied"
    if one.hypothetical:
        return "hypothetical"
    if one.verification_status in (VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL):
        return "uncertain"
    return "present" if one.clinical_status is ClinicalStatus.ACTIVE else "past"


def denies_only(statements: Sequence[Statement]) -> bool:
    """Whether all that was read in a clause is denied."""
    return bool(statements) and all(feature_of(one) == "problem:denied" for one in statements)


def weight_of(features: Iterable[str]) -> float:
    """The sum of the weights of features; of each only so many count as its row says."""
    rows = _weights()
    return sum(rows[name][0] * min(count, rows[name][1]) for name, count in Counter(features).items() if name in rows)


@lru_cache(maxsize=1)
def _weights() -> dict[str, tuple[float, int]]:
    """Weight and most of each feature."""
    return {
        name: (float(weight), int(most)) for name, weight, most in rule_rows(RULES / "letter" / "story_weights.tsv", 3)
    }
