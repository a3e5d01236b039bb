"""A copy as a FHIR R4 document: a Bundle with a Composition, a Patient without identifiers, and the allergies.

Every text goes into escaped XHTML narrative. fhir.resources checks the bundle before it leaves; its R4B classes are the
nearest it has, and nothing is used here in which R4 and R4B differ.
"""

import json
import uuid
from datetime import UTC, datetime
from html import escape
from typing import Any

from backend.errors import LeapnoteError
from backend.registry import exporter
from backend.review.exports.copies import TITLES, Copy, Line, Part, printable
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Document

LOINC = "http://loinc.org"
SNOMED = "http://snomed.info/sct"
TERMINOLOGY = "http://terminology.hl7.org/CodeSystem"
TYPES = {
    Document.DISCHARGE_INSTRUCTIONS: ("8653-8", "Hospital Discharge instructions"),
    Document.PROGRESS_NOTE: ("11506-3", "Progress note"),
}
ALLERGIES = ("48765-2", "Allergies and adverse reactions Document")
EMPTY = {AllergyStatus.NOT_STATED: "notasked", AllergyStatus.UNREADABLE: "unavailable"}
Resource = dict[str, Any]


@exporter(
    "fhir",
    label="FHIR",
    media_type="application/fhir+json",
    suffix="json",
    copies=tuple(CopyKind),
    for_programs=True,
    order=40,
)
def as_fhir(copy: Copy, view: CaseView, at: datetime) -> bytes:
    """FHIR R4: a Bundle of the type document, in JSON.

    Raises LeapnoteError for a bundle that is not valid FHIR, which is a defect.
    """
    text = json.dumps(_bundle(copy, view, at), ensure_ascii=False, indent=1)
    _check(text)
    return text.encode()


def _bundle(copy: Copy, view: CaseView, at: datetime) -> Resource:
    patient = _patient(view)
    author = _practitioner(view) if view.signature else _device(view)
    allergies = _allergies(copy, view, patient)
    composition = _composition(copy, view, patient, author, allergies)
    resources = [composition, patient, author, *allergies]
    # each file has an identifier of its own: of the version, the copy and the moment it is assembled
    identity = f"bundle {view.version} {copy.kind.value} {at.isoformat()}"
    return {
        "resourceType": "Bundle",
        "type": "document",
        "identifier": {"system": "urn:ietf:rfc:3986", "value": f"urn:uuid:{_id(view, identity)}"},
        "timestamp": _instant(at),
        "entry": [{"fullUrl": _url(resource), "resource": resource} for resource in resources],
    }


def _composition(
    copy: Copy, view: CaseView, patient: Resource, author: Resource, allergies: list[Resource]
) -> Resource:
    code = TYPES.get(view.draft.document)
    kind: Resource = {"text": TITLES[view.draft.document]}
    if code:
        kind["coding"] = [{"system": LOINC, "code": code[0], "display": code[1]}]
    out: Resource = {
        "resourceType": "Composition",
        "id": _id(view, f"composition {view.version} {copy.kind.value}"),
        "language": "en",
        "text": _narrative([f"<p>{_x(line)}</p>" for line in (copy.banner, copy.identity, *copy.notices) if line]),
        "identifier": _version_identifier(view, view.version),
        "status": "final" if view.signature else "preliminary",
        "type": kind,
        "subject": {"reference": _url(patient)},
        "date": _instant(view.signature.at if view.signature else view.versions[view.version - 1].at),
        "author": [{"reference": _url(author)}],
        "title": f"{copy.title} ({copy.banner})" if copy.banner else copy.title,
        "section": [_allergy_section(view, allergies)] if copy.kind == CopyKind.CLINICIAN else [],
    }
    if view.signature:
        party = {"reference": _url(author)}
        out["attester"] = [{"mode": "professional", "time": _instant(view.signature.at), "party": party}]
    if view.version > 1:
        target = _version_identifier(view, view.version - 1)
        out["relatesTo"] = [{"code": "replaces", "targetIdentifier": target}]
    # allergies have a section of their own, with their entries
    out["section"] += [_section(part) for part in copy.parts if part.heading != "Allergies"]
    return out


def _section(part: Part) -> Resource:
    rows = "".join(f"<li>{_line(line)}</li>" for line in part.lines)
    title = printable(part.heading).replace("\n", " ").strip() or "Text"
    return {"title": title, "text": _narrative([f"<ul>{rows}</ul>"])}


def _allergy_section(view: CaseView, allergies: list[Resource]) -> Resource:
    status = view.draft.allergies.status
    code = {"coding": [{"system": LOINC, "code": ALLERGIES[0], "display": ALLERGIES[1]}]}
    section: Resource = {"title": "Allergies", "code": code}
    blocks = [a["text"]["div"] for a in allergies]
    if allergies:
        return section | {"text": _narrative(blocks), "entry": [{"reference": _url(a)} for a in allergies]}
    reason = EMPTY.get(status, "unavailable")
    words = {"notasked": "The note does not say whether there are allergies."}.get(reason, "No allergy could be read.")
    empty = {"coding": [{"system": f"{TERMINOLOGY}/list-empty-reason", "code": reason}]}
    return section | {"text": _narrative([f"<p>{_x(words)}</p>"]), "emptyReason": empty}


