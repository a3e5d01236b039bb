"""What a patient's record holds and denies of what advice may need: a wound, warfarin, smoking, a stay in hospital.

Build one a draft. It reads the statements of the record alone, with what a clinician confirmed and the medicines of the request;
the note's text is not looked at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from backend.knowledge.advice.needs import NAMED, KindRow, Need, missing_words, need_kinds
from backend.nlp.medications.tolerance import advisable
from backend.nlp.people.care_frames import comfort_goal, may_be_child
from backend.nlp.people.situations import When, is_pregnant, situations_of
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    HabitStatus,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProcedureStatus,
    Setting,
    SocialKind,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus, Category, ConditionStatus, SectionCategory
from backend.verification.fit.statement_words import (
    concepts_of,
    ends,
    is_begun,
    is_local,
    last_statements,
    names_of,
    pattern_of,
    stands_beside,
)

ADULT_FROM, OLDER_FROM = 16, 65
ONE_COURSE = "antibiotic"
"""The class of which one that is given stands for the others."""
CHILDBEARING_FROM, CHILDBEARING_TO = 10, 55
AFTER_MENOPAUSE_FROM = 45
OVERWEIGHT_FROM, BODY_MASS_INDEX = 25.0, "body mass index"
WEAK_PUMP_TO, EJECTION_FRACTION = 40.0, "ejection fraction"
SURE_SETTING = 0.6
"""The certainty from which a clinic's note denies a stay in hospital."""
PAIN = "pain"
"""The complaint that may be of any place."""
Broader = Callable[[str], frozenset[str]]
"""The broader concepts of a concept, by id."""
_STATED = frozenset({VerificationStatus.CONFIRMED, VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL})
_TAKEN = frozenset({MedicationStatus.ACTIVE, MedicationStatus.INTENDED})
_KNOWN = _TAKEN | {MedicationStatus.ON_HOLD}
_HABITS = {"smoker": SocialKind.TOBACCO, "drinks alcohol": SocialKind.ALCOHOL, "uses drugs": SocialKind.DRUGS}
_DONE = frozenset({ProcedureStatus.DONE_NOW})
_EVER = frozenset({ProcedureStatus.DONE_NOW, ProcedureStatus.PAST, ProcedureStatus.PLANNED})
_VISITS = frozenset({Setting.CLINIC, Setting.PRE_OPERATIVE})
_OVER = frozenset({MedicationStatus.STOPPED, MedicationStatus.NOT_TAKEN, MedicationStatus.COMPLETED})


def no_broader(concept: str) -> frozenset[str]:
    """No concept is broader: for parts that are built without a graph."""
    return frozenset()


