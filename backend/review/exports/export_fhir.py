"""A copy as a FHIR R4 document: a Bundle with a Composition first, a Patient, and the patient record.

The Patient has the name, day of birth and record number that the letter's details give, and no others. Every text goes into escaped XHTML narrative. The clinician's copy has the record's resources, a section a kind; a draft without a
record has its allergies alone. A possible allergy is a question for a clinician and no part of a document.
"""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

from backend.ingest.patient_records.code_tables import SYSTEMS, code_of, concept
from backend.registry import exporter
from backend.review.exports.contents.allergies import against_none, contradicted
from backend.review.exports.copies import TITLES, Copy, Line, Part, Table, printable
from backend.review.exports.fhir.fhir_parts import (
    Resource,
    checked_json,
    entries,
    named,
    narrative,
    reference,
    string,
    xhtml,
)
from backend.review.exports.fhir.letter_identity import identified, of_stay
from backend.review.exports.fhir.record_resources import SectionedResource, patient_resource, record_resources
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.record import AllergyRecord, AllergyStatement, PatientRecord, Person
from backend.schemas.vocabulary import AllergyStatus, Document

TYPES = {
    Document.DISCHARGE_INSTRUCTIONS: ("8653-8", "Hospital Discharge instructions"),
    Document.PROGRESS_NOTE: ("11506-3", "Progress note"),
}
_BY_LIST = ("discharge medicines", "the note and discharge medicines")
_ORDERED = {
    MedicineAction.CONTINUE: "active",
    MedicineAction.AS_NEEDED: "active",
    MedicineAction.CHANGED: "active",
    MedicineAction.NEW: "active",
    MedicineAction.TAKE: "active",
    MedicineAction.STOPPED: "stopped",
    MedicineAction.ON_HOLD: "on-hold",
}
TITLE_OF = {
    "problems": "Problems that the note states",
    "medications": "Medicines that the note states",
    "procedures": "Procedures",
    "devices": "Devices",
    "observations": "Measured values",
    "social": "Social history",
    "plan": "Plan of the note",
}


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
    return checked_json(_bundle(copy, view, at)).encode()


def _bundle(copy: Copy, view: CaseView, at: datetime) -> Resource:
    record = _record(view.draft)
    patient = identified(patient_resource(record.person, lambda part: _id(view, part)), view.details)
    author = _practitioner(view) if view.signature else _device(view)
    hospital = _organization(view)
    stated: list[SectionedResource] = []
    if copy.kind == CopyKind.CLINICIAN:
        stated = record_resources(record, patient, lambda part: _id(view, f"statement {part}"))
        stated = [of_stay(one, view.details, hospital) for one in stated]
    ordered = _ordered(view, patient) if any(part.table for part in copy.parts) else []
    composition = _composition(copy, view, patient, author, stated, ordered)
    composition |= {"custodian": reference(hospital)} if hospital else {}
    # each file has an identifier of its own: of the version, the copy and the moment it is assembled
    identity = f"bundle {view.version} {copy.kind.value} {at.isoformat()}"
    return {
        "resourceType": "Bundle",
        "type": "document",
        "identifier": {"system": "urn:ietf:rfc:3986", "value": f"urn:uuid:{_id(view, identity)}"},
        "timestamp": _instant(at),
        "entry": entries(
            [
                composition,
                patient,
                author,
                *([hospital] if hospital else []),
                *(one.resource for one in stated),
                *ordered,
            ]
        ),
    }


def _record(draft: Draft) -> PatientRecord:
    """The draft's record without possible allergies; where a case was saved without one, what the draft itself holds.

    It says that no allergies are known only where nothing speaks against it.
    """
    doubted = {"status": AllergyStatus.NOT_STATED} if against_none(draft) else {}
    if draft.record is not None:
        items = tuple(item for item in draft.record.allergies.items if not item.possible)
        allergies = draft.record.allergies.model_copy(update={"items": items, **doubted})
        return draft.record.model_copy(update={"allergies": allergies})
    listed = tuple(
        AllergyStatement(
            id=f"allergy-{number}",
            agent=item.text,
            concept_id=item.concept_id if item.checked else None,
            kind=item.kind,
            reaction=item.reaction,
        )
        for number, item in enumerate(draft.allergies.items, start=1)
    )
    sex = draft.patient.sex if draft.patient.sex in ("female", "male") else None
    person = Person.model_validate({"id": "person", "sex": sex, "age_years": draft.patient.age})
    allergies = AllergyRecord(status=draft.allergies.status, items=listed)
    return PatientRecord(person=person, allergies=allergies.model_copy(update=doubted))


