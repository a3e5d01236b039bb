"""What a medicine did that is taken no more is of the past: "switched from lisinopril for cough" leaves no cough of today.

Takes the statements of one note: what may have been a reaction, with the place of the effect, and the medicines with their status.
"""

from collections.abc import Sequence

from backend.schemas.record import (
    AllergyStatement,
    ClinicalStatus,
    MedicationStatement,
    MedicationStatus,
    ProblemStatement,
    VerificationStatus,
)

_ENDED = frozenset({MedicationStatus.STOPPED, MedicationStatus.COMPLETED, MedicationStatus.NOT_TAKEN})


def with_past_reactions(
    problems: Sequence[ProblemStatement],
    medications: Sequence[MedicationStatement],
    allergies: Sequence[AllergyStatement],
) -> tuple[ProblemStatement, ...]:
    """The problems; one whose every place is an effect of medicines that are all over is resolved.

    Args:
        problems: of the note.
        medications: of the note.
        allergies: of the note; of a possible one the second place is the effect's.
    """
    status: dict[str, set[MedicationStatus]] = {}
    for medicine in medications:
        if medicine.concept_id:
            status.setdefault(medicine.concept_id, set()).add(medicine.status)
    over = [
        (effect.start_char, effect.end_char)
        for one in allergies
        if one.possible and one.concept_id in status and status[one.concept_id] <= _ENDED
        for effect in one.spans[1:]
    ]
    return tuple(_ended(one) if _is_of(one, over) else one for one in problems) if over else tuple(problems)


def _is_of(problem: ProblemStatement, effects: Sequence[tuple[int, int]]) -> bool:
    own = (
        problem.clinical_status is ClinicalStatus.ACTIVE and problem.verification_status is VerificationStatus.CONFIRMED
    )
    return own and all(any(a < s.end_char and s.start_char < b for a, b in effects) for s in problem.spans)


def _ended(problem: ProblemStatement) -> ProblemStatement:
    return problem.model_copy(update={"clinical_status": ClinicalStatus.RESOLVED, "chronic": False})