class PatientFacts:
    """What one record holds of needs.

    Args:
        linked: the note with its record.
        conditions: what was ranked: confirmed ones, and those that may be written about, are held.
        broader: the broader concepts of a concept.
        concept_of: the id of a concept's name; empty where the lexicon does not know it.
        discharge: concept ids of medicines that the request lists for home.
        course: the record of the hospital course of the request: its procedures and devices count; None for none.
        stay: the request tells of a stay in hospital.
    """

    def __init__(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition] = (),
        broader: Broader = no_broader,
        concept_of: Callable[[str], str] = str,
        discharge: Iterable[str] = (),
        course: PatientRecord | None = None,
        *,
        stay: bool = False,
    ) -> None:
        self._linked, self._record = linked, linked.record or PatientRecord()
        self._broader = broader
        self._concept_of = concept_of
        self._stay = stay
        patient, person = linked.patient, self._record.person
        self.age = person.age_years if person.age_years is not None else patient.age
        self.sex = person.sex or patient.sex
        self._pregnant = is_pregnant(linked)
        own = [p for p in self._record.stated_problems if p.experiencer is Experiencer.PATIENT and not p.hypothetical]
        self._problems = [p for p in own if p.verification_status in _STATED]
        chosen = [c.concept_id for c in conditions if c.written or c.status is ConditionStatus.CONFIRMED]
        situations = (s for s in situations_of(linked) if s.row.when in (When.PRESENT, When.EVER))
        lasting = (concept_of(s.row.chapter) for s in situations if s.row.chapter)
        self._has = self._closed(chain((p.concept_id for p in self._problems), chosen, lasting))
        ruled_out = {c.concept_id for c in conditions if c.status is ConditionStatus.RULED_OUT}
        refuted = {p.concept_id for p in own if p.verification_status is VerificationStatus.REFUTED and p.concept_id}
        self._has = self._has - ruled_out
        self._refuted = (refuted | ruled_out) - self._has
        self._of_relatives = {
            p.concept_id
            for p in self._record.stated_problems
            if p.experiencer is not Experiencer.PATIENT and p.concept_id not in self._has
        }
        last = last_statements(advisable(self._record))
        here = [m for m in last if m.category is MedicationCategory.INPATIENT]
        given = {m.concept_id for m in here}
        classes = self._closed(given) - given
        # "the antibiotics" of a story are those that are given here
        named_over = {m.id for m in last if m.concept_id in classes and m.section is not SectionCategory.MEDICATIONS}
        self._home = home = [m for m in last if m not in here and m.id not in named_over]
        self._lists_home = any(m.section is SectionCategory.MEDICATIONS for m in home)
        self._takes = self._medicines(m for m in home if m.status in _TAKEN) | self._closed(discharge)
        self._medicine = self._takes | self._medicines(m for m in home if m.status in _KNOWN)
        self._over = self._medicines(m for m in last if m.status in _OVER) - self._medicine
        self._here = self._medicines(here) - self._medicine
        taken = [m for m in home if m.status in _TAKEN]
        short = self._medicines(m for m in taken if ends(m))
        self._begun = self._medicines(m for m in taken if is_begun(m))
        self._lasting = self._takes - (short - self._medicines(m for m in taken if not ends(m)))
        procedures = (*self._record.procedures, *(course.procedures if course else ()))
        self._procedures = self._closed(p.concept_id for p in procedures if p.status in _EVER)
        owned = (*self._record.devices, *(course.devices if course else ()))
        devices = [d for d in owned if d.status is not ProcedureStatus.NOT_DONE]
        self._devices = self._closed(d.concept_id for d in devices)
        self._own = (*home, *self._problems, *procedures, *devices)
        self._words: dict[str, bool | None] = {}
        self._sources: Mapping[str, Callable[[], Iterator[str]]] = {
            "problems": self._problem_words,
            "procedures": lambda: names_of(p for p in procedures if p.status in _DONE),
            "today": lambda: names_of(p for p in procedures if p.status in _EVER - {ProcedureStatus.PAST}),
            "done": lambda: names_of(p for p in procedures if p.status in _EVER - {ProcedureStatus.PLANNED}),
            "operations": lambda: names_of(p for p in procedures if p.status in _EVER),
            "devices": lambda: names_of(devices),
            "medications": lambda: names_of(m for m in home if m.status in _KNOWN),
            "social": lambda: (s.text for s in self._record.social),
            "plan": lambda: (s.text for s in self._record.plan),
        }

    def holds(self, need: Need) -> bool | None:
        """True where the record holds it, False where it denies it, None where it says nothing."""
        match need.kind:
            case "relative":
                return self._relative(need.name)
            case kind if kind in NAMED:
                return self._named(need)
            case "age from" | "age under":
                return None if self.age is None else (self.age >= float(need.name)) == (need.kind == "age from")
            case kind if kind in need_kinds():
                return self._by_words(need_kinds()[kind])
            case kind:
                return self._personal(kind)

    def missing(self, need: Need) -> bool:
        """Whether a need fails."""
        held = self.holds(need)
        return held is False if need.unless_denied else held is not True

    def why(self, need: Need) -> str:
        """Why a need fails, in words for a reader."""
        what = missing_words(need)
        held = self.holds(need)
        concept = self._concept_of(need.name) if need.name else ""
        if need.kind in ("child", "stated child"):
            whom = "the note gives no age" if self.age is None else f"the patient is {_years(self.age)} old"
            return f"speaks to a child's parents; {whom}"
        if need.kind == "adult":
            whom = (
                "may be a child, whose parent tells the history" if self.age is None else f"is {_years(self.age)} old"
            )
            return f"is advice for adults; the patient {whom}"
        if need.kind == "inpatient stay":
            return "speaks of a stay in hospital; the note is of a visit to a clinic"
        if need.kind == "not known to be pregnant":
            return "asks about a pregnancy that the note has told already"
        if need.kind in ("takes", "medicine") and concept in self._over:
            return f"speaks of {what} as taken; the note tells it as stopped or not taken"
        if need.kind in ("takes", "medicine") and concept in self._here:
            return f"speaks of {what} as taken at home; the note tells it only as given here"
        if need.kind in ("takes", "medicine") and concept in self._medicine:
            return f"speaks of {what} as taken; the note has it on hold"
        if need.kind in ("takes", "medicine") and self._lists_home:
            return f"speaks of {what} as taken; the note lists the medicines without it"
        if need.kind == "has" and concept in self._of_relatives:
            return f"speaks of {what}; the note tells it of somebody else"
        if held is False:
            return f"speaks of {what}; the note denies it"
        return f"speaks of {what}; the note tells of none"

    def told_as(self, need: Need) -> str:
        """What the patient has of what a need asks, as the note names it: "apixaban" of an anticoagulant."""
        concept = self._concept_of(need.name) or need.name
        if need.kind in NAMED:
            named = (str(getattr(one, "name", "")) for one in self._own if concept in self._closed(concepts_of(one)))
        else:
            pattern = pattern_of(need_kinds()[need.kind].words) if need.kind in need_kinds() else None
            named = (one for one in names_of(self._own) if pattern and pattern.search(one))
        return next(filter(None, named), need.name or missing_words(need))

    def has_concept(self, concept: str) -> bool:
        """Whether the patient has, takes or had done what a chapter is about."""
        return any(concept in held for held in (self._has, self._medicine, self._procedures, self._devices))

    def takes(self, concept: str) -> bool:
        """Whether the patient takes a medicine at home, or is to take it from now on; a class is taken with its member."""
        return concept in self._takes

    def begins(self, concept: str) -> bool:
        """Whether a medicine was started, changed or is to be taken from now on; a class begins with its member."""
        return concept in self._begun

    def takes_for_long(self, concept: str) -> bool:
        """Whether a medicine is taken without an end that the note tells; a class with its member."""
        return concept in self._lasting

    def receives(self, concept: str) -> bool:
        """Whether the patient takes a medicine at home or is given it here; of a class any, and of antibiotics another one as well."""
        received = self._takes | self._here
        course = self._concept_of(ONE_COURSE)
        return concept in received or course in self._closed([concept]) & received

    @property
    def takes_any(self) -> bool:
        """Whether the patient takes any medicine at home, or is to take one from now on."""
        return bool(self._takes)

    def without_concept(self, concept: str) -> str:
        """How the record does not hold what a chapter is about, in words."""
        if concept in self._refuted:
            return "the note denies it"
        return "the note tells it of somebody else" if concept in self._of_relatives else "the note tells of none"

    @property
    def is_child(self) -> bool:
        """Whether the note states an age below that of an adult."""
        return self.age is not None and self.age < ADULT_FROM

    def _named(self, need: Need) -> bool | None:
        concept = self._concept_of(need.name) or need.name
        none = frozenset[str]()
        held, denied = {
            "takes": (self._takes, self._over),
            "lasting": (self._lasting, self._over),
            "medicine": (self._medicine, self._over),
            "given": (self._medicine | self._here, none),
            "undecided": (none, self._over),
            "procedure": (self._procedures, none),
            "device": (self._devices | self._procedures, none),
        }.get(need.kind, (self._has, frozenset(self._refuted)))
        if concept in held:
            return True
        unlisted = need.kind in ("takes", "medicine") and self._lists_home
        return False if concept in denied or unlisted else None

    def _closed(self, concepts: Iterable[str | None]) -> frozenset[str]:
        found: set[str] = set()
        waiting = [concept for concept in concepts if concept]
        while waiting:
            concept = waiting.pop()
            if concept not in found:
                found.add(concept)
                waiting += self._broader(concept)
        return frozenset(found)

    def _medicines(self, statements: Iterable[MedicationStatement]) -> frozenset[str]:
        """The concepts of medicines and of their classes; a cream or drops are the medicine, and of no class that works through the body."""
        own: set[str] = set()
        for one in statements:
            concepts = [concept for concept in (one.concept_id, *one.ingredients) if concept]
            own |= set(concepts) if is_local(one.dosage) else self._closed(concepts)
        return frozenset(own)

    def _problem_words(self) -> Iterator[str]:
        return names_of(p for p in self._problems if p.clinical_status is ClinicalStatus.ACTIVE)

    def _by_words(self, row: KindRow) -> bool | None:
        if row.kind not in self._words:
            texts = chain.from_iterable(self._sources[source]() for source in row.sources)
            self._words[row.kind] = any(map(pattern_of(row.words).search, texts)) or None
        return self._words[row.kind]

    def _relative(self, word: str) -> bool | None:
        record = self._record
        texts = chain(
            (s.text for s in record.social),
            (word for s in record.plan for word in (s.text, s.whom)),
            (p.kinship for p in record.stated_problems),
            (record.person.informant, record.encounter.reason),
        )
        return any(map(pattern_of((word,)).search, texts)) or None

    def _personal(self, kind: str) -> bool | None:
        age, sex = self.age, self.sex
        match kind:
            case "any age" | "any subject":
                return True
            case "adult" if may_be_child(self._record):
                return False
            case "adult" | "child":
                return None if age is None else (age >= ADULT_FROM) == (kind == "adult")
            case "stated child":
                return self.is_child
            case "older":
                return None if age is None else age >= OLDER_FROM
            case "female" | "male":
                return None if sex is None else sex == kind
            case "pregnant":
                return self._is_pregnant()
            case "not known to be pregnant":
                return False if self._pregnant else None
            case "childbearing":
                return self._may_bear()
            case "after menopause":
                return False if sex == "male" or (age is not None and age < AFTER_MENOPAUSE_FROM) else None
            case "one side":
                return self._one_sided()
            case "pain of a place":
                return self._by_words(need_kinds()["pain of a limb"]) or self._hurts_at_a_place()
            case "overweight":
                return self._is_overweight()
            case "weak pump":
                return self._pumps_weakly()
            case "comfort goal":
                return True if comfort_goal(self._record) else None
            case "inpatient stay":
                return self._had_stay()
            case "new medicine":
                return True if any(is_begun(m) for m in self._home if m.status in _TAKEN) else None
            case "allergy":
                told = self._record.allergies
                held = any(one.verification_status is not VerificationStatus.REFUTED for one in told.items)
                return held or {AllergyStatus.LISTED: True, AllergyStatus.NONE_KNOWN: False}.get(told.status)
            case _:
                return self._habit(_HABITS[kind])

    def _is_pregnant(self) -> bool | None:
        if self._pregnant is not None:
            return self._pregnant
        over = self.age is not None and self.age >= CHILDBEARING_TO
        return False if self.sex == "male" or over else None

    def _is_overweight(self) -> bool | None:
        if self._by_words(need_kinds()["obesity"]):
            return True
        measured = [o.value for o in self._record.observations if o.measure == BODY_MASS_INDEX and o.value]
        return measured[-1] >= OVERWEIGHT_FROM if measured else None

    def _pumps_weakly(self) -> bool | None:
        if self._by_words(need_kinds()["reduced ejection fraction"]):
            return True
        measured = [o.value for o in self._record.observations if o.measure == EJECTION_FRACTION and o.value]
        return measured[-1] <= WEAK_PUMP_TO if measured else None

    def _one_sided(self) -> bool | None:
        """Whether a complaint is of one side, and none of both."""
        told = {p.body_side for p in self._problems if p.clinical_status is ClinicalStatus.ACTIVE and p.body_side}
        return (told < {"left", "right"}) if told else None

    def _hurts_at_a_place(self) -> bool | None:
        note, pain = self._linked.note, self._concept_of(PAIN)
        parts = [m for m in note.mentions if m.category is Category.ANATOMY]
        return any(stands_beside(p.spans[0], parts, note.text) for p in self._problems if p.concept_id == pain) or None

    def _may_bear(self) -> bool | None:
        age = self.age
        if self.sex == "male" or (age is not None and not CHILDBEARING_FROM <= age < CHILDBEARING_TO):
            return False
        if self._by_words(need_kinds()["no womb"]):
            return False
        return True if self.sex == "female" and age is not None else None

    def _had_stay(self) -> bool | None:
        encounter = self._record.encounter
        leaves = encounter.goes_home and encounter.setting is Setting.UNKNOWN
        if self._stay or leaves or encounter.setting in (Setting.ADMISSION, Setting.HOSPITAL_CONSULT):
            return True
        return False if encounter.setting in _VISITS and encounter.certainty >= SURE_SETTING else None

    def _habit(self, kind: SocialKind) -> bool | None:
        statuses = [s.status for s in self._record.social if s.kind is kind and s.status is not HabitStatus.UNKNOWN]
        if HabitStatus.FORMER in statuses:
            return False
        # of several that disagree the first: the social history stands first
        return statuses[0] is HabitStatus.CURRENT if statuses else None


def _years(age: float | None) -> str:
    return "of unknown age" if age is None else f"{int(age)} years" if age >= 1 else f"{round(age * 12)} months"