def _composition(
    copy: Copy,
    view: CaseView,
    patient: Resource,
    author: Resource,
    stated: list[SectionedResource],
    ordered: list[Resource],
) -> Resource:
    code = TYPES.get(view.draft.document)
    kind: Resource = {"text": TITLES[view.draft.document]}
    if code:
        kind["coding"] = [{"system": SYSTEMS["loinc"], "code": code[0], "display": code[1]}]
    out: Resource = {
        "resourceType": "Composition",
        "id": _id(view, f"composition {view.version} {copy.kind.value}"),
        "language": copy.language,
        "text": narrative([f"<p>{xhtml(line)}</p>" for line in _above(copy) if line]),
        "identifier": _version_identifier(view, view.version),
        "status": "final" if view.signature else "preliminary",
        "type": kind,
        "subject": reference(patient),
        "date": _instant(view.signature.at if view.signature else view.versions[view.version - 1].at),
        "author": [reference(author)],
        "title": f"{copy.title} ({copy.banner})" if copy.banner else copy.title,
        "section": [_allergy_section(view, stated)] if copy.kind == CopyKind.CLINICIAN else [],
    }
    encounter = next((one.resource for one in stated if one.resource["resourceType"] == "Encounter"), None)
    if encounter is not None:
        out["encounter"] = reference(encounter)
    if view.signature:
        party = reference(author)
        out["attester"] = [{"mode": "professional", "time": _instant(view.signature.at), "party": party}]
    if view.version > 1:
        target = _version_identifier(view, view.version - 1)
        out["relatesTo"] = [{"code": "replaces", "targetIdentifier": target}]
    # allergies have a section of their own, with their entries
    out["section"] += [_section(part, ordered) for part in copy.parts if part.heading != "Allergies"]
    out["section"] += [section for name, title in TITLE_OF.items() if (section := _stated_section(name, title, stated))]
    return out


def _above(copy: Copy) -> tuple[str, ...]:
    """What a reader of the document's narrative sees before its sections."""
    return (copy.banner, *(f"{label}: {value}" for label, value in copy.head), copy.identity, *copy.notices)


def _organization(view: CaseView) -> Resource:
    """The hospital of the letter's details, which keeps the document; empty where it is not known."""
    name = string(view.details.hospital)
    if not name:
        return {}
    phone = string(view.details.phone)
    return {
        "resourceType": "Organization",
        "id": _id(view, "hospital"),
        "text": narrative([f"<p>{xhtml(name)}</p>"]),
        "name": name,
    } | ({"telecom": [{"system": "phone", "value": phone}]} if phone else {})


def _stated_section(name: str, title: str, stated: list[SectionedResource]) -> Resource:
    """The section of one kind of statement; empty where there is none."""
    held = [one.resource for one in stated if one.section == name]
    if not held:
        return {}
    text = narrative([one["text"]["div"] for one in held], "generated")
    code = concept("", code_of("section", name))
    return {"title": title, "code": code, "text": text, "entry": [reference(one) for one in held]}


def _section(part: Part, ordered: Sequence[Resource] = ()) -> Resource:
    rows = "".join(f"<li>{_line(line)}</li>" for line in part.lines)
    title = printable(part.heading).replace("\n", " ").strip() or "Text"
    blocks = [_table(part.table)] if part.table else []
    section = {"title": title, "text": narrative([*blocks, *([f"<ul>{rows}</ul>"] if rows else [])])}
    entry = [reference(one) for one in ordered] if part.table else []
    return section | ({"entry": entry} if entry else {})


