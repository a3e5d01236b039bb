"""A C-CDA document (XML) to one note of a patient: the narrative of each section under its title.

The narrative is what a clinician signed, so it is what is read; coded entries repeat it. A row of a table becomes a line, each
cell with its column's name. Admission and discharge of the encounter are written as headers, so that the note's stay is
known. A body may be a PDF or Word document; one without text (RTF, scans, images) cannot be read, and says so.
"""

import base64
import binascii
import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

from backend.errors import InputError
from backend.ingest.documents.safe_xml import inner_text, local, parsed
from backend.ingest.documents.source_documents import one_line
from backend.ingest.documents.text_files import file_text, is_pdf, is_word
from backend.registry import note_importer
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from backend.schemas.patients.patient_notes import NoteType

STAYS = frozenset(("IMP", "ACUTE", "NONACUTE", "OBSENC"))  # HL7 ActCode of encounters that last
_BETWEEN = "\n\n"
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d))?")


class CdaNote(NamedTuple):
    """patient: the first id of the record's target, empty without one."""

    patient: str
    note: PatientNote


class CdaPart(NamedTuple):
    """A section of a document, what the note says of it with its title, and where that begins in the note."""

    section: Element
    text: str
    start_char: int


@note_importer("c-cda", label="C-CDA", endings=("xml",), order=1)
class CdaFile:
    """A C-CDA document: the one note that a clinician signed."""

    def recognises(self, data: bytes) -> bool:
        """Whether it begins as XML does."""
        return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"

    def read(self, data: bytes, name: str) -> NotesFile:
        """The document as one note of one patient. Raises InputError for what is no C-CDA, or holds no text."""
        held = cda_note(data, name)
        return NotesFile(kind="c-cda", patients=(PatientFile(patient=held.patient, notes=(held.note,)),))


def cda_note(data: bytes, name: str) -> CdaNote:
    """name: of the file, for errors.

    Raises:
        InputError: for what is no C-CDA, or holds no text.
    """
    root = parsed(data)
    if root is None or local(root.tag) != "ClinicalDocument":
        raise InputError(
            f"{name!r} is no C-CDA document: its XML is broken, declares entities or holds something else."
        )
    body = _BETWEEN.join(part.text for part in cda_parts(root)) or _unstructured(root)
    if not body.strip():
        raise InputError(
            f"{name!r} holds no text that can be read: its body is empty, or a PDF without text, RTF or image."
        )
    code, title = child(root, "code"), child(root, "title")
    words = (code.get("displayName", "") if code is not None else "") or one_line(inner_text(title))
    kind = document_type(code.get("code", "") if code is not None else "", words)
    note = PatientNote(note_type=kind, date=iso_time(child(root, "effectiveTime")), text=_stay(root) + body)
    return CdaNote(_patient(root), note)


def cda_parts(root: Element) -> list[CdaPart]:
    """The sections that say something, in order, and where each stands in the note; those within sections come after them."""
    found: list[CdaPart] = []
    at = len(_stay(root))
    for section in (e for e in root.iter() if local(e.tag) == "section"):
        title, code = one_line(inner_text(child(section, "title"))), child(section, "code")
        if not title and code is not None:
            title = code.get("displayName", "")
        title = title.rstrip(": ")
        narrative = child(section, "text")
        text = "" if narrative is None else _narrative(narrative)
        if text:
            found.append(CdaPart(section, f"{title}:\n{text}" if title else text, at))
            at += len(found[-1].text) + len(_BETWEEN)
    return found


def _narrative(element: Element) -> str:
    """A narrative block as lines; empty lines go."""
    parts: list[str] = []
    _append_text(element, parts)
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _append_text(element: Element, parts: list[str]) -> None:
    kind = local(element.tag)
    if kind == "table":
        parts.append("\n" + "\n".join(_rows(element)) + "\n")
        return
    if kind == "renderMultiMedia":
        return
    block = kind in ("paragraph", "item", "list", "br", "caption", "text")
    parts.append("\n- " if kind == "item" else "\n" if block else "")
    parts.append((element.text or "").replace("\n", " "))
    for child in element:
        if local(child.tag):
            _append_text(child, parts)
        parts.append((child.tail or "").replace("\n", " "))
    parts.append("\n" if block else "")


