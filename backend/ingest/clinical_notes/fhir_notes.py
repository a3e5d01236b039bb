"""FHIR R4 resources (JSON) to a patient's notes: documents as they are, and a day's coded entries as one note of that day.

Documents are DocumentReference, DiagnosticReport and Composition. Allergies, problems, medicines, results and the like are told
under headers, a line each, so that they are found and dated like any note. The allergies and medicines that the patient has now stand
in the newest note too, whenever they were entered: that is where today's letter is drafted from. What is entered in error, refuted or cancelled is
left out and counted; so is what holds no text. Addresses are never followed.
"""

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import cda_note, document_type
from backend.ingest.clinical_notes.fhir_entries import HEADERS, codings, entry_line, instant, listed, stands, words
from backend.ingest.clinical_notes.written_note_files import json_rows, looks_like_json, utf8
from backend.ingest.corpora.html_text import html_sections
from backend.ingest.documents.source_documents import one_line
from backend.ingest.documents.text_files import file_text, is_pdf, is_word
from backend.registry import note_importer
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from backend.schemas.patients.patient_notes import NoteType

Resource = dict[str, Any]
Parts = dict[str, list[str]]
"""Lines by the header that they stand under."""
BETWEEN = "\n\n"
WRONG = frozenset(("entered-in-error", "refuted", "cancelled", "not-done", "draft"))
NO_CARE = frozenset(("Patient", "Encounter", "Practitioner", "PractitionerRole", "Organization", "Location", "Claim",
                     "ExplanationOfBenefit", "Coverage", "Provenance", "Device", "Medication", "Bundle"))  # fmt: skip


@note_importer("fhir", label="FHIR R4", endings=("json", "ndjson"), order=2)
class FhirFile:
    """FHIR R4 as JSON: a Bundle, a resource, a list of them, or a resource a line."""

    def recognises(self, data: bytes) -> bool:
        """Whether each of its objects is a resource."""
        if not looks_like_json(data) or b'"resourceType"' not in data:
            return False
        try:
            rows = json_rows(utf8(data, ""), "")
        except InputError:
            return False
        return bool(rows) and all("resourceType" in row for _, row in rows)

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes by patient. Raises InputError for what is no JSON."""
        skipped: Counter[str] = Counter()
        rows = json_rows(utf8(data, name), name)
        found = fhir_notes((one for _, row in rows for one in resources(row)), skipped)
        records = tuple(PatientFile(patient=patient, notes=tuple(notes)) for patient, notes in found.items())
        return NotesFile(kind="fhir", patients=records, skipped=dict(skipped))


def resources(row: Resource) -> Iterator[Resource]:
    """A bundle's resources, or the one resource itself.

    Yields:
        Resource: one at a time.
    """
    if row.get("resourceType") != "Bundle":
        yield row
        return
    for entry in listed(row.get("entry")):
        held = entry.get("resource")
        if isinstance(held, dict):
            yield held


def fhir_notes(found: Iterable[Resource], skipped: Counter[str]) -> dict[str, list[PatientNote]]:
    """Notes by the patient's id, in order of their dates. skipped is counted up."""
    notes: dict[str, list[PatientNote]] = {}
    days: dict[str, dict[str | None, Parts]] = {}
    now: dict[str, Parts] = {}
    for resource in found:
        kind = str(resource.get("resourceType", ""))
        if kind in NO_CARE:
            continue
        patient = patient_of(resource)
        if wrong(resource):
            skipped["entered in error, refuted or cancelled"] += 1
        elif kind in ("DocumentReference", "DiagnosticReport", "Composition") and (
            document_notes := _document(resource, skipped)
        ):
            held = notes.setdefault(patient, [])
            held.extend(note for note in document_notes if note not in held)
        elif kind in HEADERS and (line := entry_line(resource)):
            day = (instant(resource) or "")[:10] or None
            _add(days.setdefault(patient, {}).setdefault(day, {}), HEADERS[kind], line)
            if stands(resource):
                _add(now.setdefault(patient, {}), HEADERS[kind], line)
        else:
            skipped[f"{kind or 'no resource'}: no text to read"] += 1
    for patient, parts in now.items():
        _stand_today(parts, notes.get(patient, []), days[patient])
    for patient, of_days in days.items():
        # before the documents of the same day: today's letter is drafted from the last of the newest day
        lists = [PatientNote(note_type=NoteType.GENERAL.value, date=day, text=_told(of_days[day])) for day in of_days]
        notes[patient] = [*lists, *notes.get(patient, ())]
    return {
        patient: sorted(held, key=lambda note: (note.date is None, note.date or "")) for patient, held in notes.items()
    }


