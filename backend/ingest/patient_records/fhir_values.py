"""Values of a FHIR resource of any shape, safely: texts, numbers, days, names, extensions of Leapnote's own, and a dosage."""

import re
from typing import Any

from backend.ingest.clinical_notes.fhir_entries import Resource, codings, listed, words
from backend.ingest.patient_records.clinical_drugs import ClinicalDrug, dose_unit
from backend.ingest.patient_records.code_tables import OWN, value_of
from backend.ingest.patient_records.timings import timing_of_fhir

_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_KG = "/kg"


def text_of(value: Any) -> str:
    """A string in one line; empty for what is none."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def number_of(value: Any) -> float | None:
    """A JSON number; None for what is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def first(value: Any) -> Resource:
    """The first object of a JSON list, or an empty one."""
    return next(iter(listed(value)), {})


def held(value: Any) -> Resource:
    """A JSON object, or an empty one."""
    return value if isinstance(value, dict) else {}


def display(value: Any) -> str:
    """What a reference shows."""
    return text_of(held(value).get("display"))


def day_of(value: Any) -> str:
    """The day, month or year of a dateTime, or of a Period's start; empty for what is none."""
    value = value.get("start") if isinstance(value, dict) else value
    found = _DAY.match(value) if isinstance(value, str) else None
    return found[0] if found else ""


def when(resource: Resource, choice: str) -> str:
    """The time of an element of several types (onset, performed, effective …), as a day or in its words."""
    for kind in ("DateTime", "Period", "Instant"):
        if day := day_of(resource.get(f"{choice}{kind}")):
            return day
    return text_of(resource.get(f"{choice}String")) or words(held(resource.get(f"{choice}Timing")).get("code"))


def own_id(resource: Resource) -> str:
    """The id of the statement that Leapnote exported as this resource; empty for any other."""
    ids = [one for one in listed(resource.get("identifier")) if one.get("system") == f"{OWN}statement"]
    return text_of(ids[0].get("value")) if ids else ""


def own_concept(concept: Any) -> str | None:
    """The concept's id where the code has Leapnote's own."""
    found = [c for c in listed(held(concept).get("coding")) if c.get("system") == f"{OWN}concept"]
    return text_of(found[0].get("code")) or None if found else None


def own_value(concept: Any, system: str) -> str:
    """The code of one of Leapnote's own systems."""
    found = [c for c in listed(held(concept).get("coding")) if c.get("system") == f"{OWN}{system}"]
    return text_of(found[0].get("code")) if found else ""


def extensions(element: Resource) -> dict[str, Any]:
    """The extensions of Leapnote's own by field, those that change the meaning too."""
    values: dict[str, Any] = {}
    for one in (*listed(element.get("extension")), *listed(element.get("modifierExtension"))):
        name = text_of(one.get("url"))
        value = one.get("valueBoolean", one.get("valueString"))
        if name.startswith(OWN) and isinstance(value, bool | str):
            values[name.removeprefix(OWN)] = value
    return values


def coded(field: str, concept: Any) -> str:
    """A concept's text, else the field's value of its codes, else its first display."""
    text = text_of(held(concept).get("text"))
    return text or value_of(field, codings(concept)) or words(concept)


def dosage_fields(row: Resource, drug: ClinicalDrug | None = None) -> dict[str, Any]:
    """The fields of the record's Dosage of a FHIR Dosage.

    Args:
        row: the FHIR Dosage.
        drug: what the drug's name tells, where it is a name with a strength; the dosage's own values come first.
    """
    timing = timing_of_fhir(row.get("timing"))
    extra = extensions(row)
    fields: dict[str, Any] = {"text": text_of(row.get("text")), "timing": timing.code, "timing_text": timing.text}
    fields["with_text"] = words(first(row.get("additionalInstruction"))) or timing.with_text
    fields["route"] = coded("route", row.get("route"))
    reason = words(row.get("asNeededCodeableConcept"))
    fields["as_needed"] = bool(reason) or row.get("asNeededBoolean") is True
    fields["as_needed_for"] = reason
    for rate in listed(row.get("doseAndRate")):
        fields |= _rate(rate)
    if extra.get("form"):
        fields["form"] = extra["form"]
    if drug is not None:
        fields |= {name: value for name, value in drug_dosage(drug).items() if not fields.get(name)}
    return {name: value for name, value in fields.items() if value not in ("", None)}


def drug_dosage(drug: ClinicalDrug) -> dict[str, Any]:
    """What a drug's name tells of its dosage."""
    return {"dose": drug.dose, "unit": drug.unit, "form": drug.form, "route": drug.route}


def _rate(rate: Resource) -> dict[str, Any]:
    amount, ends = held(rate.get("doseQuantity")), held(rate.get("doseRange"))
    low, high = held(ends.get("low")), held(ends.get("high"))
    unit = next(
        (u for one in (amount, low, high) for u in (text_of(one.get("unit")), text_of(one.get("code"))) if u), ""
    )
    values = (number_of(amount.get("value", low.get("value"))), number_of(high.get("value")))
    mine = own_value(rate.get("type"), "dose")
    known = None if mine else dose_unit(unit)
    counted = known is not None and known.kind == "form"
    if mine == "quantity" or counted or not (unit or mine or values[0] is None):
        form = {"form": known.name} if known else {}
        return {"quantity": values[0], "quantity_high": values[1]} | form
    by_weight = unit.endswith(_KG)
    unit = unit.removesuffix(_KG)
    known = None if mine else dose_unit(unit)
    return {"dose": values[0], "dose_high": values[1], "unit": known.name if known else unit, "per_kg": by_weight}
