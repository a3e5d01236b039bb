"""Collects the statements of an imported file into a patient record: numbers, names, where each came from.

Every statement says stated_by import and names its resource or entry in rule_ids; its spans are of the note that the import also
gives, never of the note of today.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, NamedTuple

from pydantic import ValidationError

from backend.ingest.patient_records.clinical_drugs import plain_name
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    DeviceStatement,
    Encounter,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    Person,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    RecordSpan,
    SocialStatement,
    StatedBy,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus, Category

Lookup = Callable[[str], Candidate | None]
KINDS: dict[type[Statement], str] = {
    SocialStatement: "social",
    ProblemStatement: "problem",
    MedicationStatement: "medication",
    AllergyStatement: "allergy",
    ProcedureStatement: "procedure",
    DeviceStatement: "device",
    ObservationStatement: "observation",
    PlanStatement: "plan",
}
EXTRA_FIELDS: dict[type[Statement], tuple[str, ...]] = {
    ProblemStatement: ("category", "chronic", "hypothetical", "experiencer", "section"),
    MedicationStatement: ("recognised", "change", "experiencer", "section"),
    AllergyStatement: ("verification_status", "possible"),
}
"""Fields that FHIR R4 has no element for, or not for every value; they are extensions of Leapnote's own."""
_TODDLER = 2


class Named(NamedTuple):
    """A name as the record has it: the lexicon's where it knows it."""

    name: str
    concept_id: str | None
    category: Category


class ImportedStatements:
    """The statements of one patient, in the order in which they come.

    Args:
        lookup: the concept that a whole name means, or None; without it no statement has a concept.
    """

    def __init__(self, lookup: Lookup | None = None) -> None:
        self._lookup = lookup
        self._held: dict[type[Statement], list[Any]] = {kind: [] for kind in KINDS}
        self._person: dict[str, Any] = {}
        self._encounter: dict[str, Any] = {}
        self._whole = False
        self._allergies = (AllergyStatus.NOT_STATED, "")

    def add(
        self,
        kind: type[Statement],
        source: str,
        spans: tuple[RecordSpan, ...] = (),
        extra: Mapping[str, Any] | None = None,
        /,
        **fields: Any,
    ) -> None:
        """Add a statement.

        Args:
            kind: its class.
            source: the resource or entry it came from, for rule_ids.
            spans: of the imported note.
            extra: values of fields from extensions; what the class refuses is left out.
            **fields: its fields.
        """
        held = self._held[kind]
        base = {
            "id": f"{KINDS[kind]}-{len(held) + 1}",
            "stated_by": StatedBy.IMPORT,
            "rule_ids": (source,),
            "spans": spans,
        }
        known = {name: value for name, value in (extra or {}).items() if name not in Statement.model_fields}
        try:
            held.append(kind.model_validate(base | fields | known))
        except ValidationError:
            held.append(kind.model_validate(base | fields))

    def describe_person(self, source: str, **fields: Any) -> None:
        """Add what is known of the patient; what was stated before stays."""
        self._describe(self._person, source, fields)

    def describe_encounter(self, source: str, **fields: Any) -> None:
        """Add what is known of the encounter; what was stated before stays."""
        self._describe(self._encounter, source, fields)

    def describe_allergies(self, status: AllergyStatus, text: str = "", *, whole: bool = False) -> None:
        """The status of the list as the file states it. whole: a listed allergy does not change it; it is Leapnote's own."""
        self._allergies, self._whole = (status, text), whole

    def named(self, words: str) -> Named:
        """The name and concept of a code's words."""
        name, tag = plain_name(words)
        found = self._lookup(name) if self._lookup is not None else None
        if found is not None:
            return Named(found.name, found.concept_id, Category(found.category))
        return Named(name, None, Category(tag) if tag else Category.CONCEPT)

    def record(self) -> PatientRecord:
        """The record of what was added. A listed allergy beats what the file states of the list."""
        status, text = self._allergies
        items = tuple(self._held[AllergyStatement])
        listed = any(not one.possible and one.verification_status is not VerificationStatus.REFUTED for one in items)
        if listed and not self._whole:
            status = AllergyStatus.LISTED
        return PatientRecord(
            person=Person.model_validate({"id": "person"} | self._person),
            encounter=Encounter.model_validate({"id": "encounter"} | self._encounter),
            allergies=AllergyRecord(status=status, text=text, items=items),
            social=tuple(self._held[SocialStatement]),
            problems=tuple(self._held[ProblemStatement]),
            medications=tuple(self._held[MedicationStatement]),
            procedures=tuple(self._held[ProcedureStatement]),
            devices=tuple(self._held[DeviceStatement]),
            observations=tuple(self._held[ObservationStatement]),
            plan=tuple(self._held[PlanStatement]),
        )

    @staticmethod
    def _describe(held: dict[str, Any], source: str, fields: Mapping[str, Any]) -> None:
        added = {name: value for name, value in fields.items() if value not in (None, "") and name not in held}
        if added:
            held |= added | {"stated_by": StatedBy.IMPORT, "rule_ids": (*held.get("rule_ids", ()), source)}


def age_between(birth: str, at: str) -> float | None:
    """Whole years, or months as a fraction below two years; None without two days (ISO) in order."""
    try:
        born, day = date.fromisoformat(birth[:10]), date.fromisoformat(at[:10])
    except ValueError:
        return None
    months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
    if months < 0:
        return None
    return float(months // 12) if months >= _TODDLER * 12 else months / 12


def number_text(value: float) -> str:
    """A number as a note has it: 7.9, 120."""
    return f"{value:.10g}"
