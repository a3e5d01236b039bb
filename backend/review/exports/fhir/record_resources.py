"""A patient record as FHIR R4 resources, one a statement.

Problems are Conditions, those of others FamilyMemberHistory, warnings and plans RiskAssessments; medicines MedicationStatements;
allergies AllergyIntolerances; procedures Procedures, planned ones ServiceRequests; devices DeviceUseStatements; values, habits and
what is known of the person Observations; the plan one CarePlan; a clinician's correction has a Provenance.

What FHIR has no element for is an extension of Leapnote's own (EXTRA_FIELDS); one that turns a meaning round is a modifier extension,
which no reader may pass over. A statement that is not of this patient, or only a warning, never becomes a Condition, and a possible
allergy stays unconfirmed. Spans, rules, certainty and who stated a thing stay behind: they mean nothing without the note.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from backend.ingest.patient_records.code_tables import OWN, Code, code_of, concept, own_code
from backend.ingest.patient_records.imported_statements import EXTRA_FIELDS, number_text
from backend.review.exports.fhir.fhir_parts import (
    Resource,
    body_site,
    dosage,
    extension,
    is_date,
    named,
    narrative,
    reference,
    string,
    when,
    xhtml,
)
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    DeviceStatement,
    Encounter,
    Experiencer,
    HabitStatus,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    Person,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    SocialStatement,
    StatedBy,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus

_TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/"
_UCUM = {"age_years": "a", "weight_kg": "kg", "gestation_weeks": "wk"}


class SectionedResource(NamedTuple):
    """A resource and the section of a document that it belongs to (a value of the field `section` of the codes)."""

    section: str
    resource: Resource


def patient_resource(person: Person, ident: Callable[[str], str]) -> Resource:
    """The patient without a name or a birth date: a note states an age, which is an Observation."""
    words = "The patient is not identified in this document."
    patient = {"resourceType": "Patient", "id": ident("patient"), "text": narrative([f"<p>{words}</p>"])}
    return patient | ({"gender": person.sex} if person.sex else {})


def record_resources(record: PatientRecord, patient: Resource, ident: Callable[[str], str]) -> list[SectionedResource]:
    """The resources of a record in its order, but for the patient.

    Args:
        record: the record.
        patient: the resource that they are about.
        ident: a resource's id, by the statement's.
    """
    return _Writer(record, patient, ident).written()


class _Writer:
    def __init__(self, record: PatientRecord, patient: Resource, ident: Callable[[str], str]) -> None:
        self._record, self._ident = record, ident
        self._subject = reference(patient)
        self._encounter = self._encounter_resource(record.encounter)

    def written(self) -> list[SectionedResource]:
        record = self._record
        held = [SectionedResource("", self._encounter)]
        held += [SectionedResource("observations", one) for one in self._person(record.person)]
        held += [SectionedResource("problems", self._problem(one)) for one in record.stated_problems]
        held += [SectionedResource("medications", self._medication(one)) for one in record.medications]
        held += [SectionedResource("allergies", one) for one in self._allergies(record.allergies)]
        held += [SectionedResource("procedures", self._procedure(one)) for one in record.procedures]
        held += [SectionedResource("devices", self._device(one)) for one in record.devices]
        held += [SectionedResource("observations", self._observation(one)) for one in record.observations]
        held += [SectionedResource("social", self._social(one)) for one in record.social]
        held += [SectionedResource("plan", one) for one in self._plan(record.plan)]
        return held + [SectionedResource("", one) for one in self._provenance({one.resource["id"] for one in held})]

    def _resource(self, kind: str, one: Statement, label: str, extra: tuple[str, ...] = ()) -> Resource:
        """The head of a statement's resource: who it is of, in words, and the fields that FHIR has no element for."""
        names = (*EXTRA_FIELDS.get(type(one), ()), *extra)
        extensions = [extension(name, getattr(one, name)) for name in names if _differs(one, name)]
        return {
            "resourceType": kind,
            "id": self._ident(one.id),
            "text": narrative([f"<p>{xhtml(string(label))}</p>"], "generated"),
            "identifier": [{"system": f"{OWN}statement", "value": one.id}],
        } | ({"extension": extensions} if extensions else {})

    def _encounter_resource(self, one: Encounter) -> Resource:
        code = code_of("setting", one.setting) or own_code("setting", one.setting)
        resource = self._resource("Encounter", one, f"Encounter: {one.setting.value.replace('_', ' ')}") | {
            "status": "unknown",
            "class": code.coding(),
            "type": [concept("", own_code("setting", one.setting))],
            "subject": self._subject,
        }
        if one.date:
            resource["period"] = (
                {"start": one.date} if is_date(one.date) else {"extension": [extension("date", one.date)]}
            )
        if one.reason:
            resource["reasonCode"] = [{"text": string(one.reason)}]
        if self._record.person.informant:
            informant = Code(f"{_TERMINOLOGY}v3-ParticipationType", "INF", "informant")
            who = {"display": string(self._record.person.informant)}
            resource["participant"] = [{"type": [concept("", informant)], "individual": who}]
        return resource

    def _person(self, person: Person) -> Iterator[Resource]:
        for field, unit in (*_UCUM.items(), ("pregnant", "")):
            value, code = getattr(person, field), code_of("person", field)
            if value is None or code is None:
                continue
            known = {
                "valueQuantity": {"value": value, "unit": unit, "system": "http://unitsofmeasure.org", "code": unit}
            }
            if isinstance(value, bool):
                known = {"valueCodeableConcept": concept("", code_of("pregnancy", "yes" if value else "no"))}
            words = number_text(value) if isinstance(value, float) else "yes" if value else "no"
            head = self._resource("Observation", person, f"{code.display}: {words}")
            yield head | {"id": self._ident(f"person {field}")} | self._observed(concept(code.display, code)) | known

    def _problem(self, one: ProblemStatement) -> Resource:
        code = named(one.name, one.concept_id)
        if one.experiencer is not Experiencer.PATIENT:
            return self._relative(one, code)
        label = f"{one.name}: {one.clinical_status.value}, {one.verification_status.value}"
        if one.hypothetical:
            fields = ("clinical_status", "verification_status", "onset", "body_side", "severity", "kinship")
            head = self._resource("RiskAssessment", one, f"{one.name}: only a warning, a condition or a plan", fields)
            return head | {"status": "final", "subject": self._subject, "prediction": [{"outcome": code}]}
        resource = self._resource("Condition", one, label, ("kinship",)) | {
            "clinicalStatus": concept("", code_of("clinical_status", one.clinical_status)),
            "verificationStatus": concept("", code_of("verification_status", one.verification_status)),
            "code": code,
            "subject": self._subject,
        }
        if one.severity:
            resource["severity"] = concept(string(one.severity), code_of("severity", one.severity))
        if one.body_side:
            resource["bodySite"] = [body_site(one.body_side)]
        return resource | when(one.onset, "onsetDateTime", "onsetString")

    def _relative(self, one: ProblemStatement, code: Resource) -> Resource:
        """A problem of a relative or another person. That it was denied is no extension that a reader may pass over."""
        fields = ("clinical_status", "kinship", "body_side", "severity")
        condition: Resource = {"code": code} | ({"onsetString": string(one.onset)} if one.onset else {})
        changed = [name for name in ("verification_status", "hypothetical") if _differs(one, name)]
        if changed:
            condition["modifierExtension"] = [extension(name, getattr(one, name)) for name in changed]
            condition["note"] = [{"text": "only a warning" if one.hypothetical else one.verification_status.value}]
        kinship = string(one.kinship)
        who = concept(kinship or one.experiencer.value, code_of("kinship", kinship))
        head = self._resource("FamilyMemberHistory", one, f"{who['text']}: {one.name}", fields)
        return head | {"status": "completed", "patient": self._subject, "relationship": who, "condition": [condition]}

    def _medication(self, one: MedicationStatement) -> Resource:
        code = named(one.name, one.concept_id)
        resource = self._resource("MedicationStatement", one, f"{one.name}: {one.status.value}. {one.dosage.text}")
        category = code_of("medication_category", one.category)
        resource |= {"status": one.status.value, "category": concept("", category), "subject": self._subject}
        if one.experiencer is not Experiencer.PATIENT:
            resource["subject"] = {"display": f"not the patient: {one.experiencer.value}"}
        if one.ingredients:
            parts = [{"itemCodeableConcept": {"text": string(name)}} for name in one.ingredients]
            resource["contained"] = [
                {"resourceType": "Medication", "id": "medication", "code": code, "ingredient": parts}
            ]
            resource["medicationReference"] = {"reference": "#medication", "display": string(one.name)}
        else:
            resource["medicationCodeableConcept"] = code
        if one.old_dosage is not None:
            old = {"url": f"{OWN}old_dosage", "valueDosage": dosage(one.old_dosage) or {"text": "not stated"}}
            resource["extension"] = [*resource.get("extension", []), old]
        reasons = [concept("", code_of("refusal", "refused"))] if one.refused else []
        reasons += [{"text": string(one.why_stopped)}] if one.why_stopped else []
        fields = {"dosage": [dosage(one.dosage)], "statusReason": reasons, "reasonCode": [{"text": string(one.reason)}]}
        return resource | {
            name: value for name, value in fields.items() if value and any(value) and any(value[0].values())
        }

    def _allergies(self, allergies: AllergyRecord) -> Iterator[Resource]:
        if allergies.none_known:
            none = AllergyStatement(id="allergies", agent="No known allergies")
            code = concept("No known allergies", code_of("allergies_none", AllergyStatus.NONE_KNOWN))
            resource = self._allergy(none) | {"code": code}
            yield {name: value for name, value in resource.items() if name != "note"}
        for one in allergies.items:
            yield self._allergy(one)

    def _allergy(self, one: AllergyStatement) -> Resource:
        checked = one.concept_id is not None
        reaction = f" ({one.reaction})" if one.reaction else ""
        label = f"{one.agent}{reaction}, {one.kind.value}.{'' if checked else ' Not recognised, not checked.'}"
        status = VerificationStatus.UNCONFIRMED if one.possible else one.verification_status
        active = "inactive" if status is VerificationStatus.REFUTED else "active"
        resource = self._resource("AllergyIntolerance", one, label) | {
            "clinicalStatus": {"coding": [{"system": f"{_TERMINOLOGY}allergyintolerance-clinical", "code": active}]},
            "verificationStatus": concept("", code_of("allergy_verification", status)),
            "type": one.kind.value,
            "code": named(one.agent, one.concept_id),
            "patient": self._subject,
        }
        if one.reaction:
            resource["reaction"] = [{"manifestation": [{"text": string(one.reaction)}]}]
        if one.asserter:
            resource["asserter"] = {"display": string(one.asserter)}
        return resource if checked else resource | {"note": [{"text": "Not recognised, not checked."}]}

    def _procedure(self, one: ProcedureStatement) -> Resource:
        side = [body_site(one.body_side)] if one.body_side else []
        fields = {"code": named(one.name, one.concept_id), "subject": self._subject} | (
            {"bodySite": side} if side else {}
        )
        label = f"{one.name}: {one.status.value.replace('_', ' ')}"
        if one.status is ProcedureStatus.PLANNED:
            head = self._resource("ServiceRequest", one, label) | {"status": "active", "intent": "plan"}
            return head | fields | when(one.date, "occurrenceDateTime", "occurrenceTiming")
        status = "not-done" if one.status is ProcedureStatus.NOT_DONE else "completed"
        now = {"encounter": reference(self._encounter)} if one.status is ProcedureStatus.DONE_NOW else {}
        head = self._resource("Procedure", one, label) | {"status": status}
        return head | fields | now | when(one.date, "performedDateTime", "performedString")

    def _device(self, one: DeviceStatement) -> Resource:
        code = code_of("device_status", one.status)
        device = {"resourceType": "Device", "id": "device", "type": named(one.name, one.concept_id)}
        resource = self._resource("DeviceUseStatement", one, f"{one.name}: {one.status.value.replace('_', ' ')}")
        if one.status is ProcedureStatus.NOT_DONE:  # "stopped" alone would say that the patient had it
            resource["modifierExtension"] = [extension("status", one.status)]
        resource |= {
            "contained": [device],
            "status": code.code if code else "active",
            "subject": self._subject,
            "device": {"reference": "#device", "display": string(one.name)},
        }
        if one.body_side:
            resource["bodySite"] = body_site(one.body_side)
        return resource | when(one.date, "timingDateTime", "timingTiming")

    def _observation(self, one: ObservationStatement) -> Resource:
        fields = ("value_text",) if one.value is not None and one.value_text != number_text(one.value) else ()
        fields = ("unit",) if one.value is None else fields
        head = self._resource("Observation", one, f"{one.measure}: {one.value_text} {one.unit}", fields)
        resource = head | self._observed(concept(string(one.measure), code_of("measure", one.measure)))
        if one.value is not None:
            resource["valueQuantity"] = {"value": one.value} | ({"unit": string(one.unit)} if one.unit else {})
        elif one.value_text:
            resource["valueString"] = string(one.value_text)
        resource |= {"method": {"text": string(one.formula)}} if one.formula else {}
        return resource | when(one.date, "effectiveDateTime", "effectiveTiming")

    def _social(self, one: SocialStatement) -> Resource:
        label = f"{one.kind.value.replace('_', ' ')}: {one.text or one.status.value}"
        kind = concept(one.kind.value.replace("_", " "), code_of("social_kind", one.kind), own_code("social", one.kind))
        theirs = code_of("habit_status", one.status) if one.kind == "tobacco" else None
        known = one.status is not HabitStatus.UNKNOWN or one.text
        value = concept(string(one.text), theirs, own_code("habit-status", one.status)) if known else {}
        category = Code(f"{_TERMINOLOGY}observation-category", "social-history", "Social History")
        resource = self._resource("Observation", one, label) | self._observed(kind)
        resource["category"] = [concept("", category)]
        return resource | ({"valueCodeableConcept": value} if value else {})

    def _observed(self, code: Resource) -> Resource:
        return {"status": "final", "code": code, "subject": self._subject}

    def _plan(self, plan: tuple[PlanStatement, ...]) -> list[Resource]:
        if not plan:
            return []
        rows = "".join(f"<li>{xhtml(one.text)}</li>" for one in plan)
        return [
            {
                "resourceType": "CarePlan",
                "id": self._ident("plan"),
                "text": narrative([f"<ul>{rows}</ul>"], "generated"),
                "identifier": [{"system": f"{OWN}statement", "value": "plan"}],
                "status": "active",
                "intent": "plan",
                "subject": self._subject,
                "activity": [{"id": one.id, "detail": _activity(one)} for one in plan],
            }
        ]

    def _provenance(self, inside: set[str]) -> Iterator[Resource]:
        """Who corrected what, and when: of a clinician's statements that say both."""
        record = self._record
        stated: tuple[Statement, ...] = (*record.stated_problems, *record.medications, *record.allergies.items)
        for one in (*stated, *record.procedures, *record.devices, *record.observations, *record.social):
            at = _instant(one.at)
            if (
                one.stated_by is not StatedBy.CLINICIAN
                or not one.author
                or at is None
                or self._ident(one.id) not in inside
            ):
                continue
            yield {
                "resourceType": "Provenance",
                "id": self._ident(f"provenance {one.id}"),
                "target": [{"reference": f"urn:uuid:{self._ident(one.id)}"}],
                "recorded": at,
                "agent": [{"who": {"display": string(one.author)}}],
            }


def _activity(one: PlanStatement) -> Resource:
    kind = concept(one.kind.value.replace("_", " "), own_code("plan-kind", one.kind))
    detail: Resource = {"code": kind, "status": "not-started", "description": string(one.text)}
    detail |= {"performer": [{"display": string(one.whom)}]} if one.whom else {}
    return detail | ({"scheduledString": string(one.when)} if one.when else {})


def _instant(at: str) -> str | None:
    try:
        made = datetime.fromisoformat(at)
    except ValueError:
        return None
    return made.replace(tzinfo=made.tzinfo or UTC).isoformat(timespec="seconds")


def _differs(one: Statement, name: str) -> bool:
    return bool(getattr(one, name) != type(one).model_fields[name].default)
