"""What should not be given to a patient, by the rows of safety: what is offered or taken, held against what the patient has and takes.

Takes the state of one patient; gives the reasons against one medicine, or all medicines that something speaks against. It makes no flags.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from backend.knowledge.safety.patient.clause_truth import Subject, Verdict, product_routes, verdict
from backend.knowledge.safety.patient.patient_state import EVERY_STAGE, PatientState, patient_state
from backend.knowledge.safety.rows.clauses import FAMILY, PLANNED, Held, HeldClause, Stage, StageClause, ValueClause
from backend.knowledge.safety.rows.grades import Grade, gravest_first
from backend.knowledge.safety.rows.implied import ImpliedRow
from backend.knowledge.safety.rows.safety_facts import CONTRAINDICATED
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, SafetyRows
from backend.knowledge.safety.rows.value_table import value_table
from backend.knowledge.safety.safety_index import ABOVE, SafetyIndex
from backend.nlp.attributes.family import person_words
from backend.nlp.lexicon.plain_names import ids_by_name
from backend.nlp.people.situations import is_pregnant
from backend.nlp.rules import RULES, rule_names
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import Dosage, PatientRecord, ProcedureStatus
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus
from backend.stores.graph.graph import Graph

__all__ = ["ABOVE", "CONTRAINDICATED", "Against", "Contraindications", "SpokenAgainst"]
PREGNANCY, OLDER_ADULT = "pregnancy", "older adult"
_FEW = 2
"""With more causes than this, none is taken to lie behind a finding: weakness is no stroke."""
_SPEAKING = frozenset({Grade.NEVER, Grade.AVOID})
"""Grades of what is not offered."""
_PROBLEMS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})
_MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
_TO_COME = frozenset({ProcedureStatus.PLANNED, ProcedureStatus.NOT_DONE})
_JUST_BEFORE = 40
"""Code points before a mention in which its subject stands."""
_SUBJECT = re.compile(r"\b([a-z]+)(?: who)? (?:is|was) $")


class Against(NamedTuple):
    """A row against a medicine whose condition the patient has or had.

    Attributes:
        row: the row.
        verdict: whether its clauses hold, and what is missing.
        past: the condition is over.
        by_value: a value alone tells the condition: nobody states kidney disease, but the eGFR is 24.
    """

    row: ContraindicationRow
    verdict: Verdict
    past: bool = False
    by_value: bool = False


class SpokenAgainst(NamedTuple):
    """What speaks against a medicine beyond doubt. condition: its concept, empty for nothing; never: it is forbidden, and not only to be weighed."""

    condition: str = ""
    never: bool = False


class Contraindications:
    """Build one a graph.

    Args:
        graph: whose concepts are asked.
        rows: the starter's rows, where the graph is the starter's; None asks the graph's own facts, which count as `avoid`.
        implied: what values, procedures and habits mean.
    """

    def __init__(self, graph: Graph, rows: SafetyRows | None = None, implied: Sequence[ImpliedRow] = ()) -> None:
        self._graph = graph
        self.index = SafetyIndex(graph, rows, implied)
        ids = self.ids = ids_by_name(graph)
        self.pregnancy, self._older = ids.get(PREGNANCY, ""), ids.get(OLDER_ADULT, "")
        self._tells = {
            (row.name, ids[row.stands_for])
            for row in value_table().values()
            if row.stands_for and row.stands_for in ids
        }
        self._lingering = frozenset(ids[name] for name in rule_names(RULES / "safety" / "lingering.txt") if name in ids)
        self._kept_up = frozenset(
            ids[name] for name in rule_names(RULES / "safety" / "not_stopped_alone.txt") if name in ids
        )

    def with_classes(self, concept: str) -> tuple[str, ...]:
        """A medicine with its ingredients and all classes above them."""
        return self.index.kinds(concept)

    def state(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition] = (),
        taken: Collection[str] = (),
        *,
        about: bool = False,
    ) -> PatientState:
        """What the safety rows ask of the patient of a note.

        Args:
            linked: the note with its record; where it has none, its mentions count.
            conditions: candidates with what a clinician confirmed or ruled out, and what the document is about.
            taken: medicines taken beside those that the record holds.
            about: whether what the document is about counts as present, though nobody confirmed it.
        """
        own = [m for m in linked.note.mentions if not m.allergen]
        own = [m for m in own if m.concept_id != self.pregnancy or not _is_anothers(linked.note.text, m)]
        held = {m.concept_id for m in own if m.assertion is Assertion.PRESENT and m.category not in _MEDICINES}
        if linked.record is not None:
            held -= {m.concept_id for m in own if m.category in _PROBLEMS} | _still_to_come(linked.record)
        pregnant = is_pregnant(linked)
        if pregnant is not None and self.pregnancy:
            held = held | {self.pregnancy} if pregnant else held - {self.pregnancy}
        drugs = {m.concept_id for m in own if m.category in _MEDICINES and m.assertion is Assertion.PRESENT}
        leading = {c.concept_id for c in conditions if c.focus and c.status is not ConditionStatus.RULED_OUT}
        confirmed = {c.concept_id for c in conditions if c.status is ConditionStatus.CONFIRMED}
        return patient_state(
            linked.record or PatientRecord(),
            self.index.kinds,
            self.index.implied,
            also=held | confirmed | (leading if about else set()),
            leading=leading if about else confirmed,
            denied={c.concept_id for c in conditions if c.status is ConditionStatus.RULED_OUT},
            taken={*drugs, *taken},
        )

    def against(
        self, medicine: str, state: PatientState, dosages: Iterable[Dosage] = (), reasons: Collection[str] = ()
    ) -> list[Against]:
        """Every row against one medicine, its classes and its ingredients, whose condition the patient has, or had where the past counts.

        Args:
            medicine: concept id.
            state: the patient.
            dosages: how it is taken.
            reasons: concept ids of what it is given for.
        """
        kinds = frozenset(self.index.kinds(medicine))
        given = tuple(dosages)
        found = []
        for row in self.index.against(medicine):
            stages = self._stages(row, state)
            if stages is None:
                continue
            subject = Subject(kinds, given, stages[0], frozenset(reasons))
            stated = stages[1] or any(
                row.condition in held for held in (state.present, state.allergens, state.planned, state.family)
            )
            found.append(Against(row, verdict(row.when, row.unless, state, subject), stages[1], not stated))
        return found

    def unasked(
        self, medicine: str, state: PatientState, dosages: Iterable[Dosage] = (), reasons: Collection[str] = ()
    ) -> list[Against]:
        """The rows against a medicine about a value that the record lacks and that is asked of everybody who takes it."""
        subject = Subject(frozenset(self.index.kinds(medicine)), tuple(dosages), frozenset(), frozenset(reasons))
        found = []
        for row in self.index.against(medicine):
            values = [one.value for one in row.when if isinstance(one, ValueClause)]
            tells = any((one, row.condition) in self._tells and value_table()[one].asked for one in values)
            if tells and self._stages(row, state) is None:
                found.append(Against(row, verdict(row.when, row.unless, state, subject)))
        return found

    def named_against(self, medicine: str, concepts: Collection[str]) -> list[str]:
        """The conditions among some concepts that any row speaks against a medicine for, whatever else it asks."""
        return list(
            dict.fromkeys(
                row.condition
                for row in self.index.against(medicine)
                if row.condition in concepts and row.grade in _SPEAKING
            )
        )

    def kidneys_doubtful(self, state: PatientState) -> bool:
        """Whether a dose that depends on the kidneys is in doubt without an eGFR: they are ill, or the patient is old or of an age that nobody tells."""
        ill = any(condition in state.present for value, condition in self._tells if value == "eGFR")
        return ill or self._older in state.present or "age" not in state.values

    def treats(self, medicine: str, condition: str) -> bool:
        """Whether a medicine, or what it belongs to, is a treatment of a condition."""
        return any(condition in self._graph.related(kind, "treats") for kind in self.index.kinds(medicine))

    def shows_as(self, condition: str) -> frozenset[str]:
        """What a condition shows as, by the ids of its findings."""
        return frozenset(self._graph.related(condition, "has_finding"))

    def lingers(self, medicine: str) -> bool:
        """Whether a medicine acts on for weeks after its course is over, by assets/rules/safety/lingering.txt."""
        return not self._lingering.isdisjoint(self.index.kinds(medicine))

    def local_product(self, medicine: str, route: str) -> str:
        """The product by which a medicine is given in one way: of timolol into the eye, timolol eye drops; empty where there is none."""
        products = (f"{medicine}-{ending}" for ending, way in product_routes().items() if way == route)
        return next((one for one in products if one in self._graph.index), "")

    def implying(self, condition: str) -> frozenset[str]:
        """The problems, procedures and devices that mean a condition: dialysis, chronic kidney disease."""
        return frozenset(
            concept
            for row in self.index.implied
            if condition in row.means
            for clause in row.when
            if isinstance(clause, HeldClause) and clause.how is Held.HAS
            for concept in clause.concept_ids
        )

    def implied_widely(self, held: Iterable[str]) -> frozenset[str]:
        """What goes with what a patient has and may speak against a medicine too, though nobody states it.

        What must lie behind it, the one thing that it is both due to and a complication of: behind an adrenal crisis, adrenal
        insufficiency; where several may, none is taken to. What a disease commonly shows as: with a stricture, trouble swallowing.
        """
        found: set[str] = set()
        for concept in held:
            causes = set(self._graph.related(concept, "due_to")) & set(self._graph.related(concept, "complication_of"))
            if len(causes) == 1:
                found |= causes
            found.update(self._graph.related(concept, "has_finding"))
        return frozenset(found)

    def speaks_against(self, medicine: str, state: PatientState, stated: Collection[str]) -> SpokenAgainst:
        """The gravest that speaks against a medicine beyond doubt; of the empty concept where nothing does.

        That is what a row holds of the patient and the note names; or what lies behind what they have now, where the past counts and the
        medicine can bring it about: behind tongue swelling, angioedema.

        Args:
            medicine: concept id.
            state: of the patient.
            stated: the concepts that the note names: what only a value implies is for the clinician to say.
        """
        dosages = [one.dosage for one in state.medications.get(medicine, ())]
        spoken = [
            why.row
            for why in self.against(medicine, state, dosages)
            if why.verdict.holds and why.row.grade in _SPEAKING and why.row.condition in stated
            if not self._given_for(why.row, medicine)
        ]
        past = [row for row in self.index.against(medicine) if row.past_counts and row.grade in _SPEAKING]
        if past and not spoken:
            causes = [self._graph.related(one, "due_to") for one in state.present]
            behind = {cause for few in causes if len(few) <= _FEW for cause in few}
            brought = {
                effect
                for one in self.index.kinds(medicine)
                for effect in self._graph.related(one, "has_adverse_effect")
            }
            spoken = [row for row in past if row.condition in behind & brought]
        gravest = min(spoken, key=lambda row: gravest_first(row.grade), default=None)
        return SpokenAgainst(gravest.condition, gravest.grade is Grade.NEVER) if gravest else SpokenAgainst()

    def value_against(self, medicine: str, state: PatientState) -> bool:
        """Whether a value of the patient speaks against a medicine though the note names no condition: a potassium of 5.9.

        What follows from a value by a formula (eGFR) is for the clinician to say.
        """
        dosages = [one.dosage for one in state.medications.get(medicine, ())]
        return any(
            why.row.grade in _SPEAKING and why.verdict.holds and bool(why.verdict.because) and not why.past
            for why in self.against(medicine, state, dosages)
            if not any(isinstance(one, ValueClause) and one.value == "eGFR" for one in why.row.when)
        )

    def name_of(self, concept: str) -> str:
        """The name of a concept of the graph."""
        return self._graph.row(concept).name

    def not_stopped_alone(self, medicine: str) -> bool:
        """Whether a medicine is of a class that does harm where it is stopped without a word."""
        return not self._kept_up.isdisjoint(self.index.kinds(medicine))

    def of_a_kind(self, medicine: str, names: Iterable[str]) -> list[str]:
        """The conditions against a medicine of which only a vaguer name is known: bleeding, against what harms in stomach bleeding."""
        vaguer = tuple(f" {name}" for name in names)
        conditions = dict.fromkeys(row.condition for row in self.index.against(medicine) if row.grade in _SPEAKING)
        return [one for one in conditions if one in self._graph.index and self._graph.row(one).name.endswith(vaguer)]

    def unsuited(self, state: PatientState, leading: Collection[str]) -> dict[str, frozenset[str]]:
        """Everything that should not be offered, with the conditions that speak against it.

        leading: what the patient came with, at whatever stage a row asks for. In pregnancy every stage counts, unless the row says no more
        than to weigh it.
        """
        found: dict[str, set[str]] = {}
        for condition in {*state.present, *state.past, *state.allergens}:
            for row in self.index.against_in(condition):
                if row.grade not in _SPEAKING or not self._offered_against(row, state, leading):
                    continue
                for one in (row.medicine, *self.index.members(row.medicine)):
                    if row in self.index.against(one) and self._ends_not(row, one, state, leading):
                        found.setdefault(one, set()).add(condition)
        kinds = {kind for one in found for kind in self._graph.related(one, "subclass_of") if kind not in found}
        mostly: dict[str, set[str]] = {}  # apart, so that no kind depends on which other one was counted before it
        for kind in kinds:
            own = self._graph.related(kind, "has_subclass")
            spoken = [found[one] for one in own if one in found]
            if 2 * len(spoken) > len(own):  # most water pills: then water pills
                mostly[kind] = set().union(*spoken)
        return {medicine: frozenset(why) for medicine, why in (found | mostly).items()}

    def never_beside(self, state: PatientState, taken: Iterable[str]) -> dict[str, frozenset[str]]:
        """Everything that must never be combined with a medicine that is taken, with the medicines that speak against it."""
        found: dict[str, set[str]] = {}
        for medicine in taken:
            for other, row in self.index.interacting(medicine):
                if row.grade is Grade.NEVER and verdict(row.when, row.unless, state).holds:
                    for one in (other, *self.index.members(other)):
                        found.setdefault(one, set()).add(medicine)
        return {medicine: frozenset(why) for medicine, why in found.items()}

    def _given_for(self, row: ContraindicationRow, medicine: str) -> bool:
        """Whether a row without conditions names what its medicine treats: then it tells of a stage that nobody wrote down."""
        return not row.when and row.grade is not Grade.NEVER and self.treats(medicine, row.condition)

    def _stages(self, row: ContraindicationRow, state: PatientState) -> tuple[frozenset[Stage], bool] | None:
        """The stages of a row's condition, and whether it is past alone; None where the patient neither has nor had it."""
        done = row.condition in state.past and row.condition not in state.planned
        if done and row.counts(PLANNED) and not row.past_counts:
            return None  # what had to be thought of before it was done
        if row.condition in state.present:
            return state.present[row.condition], False
        if row.condition in state.allergens:
            return frozenset(), False
        if row.past_counts and row.condition in state.past:
            return frozenset(), True
        if (row.counts(PLANNED) and row.condition in state.planned) or (
            row.counts(FAMILY) and row.condition in state.family
        ):
            return frozenset(), False
        told = any(isinstance(one, ValueClause) and (one.value, row.condition) in self._tells for one in row.when)
        known = told and all(not isinstance(one, ValueClause) or one.value in state.values for one in row.when)
        return (frozenset(), False) if known else None

    def _offered_against(self, row: ContraindicationRow, state: PatientState, leading: Collection[str]) -> bool:
        """Whether a row speaks against offering its medicine, before what ends it is asked."""
        stages = self._stages(row, state)
        if stages is None:
            return False
        if row.condition == self.pregnancy:
            return True
        lead = row.condition in leading
        when = [one for one in row.when if not (lead and isinstance(one, StageClause))]
        return verdict(when, (), state, Subject(stages=EVERY_STAGE if lead else stages[0])).holds

    def _ends_not(self, row: ContraindicationRow, medicine: str, state: PatientState, leading: Collection[str]) -> bool:
        """Whether nothing that ends a row holds of one medicine."""
        if not row.unless:
            return True
        lead = row.condition in leading
        subject = Subject(frozenset(self.index.kinds(medicine)), stages=EVERY_STAGE if lead else frozenset())
        return verdict((), row.unless, state, subject).holds


def _still_to_come(record: PatientRecord) -> frozenset[str]:
    """The procedures and devices that the record has as planned or not done alone: a pacemaker to be placed protects nobody yet."""
    stated = [(one.concept_id, one.status) for one in record.procedures]
    stated += [(one.concept_id, one.status) for one in record.devices]
    to_come = {concept for concept, status in stated if concept and status in _TO_COME}
    return frozenset(to_come - {concept for concept, status in stated if status not in _TO_COME})


def _is_anothers(text: str, mention: Mention) -> bool:
    """Whether another person is the subject of a mention: "her therapist was pregnant", but not "per husband, pregnant"."""
    subject = _SUBJECT.search(text[max(0, mention.start_char - _JUST_BEFORE) : mention.start_char].lower())
    return subject is not None and subject[1] in person_words().others
