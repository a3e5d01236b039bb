"""The patient record: what one reading of a note states of the patient, one typed statement a fact (FHIR R4's words).

Every later stage reads it and none interprets the note again. Offsets are half-open and count code points of the text
that `note_id` names; the note of today has the empty id.
"""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category, SectionCategory


class Afterwards(StrEnum):
    """What becomes of a medicine after this encounter, as the note decides it. none: it is no medicine of the patient's now."""

    CONTINUED = "continued"
    CHANGED = "changed"
    STARTED = "started"
    STOPPED = "stopped"
    ON_HOLD = "on-hold"
    HERE = "given-here"
    NONE = "none"
    OPEN = "open"


class StatedBy(StrEnum):
    """Who made a statement of the record."""

    RULES = "rules"
    MODEL = "model"
    CLINICIAN = "clinician"
    IMPORT = "import"


class ClinicalStatus(StrEnum):
    """FHIR's clinical status of a condition."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    RESOLVED = "resolved"


class VerificationStatus(StrEnum):
    """FHIR's verification status of a condition or an allergy."""

    CONFIRMED = "confirmed"
    PROVISIONAL = "provisional"
    DIFFERENTIAL = "differential"
    REFUTED = "refuted"
    UNCONFIRMED = "unconfirmed"


class Experiencer(StrEnum):
    """Whose a statement is."""

    PATIENT = "patient"
    RELATIVE = "relative"
    OTHER = "other"


class MedicationStatus(StrEnum):
    """FHIR's status of a medication statement."""

    ACTIVE = "active"
    COMPLETED = "completed"
    INTENDED = "intended"
    STOPPED = "stopped"
    ON_HOLD = "on-hold"
    NOT_TAKEN = "not-taken"


class MedicationCategory(StrEnum):
    """FHIR's category of a medication statement: where it is taken or given."""

    COMMUNITY = "community"
    INPATIENT = "inpatient"
    DISCHARGE = "discharge"


class ProcedureStatus(StrEnum):
    """When a procedure is or was: in this encounter, before it, or to come; or not done."""

    DONE_NOW = "done_now"
    PAST = "past"
    PLANNED = "planned"
    NOT_DONE = "not_done"


class Setting(StrEnum):
    """Where the note was written."""

    EMERGENCY = "emergency"
    ADMISSION = "admission"
    HOSPITAL_CONSULT = "hospital_consult"
    CLINIC = "clinic"
    PRE_OPERATIVE = "pre_operative"
    UNKNOWN = "unknown"


class PlanKind(StrEnum):
    """What kind of thing a note decides or asks."""

    TEST = "test"
    PENDING_RESULT = "pending_result"
    TREATMENT = "treatment"
    FOLLOW_UP = "follow_up"
    RETURN_PRECAUTION = "return_precaution"
    DIET = "diet"
    ACTIVITY = "activity"
    CARER = "carer"
    DISPOSITION = "disposition"
    OTHER = "other"


class SocialKind(StrEnum):
    """What a social statement is about."""

    TOBACCO = "tobacco"
    ALCOHOL = "alcohol"
    DRUGS = "drugs"
    LIVING = "living"
    WORK = "work"
    GOALS_OF_CARE = "goals_of_care"
    RESUSCITATION = "resuscitation"


class HabitStatus(StrEnum):
    """Whether a habit is kept."""

    CURRENT = "current"
    FORMER = "former"
    NEVER = "never"
    UNKNOWN = "unknown"


class RecordSpan(Frozen):
    """A stretch of a note that a statement rests on."""

    note_id: str = Field(default="", description="Empty for the note of today")
    start_char: int
    end_char: int
    text: str


class Statement(Frozen):
    """What all statements have.

    The first span is the name or the value; the others are the words that decided it. certainty is 0 to 1: how sure
    the reading is that the note says so (not that it is true); it may be compared within one kind only.
    """

    id: str = Field(description="Stable within one record: the kind and a number, problem-3")
    spans: tuple[RecordSpan, ...] = ()
    rule_ids: tuple[str, ...] = ()
    certainty: float = Field(default=1.0, ge=0, le=1)
    stated_by: StatedBy = StatedBy.RULES
    author: str = Field(default="", description="The clinician who corrected it, else empty")
    at: str = Field(default="", description="When it was corrected, ISO 8601, else empty")


