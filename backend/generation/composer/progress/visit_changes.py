"""What changed since the last visit: the record of today beside the record of the latest earlier note.

Problems by concept, medicines by ingredient with dose and timing. New: stated today and not before. Gone: stated before, and denied,
resolved, stopped or on hold today. Changed: both, with another severity, side, certainty or dosage. What today's note does not speak of
is neither: it is told apart, since silence says nothing of the patient.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.generation.composer.progress.note_plan import problem_key
from backend.generation.composer.wording import content_words
from backend.generation.letter.medicines.stated.regimens import Regimen, as_one, same_regimen
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory


class ChangeKind(StrEnum):
    """How a thing of today compares with the last visit."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    UNCHANGED = "unchanged"
    UNMENTIONED = "unmentioned"


class Change(NamedTuple):
    """One thing that both notes, or one of them, speak of. today and before: the statements it rests on."""

    kind: ChangeKind
    text: str
    today: Statement | None
    before: Statement | None


def problem_changes(today: PatientRecord, before: PatientRecord) -> tuple[Change, ...]:
    """The patient's problems in today's order, then those that today's note does not name."""
    return tuple(_problems(_by_problem(today.stated_problems), _by_problem(before.stated_problems)))


def medicine_changes(today: PatientRecord, before: PatientRecord) -> tuple[Change, ...]:
    """The patient's medicines in today's order, then those that today's note does not name."""
    return tuple(_medicines(_by_medicine(today.medications), _by_medicine(before.medications)))


def _problems(now: dict[str, ProblemStatement], then: dict[str, ProblemStatement]) -> Iterator[Change]:
    for key, one in now.items():
        old = then.get(key)
        had = old is not None and _is_there(old)
        if _is_there(one):
            if not had:
                if one.section not in _HISTORY:
                    yield Change(ChangeKind.NEW, _named(one), one, None)
            elif old is not None:
                how = _otherwise(one, old)
                kind = ChangeKind.CHANGED if how else ChangeKind.UNCHANGED
                yield Change(kind, f"{one.name} ({how})" if how else _named(one), one, old)
        elif had:
            denied = one.verification_status is VerificationStatus.REFUTED
            yield Change(ChangeKind.GONE, f"{one.name} ({'denied' if denied else 'resolved'})", one, old)
    named = [content_words(one.name) for one in now.values()]
    for key, old in then.items():
        again = any(words <= content_words(old.name) for words in named if words)  # "dry cough", and "cough" today
        if key not in now and not again and _is_there(old) and old.section not in _HISTORY:
            yield Change(ChangeKind.UNMENTIONED, _named(old), None, old)


def _medicines(
    now: dict[frozenset[str], list[MedicationStatement]], then: dict[frozenset[str], list[MedicationStatement]]
) -> Iterator[Change]:
    for key, statements in now.items():
        one, own = _deciding(statements), _dosages(statements)
        earlier = then.get(key, [])
        taken, was = one.status in TAKEN, bool(earlier) and earlier[0].status in TAKEN
        text = " ".join(part for part in (one.name, as_one(own)) if part)
        if taken and not was:
            yield Change(ChangeKind.NEW, text, one, None)
        elif taken:
            old = _dosages(earlier)
            if same_regimen(own, old):
                yield Change(ChangeKind.UNCHANGED, text, one, earlier[0])
            else:
                yield Change(ChangeKind.CHANGED, f"{text} (before: {as_one(old)})", one, earlier[0])
        elif was:
            yield Change(
                ChangeKind.GONE, f"{one.name} ({_STATUS_WORDS.get(one.status, one.status.value)})", one, earlier[0]
            )
    for key, earlier in then.items():
        if key not in now and earlier[0].status in TAKEN:
            yield Change(ChangeKind.UNMENTIONED, earlier[0].name, None, earlier[0])


