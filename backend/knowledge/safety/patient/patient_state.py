"""What of a patient safety rows ask for: problems present and past with their stages, values, what is taken, who the patient is.

Takes the patient record, what a clinician confirmed, and the graph's kinds; gives one frozen value. The record decides: what it has as
refuted, uncertain, hypothetical or another person's is neither present nor past.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.patient.patient_values import PatientValue, PatientValues, patient_values
from backend.knowledge.safety.patient.staged_values import staged_values
from backend.knowledge.safety.rows.clauses import (
    Clause,
    Held,
    HeldClause,
    PersonClause,
    SettingClause,
    SexClause,
    Stage,
    ValueClause,
)
from backend.knowledge.safety.rows.implied import ImpliedRow
from backend.knowledge.starter import concept_id
from backend.nlp.people.care_frames import comfort_goal
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.schemas.record import (
    ClinicalStatus,
    DeviceStatement,
    Experiencer,
    HabitStatus,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    SocialKind,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

Kinds = Callable[[str], Iterable[str]]
"""A concept with everything that it is a kind of, or contains."""
_INPATIENT = frozenset({Setting.ADMISSION, Setting.HOSPITAL_CONSULT})
_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})
_HELD = frozenset({VerificationStatus.CONFIRMED})
_NAMED = frozenset({VerificationStatus.CONFIRMED, VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL})
_SURGERY = concept_id("surgery")
_NOT_HAD = frozenset({MedicationStatus.NOT_TAKEN, MedicationStatus.COMPLETED})
"""Statuses of what is not taken, and of a course that is over, to which nobody is used any more."""
_OF_STAY = frozenset({MedicationCategory.INPATIENT, MedicationCategory.DISCHARGE})
_TAKEN = frozenset({MedicationStatus.ACTIVE, MedicationStatus.INTENDED})
LEADING = frozenset({Stage.ACUTE, Stage.ACTIVE, Stage.CURRENT, Stage.RECENT})
EVERY_STAGE = frozenset(Stage)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
}


class PatientState(NamedTuple):
    """What one patient has, had, takes and is.

    Attributes:
        present: concept ids of what is there now, broader ones too, each with the stages that the record tells.
        past: those of what was there.
        values: by the names of the value table.
        taken: medicines taken now, with their classes and ingredients.
        medications: the statements of what is taken, by the concept of the medicine.
        sex: female, male or empty.
        persons: pregnant, smoker, drinks alcohol, comfort care.
        setting: inpatient, outpatient or empty.
        allergens: concept ids of what the patient is listed to react to.
        planned: procedures that are to come, with what they are kinds of; an operation is surgery, whatever the graph knows of it.
        family: problems of relatives.
        begun: medicines begun in this encounter, with their classes and ingredients, of which nothing was taken before.
    """

    present: Mapping[str, frozenset[Stage]]
    past: frozenset[str]
    values: PatientValues
    taken: frozenset[str]
    medications: Mapping[str, tuple[MedicationStatement, ...]]
    sex: str = ""
    persons: frozenset[str] = frozenset()
    setting: str = ""
    allergens: frozenset[str] = frozenset()
    planned: frozenset[str] = frozenset()
    family: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()


def patient_state(
    record: PatientRecord,
    kinds: Kinds,
    implied: Sequence[ImpliedRow] = (),
    *,
    also: Collection[str] = (),
    leading: Collection[str] = (),
    denied: Collection[str] = (),
    taken: Collection[str] = (),
) -> PatientState:
    """The state of one patient.

    Args:
        record: of the note, with a clinician's corrections.
        kinds: a concept with its broader ones.
        implied: what values, procedures and habits mean.
        also: concepts that are present though the record's problems do not hold them: confirmed conditions, persons, habits.
        leading: what the encounter is about; it is acute, active and current where it is present.
        denied: conditions that a clinician ruled out.
        taken: medicines taken beside those of the record: those of a discharge list.
    """
    present: dict[str, frozenset[Stage]] = {}
    past: set[str] = set()
    for problem in record.stated_problems:
        if problem.concept_id is None or problem.concept_id in denied or not _own(problem):
            continue
        if problem.clinical_status is ClinicalStatus.ACTIVE:
            add(present, problem.concept_id, _stages(problem, leading), kinds)
        else:
            past.update(kinds(problem.concept_id))
    done_or_worn: tuple[ProcedureStatement | DeviceStatement, ...] = (*record.procedures, *record.devices)
    for done in done_or_worn:
        if done.concept_id is None or done.status in (ProcedureStatus.PLANNED, ProcedureStatus.NOT_DONE):
            continue
        if done.status is ProcedureStatus.DONE_NOW:
            add(present, done.concept_id, LEADING, kinds)
        else:
            past.update(kinds(done.concept_id))
    for concept in also:
        if concept not in denied:
            add(present, concept, LEADING if concept in leading else frozenset(), kinds)
    own = [one for one in record.medications if one.concept_id and _is_taken(one)]
    medications: dict[str, list[MedicationStatement]] = {}
    for one in own:
        medications.setdefault(one.concept_id or "", []).append(one)
    names = {*medications, *taken}
    values = {one.name: one for one in staged_values(one for one in record.stated_problems if _is_present(one, denied))}
    setting = record.encounter.setting
    state = PatientState(
        present,
        frozenset(past),
        values | patient_values(record),
        frozenset(kind for name in names for kind in _as_given(name, medications.get(name, ()), kinds)),
        {name: tuple(found) for name, found in medications.items()},
        record.person.sex or "",
        _persons(record),
        "" if setting is Setting.UNKNOWN else "inpatient" if setting in _INPATIENT else "outpatient",
        frozenset(
            one.concept_id
            for one in record.allergies.items
            if one.concept_id and one.verification_status is not VerificationStatus.REFUTED
        ),
        _planned(record, kinds),
        frozenset(
            kind
            for one in record.stated_problems
            if one.concept_id and one.experiencer is Experiencer.RELATIVE and one.verification_status in _NAMED
            for kind in kinds(one.concept_id)
        ),
        _begun(record, kinds),
    )
    return _with_implied(state, implied, kinds, denied)


def add(present: dict[str, frozenset[Stage]], concept: str, stages: frozenset[Stage], kinds: Kinds) -> None:
    """Hold a concept and its broader ones as present, at these stages beside those that are known."""
    for kind in kinds(concept):
        present[kind] = present.get(kind, frozenset()) | stages


def compares(clause: ValueClause, values: PatientValues) -> bool | None:
    """Whether a value compares as a clause says; None where the record does not hold it, or its bounds do not tell."""
    value = values.get(clause.value)
    if value is None:
        return None
    if value.least is None:
        return _SIGNS[clause.sign](value.number, clause.limit)
    if value.least < clause.limit < value.number:
        return None
    return (value.number <= clause.limit) == clause.sign.startswith("<")


def _with_implied(
    state: PatientState, implied: Sequence[ImpliedRow], kinds: Kinds, denied: Collection[str]
) -> PatientState:
    present, values = dict(state.present), dict(state.values)
    ended: set[str] = set()
    for row in implied:
        if not all(_simple(clause, state, present, values) for clause in row.when):
            continue
        ended.update(row.ends)
        for concept in row.ends:
            present.pop(concept, None)
        for concept in row.means:
            if concept not in denied and concept not in ended:
                add(present, concept, present.get(concept, frozenset()), kinds)
        if row.value and row.value not in values:
            values[row.value] = PatientValue(
                row.value, row.number, f"{row.value} below 15, on dialysis or kidney failure"
            )
    return state._replace(present=present, values=values)


def _simple(clause: Clause, state: PatientState, present: Collection[str], values: PatientValues) -> bool:
    """Whether a clause of an implied row holds; had: asks for the past alone there."""
    match clause:
        case ValueClause():
            return compares(clause, values) is True
        case HeldClause(Held.HAS, ids, _):
            return any(one in present for one in ids)
        case HeldClause(Held.HAD, ids, _):
            return any(one in state.past and one not in present for one in ids)
        case HeldClause(Held.TAKES, ids, _):
            return any(one in state.taken for one in ids)
        case HeldClause(Held.BEGINS, ids, _):
            return any(one in state.begun for one in ids)
        case PersonClause(kind):
            return kind in state.persons
        case SexClause(sex):
            return state.sex == sex
        case SettingClause(setting):
            return state.setting == setting
        case _:
            return False


def _as_given(medicine: str, statements: Sequence[MedicationStatement], kinds: Kinds) -> Iterable[str]:
    """A medicine with its classes, but those that it belongs to only where it is given in another way than all statements tell."""
    told = {one.dosage.route for one in statements}
    routes = _route_classes() if told and "" not in told else {}
    return (kind for kind in kinds(medicine) if kind not in routes or routes[kind] in told)


def _begun(record: PatientRecord, kinds: Kinds) -> frozenset[str]:
    """What is begun now, with its kinds, without the kinds of all that was taken before: who takes codeine begins no first opioid."""
    new: set[str] = set()
    before: set[str] = set()
    for one in record.medications:
        if one.concept_id is None or one.experiencer is not Experiencer.PATIENT or one.status in _NOT_HAD:
            continue
        new_here = one.status is MedicationStatus.INTENDED or one.change == "started" or one.category in _OF_STAY
        (new if new_here and one.change in ("", "started") else before).update(kinds(one.concept_id))
    return frozenset(new - before)


def _planned(record: PatientRecord, kinds: Kinds) -> frozenset[str]:
    planned = [one for one in record.procedures if one.status is ProcedureStatus.PLANNED]
    found = {kind for one in planned if one.concept_id for kind in kinds(one.concept_id)}
    return frozenset(found | ({_SURGERY} if any(_is_operation(one.name) for one in planned) else set()))


def _is_operation(name: str) -> bool:
    words = name.lower().replace("-", " ").split()
    return any(
        word.endswith(one[1:]) if one.startswith("*") else word == one for word in words for one in _operations()
    )


@lru_cache(maxsize=1)
def _operations() -> tuple[str, ...]:
    return tuple(rule_names(RULES / "safety" / "operations.txt"))


@lru_cache(maxsize=1)
def _route_classes() -> Mapping[str, str]:
    return {concept_id(name): route for name, route in rule_rows(RULES / "safety" / "route_classes.tsv", 2)}


def _own(problem: ProblemStatement) -> bool:
    return (
        problem.experiencer is Experiencer.PATIENT and not problem.hypothetical and problem.verification_status in _HELD
    )


def _is_present(problem: ProblemStatement, denied: Collection[str]) -> bool:
    return _own(problem) and problem.clinical_status is ClinicalStatus.ACTIVE and problem.concept_id not in denied


def _stages(problem: ProblemStatement, leading: Collection[str]) -> frozenset[Stage]:
    words = f"{problem.stage} {problem.severity} {problem.name} {problem.spans[0].text if problem.spans else ''}"
    found = _stages_of(words.lower())
    if problem.concept_id in leading:
        found |= LEADING
    if not problem.chronic and problem.section not in _HISTORIES:
        found |= LEADING
    elif not problem.chronic:
        found |= {Stage.ACTIVE, Stage.CURRENT}
    return found


@lru_cache(maxsize=4096)
def _stages_of(words: str) -> frozenset[Stage]:
    table = _stage_words()
    return frozenset(stage for word in words.replace("-", " ").split() for stage in table.get(word, ()))


@lru_cache(maxsize=1)
def _stage_words() -> Mapping[str, frozenset[Stage]]:
    """The rows of assets/rules/safety/stages.tsv. A stage that there is not is a KnowledgeError."""
    found: dict[str, frozenset[Stage]] = {}
    for word, stages in rule_rows(RULES / "safety" / "stages.tsv", 2):
        try:
            found[word] = frozenset(Stage(one) for one in stages.split())
        except ValueError:
            raise KnowledgeError(
                f"stages.tsv: {word!r} has a stage that there is not. Use {', '.join(Stage)}."
            ) from None
    return found


def _is_taken(one: MedicationStatement) -> bool:
    """Whether the patient has it now or is to have it; a vaccine among the immunizations was given."""
    if one.section is SectionCategory.IMMUNIZATIONS:
        return False
    return one.status in _TAKEN and one.experiencer is Experiencer.PATIENT and not one.refused


def _persons(record: PatientRecord) -> frozenset[str]:
    kinds = {SocialKind.TOBACCO: "smoker", SocialKind.ALCOHOL: "drinks alcohol"}
    found = {kinds[one.kind] for one in record.social if one.kind in kinds and one.status is HabitStatus.CURRENT}
    found |= {"comfort care"} if comfort_goal(record) else set()
    return frozenset(found | ({"pregnant"} if record.person.pregnant else set()))
