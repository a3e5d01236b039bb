"""A patient record as a FHIR R4 Bundle of its resources, with the status of the allergies as a List."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

from backend.ingest.patient_records.code_tables import OWN, code_of, concept
from backend.review.exports.fhir.fhir_parts import Resource, entries, extension, narrative, reference, string
from backend.review.exports.fhir.record_resources import patient_resource, record_resources
from backend.schemas.record import AllergyRecord, PatientRecord
from backend.schemas.vocabulary import AllergyStatus

NAMESPACE = uuid.UUID("6f1d2c64-6f0e-5b0c-9a53-0c3a5d2f8b11")
"""Of the resources' ids where the caller has no case."""


def record_to_bundle(record: PatientRecord, namespace: uuid.UUID = NAMESPACE, at: datetime | None = None) -> Resource:
    """The record as a Bundle of the type collection.

    Args:
        record: what is known of the patient.
        namespace: of the resources' ids: the same namespace and record give the same ids.
        at: when it was made.
    """

    def ident(part: str) -> str:
        return str(uuid.uuid5(namespace, part))

    patient = patient_resource(record.person, ident)
    held = [one.resource for one in record_resources(record, patient, ident)]
    lists = _allergy_list(record.allergies, patient, held, ident)
    stamp = {"timestamp": at.astimezone(UTC).isoformat(timespec="seconds")} if at else {}
    return {"resourceType": "Bundle", "type": "collection"} | stamp | {"entry": entries([patient, *held, *lists])}


def _allergy_list(
    allergies: AllergyRecord, patient: Resource, held: list[Resource], ident: Callable[[str], str]
) -> list[Resource]:
    """The List that tells the status of the allergies as a whole."""
    items = [reference(one) for one in held if one["resourceType"] == "AllergyIntolerance"]
    empty = code_of("allergies_empty", allergies.status) or code_of("allergies_empty", AllergyStatus.UNREADABLE)
    found: Resource = {
        "resourceType": "List",
        "id": ident("allergy list"),
        "text": narrative([f"<p>Allergies: {allergies.status.value.replace('_', ' ')}</p>"], "generated"),
        "identifier": [{"system": f"{OWN}statement", "value": "allergies"}],
        "extension": [extension("allergy_status", allergies.status)],
        "status": "current",
        "mode": "snapshot",
        "code": concept("Allergies", code_of("section", "allergies")),
        "subject": reference(patient),
    }
    found |= {"entry": [{"item": one} for one in items]} if items else {"emptyReason": concept("", empty)}
    return [found | ({"note": [{"text": string(allergies.text)}]} if allergies.text else {})]
