"""What a letter's details add to FHIR resources: who the patient is, and of which stay."""

from backend.review.exports.fhir.fhir_parts import Resource, narrative, reference, string, xhtml
from backend.review.exports.fhir.record_resources import SectionedResource
from backend.schemas.patients.letter_details import LetterDetails

_MR = {"system": "http://terminology.hl7.org/CodeSystem/v2-0203", "code": "MR", "display": "Medical record number"}


def identified(patient: Resource, details: LetterDetails) -> Resource:
    """The Patient with the name, day of birth and record number that are known."""
    name, number = string(details.patient_name), string(details.record_number)
    added: Resource = {"name": [{"text": name}]} if name else {}
    if number:
        added["identifier"] = [{"use": "usual", "type": {"coding": [_MR], "text": "Record number"}, "value": number}]
    added |= {"birthDate": details.date_of_birth.isoformat()} if details.date_of_birth else {}
    if not added:
        return patient
    words = [
        name,
        f"record number {number}" if number else "",
        f"born {added['birthDate']}" if "birthDate" in added else "",
    ]
    text = f"<p>{xhtml(', '.join(word for word in words if word))}</p>"
    return patient | added | {"text": narrative([text], "generated")}


def of_stay(one: SectionedResource, details: LetterDetails, hospital: Resource) -> SectionedResource:
    """An Encounter with the days and the ward of the letter's details; any other resource as it is.

    hospital: the Organization; empty where it is not known.
    """
    if one.resource["resourceType"] != "Encounter":
        return one
    days = {"start": details.admitted, "end": details.discharged}
    known = {end: day.isoformat() for end, day in days.items() if day is not None}
    ordered = details.admitted is None or details.discharged is None or details.admitted <= details.discharged
    added: Resource = {"period": known} if known and ordered else {}
    ward = string(details.ward)
    added |= {"location": [{"location": {"display": ward}}]} if ward else {}
    added |= {"serviceProvider": reference(hospital)} if hospital else {}
    return one._replace(resource=one.resource | added)
