"""Generated patient records, for properties of what is made of one."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from pydantic import BaseModel

from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    DeviceStatement,
    Dosage,
    Encounter,
    Experiencer,
    HabitStatus,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    PatientRecord,
    Person,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    SocialKind,
    SocialStatement,
)
from backend.schemas.record import ClinicalStatus as Clinical
from backend.schemas.record import VerificationStatus as Verification
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category, SectionCategory

WORDS = st.sampled_from(
    (
        "asthma",
        "left-sided pain",
        "x < y & z",
        '5 mg "twice"',
        "naïve ß",
        "relative",
        "No known allergies",
        "QD",
        "urn:leapnote:x",
    )
)
MAYBE = st.just("") | WORDS
IDS = st.none() | st.sampled_from(("LN:asthma", "C0004096"))
DATES = st.sampled_from(("", "2015", "2015-06", "2015-06-30", "2015-02-31", "last week"))
NUMBERS = st.none() | st.sampled_from((0.5, 1.0, 2.25, 40.0, 1000.0))
SIDES = st.sampled_from(("", "left", "right", "bilateral", "upper"))
TIMINGS = st.sampled_from(
    ("", "QD", "BID", "QAM", "QNOON", "HS", "QOD", "QW", "Q6H", "Q4-6H", "Q2W", "5XD", "2-3XD", "ONCE", "CONT", "Q8H+HS", "QM")
)  # fmt: skip
UNITS = st.sampled_from(("", "mg", "mcg/hr", "units", "tablet"))
SECTIONS = st.sampled_from(tuple(SectionCategory))
BOOLS = st.booleans()


def _of(model: type[BaseModel], /, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(model, **fields)


@st.composite
def _dosages(draw: Callable[..., Any]) -> Dosage:
    needed = draw(BOOLS)
    return Dosage(
        text=draw(MAYBE),
        dose=draw(NUMBERS),
        dose_high=draw(NUMBERS),
        unit=draw(UNITS),
        per_kg=draw(BOOLS),
        quantity=draw(NUMBERS),
        quantity_high=draw(NUMBERS),
        form=draw(st.sampled_from(("", "tablet", "tablets", "pen"))),
        route=draw(st.sampled_from(("", "oral", "intravenous", "through the wall"))),
        timing=draw(TIMINGS),
        timing_text=draw(MAYBE),
        with_text=draw(MAYBE),
        as_needed=needed,
        as_needed_for=draw(MAYBE) if needed else "",
    )


def _observation(value: float | None, text: str, **fields: Any) -> ObservationStatement:
    # a value always has its text; a unit stands with a value or a text
    shown = text or (f"{value:g}" if value is not None else "")
    return ObservationStatement(value=value, value_text=shown, **fields)


ID = st.just("x")
SEXES = st.sampled_from((None, "female", "male"))
PERSONS = _of(Person, id=st.just("person"), age_years=NUMBERS, sex=SEXES, pregnant=st.none() | BOOLS,
              gestation_weeks=NUMBERS, weight_kg=NUMBERS, informant=MAYBE)  # fmt: skip
ENCOUNTERS = _of(Encounter, id=st.just("encounter"), setting=st.sampled_from(tuple(Setting)), date=DATES, reason=MAYBE)
PROBLEMS = _of(
    ProblemStatement, id=ID, concept_id=IDS, name=WORDS, category=st.sampled_from(tuple(Category)),
    clinical_status=st.sampled_from(tuple(Clinical)), verification_status=st.sampled_from(tuple(Verification)),
    chronic=BOOLS, hypothetical=BOOLS, experiencer=st.sampled_from(tuple(Experiencer)), kinship=MAYBE, onset=DATES,
    body_side=SIDES, severity=st.sampled_from(("", "mild", "severe", "8/10")), section=SECTIONS,
)  # fmt: skip
MEDICATIONS = _of(
    MedicationStatement, id=ID, concept_id=IDS, name=WORDS, recognised=BOOLS,
    ingredients=st.lists(WORDS, max_size=2).map(tuple), dosage=_dosages(), old_dosage=st.none() | _dosages(),
    status=st.sampled_from(tuple(MedicationStatus)), category=st.sampled_from(tuple(MedicationCategory)),
    change=st.sampled_from(("", "started", "increased", "resumed")), refused=BOOLS,
    experiencer=st.sampled_from(tuple(Experiencer)), reason=MAYBE, why_stopped=MAYBE, section=SECTIONS,
)  # fmt: skip
ALLERGIES = _of(
    AllergyStatement, id=ID, agent=WORDS, concept_id=IDS, kind=st.sampled_from(tuple(AllergyKind)), reaction=MAYBE,
    verification_status=st.sampled_from(tuple(Verification)), asserter=MAYBE, possible=BOOLS,
)  # fmt: skip
DONE: dict[str, st.SearchStrategy[Any]] = {
    "id": ID, "concept_id": IDS, "name": WORDS, "status": st.sampled_from(tuple(ProcedureStatus)), "date": DATES, "body_side": SIDES,
}  # fmt: skip
OBSERVATIONS = st.builds(
    _observation, value=NUMBERS, text=MAYBE, id=ID, measure=WORDS, unit=UNITS, date=DATES, formula=MAYBE
)
SOCIAL = _of(
    SocialStatement,
    id=ID,
    kind=st.sampled_from(tuple(SocialKind)),
    status=st.sampled_from(tuple(HabitStatus)),
    text=MAYBE,
)
PLANS = _of(PlanStatement, id=ID, kind=st.sampled_from(tuple(PlanKind)), text=WORDS, whom=MAYBE, when=MAYBE)


def _many(kind: str, of: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Up to two of a kind, numbered as in a record."""
    return st.lists(of, max_size=2).map(
        lambda held: tuple(one.model_copy(update={"id": f"{kind}-{n}"}) for n, one in enumerate(held, start=1))
    )


RECORDS = st.builds(
    PatientRecord,
    person=PERSONS,
    encounter=ENCOUNTERS,
    social=_many("social", SOCIAL),
    problems=_many("problem", PROBLEMS),
    medications=_many("medication", MEDICATIONS),
    allergies=_of(
        AllergyRecord, status=st.sampled_from(tuple(AllergyStatus)), text=MAYBE, items=_many("allergy", ALLERGIES)
    ),
    procedures=_many("procedure", _of(ProcedureStatement, **DONE)),
    devices=_many("device", _of(DeviceStatement, **DONE)),
    observations=_many("observation", OBSERVATIONS),
    plan=_many("plan", PLANS),
)
