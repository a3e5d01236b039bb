"""One coded entry of a FHIR R4 record (an allergy, a problem, a medicine, a result …) as a line of text, and its time.

A line tells what the entry says and no more; its status stands behind it. Values without words are left out.
"""

import re
from typing import Any

Resource = dict[str, Any]
HEADERS = {
    "AllergyIntolerance": "Allergies",
    "Condition": "Problems",
    "MedicationRequest": "Medications",
    "MedicationStatement": "Medications",
    "Observation": "Results",
    "Procedure": "Procedures",
    "Immunization": "Immunizations",
    "CarePlan": "Plan",
    "Goal": "Plan",
}
STANDING = frozenset(("AllergyIntolerance", "MedicationRequest", "MedicationStatement"))
"""Entries of lists that hold until they are ended."""
DATES = ("date", "effectiveDateTime", "effectiveInstant", "onsetDateTime", "performedDateTime", "occurrenceDateTime",
         "authoredOn", "recordedDate", "startDate", "assertedDate", "issued", "created")  # fmt: skip
PERIODS = ("effectivePeriod", "performedPeriod", "onsetPeriod", "period")
_UNITS = {"h": "hours", "d": "days", "wk": "weeks", "mo": "months"}
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?")
NONE_KNOWN = re.compile(r"\bno(?: known)?\b.*\ballerg", re.IGNORECASE)


def entry_line(resource: Resource) -> str:
    """The entry in words; empty where it has none."""
    kind = resource["resourceType"]
    if kind == "Observation":
        return _observation(resource)
    if kind == "AllergyIntolerance":
        return _allergy(resource)
    held = {
        "MedicationRequest": resource.get("medicationCodeableConcept"),
        "MedicationStatement": resource.get("medicationCodeableConcept"),
        "Immunization": resource.get("vaccineCode"),
        "Goal": resource.get("description"),
        "CarePlan": next(iter(listed(resource.get("category"))), None),
    }.get(kind, resource.get("code"))
    stated = words(held) if isinstance(held, dict) else ""
    status = _state(resource)
    doses = filter(None, map(_dosage, listed(resource.get("dosageInstruction")) or listed(resource.get("dosage"))))
    return "; ".join([stated, *doses]) + (f" ({status})" if status else "") if stated else ""


def stands(resource: Resource) -> bool:
    """Whether an allergy or a medicine is one that the patient has now, whenever it was entered; what is given in hospital is not."""
    kind, state = resource.get("resourceType"), _state(resource)
    here = any("inpatient" in codings(one) for one in _concepts(resource.get("category")))
    return kind in STANDING and state in ("", "active") and not (here and kind != "AllergyIntolerance")


def instant(resource: Resource) -> str | None:
    """When it was: ISO date, with the time to the minute where it is given; None for less than a day's precision.

    A document's own creation comes first, then the entry's time; the zone is not kept.
    """
    contents = listed(resource.get("content"))
    given = [c["attachment"].get("creation") for c in contents if isinstance(c.get("attachment"), dict)]
    given += [resource.get(name) for name in DATES]
    for name in PERIODS:
        held = resource.get(name)
        given.append(held.get("start") if isinstance(held, dict) else None)
    for value in given:
        found = _TIME.match(value) if isinstance(value, str) else None
        if found:
            return found[1] + (f"T{found[2]}" if found[2] else "")
    return None


def words(concept: Any) -> str:
    """A CodeableConcept's text, else the first display of its codes; empty for what is none."""
    if not isinstance(concept, dict):
        return ""
    text = concept.get("text")
    if isinstance(text, str) and text.strip():
        return " ".join(text.split())
    shown = [str(c["display"]) for c in listed(concept.get("coding")) if isinstance(c.get("display"), str)]
    return " ".join(shown[0].split()) if shown else ""


def codings(concept: Any) -> list[str]:
    """The codes of a CodeableConcept in order; none for what is none."""
    held = listed(concept.get("coding")) if isinstance(concept, dict) else []
    return [one["code"] for one in held if isinstance(one.get("code"), str) and one["code"]]


