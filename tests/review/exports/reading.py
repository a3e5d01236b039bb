"""The text of an exported file, read back by another library than the one that wrote it."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from lxml import etree
from pypdf import PdfReader

from backend.review.exports.exporting import exported_file
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind, SaveRequest

AT = datetime(2026, 5, 1, 13, 0, tzinfo=UTC)
HOSTILE = '<b>bold</b> & <script>alert("1")</script> </para> <br/> ]]> &amp; \x00\x0b\x1b \u202eevil\nnext line'
SHOWN = '<b>bold</b> & <script>alert("1")</script>'


def save(cases: Cases, draft: object) -> CaseView:
    """A case of this draft, version 1."""
    return cases.save(SaveRequest(label="x", draft=draft, author="Dr Ames"))


def file(view: CaseView, name: str, kind: CopyKind = CopyKind.CLINICIAN) -> bytes:
    """The copy as an exporter writes it."""
    return exported_file(view, name, kind, AT).data


def text_of(data: bytes, media_type: str) -> str:
    """All that a reader of the file can see, white space made single. An unknown media type is read as UTF-8 text."""
    read: Callable[[bytes], str] = READERS.get(media_type.partition(";")[0], bytes.decode)
    return re.sub(r"[ \n\u00a0]+", " ", read(data))


def word_text(data: bytes) -> str:
    """Paragraphs, headers and footers, and the words of a watermark."""
    found: list[str] = []
    with ZipFile(BytesIO(data)) as archive:
        for name in sorted(n for n in archive.namelist() if re.fullmatch(r"word/(document|header\d|footer\d)\.xml", n)):
            for element in etree.fromstring(archive.read(name)).iter():
                kind = etree.QName(element).localname
                found.append({"t": element.text or "", "br": "\n", "p": "\n"}.get(kind, ""))
                found.append(element.get("string", "") if kind == "textpath" else "")
    return "".join(found)


def pdf_text(data: bytes) -> str:
    """The pages one after the other, a line break where a line ends; without the places where a long word may break."""
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages).replace("\u200b", "")


def fhir_text(data: bytes) -> str:
    """Every string of the bundle; of a narrative its text."""
    return "\n".join(_strings(json.loads(data)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield "".join(etree.fromstring(value).itertext()) if value.startswith("<div ") else value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


READERS: dict[str, Callable[[bytes], str]] = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": word_text,
    "application/pdf": pdf_text,
    "application/fhir+json": fhir_text,
}
