"""A C-CDA document to a patient record: by its coded entries, which templates name, not by its narrative.

Statements have spans where an entry refers to words of the narrative that the document's note holds (cda_note); note_id is the
document's id. A section without entries states nothing here: its narrative is read like any note.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import CdaPart, cda_parts, child, iso_time
from backend.ingest.documents.safe_xml import inner_text, local, parsed
from backend.ingest.patient_records.ccda_statements import CdaReader
from backend.ingest.patient_records.ccda_values import low_day, template_of
from backend.ingest.patient_records.code_tables import value_of
from backend.ingest.patient_records.imported_statements import ImportedStatements, Lookup, age_between
from backend.schemas.record import PatientRecord, RecordSpan

_DOCUMENT = "c-cda"
_SEXES = {"F": "female", "M": "male"}


def ccda_to_record(data: bytes, name: str, lookup: Lookup | None = None) -> PatientRecord:
    """The record of a C-CDA document. It is of the document alone: nothing of it is today's statement of the patient.

    Args:
        data: the XML.
        name: of the file, for errors.
        lookup: the concept that a whole name means, or None (DictionaryLinker.lookup).

    Raises:
        InputError: for what is no C-CDA.
    """
    root = parsed(data)
    if root is None or local(root.tag) != "ClinicalDocument":
        raise InputError(
            f"{name!r} is no C-CDA document: its XML is broken, declares entities or holds something else."
        )
    statements = ImportedStatements(lookup)
    at = (iso_time(child(root, "effectiveTime")) or "")[:10]
    _header(root, statements, at)
    by_id = {key: element for element in root.iter() if (key := element.get("ID"))}
    texts = {id(part.section): part for part in cda_parts(root)}
    note_id = _note_id(root)
    for section in (e for e in root.iter() if local(e.tag) == "section"):
        code = child(section, "code")
        code_value = code.get("code", "") if code is not None else ""
        part = texts.get(id(section))
        if part is not None and value_of("reason_section", [code_value]):
            statements.describe_encounter(
                f"{_DOCUMENT}/{code_value}", reason=" ".join(part.text.split("\n", 1)[-1].split())
            )
        reader = CdaReader(statements, by_id, code_value, low_day(_encounter(root)))
        for number, entry in enumerate(_entries(section), start=1):
            source = f"{_DOCUMENT}/{template_of(entry)}/{code_value}-{number}"
            reader.read(entry, source, _spans(reader.words_in_note(entry), part, note_id))
    return statements.record()


def _header(root: Element, statements: ImportedStatements, at: str) -> None:
    """The patient and the encounter that the document is of."""
    role = next((e for e in root.iter() if local(e.tag) == "patientRole"), None)
    patient = child(role, "patient") if role is not None else None
    if patient is not None:
        sex, birth = child(patient, "administrativeGenderCode"), child(patient, "birthTime")
        age = age_between(iso_time(birth) or "", at)
        known = _SEXES.get(sex.get("code", ""), "") if sex is not None else ""
        statements.describe_person(f"{_DOCUMENT}/recordTarget", sex=known, age_years=age)
    encounter = _encounter(root)
    if encounter is not None:
        code = child(encounter, "code")
        setting = value_of("setting", [code.get("code", "")]) if code is not None else ""
        source = f"{_DOCUMENT}/encompassingEncounter"
        statements.describe_encounter(source, setting=setting, date=low_day(encounter))


def _encounter(root: Element) -> Element | None:
    return next((e for e in root.iter() if local(e.tag) == "encompassingEncounter"), None)


def _entries(section: Element) -> Iterator[Element]:
    """The outermost elements of a section's entries that have a known template; those of other sections are theirs."""
    for entry in (e for e in section if local(e.tag) == "entry"):
        yield from _known(entry)


def _known(element: Element) -> Iterator[Element]:
    for one in element:
        if template_of(one):
            yield one
        else:
            yield from _known(one)


def _spans(words: str, part: CdaPart | None, note_id: str) -> tuple[RecordSpan, ...]:
    """Where the note's section has the words that an entry refers to."""
    if not words or part is None:
        return ()
    place = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", part.text)
    if place is None:
        return ()
    start, end = part.start_char + place.start(), part.start_char + place.end()
    return (RecordSpan(note_id=note_id, start_char=start, end_char=end, text=words),)


def _note_id(root: Element) -> str:
    """What spans call the document's note: never empty, which would be the note of today."""
    known = child(root, "id")
    identifier = (known.get("extension", "") or known.get("root", "")) if known is not None else ""
    return f"{_DOCUMENT}/{identifier or inner_text(child(root, 'title')).strip() or 'document'}"
