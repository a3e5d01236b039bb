"""The rules' record and a model's, as one, in a fixed order; each statement says who made it.

1. Allergies that the rules list stand, whatever the model says; the model may add one, as possible.
2. Where both state the same thing at the same place, the rules' statement stands if a rule decided its status (it has
   rule ids), else the model's status; fields that the rules left empty are the model's.
3. What only one of them states stands as it is.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from backend.schemas.record import AllergyRecord, Dosage, PatientRecord, Statement

S = TypeVar("S", bound=Statement)
_DECIDED = (
    "clinical_status",
    "verification_status",
    "chronic",
    "experiencer",
    "status",
    "category",
)
_FILLED = ("dosage", "reason", "reaction", "why_stopped")


def merged_record(rules: PatientRecord, model: PatientRecord) -> PatientRecord:
    """One record of two readings of the same note.

    Args:
        rules: what the rules read; everything that the form of a model does not hold is theirs.
        model: what a model read.
    """
    return rules.model_copy(
        update={
            "problems": _merged(rules.problems, model.problems),
            "medications": _merged(rules.medications, model.medications),
            "procedures": _merged(rules.procedures, model.procedures),
            "plan": _merged(rules.plan, model.plan),
            "allergies": _allergies(rules.allergies, model.allergies),
        }
    )


def _merged(rules: Sequence[S], model: Sequence[S]) -> tuple[S, ...]:
    result = list(rules)
    for theirs in model:
        at = next((i for i, ours in enumerate(result) if _overlap(ours, theirs)), None)
        if at is None:
            result.append(_numbered(theirs, result))
        else:
            result[at] = _joined(result[at], theirs)
    return tuple(result)


def _joined(ours: S, theirs: S) -> S:
    update: dict[str, Any] = {}
    for name in _FILLED:
        if name in type(ours).model_fields and not _stated(getattr(ours, name)) and _stated(getattr(theirs, name)):
            update[name] = getattr(theirs, name)
    if not ours.rule_ids:
        differing = {
            name: getattr(theirs, name)
            for name in _DECIDED
            if name in type(ours).model_fields and getattr(ours, name) != getattr(theirs, name)
        }
        if differing:
            update |= differing | {"stated_by": theirs.stated_by, "certainty": theirs.certainty}
    if not update:
        return ours
    return ours.model_copy(update={**update, "rule_ids": (*ours.rule_ids, *theirs.rule_ids)})


def _allergies(rules: AllergyRecord, model: AllergyRecord) -> AllergyRecord:
    added = [one for one in model.items if not any(_overlap(ours, one) for ours in rules.items)]
    items = list(rules.items)
    for one in added:
        items.append(_numbered(one, items).model_copy(update={"possible": True}))
    return rules.model_copy(update={"items": tuple(items)})


def _stated(value: object) -> bool:
    return bool(value) and value != Dosage()


def _overlap(ours: Statement, theirs: Statement) -> bool:
    return any(
        a.note_id == b.note_id and a.start_char < b.end_char and b.start_char < a.end_char
        for a in ours.spans
        for b in theirs.spans[:1]
    )


def _numbered(one: S, among: Sequence[Statement]) -> S:
    kind = one.id.rpartition("-")[0]
    number = 1 + max((int(s.id.rpartition("-")[2]) for s in among), default=0)
    return one.model_copy(update={"id": f"{kind}-{number}"})