class Person(Statement):
    """Who the patient is. age_years is a fraction for children; None means not stated."""

    age_years: float | None = None
    sex: Literal["female", "male"] | None = None
    pregnant: bool | None = None
    gestation_weeks: float | None = None
    weight_kg: float | None = None
    informant: str = Field(default="", description="Who tells the history where it is not the patient")


class Encounter(Statement):
    """The encounter that the note is of."""

    setting: Setting = Setting.UNKNOWN
    date: str = ""
    reason: str = Field(default="", description="What the note says of today's reason, in its words")
    goes_home: bool = Field(
        default=False, description="The note tells that the patient now leaves: what it plans is for home"
    )


VALUE_ALONE = "findings/value_alone"
"""The rule id of a problem that only a measured value tells, which names no diagnosis."""


class ProblemStatement(Statement):
    """A diagnosis, symptom or finding that the note states. concept_id is None where the lexicon does not know it."""

    concept_id: str | None
    name: str
    category: Category = Category.CONCEPT
    clinical_status: ClinicalStatus = ClinicalStatus.ACTIVE
    verification_status: VerificationStatus = VerificationStatus.CONFIRMED
    chronic: bool = Field(default=False, description="Long-standing and still there")
    hypothetical: bool = Field(default=False, description="Only a condition, a warning or a plan")
    experiencer: Experiencer = Experiencer.PATIENT
    kinship: str = ""
    onset: str = ""
    body_side: str = ""
    severity: str = ""
    stage: str = Field(default="", description="The words beside it that say at what stage it is: acute, uncontrolled")
    section: SectionCategory = SectionCategory.UNLABELED

    @property
    def is_value_alone(self) -> bool:
        """Whether only a measured value tells it: it names no condition, forbids no medicine and stands in no letter for itself."""
        return VALUE_ALONE in self.rule_ids


class Dosage(Frozen):
    """How a medicine is taken, as stated. dose_high is the upper end of a range; per_kg says the dose is by weight.

    timing is a code (QD, BID, TID, QID, Q6H, QAM, QPM, HS, QOD, QW …), timing_text the words of the note.
    """

    text: str = ""
    dose: float | None = None
    dose_high: float | None = None
    unit: str = ""
    per_kg: bool = False
    quantity: float | None = Field(default=None, description="Tablets, puffs or drops a time, where stated")
    quantity_high: float | None = None
    form: str = ""
    route: str = ""
    timing: str = ""
    timing_text: str = ""
    strength: str = Field(default="", description="How strong the liquid is, as written, where its dose stands apart")
    volume: float | None = Field(default=None, description="Millilitres that hold the dose, where both are stated")
    with_text: str = Field(default="", description="With meals, at breakfast")
    as_needed: bool = False
    as_needed_for: str = ""
    days: float | None = Field(default=None, description="How many days the course is meant to last, where stated")
    step: int = Field(
        default=0, description="Which step of a course it is, from 1, with its days and until; 0 for none"
    )
    until: str = Field(default="", description="Until when a step of a course lasts, as written")
    over_minutes: float | None = Field(default=None, description="Over how many minutes one dose runs, where stated")


class MedicationStatement(Statement):
    """A medicine of the note. recognised is false for a name in a medicine list that no lexicon knows: it is not checked."""

    concept_id: str | None
    name: str
    recognised: bool = True
    ingredients: tuple[str, ...] = ()
    dosage: Dosage = Dosage()
    old_dosage: Dosage | None = Field(default=None, description="The dose before a change that the note states")
    status: MedicationStatus = MedicationStatus.ACTIVE
    category: MedicationCategory = MedicationCategory.COMMUNITY
    change: Literal["", "started", "increased", "decreased", "changed", "resumed", "continued"] = ""
    listed: MedicationCategory | None = Field(
        default=None, description="The kind of list that it stands in, whatever is said of it there"
    )
    decided: bool = Field(default=False, description="Decided in this encounter: by the plan, an order or in the stay")
    refused: bool = False
    experiencer: Experiencer = Experiencer.PATIENT
    reason: str = ""
    resumes: str = Field(default="", description="When it is taken again, as written, where that is told")
    why_stopped: str = ""
    ends: str = Field(default="", description="What the note tells of its end, in its words: last dose tonight")
    course: str = Field(default="", description="What the note tells of a short course, in its words: burst, dose pack")
    replaced_by: tuple[str, ...] = Field(default=(), description="Concept ids of what begins in its place")
    section: SectionCategory = SectionCategory.UNLABELED
    afterwards: Afterwards = Field(
        default=Afterwards.OPEN,
        description="What most likely becomes of the medicine, by all that the note says of it: a learned reading",
    )
    afterwards_likelihood: float = Field(default=0.0, ge=0, le=1)