def _rows(table: Element) -> list[str]:
    """A line for each row: "Column: cell; …"; cells alone where the table has no such columns."""
    rows = [element for element in table.iter() if local(element.tag) == "tr"]
    cells = [
        [(local(c.tag), " ".join(inner_text(c).split())) for c in row if local(c.tag) in ("td", "th")] for row in rows
    ]
    heads = next((row for row in cells if row and all(kind == "th" for kind, _ in row)), [])
    row_lines = []
    for row in cells:
        if row is heads:
            continue
        named = heads if len(heads) == len(row) else [("th", "")] * len(row)
        line = "; ".join(
            f"{head}: {text}" if head else text for (_, head), (_, text) in zip(named, row, strict=True) if text
        )
        if line:
            row_lines.append(f"- {line}")
    return row_lines


def _unstructured(root: Element) -> str:
    """The text of a body that is plain text, PDF or Word; empty for any other kind of body."""
    body = next((e for e in root.iter() if local(e.tag) == "nonXMLBody"), None)
    text = child(body, "text") if body is not None else None
    if text is None:
        return ""
    if text.get("representation") != "B64":
        return inner_text(text).strip() if text.get("mediaType", "text/plain") == "text/plain" else ""
    try:
        data = base64.b64decode("".join(inner_text(text).split()), validate=True)
        plain = text.get("mediaType", "text/plain") == "text/plain"
        return file_text(data, "body").text.strip() if plain or is_pdf(data) or is_word(data) else ""
    except (binascii.Error, InputError):
        return ""


def _stay(root: Element) -> str:
    """The headers of admission and discharge of a stay in hospital; empty for any other encounter, or without both days."""
    encounter = next((e for e in root.iter() if local(e.tag) == "encompassingEncounter"), None)
    if encounter is None:
        return ""
    code, time = child(encounter, "code"), child(encounter, "effectiveTime")
    if time is None or (code is not None and code.get("code") not in STAYS and not _discharged(encounter)):
        return ""
    begin, end = iso_time(child(time, "low")), iso_time(child(time, "high"))
    return f"Admission Date: {begin[:10]}\nDischarge Date: {end[:10]}\n\n" if begin and end else ""


def _discharged(encounter: Element) -> bool:
    return child(encounter, "dischargeDispositionCode") is not None


def _patient(root: Element) -> str:
    role = next((e for e in root.iter() if local(e.tag) == "patientRole"), None)
    known = child(role, "id") if role is not None else None
    return known.get("extension", "") or known.get("root", "") if known is not None else ""


def iso_time(element: Element | None) -> str | None:
    """A time's value: YYYYMMDD or YYYYMMDDHHMM… as ISO; a time of less than a day's precision is none. The zone is not kept."""
    found = _TIME.match(element.get("value", "")) if element is not None else None
    if found is None:
        return None
    year, month, day, hour, minute = found.groups()
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}" if hour else "")


def child(element: Element, tag: str) -> Element | None:
    """The first child of a tag, in whatever namespace."""
    return next((child for child in element if local(child.tag) == tag), None)


LOINC_TYPES: dict[str, NoteType] = {
    "11488-4": NoteType.CONSULT,
    "57133-1": NoteType.CONSULT,  # referral note
    "18842-5": NoteType.DISCHARGE_SUMMARY,
    "11506-3": NoteType.PHYSICIAN,  # progress note
    "34117-2": NoteType.PHYSICIAN,  # history and physical
    "51847-2": NoteType.PHYSICIAN,  # evaluation and plan
    "11504-8": NoteType.PHYSICIAN,  # operative note
    "28570-0": NoteType.PHYSICIAN,  # procedure note
    "34746-8": NoteType.NURSING,
    "11524-6": NoteType.ECG,
    "18748-4": NoteType.RADIOLOGY,
    "42148-7": NoteType.ECHO,
}


def document_type(code: str, words: str) -> str:
    """The note's type as a request takes it: by the code, else as the file words it, else General."""
    kind = LOINC_TYPES.get(code)
    return kind.value if kind else " ".join(words.split())[:60] or NoteType.GENERAL.value
