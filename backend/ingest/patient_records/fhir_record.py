"""A FHIR R4 Bundle of one patient to a patient record.

The encounter is the Composition's, else the latest. Where a Composition's section holds both a narrative and references to
resources, the statements have spans in the note that the narrative becomes on import (fhir_notes); note_id is the Composition's address.
"""

import re
from collections.abc import Callable
from typing import Any

from backend.errors import InputError
from backend.ingest.clinical_notes.fhir_entries import Resource, codings, instant, listed, words
from backend.ingest.clinical_notes.fhir_notes import BETWEEN, resources, section_texts
from backend.ingest.patient_records.code_tables import value_of
from backend.ingest.patient_records.fhir_statements import FhirReader
from backend.ingest.patient_records.fhir_values import day_of, held, own_id, text_of
from backend.ingest.patient_records.imported_statements import ImportedStatements, Lookup
from backend.schemas.record import PatientRecord, RecordSpan
from backend.schemas.vocabulary import AllergyStatus

_FHIR = "fhir/"


def bundle_to_record(bundle: Resource, lookup: Lookup | None = None) -> PatientRecord:
    """The record of a bundle, or of a single resource.

    It is of the file alone: nothing of it is today's statement of the patient.

    Args:
        bundle: FHIR R4 as JSON; what has no place in a record is passed over.
        lookup: the concept that a whole name means, or None (DictionaryLinker.lookup).

    Raises:
        InputError: the bundle holds several patients.
    """
    found = list(resources(bundle))
    patients = [one for one in found if one.get("resourceType") == "Patient"]
    if len(patients) > 1:
        raise InputError(f"The bundle holds {len(patients)} patients. Give a bundle of one.")
    by_address = _addresses(bundle, found)

    def referred(address: str) -> Resource:
        return by_address.get(address) or by_address.get("/".join(address.split("/")[-2:]), {})

    encounter, statements = _encounter(found, referred), ImportedStatements(lookup)
    at = day_of(encounter.get("period")) or day_of(bundle.get("timestamp"))
    reader = FhirReader(statements, encounter, at, referred)
    for one in sorted(found, key=lambda one: instant(one) or "", reverse=True):
        reader.read_person(one, _name(one))
    spans = _spans(found, referred)
    earlier = _earlier_habits(found)
    for one in found:
        if id(one) not in earlier:
            reader.read(one, _name(one), spans.get(id(one), ()))
    _allergy_section(found, statements)
    return statements.record()


def _addresses(bundle: Resource, found: list[Resource]) -> dict[str, Resource]:
    """Resources by full address, and by type and id."""
    held_at = {text_of(one.get("fullUrl")): held(one.get("resource")) for one in listed(bundle.get("entry"))}
    return {_name(one).removeprefix(_FHIR): one for one in found} | held_at


def _encounter(found: list[Resource], referred: Callable[[str], Resource]) -> Resource:
    """The encounter that the record is of: the Composition's, else the latest; empty without one."""
    for one in found:
        if one.get("resourceType") == "Composition" and (encounter := referred(_address(one.get("encounter")))):
            return encounter
    encounters = [one for one in found if one.get("resourceType") == "Encounter"]
    return max(encounters, key=lambda one: instant(one) or "", default={})


def _earlier_habits(found: list[Resource]) -> set[int]:
    """Answers about a habit that a later answer to the same question has replaced, by their identity."""
    newest: dict[str, Resource] = {}
    earlier: set[int] = set()
    for one in found:
        kind = value_of("social_kind", codings(one.get("code"))) if one.get("resourceType") == "Observation" else ""
        if not kind or own_id(one):
            continue
        before = newest.get(kind, one)
        newest[kind] = max(before, one, key=lambda held: instant(held) or "")
        earlier |= {id(before), id(one)} - {id(newest[kind])}
    return earlier


def _spans(found: list[Resource], referred: Callable[[str], Resource]) -> dict[int, tuple[RecordSpan, ...]]:
    """Where a Composition's narrative names a resource that its section refers to, by the resource's identity."""
    spans: dict[int, tuple[RecordSpan, ...]] = {}
    for composition in found:
        if composition.get("resourceType") != "Composition":
            continue
        at = 0
        for section, text in section_texts(listed(composition.get("section"))):
            for entry in listed(section.get("entry")):
                one = referred(_address(entry))
                name = words(one.get("code") or one.get("medicationCodeableConcept"))
                place = re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) if name else None
                if place is not None and id(one) not in spans:
                    start, end = at + place.start(), at + place.end()
                    span = RecordSpan(note_id=_name(composition), start_char=start, end_char=end, text=place[0])
                    spans[id(one)] = (span,)
            at += len(text) + len(BETWEEN)
    return spans


def _allergy_section(found: list[Resource], statements: ImportedStatements) -> None:
    """What a Composition's empty section of allergies says of them."""
    for composition in found:
        sections = listed(composition.get("section")) if composition.get("resourceType") == "Composition" else []
        for section in sections:
            status = value_of("allergies_empty", codings(section.get("emptyReason")))
            if status and value_of("section", codings(section.get("code"))) == "allergies":
                statements.describe_allergies(AllergyStatus(status))


def _address(reference: Any) -> str:
    return text_of(held(reference).get("reference"))


def _name(resource: Resource) -> str:
    """What rule_ids and note_id call a resource."""
    return f"{_FHIR}{text_of(resource.get('resourceType'))}/{text_of(resource.get('id'))}"