class AllergyStatement(Statement):
    """What the patient is said to react to. verification_status is refuted where the note takes it back."""

    agent: str
    concept_id: str | None = None
    kind: AllergyKind = AllergyKind.ALLERGY
    reaction: str = ""
    verification_status: VerificationStatus = VerificationStatus.CONFIRMED
    asserter: str = Field(default="", description="Who says it, where the note names one")
    contradicted_by: tuple[RecordSpan, ...] = ()
    possible: bool = Field(default=False, description="Only suspected from running text: a question for a clinician")


class AllergyRecord(Frozen):
    """The allergies of the record: the status of the whole list, and each of them."""

    status: AllergyStatus = AllergyStatus.NOT_STATED
    text: str = Field(default="", description="The words that decided the status")
    items: tuple[AllergyStatement, ...] = ()

    @property
    def none_known(self) -> bool:
        """Whether the list says that there are none, and nothing that it lists or lets one suspect says otherwise."""
        said = (one for one in self.items if one.possible or one.verification_status is not VerificationStatus.REFUTED)
        return self.status is AllergyStatus.NONE_KNOWN and not any(said)


class ProcedureStatement(Statement):
    """An operation, intervention or test that was or will be done."""

    concept_id: str | None = None
    name: str
    status: ProcedureStatus = ProcedureStatus.DONE_NOW
    date: str = ""
    body_side: str = ""


class DeviceStatement(Statement):
    """A device that the patient has or had: pacemaker, catheter, stent, walker."""

    concept_id: str | None = None
    name: str
    status: ProcedureStatus = ProcedureStatus.DONE_NOW
    date: str = ""
    body_side: str = ""


class ObservationStatement(Statement):
    """A measured value. formula says how a derived one was computed (eGFR)."""

    measure: str
    value: float | None = None
    value_text: str = ""
    unit: str = ""
    date: str = ""
    formula: str = ""


class SocialStatement(Statement):
    """A habit, how the patient lives, or what they want."""

    kind: SocialKind
    status: HabitStatus = HabitStatus.UNKNOWN
    text: str = ""


class PlanStatement(Statement):
    """What the note itself decides or asks, in its words."""

    kind: PlanKind = PlanKind.OTHER
    text: str
    whom: str = Field(default="", description="With whom, for a follow-up; who, for a carer")
    when: str = ""


class PatientRecord(Frozen):
    """Everything one reading states of the patient."""

    person: Person = Person(id="person")
    encounter: Encounter = Encounter(id="encounter")
    social: tuple[SocialStatement, ...] = ()
    problems: tuple[ProblemStatement, ...] = ()
    medications: tuple[MedicationStatement, ...] = ()
    allergies: AllergyRecord = AllergyRecord()
    procedures: tuple[ProcedureStatement, ...] = ()
    devices: tuple[DeviceStatement, ...] = ()
    observations: tuple[ObservationStatement, ...] = ()
    plan: tuple[PlanStatement, ...] = ()

    @property
    def stated_problems(self) -> tuple[ProblemStatement, ...]:
        """The problems without those that a measured value alone tells: what a letter tells and a condition is named by."""
        return tuple(one for one in self.problems if not one.is_value_alone)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements, by kind."""
        return (
            self.person,
            self.encounter,
            *self.social,
            *self.problems,
            *self.medications,
            *self.allergies.items,
            *self.procedures,
            *self.devices,
            *self.observations,
            *self.plan,
        )

    @property
    def correctors(self) -> frozenset[str]:
        """Who corrected statements of it."""
        return frozenset(one.author for one in self.statements if one.author)
