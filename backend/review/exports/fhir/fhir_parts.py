"""What the FHIR resources of an export are made of: narrative, strings, names, times, dosages; and the check of a bundle.

fhir.resources checks a bundle before it leaves; its R4B classes are the nearest it has, and nothing is used here in which R4 and
R4B differ.
"""

import json
import re
from datetime import date
from html import escape
from typing import Any

from backend.errors import LeapnoteError
from backend.ingest.patient_records.code_tables import OWN, code_of, concept, own_code
from backend.ingest.patient_records.timings import fhir_timing
from backend.review.exports.copies import printable
from backend.schemas.record import Dosage

Resource = dict[str, Any]
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


def xhtml(text: str) -> str:
    """Text as XHTML. A quotation mark may stay as it is outside of attributes, and there are none."""
    return escape(printable(text), quote=False).replace("\n", "<br/>")


def narrative(blocks: list[str], status: str = "additional") -> Resource:
    """FHIR's Narrative of XHTML blocks; additional says more than the structured data, generated the same."""
    return {"status": status, "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{"".join(blocks)}</div>'}


def string(text: str) -> str:
    """A text as FHIR's string: one line, without control characters and outer spaces."""
    return " ".join(printable(text).split())


def url(resource: Resource) -> str:
    """The address of a resource within its bundle."""
    return f"urn:uuid:{resource['id']}"


def reference(resource: Resource) -> Resource:
    """A reference to a resource of the bundle."""
    return {"reference": url(resource)}


def entries(resources: list[Resource]) -> list[Resource]:
    """The resources as entries of a bundle."""
    return [{"fullUrl": url(resource), "resource": resource} for resource in resources]


def checked_json(bundle: Resource) -> str:
    """A bundle as JSON.

    Raises:
        LeapnoteError: it is not valid FHIR, which is a defect.
    """
    from fhir.resources.R4B.bundle import Bundle
    from pydantic import ValidationError

    text = json.dumps(bundle, ensure_ascii=False, indent=1)
    try:
        Bundle.model_validate_json(text)
    except ValidationError as error:
        # where, never what: the values are the patient's text
        places = "; ".join(".".join(str(p) for p in e["loc"]) for e in error.errors()[:3])
        raise LeapnoteError(
            f"The FHIR document is not valid at {places}. This is a defect; export another format."
        ) from None
    return text


def dosage(one: Dosage) -> Resource:
    """FHIR's Dosage; dose and how many are two of its doseAndRate, told apart by their type."""
    fields: Resource = {"text": string(one.text)} if one.text else {}
    fields |= {"timing": timing} if (timing := fhir_timing(one.timing, string(one.timing_text))) else {}
    fields |= {"additionalInstruction": [{"text": string(one.with_text)}]} if one.with_text else {}
    fields |= {"route": concept(string(one.route), code_of("route", one.route))} if one.route else {}
    if one.as_needed and one.as_needed_for:
        fields["asNeededCodeableConcept"] = {"text": string(one.as_needed_for)}
    elif one.as_needed:
        fields["asNeededBoolean"] = True
    unit = f"{one.unit}/kg" if one.per_kg else one.unit
    amounts = {"dose": _rate(one.dose, one.dose_high, unit), "quantity": {}}
    if one.quantity is not None or one.quantity_high is not None:
        amounts["quantity"] = _rate(one.quantity, one.quantity_high, one.form)
    rates = [{"type": concept("", own_code("dose", kind))} | rate for kind, rate in amounts.items() if rate]
    fields |= {"doseAndRate": rates} if rates else {}
    return fields | ({"extension": [extension("form", one.form)]} if one.form else {})


def _rate(low: float | None, high: float | None, unit: str) -> Resource:
    named = {"unit": string(unit)} if unit else {}
    if high is not None:
        ends = {"low": low, "high": high}
        return {"doseRange": {end: {"value": value} | named for end, value in ends.items() if value is not None}}
    if low is None and not unit:
        return {}
    return {"doseQuantity": ({"value": low} if low is not None else {}) | named}


def named(name: str, concept_id: str | None) -> Resource:
    """A name as CodeableConcept, with Leapnote's own concept where there is one."""
    return concept(string(name), own_code("concept", concept_id, string(name)) if concept_id else None)


def body_site(side: str) -> Resource:
    """The side of a body as FHIR's bodySite."""
    return concept(string(side), code_of("body_side", side))


def when(text: str, as_date: str, as_text: str) -> Resource:
    """A time as FHIR's dateTime where it is a day, month or year, else in its words."""
    if not text:
        return {}
    if is_date(text):
        return {as_date: text}
    return {as_text: {"code": {"text": string(text)}} if as_text.endswith("Timing") else string(text)}


def is_date(text: str) -> bool:
    """Whether a text is a day, month or year as FHIR writes them."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return True


def extension(name: str, value: Any) -> Resource:
    """An extension of Leapnote's own that holds a field of the record."""
    kind = "valueBoolean" if isinstance(value, bool) else "valueString"
    return {"url": f"{OWN}{name}", kind: value if isinstance(value, bool) else string(value)}