def _allergies(copy: Copy, view: CaseView, patient: Resource) -> list[Resource]:
    if copy.kind == CopyKind.PATIENT:
        return []
    found = view.draft.allergies
    if found.status == AllergyStatus.NONE_KNOWN:
        code = {"coding": [{"system": SNOMED, "code": "716186003", "display": "No known allergy"}]}
        return [_allergy(view, patient, "none known", code | {"text": "No known allergies"}, "No known allergies.")]
    return [_allergy_item(view, patient, place, item) for place, item in enumerate(found.items)]


def _allergy_item(view: CaseView, patient: Resource, place: int, item: AllergyItem) -> Resource:
    name = _string(item.text)
    checked = "" if item.checked else " Not recognised, not checked."
    reaction = _string(item.reaction)
    text = f"{name}{f' ({reaction})' if reaction else ''}, {item.kind.value}.{checked}"
    resource = _allergy(view, patient, str(place), {"text": name}, text)
    resource["type"] = "allergy" if item.kind == AllergyKind.ALLERGY else "intolerance"
    if reaction:
        resource["reaction"] = [{"manifestation": [{"text": reaction}]}]
    if checked:
        resource["note"] = [{"text": checked.strip()}]
    return resource


def _allergy(view: CaseView, patient: Resource, part: str, code: Resource, text: str) -> Resource:
    def coded(system: str, value: str) -> Resource:
        return {"coding": [{"system": f"{TERMINOLOGY}/{system}", "code": value}]}

    return {
        "resourceType": "AllergyIntolerance",
        "id": _id(view, f"allergy {part}"),
        "text": _narrative([f"<p>{_x(text)}</p>"]),
        "clinicalStatus": coded("allergyintolerance-clinical", "active"),
        "verificationStatus": coded("allergyintolerance-verification", "unconfirmed"),
        "code": code,
        "patient": {"reference": _url(patient)},
    }


def _patient(view: CaseView) -> Resource:
    words = "The patient is not identified in this document."
    patient: Resource = {
        "resourceType": "Patient",
        "id": _id(view, "patient"),
        "text": _narrative([f"<p>{words}</p>"]),
    }
    if view.draft.patient.sex in ("female", "male"):
        patient["gender"] = view.draft.patient.sex
    return patient


def _practitioner(view: CaseView) -> Resource:
    signer = view.signature
    name, role = (_string(signer.name), _string(signer.role)) if signer else ("", "")
    return {
        "resourceType": "Practitioner",
        "id": _id(view, f"practitioner {view.version}"),
        "text": _narrative([f"<p>{_x(name)}, {_x(role)}</p>"]),
        "name": [{"text": name}],
        "qualification": [{"code": {"text": role}}],
    }


def _device(view: CaseView) -> Resource:
    """Who a draft is by, as long as no clinician has signed it."""
    version = view.draft.versions.get("leapnote", "unknown")
    return {
        "resourceType": "Device",
        "id": _id(view, "device"),
        "text": _narrative([f"<p>Leapnote {_x(version)}</p>"]),
        "deviceName": [{"name": "Leapnote", "type": "user-friendly-name"}],
        "version": [{"value": _string(version) or "unknown"}],
    }


def _line(line: Line) -> str:
    cited = f" [{', '.join(line.citations)}]" if line.citations else ""
    marks = f" ({'; '.join(line.marks)})" if line.marks else ""
    text = _x(line.text)
    return f"{f'<b>{text}</b>' if line.strong else text}{_x(cited)}{_x(marks)}"


def _x(text: str) -> str:
    """Text as XHTML. A quotation mark may stay as it is outside of attributes, and there are none."""
    return escape(printable(text), quote=False).replace("\n", "<br/>")


def _narrative(blocks: list[str]) -> Resource:
    # additional: it says more than the structured data does
    return {"status": "additional", "div": f'<div xmlns="http://www.w3.org/1999/xhtml">{"".join(blocks)}</div>'}


def _string(text: str) -> str:
    return " ".join(printable(text).split())


def _version_identifier(view: CaseView, version: int) -> Resource:
    return {"system": "urn:ietf:rfc:3986", "value": f"urn:uuid:{_id(view, f'version {version}')}"}


def _id(view: CaseView, part: str) -> str:
    """An id that is the same in each export of a case, so that a receiver can tell what it already has."""
    return str(uuid.uuid5(uuid.UUID(view.id), part))


def _url(resource: Resource) -> str:
    return f"urn:uuid:{resource['id']}"


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def _check(text: str) -> None:
    from fhir.resources.R4B.bundle import Bundle
    from pydantic import ValidationError

    try:
        Bundle.model_validate_json(text)
    except ValidationError as error:
        # where, never what: the values are the patient's text
        places = "; ".join(".".join(str(p) for p in e["loc"]) for e in error.errors()[:3])
        raise LeapnoteError(
            f"The FHIR document is not valid at {places}. This is a defect; export another format."
        ) from None
