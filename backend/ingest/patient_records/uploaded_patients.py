"""An uploaded file to patients: notes of any form, and of C-CDA and FHIR the record, the medicines and a letter's details too.

It ends with a list of every part of the file: what was taken, and what was not and why.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any
from xml.etree.ElementTree import Element

from pydantic import ValidationError

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import cda_parts, child, iso_time
from backend.ingest.clinical_notes.fhir_entries import HEADERS, Resource, codings, listed
from backend.ingest.clinical_notes.fhir_notes import NO_CARE, patient_of, resources, wrong
from backend.ingest.clinical_notes.patient_note_files import read_patient_file
from backend.ingest.clinical_notes.written_note_files import json_rows, utf8
from backend.ingest.documents.safe_xml import inner_text, local, parsed
from backend.ingest.documents.source_documents import one_line
from backend.ingest.patient_records.ccda_record import ccda_to_record
from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.ingest.patient_records.fhir_values import day_of, display, held, text_of
from backend.ingest.patient_records.imported_statements import Lookup, number_text
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.people.ages import stated_ages
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.letter_details import LONGEST, LetterDetails
from backend.schemas.patients.patient_files import FileMedicine, NotesFile
from backend.schemas.patients.taken import Taken, TakenItem
from backend.schemas.record import Dosage, Experiencer, MedicationStatement, PatientRecord
from backend.schemas.vocabulary import AllergyStatus

_STAY = "IMP"
_SOCIAL_SECURITY = "2.16.840.1.113883.4.1"  # a number of a person that no letter shows
_DOCUMENTS = ("Composition", "DocumentReference", "DiagnosticReport")
_PARTS = (
    ("problems", "Problems"),
    ("medications", "Medicines"),
    ("procedures", "Procedures"),
    ("devices", "Devices"),
    ("observations", "Measured values"),
    ("social", "Social history"),
    ("plan", "Plan"),
)


def read_upload(data: bytes, name: str, lookup: Lookup | None = None) -> NotesFile:
    """Everything of a file that Leapnote can use.

    Raises InputError for one that is damaged, packed, or holds no note.

    Args:
        data: the whole file.
        name: of the file, for errors.
        lookup: the concept that a whole name means, or None (DictionaryLinker.lookup).
    """
    found = read_patient_file(data, name)
    if found.kind == "c-cda":
        return _with_cda(found, data, name, lookup)
    if found.kind == "fhir":
        return _with_fhir(found, data, name, lookup)
    noted = [_note_item(note.note_type, note.date, len(note.text)) for one in found.patients for note in one.notes]
    left = [TakenItem(what=reason, count=count, taken=False) for reason, count in found.skipped.items()]
    return found.model_copy(update={"taken": Taken(items=(*found.taken.items, *noted, *left))})


def _with_cda(found: NotesFile, data: bytes, name: str, lookup: Lookup | None) -> NotesFile:
    record = ccda_to_record(data, name, lookup)
    root = parsed(data)
    if root is None:
        return found
    (patient,) = found.patients
    details, head = _cda_details(root)
    fields = {"record": record, "medicines": _medicines(record), "details": details}
    whole = patient.model_copy(update={**fields, "notes": _with_person(patient.notes, record)})
    note = patient.notes[0]
    said = {id(part.section) for part in cda_parts(root)}
    sections = [e for e in root.iter() if local(e.tag) == "section"]
    empty = Counter(_section_title(one) for one in sections if id(one) not in said)
    files = sum(local(e.tag) == "observationMedia" for e in root.iter())
    items = [
        _note_item(note.note_type, note.date, len(note.text)),
        *_record_items(record),
        *head,
        *(TakenItem(what=what, count=n, taken=False, reason="no text in this section") for what, n in empty.items()),
    ]
    items += [TakenItem(what="pictures", count=files, taken=False, reason="a picture holds no text")] if files else []
    return found.model_copy(update={"patients": (whole,), "taken": Taken(items=tuple(items))})


def _with_fhir(found: NotesFile, data: bytes, name: str, lookup: Lookup | None) -> NotesFile:
    rows = json_rows(utf8(data, name), name)
    entries = [entry for _, row in rows for entry in _entries(row)]
    stamp = next((text for _, row in rows if (text := text_of(row.get("timestamp")))), "")
    known = {text_of(e["resource"].get("id")) for e in entries if e["resource"].get("resourceType") == "Patient"}
    patients, items = [], list[TakenItem]()
    for patient in found.patients:
        bundle = {"resourceType": "Bundle", "timestamp": stamp, "entry": _own(entries, patient.patient, known)}
        try:
            record = bundle_to_record(bundle, lookup)
        except InputError as error:
            items.append(TakenItem(what="coded record", taken=False, reason=str(error)))
            patients.append(patient)
            continue
        details, head = _fhir_details(bundle)
        fields = {"record": record, "medicines": _medicines(record), "details": details}
        patients.append(patient.model_copy(update={**fields, "notes": _with_person(patient.notes, record)}))
        items += [_note_item(note.note_type, note.date, len(note.text)) for note in patient.notes]
        items += [*_record_items(record), *head]
    items += _left_out([entry["resource"] for entry in entries], found.skipped)
    return found.model_copy(update={"patients": tuple(patients), "taken": Taken(items=tuple(items))})


def _entries(row: Resource) -> Iterator[Resource]:
    """The entries of a bundle that hold a resource, or one entry of the resource itself."""
    if row.get("resourceType") != "Bundle":
        yield {"resource": row}
        return
    for entry in listed(row.get("entry")):
        if isinstance(entry.get("resource"), dict):
            yield entry


def _own(entries: list[Resource], patient: str, known: set[str]) -> list[Resource]:
    """What is of this patient, and what is of nobody (places, people, kinds of medicine); all of it where there is one patient."""
    if len(known) < 2:
        return entries
    kept = []
    for entry in entries:
        one = entry["resource"]
        whose = text_of(one.get("id")) if one.get("resourceType") == "Patient" else patient_of(one)
        if whose in ("", patient):
            kept.append(entry)
    return kept


def _left_out(found: list[Resource], skipped: Mapping[str, int]) -> Iterator[TakenItem]:
    """Resources of which nothing was taken, by type."""
    administrative = Counter(
        kind
        for one in found
        if (kind := text_of(one.get("resourceType"))) in NO_CARE - {"Patient", "Encounter", "Bundle"}
    )
    for kind, count in administrative.items():
        yield TakenItem(what=kind, count=count, taken=False, reason="about administration, not about care")
    mistaken = Counter(text_of(one.get("resourceType")) for one in found if wrong(one))
    for kind, count in mistaken.items():
        yield TakenItem(what=kind, count=count, taken=False, reason="entered in error, refuted or cancelled")
    for reason, count in skipped.items():
        kind, _, why = reason.partition(": ")
        if why:
            read = kind not in HEADERS and kind not in _DOCUMENTS
            yield TakenItem(
                what=kind, count=count, taken=False, reason=f"{why}{'; Leapnote does not read it' if read else ''}"
            )
        elif "entered in error" not in reason:
            yield TakenItem(what=reason, count=count, taken=False)


def _record_items(record: PatientRecord) -> Iterator[TakenItem]:
    allergies = len(record.allergies.items)
    status = record.allergies.status.value.replace("_", " ")
    known = record.allergies.status is not AllergyStatus.NOT_STATED
    reason = f"into the record: {status}" if known else "the file states none in codes"
    yield TakenItem(what="Allergies", count=allergies, taken=known, reason=reason)
    for field, what in _PARTS:
        count = len(getattr(record, field))
        if count:
            yield TakenItem(what=what, count=count, taken=True, reason="into the record")


def _with_person(notes: tuple[PatientNote, ...], record: PatientRecord) -> tuple[PatientNote, ...]:
    """The notes; over the newest stands the age that the file states, where none of them tells one: advice hangs on it."""
    age, sex = record.person.age_years, record.person.sex
    if age is None or not notes or any(stated_ages(parse_note(note.text)) for note in notes):
        return notes
    at = max(range(len(notes)), key=lambda place: (notes[place].date or "", place))
    old = f"{number_text(age)}-year-old" if age >= 2 else f"{round(age * 12)}-month-old"
    line = f"Patient: {old} {sex or 'person'}"
    newest = notes[at].model_copy(update={"text": f"{line}\n\n{notes[at].text}"})
    return (*notes[:at], newest, *notes[at + 1 :])


def _note_item(kind: str, day: str | None, characters: int) -> TakenItem:
    return TakenItem(
        what=kind,
        taken=True,
        reason=f"a note {f'of {day[:10]}' if day else 'without a date'}, {characters:,} characters",
    )


def _medicines(record: PatientRecord) -> tuple[FileMedicine, ...]:
    """The patient's medicines as lines, each once."""
    made: dict[tuple[str, str, str], FileMedicine] = {}
    for one in record.medications:
        if one.experiencer is Experiencer.PATIENT:
            text = _medicine_line(one)
            made.setdefault(
                (text, one.status, one.category), FileMedicine(text=text, status=one.status, category=one.category)
            )
    return tuple(made.values())


