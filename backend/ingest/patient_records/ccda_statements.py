"""One C-CDA entry to statements of a patient record: a reader for each template."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from backend.ingest.clinical_notes.ccda import child
from backend.ingest.documents.safe_xml import local
from backend.ingest.patient_records.ccda_values import (
    amount,
    codes_of,
    has_ended,
    low_day,
    measured,
    negated,
    path,
    referred,
    template_of,
    timing,
    within,
    words_of,
)
from backend.ingest.patient_records.clinical_drugs import allergen_name, clinical_drug, dose_unit
from backend.ingest.patient_records.code_tables import value_of
from backend.ingest.patient_records.fhir_values import drug_dosage
from backend.ingest.patient_records.imported_statements import ImportedStatements, number_text
from backend.ingest.patient_records.timings import ImportedTiming
from backend.schemas.record import (
    AllergyStatement,
    ClinicalStatus,
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
    SocialStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus

Spans = tuple[RecordSpan, ...]
_DONE, _GOAL = "EVN", "GOL"
_PRESSURES = ("systolic blood pressure", "diastolic blood pressure")
_INSTRUCTIONS = "76662-6"
_GESTATION = frozenset(("11884-4", "18185-9", "49051-6"))


class CdaReader:
    """Reads the entries of one section.

    Args:
        statements: where the statements go.
        by_id: elements of the narrative by their ID.
        section: the section's LOINC code.
        today: the day (ISO) of the encounter that the document is of; empty where it tells none.
    """

    def __init__(self, statements: ImportedStatements, by_id: Mapping[str, Element], section: str, today: str) -> None:
        self._to, self._by_id, self._section, self._today = statements, by_id, section, today
        self._readers: dict[str, Callable[[Element, str, Spans], None]] = {
            "problem": self._problem,
            "allergy": self._allergy,
            "medication": self._medication,
            "planned_medication": self._medication,
            "procedure": self._procedure,
            "result": self._result,
            "vital_signs": self._vital_signs,
            "social": self._social,
            "pregnancy": self._pregnancy,
            "relative": self._relative,
            "supply": self._supply,
            "plan_test": self._plan,
            "plan_follow_up": self._plan,
            "plan_diet": self._plan,
            "plan_other": self._plan,
        }

    def read(self, entry: Element, source: str, spans: Spans = ()) -> None:
        """Add what an entry states; nothing for a template that the record has no place for.

        Args:
            entry: an element with a known template.
            source: what rule_ids call it.
            spans: where the document's note says the same.
        """
        reader = self._readers.get(template_of(entry))
        if reader is not None and not entry.get("nullFlavor"):
            reader(entry, source, spans)

    def words_in_note(self, entry: Element) -> str:
        """The words of the narrative that an entry's name refers to; empty where it refers to none."""
        kind = template_of(entry)
        place = {"problem": ("value",), "allergy": _ALLERGEN, "medication": _DRUG}.get(kind, ("code",))
        return referred(path(entry, *place, "originalText"), self._by_id)

    def _problem(self, one: Element, source: str, spans: Spans, **fields: Any) -> None:
        value = child(one, "value")
        name = self._words(value)
        if not name or (negated(one) and value_of("nothing", codes_of(value))):
            return
        status = next(
            (value_of("clinical_status", codes_of(child(s, "value"))) for s in within(one, "problem_status")), ""
        )
        severity = next((child(s, "value") for s in within(one, "severity")), None)
        fields = {"onset": low_day(one)} | fields | self._to.named(name)._asdict()
        self._to.add(
            ProblemStatement,
            source,
            spans,
            clinical_status=status or (ClinicalStatus.RESOLVED if has_ended(one) else ClinicalStatus.ACTIVE),
            verification_status=VerificationStatus.REFUTED if negated(one) else VerificationStatus.CONFIRMED,
            severity=value_of("severity", codes_of(severity)) or self._words(severity),
            body_side=self._side(one),
            **fields,
        )
        weeks = next((w for c in codes_of(value) if c == _PREGNANT for w in self._weeks(one)), None)
        if _PREGNANT in codes_of(value) and not negated(one) and not has_ended(one):
            self._to.describe_person(source, pregnant=True, gestation_weeks=weeks)

    def _relative(self, one: Element, source: str, spans: Spans) -> None:
        who = path(one, "subject", "relatedSubject", "code")
        kinship = value_of("kinship", codes_of(who)) or self._words(who).lower()
        for observation in within(one, "relative_problem"):
            fields = {"experiencer": Experiencer.RELATIVE, "kinship": kinship, "onset": ""}
            self._problem(observation, source, spans, **fields)

    def _allergy(self, one: Element, source: str, spans: Spans) -> None:
        substance = path(one, *_ALLERGEN)
        agent = self._words(substance) or self._words(path(one, *_ALLERGEN[:-1], "name"))
        nobody = not agent and not codes_of(substance)
        if negated(one) and (nobody or value_of("nothing", codes_of(substance))):
            self._to.describe_allergies(AllergyStatus.NONE_KNOWN, referred(child(one, "text"), self._by_id))
        if nobody or value_of("nothing", codes_of(substance)):
            return
        code = next(iter(codes_of(substance)), "unknown")
        named = self._to.named(allergen_name(agent or f"a substance without a name (code {code})"))
        shown = dict.fromkeys(w for r in within(one, "reaction") if (w := self._words(child(r, "value"))))
        self._to.add(
            AllergyStatement,
            source,
            spans,
            agent=named.name,
            concept_id=named.concept_id,
            kind=value_of("allergy_kind", codes_of(child(one, "value"))) or AllergyKind.ALLERGY,
            reaction=", ".join(shown),
            verification_status=VerificationStatus.REFUTED if negated(one) else VerificationStatus.CONFIRMED,
        )

    def _medication(self, one: Element, source: str, spans: Spans) -> None:
        material = path(one, *_DRUG[:-1])
        code = child(material, "code") if material is not None else None
        name = self._words(code) or self._words_in(child(material, "name") if material is not None else None)
        if not name or value_of("nothing", codes_of(code)):
            return
        drug = clinical_drug(name)
        named = self._to.named(drug.name)
        reasons = [self._words(child(indication, "value")) for indication in within(one, "indication")]
        refused = any(
            value_of("refusal", codes_of(child(o, "value"))) for o in one.iter() if local(o.tag) == "observation"
        )
        category = value_of("medication_section", [self._section]) or MedicationCategory.COMMUNITY
        self._to.add(
            MedicationStatement,
            source,
            spans,
            name=named.name,
            concept_id=named.concept_id,
            recognised=named.concept_id is not None,
            ingredients=drug.ingredients,
            dosage=self._dosage(one, drug_dosage(drug)),
            status=self._medication_status(one, category),
            category=category,
            refused=refused,
            reason=next((reason for reason in reasons if reason), ""),
        )

    def _medication_status(self, one: Element, category: str) -> str:
        status = child(one, "statusCode")
        stated = value_of("medication_status", [status.get("code", "") if status is not None else ""])
        if negated(one):
            return MedicationStatus.NOT_TAKEN
        if template_of(one) == "planned_medication":
            return MedicationStatus.INTENDED
        if category == MedicationCategory.INPATIENT and stated == MedicationStatus.COMPLETED:
            return MedicationStatus.ACTIVE  # given in this stay
        return stated or MedicationStatus.ACTIVE

    def _dosage(self, one: Element, drug: Mapping[str, Any]) -> dict[str, Any]:
        often = ImportedTiming() if negated(one) else timing(one)
        dose, unit = amount(child(one, "doseQuantity"))
        route = child(one, "routeCode")
        fields: dict[str, Any] = {"timing": often.code, "with_text": often.with_text}
        fields["route"] = value_of("route", codes_of(route)) or self._words(route)
        fields["text"] = next((text for row in one.iter() if (text := self._instructions(row))), "")
        known = dose_unit(unit)
        if dose is not None and (not unit or (known is not None and known.kind == "form")):
            fields |= {"quantity": dose, "form": known.name if known else ""}
        elif dose is not None:
            unit, by_weight = unit.removesuffix("/kg"), unit.endswith("/kg")
            known = dose_unit(unit)
            fields |= {"dose": dose, "unit": known.name if known else unit, "per_kg": by_weight}
        condition = path(one, "precondition", "criterion", "value")
        if child(one, "precondition") is not None:
            fields |= {"as_needed": True, "as_needed_for": self._words(condition)}
        fields |= {name: value for name, value in drug.items() if not fields.get(name)}
        return {name: value for name, value in fields.items() if value not in ("", None)}

    def _instructions(self, row: Element) -> str:
        code = child(row, "code") if local(row.tag) == "substanceAdministration" else None
        return referred(child(row, "text"), self._by_id) if _INSTRUCTIONS in codes_of(code) else ""

    def _procedure(self, one: Element, source: str, spans: Spans) -> None:
        code, date, side = child(one, "code"), low_day(one), self._side(one)
        status = self._done(one, date)
        nothing = value_of("nothing", codes_of(code))
        for device in self._devices(one):
            held = ProcedureStatus.DONE_NOW if status == "past" else status  # what was put in is there
            if not (negated(one) and value_of("nothing", codes_of(device))):
                self._device(device, source, (), status=held, date=date, body_side=side)
        if not self._words(code) or nothing:
            return
        named = self._to.named(self._words(code))
        fields = {"name": named.name, "concept_id": named.concept_id, "body_side": side}
        self._to.add(ProcedureStatement, source, spans, status=status, date=date, **fields)

    def _done(self, one: Element, date: str) -> ProcedureStatus:
        status = child(one, "statusCode")
        if negated(one):
            return ProcedureStatus.NOT_DONE
        if one.get("moodCode", _DONE) != _DONE:
            return ProcedureStatus.PLANNED
        stated = value_of("procedure_status", [status.get("code", "") if status is not None else ""])
        if self._today and date >= self._today:
            return ProcedureStatus.DONE_NOW
        return ProcedureStatus(stated) if stated else ProcedureStatus.PAST

    def _devices(self, one: Element) -> list[Element]:
        """The codes of the devices that take part in an entry."""
        found = (
            path(row, "participantRole", "playingDevice", "code") for row in one if local(row.tag) == "participant"
        )
        return [code for code in found if code is not None]

    def _supply(self, one: Element, source: str, spans: Spans) -> None:
        for device in self._devices(one):
            self._device(device, source, spans, status=ProcedureStatus.DONE_NOW, date=low_day(one))

    def _device(self, code: Element, source: str, spans: Spans, **fields: Any) -> None:
        if name := self._words(code):
            named = self._to.named(name)
            self._to.add(DeviceStatement, source, spans, name=named.name, concept_id=named.concept_id, **fields)

    def _result(self, one: Element, source: str, spans: Spans) -> None:
        code, status = child(one, "code"), child(one, "statusCode")
        measure = value_of("measure", codes_of(code)) or self._words(code)
        value, text, unit = measured(child(one, "value"), self._by_id)
        if not measure or negated(one):
            return
        if text:
            fields = {"value": value, "value_text": text, "unit": unit, "date": low_day(one)}
            self._to.add(ObservationStatement, source, spans, measure=measure, **fields)
        elif status is not None and status.get("code") == "active":
            self._to.add(PlanStatement, source, spans, kind=PlanKind.PENDING_RESULT, text=measure)
        if value_of("person", codes_of(code)) == "weight_kg" and unit == "kg":
            self._to.describe_person(source, weight_kg=value)

    def _vital_signs(self, one: Element, source: str, spans: Spans) -> None:
        """The values of an organizer; the two blood pressures are one, as a note writes them."""
        found = {value_of("measure", codes_of(child(row, "code"))): row for row in within(one, "result")}
        ends = [found.get(name) for name in _PRESSURES]
        values = [amount(child(row, "value")) for row in ends if row is not None]
        joined = len(values) == 2 and all(value is not None for value, _ in values)
        if joined:
            text = "/".join(number_text(value) for value, _ in values if value is not None)
            fields = {"value_text": text, "unit": values[0][1], "date": low_day(ends[0])}
            self._to.add(ObservationStatement, source, spans, measure="blood pressure", **fields)
        for row in within(one, "result"):
            if not (joined and row in ends):
                self._result(row, source, spans)

    def _social(self, one: Element, source: str, spans: Spans) -> None:
        code, value = child(one, "code"), child(one, "value")
        kind = value_of("social_kind", codes_of(code))
        status = value_of("habit_status", codes_of(value))
        kind = kind or ("tobacco" if status else "")
        status = "former" if status == "current" and has_ended(one) else status
        number_, text, unit = measured(value, self._by_id)
        text = f"{text} {unit}".strip()
        if kind and (text or status):
            by_number = "never" if number_ == 0 else "current" if number_ and kind == "alcohol" else ""
            self._to.add(SocialStatement, source, spans, kind=kind, status=status or by_number or "unknown", text=text)

    def _pregnancy(self, one: Element, source: str, spans: Spans) -> None:
        stated = {"yes": True, "no": False}.get(value_of("pregnancy", codes_of(child(one, "value"))))
        known = not stated if stated is not None and negated(one) else stated
        self._to.describe_person(source, pregnant=known, gestation_weeks=next(iter(self._weeks(one)), None))

    def _weeks(self, one: Element) -> Iterable[float]:
        rows = (row for row in one.iter() if _GESTATION.intersection(codes_of(child(row, "code"))))
        return [weeks for row in rows if (weeks := amount(child(row, "value"))[0])]

    def _plan(self, one: Element, source: str, spans: Spans) -> None:
        text = self._words(child(one, "code")) or self._words_in(child(one, "text"))
        if (
            text
            and not negated(one)
            and one.get("moodCode") != _GOAL
            and (one.get("moodCode") != _DONE or template_of(one) == "plan_other")
        ):
            kind = template_of(one).removeprefix("plan_")
            self._to.add(PlanStatement, source, spans, kind=kind, text=text, when=low_day(one))

    def _side(self, one: Element) -> str:
        """The side of the target site: of its code, or of a qualifier."""
        sites = [row for row in one if local(row.tag) == "targetSiteCode"]
        held = [value for site in sites for row in site if (value := child(row, "value")) is not None]
        return value_of("body_side", [code for row in (*sites, *held) for code in codes_of(row)])

    def _words(self, element: Element | None) -> str:
        return words_of(element, self._by_id)

    def _words_in(self, element: Element | None) -> str:
        return referred(element, self._by_id)


_ALLERGEN = ("participant", "participantRole", "playingEntity", "code")
_DRUG = ("consumable", "manufacturedProduct", "manufacturedMaterial", "code")
_PREGNANT = "77386006"