def listed(value: Any) -> list[Resource]:
    """The objects of a JSON list; nothing for what is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _allergy(resource: Resource) -> str:
    """Each substance with its reactions; a statement that there are none stands as it is."""
    held = resource.get("code")
    reactions = listed(resource.get("reaction"))
    stated = words(held) if isinstance(held, dict) else ""
    if not stated:
        substances = [words(r["substance"]) for r in reactions if isinstance(r.get("substance"), dict)]
        stated = next((s for s in substances if s), "")
    code = next(iter(codings(held)), "unknown")
    if not stated:  # a substance that only a code names must be seen all the same
        stated = f"a substance without a name (code {code})"
    if NONE_KNOWN.search(stated):
        return stated
    shown = [words(m) for r in reactions for m in listed(r.get("manifestation"))]
    severe = [str(r["severity"]) for r in reactions if isinstance(r.get("severity"), str)]
    status = _state(resource)
    details = ", ".join([*dict.fromkeys(s for s in shown if s), *dict.fromkeys(severe)])
    kept = "" if status in ("", "active") else f" ({status})"
    return f"{stated}{f': {details}' if details else ''}{kept}"


def _observation(resource: Resource) -> str:
    stated = words(resource["code"]) if isinstance(resource.get("code"), dict) else ""
    value = _value(resource)
    parts = [
        f"{words(part['code'])} {_value(part)}"
        for part in listed(resource.get("component"))
        if isinstance(part.get("code"), dict) and _value(part)
    ]
    details = ", ".join(([value] if value else []) + parts)
    return f"{stated}: {details}" if stated and details else ""


def _dosage(row: Resource) -> str:
    """A Dosage in words: its text, else its dose, how often and by which route."""
    if isinstance(row.get("text"), str) and row["text"].strip():
        return " ".join(row["text"].split())
    rate = next((_quantity(one.get("doseQuantity")) for one in listed(row.get("doseAndRate"))), "")
    timing = next(iter(listed([row.get("timing")])), {})
    repeat = next(iter(listed([timing.get("repeat")])), {})
    often = words(timing.get("code")) or _rhythm(repeat)
    need = "as needed" if row.get("asNeededBoolean") is True or row.get("asNeededCodeableConcept") else ""
    return " ".join(part for part in (rate, words(row.get("route")), often, need) if part)


def _rhythm(repeat: Resource) -> str:
    """How often, of Timing.repeat: "2 times a day", "every 8 hours"; empty for any other form."""
    times, period, unit = repeat.get("frequency", 1), repeat.get("period"), repeat.get("periodUnit")
    if not isinstance(times, int) or not isinstance(period, int | float) or unit not in _UNITS:
        return ""
    if period == 1 and unit == "d":
        return "once a day" if times == 1 else f"{times} times a day"
    return f"every {period:g} {_UNITS[unit]}" if times == 1 else f"{times} times every {period:g} {_UNITS[unit]}"


def _concepts(value: Any) -> list[Resource]:
    """The CodeableConcepts of a field that holds one or several."""
    return listed(value) or listed([value])


def _quantity(quantity: Any) -> str:
    if not isinstance(quantity, dict) or not isinstance(quantity.get("value"), int | float):
        return ""
    number = quantity["value"]
    shown = f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)
    return f"{quantity.get('comparator', '')}{shown} {quantity.get('unit', '')}".strip()


def _value(row: Resource) -> str:
    if told := _quantity(row.get("valueQuantity")):
        return told
    concept = row.get("valueCodeableConcept")
    if isinstance(concept, dict):
        return words(concept)
    text = row.get("valueString")
    return " ".join(text.split()) if isinstance(text, str) else ""


def _state(resource: Resource) -> str:
    """The clinical status, else the status, in words."""
    clinical = resource.get("clinicalStatus")
    if isinstance(clinical, dict):
        return next(iter(codings(clinical)), "")
    status = resource.get("status")
    return status if isinstance(status, str) else ""