def _medicine_line(one: MedicationStatement) -> str:
    """Name, dose, how many, route and time, as a list of medicines has them."""
    told = one.dosage
    parts = [one.name, told.text or " ".join(part for part in _dosage_words(told) if part)]
    return one_line(" ".join(part for part in parts if part))[:500]


def _dosage_words(told: Dosage) -> Iterator[str]:
    yield _amount(told.dose, told.dose_high, f"{told.unit}{'/kg' if told.per_kg else ''}")
    yield _amount(told.quantity, told.quantity_high, told.form) or told.form
    yield told.route
    yield told.timing_text or told.timing
    yield told.with_text
    if told.as_needed:
        yield f"as needed{f' for {told.as_needed_for}' if told.as_needed_for else ''}"


def _amount(low: float | None, high: float | None, unit: str) -> str:
    if low is None:
        return ""
    shown = number_text(low) + (f" to {number_text(high)}" if high is not None else "")
    return f"{shown} {unit}".strip()


def _details(**fields: Any) -> tuple[LetterDetails, list[TakenItem]]:
    """The details that can stand in a letter's head, and a line for each that the file gives: one of another form is left out."""
    made, items = LetterDetails(), []
    for name, value in fields.items():
        shown = one_line(value)[:LONGEST] if isinstance(value, str) else value
        what = name.replace("_", " ").capitalize()
        try:
            made = LetterDetails.model_validate(made.model_dump() | {name: shown})
        except ValidationError:
            items.append(TakenItem(what=what, taken=False, reason="cannot stand in the head of a letter"))
            continue
        if shown:
            items.append(TakenItem(what=what, taken=True, reason="for the head of the letter"))
    return made, items


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _cda_details(root: Element) -> tuple[LetterDetails, list[TakenItem]]:
    role = _first(root, "patientRole")
    patient = child(role, "patient") if role is not None else None
    stay = _first(root, "encompassingEncounter")
    time = child(stay, "effectiveTime") if stay is not None else None
    numbers = [e for e in role or () if local(e.tag) == "id" and e.get("root") != _SOCIAL_SECURITY]
    who = _first(stay, "assignedPerson") if stay is not None else None
    place = _first(stay, "healthCareFacility") if stay is not None else None
    hospital = _first(root, "representedCustodianOrganization")
    return _details(
        patient_name=_person_name(patient),
        date_of_birth=_day(iso_time(child(patient, "birthTime")) if patient is not None else None),
        record_number=numbers[0].get("extension", "") if numbers else "",
        ward=inner_text(_first(place, "name")) if place is not None else "",
        admitted=_day(iso_time(child(time, "low")) if time is not None else None),
        discharged=_day(iso_time(child(time, "high")) if time is not None else None),
        clinician=_person_name(who),
        hospital=inner_text(child(hospital, "name")) if hospital is not None else "",
    )