def _by_problem(problems: Iterable[ProblemStatement]) -> dict[str, ProblemStatement]:
    """The patient's problems by concept: one that is there before one that is denied in another place of the note."""
    found: dict[str, ProblemStatement] = {}
    for one in problems:
        if one.experiencer is not Experiencer.PATIENT or one.hypothetical or not one.spans or one.section in _VALUES:
            continue
        key = problem_key(one)
        if key not in found or _decides(one, found[key]):
            found[key] = one
    return found


def _decides(one: ProblemStatement, other: ProblemStatement) -> bool:
    """Which of two statements of a problem holds: that of the assessment, a complaint that is over, else that it is there."""
    if (one.section in _ASSESSED) != (other.section in _ASSESSED):
        return one.section in _ASSESSED
    complaint = SectionCategory.CHIEF_COMPLAINT
    if other.section is complaint and one.clinical_status is not ClinicalStatus.ACTIVE:
        return True
    return _is_there(one) and not _is_there(other)


def _by_medicine(medications: Iterable[MedicationStatement]) -> dict[frozenset[str], list[MedicationStatement]]:
    """The patient's medicines by ingredient, those of one status together; a later statement of another status decides."""
    found: dict[frozenset[str], list[MedicationStatement]] = {}
    for one in medications:
        if one.experiencer is not Experiencer.PATIENT or not one.spans:
            continue
        key = medicine_key(one)
        held = found.setdefault(key, [])
        if held and (held[0].status in TAKEN) != (one.status in TAKEN):
            held.clear()
        held.append(one)
    return found


def medicine_key(one: MedicationStatement) -> frozenset[str]:
    """What two statements of one medicine share: its ingredients, its concept, or its name."""
    return frozenset(one.ingredients or (one.concept_id or one.name.lower(),))


def _deciding(statements: Sequence[MedicationStatement]) -> MedicationStatement:
    """The statement that changes the dose, or the first."""
    return next((one for one in statements if one.change in _DOSE_CHANGES and as_one((one.dosage,))), statements[0])


def _dosages(statements: Sequence[MedicationStatement]) -> Regimen:
    """How a medicine is taken: as the note decides, where it changes the dose, else as it is listed."""
    decided = [one for one in statements if one.change in _DOSE_CHANGES and as_one((one.dosage,))]
    return tuple(dict.fromkeys(one.dosage for one in decided or statements if as_one((one.dosage,))))


def _is_there(one: ProblemStatement) -> bool:
    return one.clinical_status is ClinicalStatus.ACTIVE and one.verification_status is not VerificationStatus.REFUTED


def _named(one: ProblemStatement) -> str:
    return f"{one.name} (possible)" if one.verification_status in _UNSURE else one.name


def _otherwise(one: ProblemStatement, old: ProblemStatement) -> str:
    """How a problem is other than before, as far as both say it; empty where it is not."""
    said = []
    if one.severity and old.severity and one.severity.lower() != old.severity.lower():
        said.append(f"{one.severity}, before {old.severity}")
    if one.body_side and old.body_side and one.body_side != old.body_side:
        said.append(f"{one.body_side}, before {old.body_side}")
    if one.verification_status is VerificationStatus.CONFIRMED and old.verification_status in _UNSURE:
        said.append("before only thought of")
    return "; ".join(said)


_DOSE_CHANGES = frozenset({"increased", "decreased", "changed"})
TAKEN = frozenset({MedicationStatus.ACTIVE, MedicationStatus.INTENDED})
_UNSURE = frozenset({VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL, VerificationStatus.UNCONFIRMED})
_STATUS_WORDS = {
    MedicationStatus.STOPPED: "stopped",
    MedicationStatus.ON_HOLD: "on hold",
    MedicationStatus.NOT_TAKEN: "not taken",
    MedicationStatus.COMPLETED: "completed",
}
_HISTORY = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
    }
)
"""Where a problem is background: one that only stands there is neither new nor missed."""
_ASSESSED = frozenset({SectionCategory.ASSESSMENT, SectionCategory.PLAN})
_VALUES = frozenset({SectionCategory.VITAL_SIGNS, SectionCategory.RESULTS})
"""Where findings are values, which are compared as such."""