def _stand_today(parts: Parts, documents: list[PatientNote], days: dict[str | None, Parts]) -> None:
    """Tell what the patient has now in the newest document, or on the newest day of entries where that is later."""
    newest = max(range(len(documents)), key=lambda i: (documents[i].date or "", i), default=None)
    day = max((one for one in days if one), default=None)
    if newest is None and day is None:
        return  # all of the file is one list without a date
    undated = days.pop(None, {})
    if left := {
        header: kept
        for header, lines in undated.items()
        if (kept := [x for x in lines if x not in parts.get(header, ())])
    }:
        days[None] = left
    if newest is not None and (documents[newest].date or "") >= (day or ""):
        document = documents[newest]
        documents[newest] = document.model_copy(update={"text": BETWEEN.join((document.text, _told(parts)))})
        return
    for header, lines in parts.items():
        for line in lines:
            _add(days[day], header, line)


def _add(parts: Parts, header: str, line: str) -> None:
    lines = parts.setdefault(header, [])
    if line not in lines:
        lines.append(line)


def _told(parts: Parts) -> str:
    """Entries under their headers, a line each."""
    return BETWEEN.join(
        f"{header}:\n" + "\n".join(f"- {line}" for line in lines) for header, lines in sorted(parts.items())
    )


def section_texts(sections: list[Resource]) -> Iterator[tuple[Resource, str]]:
    """The sections of a Composition that have a narrative, each with its text under its title; BETWEEN stands between two.

    Yields:
        a section and its text.
    """
    for section in sections:
        div = section.get("text", {}).get("div", "") if isinstance(section.get("text"), dict) else ""
        body = "\n\n".join(part.text for part in html_sections(str(div))[1])
        title = one_line(str(section.get("title", "")))
        if body:
            yield section, f"{title}:\n{body}" if title else body
        yield from section_texts(listed(section.get("section")))


def _document(resource: Resource, skipped: Counter[str]) -> list[PatientNote]:
    """The texts of a document; nothing where none can be read."""
    named = resource.get("type") or resource.get("code") or {}
    code = next(iter(codings(named)), "")
    kind = document_type(code, words(named))
    date = instant(resource)
    texts = []
    for content in listed(resource.get("content")):
        attachment = content.get("attachment")
        if isinstance(attachment, dict):
            texts.append(_attached(attachment, skipped))
    texts += [_attached(form, skipped) for form in listed(resource.get("presentedForm"))]
    texts += [text for _, text in section_texts(listed(resource.get("section")))]
    if not any(texts) and isinstance(resource.get("conclusion"), str):
        texts.append(f"Conclusion:\n{resource['conclusion'].strip()}")
    if resource.get("resourceType") == "Composition":
        texts = [BETWEEN.join(texts)]
    return [PatientNote(note_type=kind, date=date, text=text) for text in texts if text.strip()]


def _attached(attachment: Resource, skipped: Counter[str]) -> str:
    """The text of an attachment; empty, and counted, where it is no text or lies elsewhere."""
    kind = str(attachment.get("contentType", "text/plain")).split(";")[0].strip().lower()
    data = attachment.get("data")
    if not isinstance(data, str):
        skipped["an attachment that lies elsewhere or is empty"] += 1
        return ""
    try:
        raw = base64.b64decode("".join(data.split()), validate=True)
        if kind in ("text/xml", "application/xml", "application/hl7-cda+xml"):
            return cda_note(raw, "attachment").note.text
        if is_pdf(raw) or is_word(raw):
            return file_text(raw, "attachment").text.strip()
        text = raw.decode("utf-8-sig")
    except (binascii.Error, UnicodeDecodeError, InputError):
        skipped["an attachment that cannot be read"] += 1
        return ""
    if kind in ("text/html", "application/xhtml+xml"):
        return "\n\n".join(
            f"{part.header}:\n{part.text}" if part.header else part.text for part in html_sections(text)[1]
        )
    if kind in ("text/plain", "text/markdown", "text/rtf+plain"):
        return text.strip()
    skipped[f"an attachment of type {one_line(kind)[:40]}"] += 1
    return ""


def patient_of(resource: Resource) -> str:
    """The id behind the reference to the patient, however the file writes it; empty without one."""
    for field in ("subject", "patient"):
        held = resource.get(field)
        if isinstance(held, dict) and isinstance(held.get("reference"), str):
            return str(held["reference"]).rsplit("/", 1)[-1].removeprefix("urn:uuid:")
    return ""


def wrong(resource: Resource) -> bool:
    """Whether a resource was entered in error, refuted or cancelled."""
    states = {str(resource.get("status", "")), str(resource.get("docStatus", ""))}
    return bool(states.union(codings(resource.get("verificationStatus"))) & WRONG)