def _table(table: Table) -> str:
    head = "".join(f"<th>{xhtml(column)}</th>" for column in table.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{xhtml(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _ordered(view: CaseView, patient: Resource) -> list[Resource]:
    """A MedicationRequest for each medicine that the discharge list decides: what the note states has its statement already."""
    made = []
    for row in view.draft.medicines:
        status = _ORDERED.get(row.action, "") if row.source in _BY_LIST else ""
        if not status:
            continue
        words = " ".join(part for part in (row.name, row.dose, row.timing) if part)
        request: Resource = {
            "resourceType": "MedicationRequest",
            "id": _id(view, f"medicine {row.id}"),
            "text": narrative([f"<p>{xhtml(words)}: {xhtml(row.what_to_do)}</p>"], "generated"),
            "status": status if view.signature or status != "active" else "draft",
            "intent": "plan",
            "medicationCodeableConcept": named(row.name, row.concept_id),
            "subject": reference(patient),
        }
        dosed = string(", ".join(part for part in (row.dose, row.timing) if part))
        request |= {"dosageInstruction": [{"text": dosed}]} if dosed else {}
        request |= {"reasonCode": [{"text": string(row.reason)}]} if row.reason else {}
        unknown = [] if row.recognised else [{"text": "Not recognised, not checked."}]
        made.append(request | ({"note": unknown} if unknown else {}))
    return made


def _allergy_section(view: CaseView, stated: list[SectionedResource]) -> Resource:
    status = view.draft.allergies.status
    against = contradicted(view.draft)
    allergies = [one.resource for one in stated if one.section == "allergies"]
    section: Resource = {"title": "Allergies", "code": concept("", code_of("section", "allergies"))}
    if allergies:
        blocks = [*([f"<p>{xhtml(against)}</p>"] if against else []), *(one["text"]["div"] for one in allergies)]
        return section | {"text": narrative(blocks), "entry": [reference(one) for one in allergies]}
    asked = status is not AllergyStatus.NOT_STATED
    words = "No allergy could be read." if asked else "The note does not say whether there are allergies."
    words = xhtml(against) or words
    reason = code_of("allergies_empty", AllergyStatus.UNREADABLE if asked else status)
    return section | {"text": narrative([f"<p>{words}</p>"]), "emptyReason": concept("", reason)}


def _practitioner(view: CaseView) -> Resource:
    signer = view.signature
    name, role = (string(signer.name), string(signer.role)) if signer else ("", "")
    return {
        "resourceType": "Practitioner",
        "id": _id(view, f"practitioner {view.version}"),
        "text": narrative([f"<p>{xhtml(name)}, {xhtml(role)}</p>"]),
        "name": [{"text": name}],
        "qualification": [{"code": {"text": role}}],
    }


def _device(view: CaseView) -> Resource:
    """Who a draft is by, as long as no clinician has signed it."""
    version = view.draft.versions.get("leapnote", "unknown")
    return {
        "resourceType": "Device",
        "id": _id(view, "device"),
        "text": narrative([f"<p>Leapnote {xhtml(version)}</p>"]),
        "deviceName": [{"name": "Leapnote", "type": "user-friendly-name"}],
        "version": [{"value": string(version) or "unknown"}],
    }


def _line(line: Line) -> str:
    cited = f" [{', '.join(line.citations)}]" if line.citations else ""
    marks = f" ({'; '.join(line.marks)})" if line.marks else ""
    text = xhtml(line.text)
    return f"{f'<b>{text}</b>' if line.strong else text}{xhtml(cited)}{xhtml(marks)}"


def _version_identifier(view: CaseView, version: int) -> Resource:
    return {"system": "urn:ietf:rfc:3986", "value": f"urn:uuid:{_id(view, f'version {version}')}"}


def _id(view: CaseView, part: str) -> str:
    """An id that is the same in each export of a case, so that a receiver can tell what it already has."""
    return str(uuid.uuid5(uuid.UUID(view.id), part))


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")
