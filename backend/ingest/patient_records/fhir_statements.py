"""One FHIR R4 resource to statements of a patient record: a reader for each resource type.

A resource that Leapnote exported gives what went in, by its extensions; any other by FHIR's own elements and the code tables. Orders
and administrations of medicines are medication statements, planned services plans or planned procedures.
"""

from collections.abc import Callable
from typing import Any

from backend.ingest.clinical_notes.fhir_entries import Resource, codings, listed, words
from backend.ingest.patient_records.clinical_drugs import ClinicalDrug, allergen_name, clinical_drug, plain_unit
from backend.ingest.patient_records.code_tables import value_of
from backend.ingest.patient_records.fhir_values import (
    coded,
    day_of,
    display,
    dosage_fields,
    extensions,
    first,
    held,
    number_of,
    own_concept,
    own_id,
    own_value,
    text_of,
    when,
)
from backend.ingest.patient_records.imported_statements import ImportedStatements, Named, age_between, number_text
from backend.schemas.record import (
    AllergyStatement,
    DeviceStatement,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    RecordSpan,
    SocialKind,
    SocialStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category

Spans = tuple[RecordSpan, ...]
_ORDERS = {"proposal": MedicationStatus.INTENDED, "plan": MedicationStatus.INTENDED}
_NOT_ORDERED = frozenset(("cancelled", "draft", "revoked", "unknown"))
_CLOSED = frozenset(("completed", "revoked", "cancelled", "fulfilled", "noshow", "entered-in-error"))
_INACTIVE = frozenset(("inactive", "resolved"))
_CONFIRMED = VerificationStatus.CONFIRMED


class FhirReader:
    """Reads resources of one patient.

    Args:
        statements: where the statements go.
        encounter: the encounter that the record is of; empty without one.
        at: the day (ISO) on which the patient's age is taken; empty where the file has none.
        referred: a resource by its address, of the same bundle.
    """

    def __init__(
        self, statements: ImportedStatements, encounter: Resource, at: str, referred: Callable[[str], Resource]
    ) -> None:
        self._to, self._encounter, self._at, self._referred = statements, encounter, at, referred
        self._readers: dict[str, Callable[[Resource, str, Spans], None]] = {
            "Patient": self._patient,
            "Encounter": self._encounter_of,
            "Condition": self._condition,
            "RiskAssessment": self._risk,
            "FamilyMemberHistory": self._relative,
            "MedicationStatement": self._medication,
            "MedicationRequest": self._medication,
            "MedicationAdministration": self._medication,
            "AllergyIntolerance": self._allergy,
            "List": self._list,
            "Procedure": self._procedure,
            "ServiceRequest": self._service,
            "DeviceUseStatement": self._device_use,
            "Device": self._device,
            "Observation": self._observation,
            "CarePlan": self._care_plan,
            "Appointment": self._appointment,
        }

    def read(self, resource: Resource, source: str, spans: Spans = ()) -> None:
        """Add what a resource states; nothing for a type that the record has no place for, or one entered in error.

        Args:
            resource: of any shape.
            source: what rule_ids call it.
            spans: where the imported note says the same.
        """
        states = {text_of(resource.get("status")), *codings(resource.get("verificationStatus"))}
        reader = self._readers.get(text_of(resource.get("resourceType")))
        if reader is not None and "entered-in-error" not in states:
            reader(resource, source, spans)

    def _patient(self, one: Resource, source: str, spans: Spans) -> None:
        sex = text_of(one.get("gender"))
        age = age_between(day_of(one.get("birthDate")), self._at)
        self._to.describe_person(source, sex=sex if sex in ("female", "male") else "", age_years=age)

    def _encounter_of(self, one: Resource, source: str, spans: Spans) -> None:
        if one is not self._encounter:
            return
        setting = next((own for kind in listed(one.get("type")) if (own := own_value(kind, "setting"))), "")
        setting = setting or value_of("setting", [text_of(held(one.get("class")).get("code"))])
        period = held(one.get("period"))
        date = day_of(period) or text_of(extensions(period).get("date"))
        reason = words(first(one.get("reasonCode"))) or words(self._of(first(one.get("reasonReference"))).get("code"))
        self._to.describe_encounter(source, setting=setting, date=date, reason=reason)
        for who in listed(one.get("participant")):
            if any("INF" in codings(kind) for kind in listed(who.get("type"))):
                self._to.describe_person(source, informant=display(who.get("individual")))

    def _condition(self, one: Resource, source: str, spans: Spans) -> None:
        status = value_of("clinical_status", codings(one.get("clinicalStatus")))
        abated = bool(when(one, "abatement"))
        verified = value_of("verification_status", codings(one.get("verificationStatus")))
        self._problem(
            one,
            source,
            spans,
            one.get("code"),
            clinical_status=status or ("resolved" if abated else "active"),
            verification_status=verified or "confirmed",
            onset=when(one, "onset"),
            body_side=self._side(one),
            severity=coded("severity", one.get("severity")),
        )

    def _risk(self, one: Resource, source: str, spans: Spans) -> None:
        if own_id(one):  # of another system it is a calculated risk, which no note states
            self._problem(one, source, spans, first(one.get("prediction")).get("outcome"))

    def _relative(self, one: Resource, source: str, spans: Spans) -> None:
        kinship = "" if own_id(one) else coded("kinship", one.get("relationship")).lower()
        for condition in listed(one.get("condition")):
            fields = {"experiencer": Experiencer.RELATIVE, "kinship": kinship, "onset": when(condition, "onset")}
            self._problem(one, source, spans, condition.get("code"), extensions(condition), **fields)

    def _problem(
        self, one: Resource, source: str, spans: Spans, code: Any, extra: dict[str, Any] | None = None, **fields: Any
    ) -> None:
        if not words(code):
            return
        named = self._named(one, code, words(code))
        fields |= named._asdict()
        self._to.add(ProblemStatement, source, spans, extensions(one) | (extra or {}), **fields)

    def _medication(self, one: Resource, source: str, spans: Spans) -> None:
        kind, status = one["resourceType"], text_of(one.get("status"))
        if kind == "MedicationRequest" and status in _NOT_ORDERED:
            return
        medicine = self._of(one.get("medicationReference"), one)
        code = one.get("medicationCodeableConcept") or medicine.get("code")
        name = words(code) or display(one.get("medicationReference"))
        if not name:
            return
        own = bool(own_id(one))
        drug = ClinicalDrug(name) if own else clinical_drug(name)
        named = self._named(one, code, drug.name)
        parts = [words(part.get("itemCodeableConcept")) for part in listed(medicine.get("ingredient"))]
        reasons = listed(one.get("statusReason")) or listed([one.get("statusReason")])
        refused = [reason for reason in reasons if value_of("refusal", codings(reason))]
        given = kind == "MedicationAdministration"
        state = value_of("medication_status", [status]) or MedicationStatus.ACTIVE
        if given and state in ("active", "completed"):
            state = MedicationStatus.ACTIVE
        rows = listed(one.get("dosage")) or listed(one.get("dosageInstruction")) or listed([one.get("dosage")])
        why = one.get("reasonCode")
        self._to.add(
            MedicationStatement,
            source,
            spans,
            extensions(one),
            name=named.name,
            concept_id=named.concept_id,
            recognised=own or named.concept_id is not None,
            ingredients=tuple(part for part in parts if part) or drug.ingredients,
            dosage=dosage_fields(rows[0] if rows else {}, drug),
            old_dosage=self._old_dosage(one),
            status=_ORDERS.get(text_of(one.get("intent")), state),
            category=self._category(one, given),
            refused=bool(refused),
            reason=words(first(why)) or words(self._of(first(one.get("reasonReference"))).get("code")),
            why_stopped=next((words(reason) for reason in reasons if reason not in refused and words(reason)), ""),
        )

    @staticmethod
    def _old_dosage(one: Resource) -> dict[str, Any] | None:
        rows = [
            held(extension.get("valueDosage"))
            for extension in listed(one.get("extension"))
            if extension.get("valueDosage")
        ]
        return dosage_fields(rows[0]) if rows else None

    @staticmethod
    def _category(one: Resource, given: bool) -> str:
        concepts = [held(one.get("category")), *listed(one.get("category")), *listed([one.get("category")])]
        codes = [code for concept in concepts for code in codings(concept)]
        stated = value_of("medication_category", codes)
        return stated or (MedicationCategory.INPATIENT if given else MedicationCategory.COMMUNITY)

    def _allergy(self, one: Resource, source: str, spans: Spans) -> None:
        code = one.get("code")
        if value_of("allergies_none", codings(code)):
            self._to.describe_allergies(AllergyStatus.NONE_KNOWN, words(code))
            return
        reactions = listed(one.get("reaction"))
        agent = words(code) or next((w for r in reactions if (w := words(r.get("substance")))), "")
        if not agent:  # a substance that only a code names must be seen all the same
            agent = f"a substance without a name (code {next(iter(codings(code)), 'unknown')})"
        extra = extensions(one)
        named = self._named(one, code, agent if own_id(one) else allergen_name(agent))
        shown = dict.fromkeys(w for r in reactions for m in listed(r.get("manifestation")) if (w := words(m)))
        verified = value_of("allergy_verification", codings(one.get("verificationStatus"))) or _CONFIRMED
        self._to.add(
            AllergyStatement,
            source,
            spans,
            extra,
            agent=named.name,
            concept_id=named.concept_id,
            kind=value_of("allergy_kind", [text_of(one.get("type"))]) or AllergyKind.ALLERGY,
            reaction=", ".join(shown),
            verification_status=_CONFIRMED if extra.get("possible") is True else verified,
            asserter=display(one.get("asserter")),
        )

    def _list(self, one: Resource, source: str, spans: Spans) -> None:
        if value_of("section", codings(one.get("code"))) != "allergies":
            return
        stated = text_of(extensions(one).get("allergy_status"))
        known = stated or value_of("allergies_empty", codings(one.get("emptyReason")))
        if known in set(AllergyStatus):
            text = text_of(first(one.get("note")).get("text"))
            self._to.describe_allergies(AllergyStatus(known), text, whole=bool(stated))

    def _procedure(self, one: Resource, source: str, spans: Spans) -> None:
        status = value_of("procedure_status", [text_of(one.get("status"))]) or ProcedureStatus.PAST
        if status == "past" and self._encounter and self._of(one.get("encounter")) is self._encounter:
            status = ProcedureStatus.DONE_NOW
        self._done(one, source, spans, status, when(one, "performed"))

    def _service(self, one: Resource, source: str, spans: Spans) -> None:
        if text_of(one.get("status")) in _CLOSED:
            return
        kinds = [code for category in listed(one.get("category")) for code in codings(category)]
        kind = value_of("plan_kind", kinds)
        if kind and words(one.get("code")):
            self._to.add(
                PlanStatement, source, spans, kind=kind, text=words(one.get("code")), when=when(one, "occurrence")
            )
            return
        self._done(one, source, spans, ProcedureStatus.PLANNED, when(one, "occurrence"))

    def _done(self, one: Resource, source: str, spans: Spans, status: str, date: str) -> None:
        code = one.get("code")
        if not words(code):
            return
        named = self._named(one, code, words(code))
        fields = {"name": named.name, "concept_id": named.concept_id, "status": status}
        self._to.add(ProcedureStatement, source, spans, date=date, body_side=self._side(one), **fields)

    def _device_use(self, one: Resource, source: str, spans: Spans) -> None:
        device = self._of(one.get("device"), one)
        status = value_of("device_status", [text_of(one.get("status"))]) or ProcedureStatus.DONE_NOW
        self._held_device(
            one, device, source, spans, status=status, date=when(one, "timing"), body_side=self._side(one)
        )

    def _device(self, one: Resource, source: str, spans: Spans) -> None:
        if one.get("patient"):  # a device of nobody is a machine that wrote or measured
            active = text_of(one.get("status")) != "inactive"
            self._held_device(one, one, source, spans, status="done_now" if active else "past")

    def _held_device(self, one: Resource, device: Resource, source: str, spans: Spans, **fields: Any) -> None:
        name = (
            words(device.get("type"))
            or text_of(first(device.get("deviceName")).get("name"))
            or display(one.get("device"))
        )
        if not name:
            return
        named = self._named(one, device.get("type"), name)
        fields |= {"name": named.name, "concept_id": named.concept_id}
        self._to.add(DeviceStatement, source, spans, extensions(one), **fields)

    def read_person(self, resource: Resource, source: str) -> None:
        """Tell what an observation states of the person (weight, weeks, pregnancy); give them the newest first."""
        field = self._person_field(resource)
        value: Any = number_of(held(resource.get("valueQuantity")).get("value"))
        if field == "pregnant":
            known = value_of("pregnancy", codings(resource.get("valueCodeableConcept")))
            value = {"yes": True, "no": False}.get(known)
        if field:
            self._to.describe_person(source, **{field: value})

    def _observation(self, one: Resource, source: str, spans: Spans) -> None:
        code, amount = one.get("code"), held(one.get("valueQuantity"))
        field = self._person_field(one)
        if field and (field != "weight_kg" or own_id(one)):
            return
        kind = own_value(code, "social") or value_of("social_kind", codings(code))
        if kind in set(SocialKind):
            self._social(one, source, spans, kind)
            return
        if not words(code) or one.get("dataAbsentReason"):
            return
        self._measured(one, source, spans, number_of(amount.get("value")), amount)

    @staticmethod
    def _person_field(one: Resource) -> str:
        """The field of the person that an observation is of; one that Leapnote wrote says so itself."""
        field = value_of("person", codings(one.get("code"))) if one.get("resourceType") == "Observation" else ""
        return field if own_id(one) in ("", "person") else ""

    def _measured(self, one: Resource, source: str, spans: Spans, value: float | None, amount: Resource) -> None:
        own, code = own_id(one), one.get("code")
        unit = text_of(amount.get("unit")) or text_of(amount.get("code"))
        unit = unit if own else plain_unit(unit)
        text = words(one.get("valueCodeableConcept")) or text_of(one.get("valueString"))
        if value is not None:
            text = number_text(value)
        if comparator := text_of(amount.get("comparator")):
            value, text = None, f"{comparator}{text}"
        parts = {m: p for p in listed(one.get("component")) if (m := value_of("measure", codings(p.get("code"))))}
        low, high = parts.get("diastolic blood pressure"), parts.get("systolic blood pressure")
        if low and high and not text:
            ends = [held(part.get("valueQuantity")) for part in (high, low)]
            text = "/".join(number_text(number) for end in ends if (number := number_of(end.get("value"))) is not None)
            unit = "mmHg"
        if not text and not own:
            return
        measure = words(code) if own else value_of("measure", codings(code)) or words(code)
        fields = {"value": value, "value_text": text, "unit": unit, "formula": words(one.get("method"))}
        date = when(one, "effective")
        self._to.add(ObservationStatement, source, spans, extensions(one), measure=measure, date=date, **fields)

    def _social(self, one: Resource, source: str, spans: Spans, kind: str) -> None:
        value = one.get("valueCodeableConcept")
        own = own_value(value, "habit-status")
        status = own or value_of("habit_status", codings(value)) or "unknown"
        text = text_of(held(value).get("text")) if own_id(one) else words(value) or text_of(one.get("valueString"))
        self._to.add(SocialStatement, source, spans, kind=kind, status=status, text=text)

    def _care_plan(self, one: Resource, source: str, spans: Spans) -> None:
        if text_of(one.get("status")) in _CLOSED:
            return
        for activity in listed(one.get("activity")):
            detail = held(activity.get("detail")) or self._of(activity.get("reference"))
            text = text_of(detail.get("description")) or words(detail.get("code"))
            if not text or text_of(detail.get("status")) in _CLOSED:
                continue
            codes = [text_of(detail.get("kind")), text_of(detail.get("resourceType"))]
            kind = own_value(detail.get("code"), "plan-kind") or value_of("plan_kind", codes)
            kind = kind if kind in set(PlanKind) else PlanKind.OTHER
            whom = display(first(detail.get("performer")))
            self._to.add(PlanStatement, source, spans, kind=kind, text=text, whom=whom, when=when(detail, "scheduled"))

    def _appointment(self, one: Resource, source: str, spans: Spans) -> None:
        text = (
            text_of(one.get("description"))
            or words(first(one.get("serviceType")))
            or words(first(one.get("reasonCode")))
        )
        if text and text_of(one.get("status")) not in _CLOSED:
            whom = next((who for p in listed(one.get("participant")) if (who := display(p.get("actor")))), "")
            start = day_of(one.get("start"))
            self._to.add(PlanStatement, source, spans, kind=PlanKind.FOLLOW_UP, text=text, whom=whom, when=start)

    @staticmethod
    def _side(one: Resource) -> str:
        """The side of a body site: in its words where Leapnote wrote them, else by its codes."""
        sites = [*listed(one.get("bodySite")), *listed([one.get("bodySite")])]
        codes = [code for site in sites for code in codings(site)]
        if own_id(one) and sites:
            return words(sites[0])
        return value_of("body_side", codes)

    def _named(self, one: Resource, code: Any, name: str) -> Named:
        """The name of a code; as it stands where Leapnote wrote it."""
        return Named(name, own_concept(code), Category.CONCEPT) if own_id(one) else self._to.named(name)

    def _of(self, reference: Any, holder: Resource | None = None) -> Resource:
        """What a reference means: a resource that its holder contains, or one of the bundle."""
        address = text_of(held(reference).get("reference"))
        if address.startswith("#") and holder is not None:
            return next((one for one in listed(holder.get("contained")) if one.get("id") == address[1:]), {})
        return self._referred(address)