def _first(root: Element | None, tag: str) -> Element | None:
    return next((e for e in root.iter() if local(e.tag) == tag), None) if root is not None else None


def _person_name(person: Element | None) -> str:
    """The first name of a person as one would write it: prefix, given names, family name, suffix."""
    name = child(person, "name") if person is not None else None
    if name is None:
        return ""
    parts = [inner_text(e) for kind in ("prefix", "given", "family", "suffix") for e in name if local(e.tag) == kind]
    return one_line(" ".join(parts)) or one_line(inner_text(name))


def _section_title(section: Element) -> str:
    code = child(section, "code")
    title = one_line(inner_text(child(section, "title")))[:80]
    return title or (code.get("displayName", "")[:80] if code is not None else "") or "a section"


def _fhir_details(bundle: Resource) -> tuple[LetterDetails, list[TakenItem]]:
    found = list(resources(bundle))
    patient = next((one for one in found if one.get("resourceType") == "Patient"), {})
    stays = [
        one for one in found if one.get("resourceType") == "Encounter" and held(one.get("class")).get("code") == _STAY
    ]
    stay = max(stays, key=lambda one: day_of(one.get("period")), default={})
    period, wards = held(stay.get("period")), listed(stay.get("location"))
    return _details(
        patient_name=_human_name(listed(patient.get("name"))),
        date_of_birth=_day(text_of(patient.get("birthDate"))),
        record_number=_record_number(listed(patient.get("identifier"))),
        ward=display(wards[0].get("location")) if wards else "",
        admitted=_day(text_of(period.get("start"))),
        discharged=_day(text_of(period.get("end"))),
        hospital=display(stay.get("serviceProvider")),
    )


def _human_name(names: list[Resource]) -> str:
    """The official name, else the first."""
    name = next((one for one in names if one.get("use") == "official"), names[0] if names else {})
    if text_of(name.get("text")):
        return text_of(name.get("text"))
    given = [text_of(part) for field in ("prefix", "given") for part in name.get(field) or () if isinstance(part, str)]
    return " ".join([*given, text_of(name.get("family"))]).strip()


def _record_number(identifiers: list[Resource]) -> str:
    """The medical record number; no other number of a person stands in a letter."""
    numbers = [text_of(one.get("value")) for one in identifiers if "MR" in codings(one.get("type"))]
    return numbers[0] if numbers else ""
