"""Hostile text in every field that a person or a note can fill, in every format: it is shown as text, and nothing is lost."""

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from fhir.resources.R4B.bundle import Bundle
from lxml import etree
from pydantic import ValidationError
from pypdf import PdfReader

from backend.registry import EXPORTERS
from backend.review.exports.copies import PageStyle, one_line
from backend.review.exports.exporting import exported_file, format_of
from backend.review.saved_cases import Cases
from backend.schemas.patients.letter_details import LONGEST, LetterDetails
from backend.schemas.patients.saved_case import CaseState, CaseView, CopyKind, Signature
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import AT, text_of
from tests.review.exports.test_docx_template import template
from tests.review.exports.test_exported_medicines import ROWS

TEXTS = {
    "script": "<script>alert(1)</script>",
    "attribute": "\"'><img src=x onerror=alert(1)>",
    "formula": '=HYPERLINK("http://x.example","a")',
    "formula-at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "entity": "&lt;b&gt; ]]> <!-- x -->",
    "typst": "#panic() *a* _b_ $c$ @d",
    "override": "abc\u202edcba\u2066x\u2069",
    "control": "a\x00\x07\x1b[31mb",
    "right-to-left": "\u05d3\u05d5\u05d3 \u05db\u05d4\u05df",
    "placeholder": "{{letter}}",
    "placeholders": "{{patient_name}} {{ 7*7 }} {% for x in y %} ${z} <<a>> %s {0}",
    "markdown": "[link](http://x.example) ![image](http://x.example/a.png) <http://x.example>",
    "latex": "\\input{/etc/passwd} \\write18{id} $\\frac{1}{2}$ %comment #let x = 1",
    "xml": "</w:t></w:r><w:br/> <?xml version='1.0'?> <!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]> &b;",
    "emoji": "\U0001f468\u200d\u2695\ufe0f e\u0301 \U0001d6fc",
    "zero-width": "war\u200bfarin\ufeff \u2060x",
    "long": "w" * 150,
    "lines": "first line\nYour medicines:\r\n- morphine\u2028second",
    "rule": "---\t***\t===",
}
FIELDS = [name for name, field in LetterDetails.model_fields.items() if field.annotation is str]


def whole(view: CaseView, text: str) -> CaseView:
    """A signed letter with the text in every field."""
    details = LetterDetails.model_validate(
        dict.fromkeys(FIELDS, text.replace("\x00", "")) | {"date_of_birth": date(1951, 3, 12)}
    )
    plain = text.replace("\x00", "")
    sentences = tuple(
        s.model_copy(update={"text": f"{text} {i}", "section": plain if i == 0 else s.section, "reason": text})
        for i, s in enumerate(view.sentences)
    )
    row = ROWS[0].model_copy(update=dict.fromkeys(("name", "dose", "timing", "reason", "old_dose"), text))
    evidence = view.draft.evidence
    passages = tuple(p.model_copy(update={"title": text, "url": text, "licence": text}) for p in evidence.passages)
    notes = tuple(n.model_copy(update={"note_type": text, "section": text}) for n in evidence.notes)
    changed = {"passages": passages, "notes": notes}
    draft = view.draft.model_copy(
        update={"medicines": (row,), "evidence": evidence.model_copy(update=changed), "answer_text": text}
    )
    signature = Signature(version=view.version, name=text, role=text, at=AT)
    flags = tuple(f.model_copy(update={"message": text}) for f in view.flags)
    return view.model_copy(
        update={"details": details, "sentences": sentences, "draft": draft, "signature": signature, "flags": flags,
                "state": CaseState.SIGNED}
    )  # fmt: skip


def seen(text: str) -> str:
    """White space apart, since cells break words over lines."""
    return re.sub(r"[\s\u200b\u2060\ufeff]+", "", text)


@pytest.mark.parametrize("kind", list(CopyKind))
@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", EXPORTERS.names())
def test_every_field_shows_what_stands_in_it(cases: Cases, name: str, large: bool, kind: CopyKind) -> None:
    view = letter(cases)
    for label, text in TEXTS.items():
        made = exported_file(whole(view, text), name, kind, AT, PageStyle(large=large))
        shown = text_of(made.data, format_of(EXPORTERS.get(name)).media_type)
        assert not [c for c in shown if c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"], label
        assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs")], label
        # the fonts of a PDF have no picture for it: it stands as its code
        wanted = "[U+1F468]" if label == "emoji" and name == "pdf" else seen(one_line(text))
        count = seen(shown).count(wanted)
        # the name, the sentences, the row and the signature at least; PDF shows right-to-left words in the order of the page
        assert count >= 8 or (label == "right-to-left" and name == "pdf"), (label, count)


@pytest.mark.parametrize("kind", list(CopyKind))
@pytest.mark.parametrize("name", EXPORTERS.names())
def test_the_structure_is_that_of_a_harmless_letter_and_nothing_is_fetched_or_run(
    cases: Cases, name: str, kind: CopyKind
) -> None:
    view = letter(cases)
    suffix = format_of(EXPORTERS.get(name)).suffix
    if kind not in format_of(EXPORTERS.get(name)).copies:
        pytest.skip(f"{name} has no copy for the {kind}")
    plain = STRUCTURES[suffix](exported_file(whole(view, "plain words"), name, kind, AT).data)
    for label, text in TEXTS.items():
        if suffix == "txt" and label in ("long", "lines"):
            continue  # a row more where a text has more lines
        assert STRUCTURES[suffix](exported_file(whole(view, text), name, kind, AT).data) == plain, label


def word_structure(data: bytes) -> list[str]:
    """The tags of the body in order, breaks and runs apart; every part is XML, and no part points outside."""
    with ZipFile(BytesIO(data)) as archive:
        parts = {n: etree.fromstring(archive.read(n)) for n in archive.namelist() if n.endswith((".xml", ".rels"))}
    outside = [n for n, root in parts.items() for one in root.iter() if one.get("TargetMode") == "External"]
    assert outside == []
    tags = [etree.QName(one).localname for one in parts["word/document.xml"].iter(etree.Element)]
    assert not {"hyperlink", "altChunk", "object"} & set(tags)
    return [tag for tag in tags if tag in ("p", "tbl", "tr", "tc", "sectPr")]


def pdf_structure(data: bytes) -> tuple[list[str], bool]:
    """What its elements are, and that it is tagged; no page links, runs or embeds anything."""
    reader = PdfReader(BytesIO(data))
    catalogue = reader.trailer["/Root"]
    assert not {"/OpenAction", "/AA", "/AcroForm"} & set(catalogue)
    assert [page for page in reader.pages if "/AA" in page or "/Annots" in page] == []
    assert b"/JavaScript" not in data and b"/Launch" not in data and b"/EmbeddedFile" not in data
    return sorted(
        {str(one) for one in re.findall(rb"/S\s*/(H\d|Table|TR|TH|L)\b", data)}
    ), "/StructTreeRoot" in catalogue


def fhir_structure(data: bytes) -> list[str]:
    """The kinds of its resources in order; it is a bundle by the standard's own model, and its narratives hold no link."""
    bundle = Bundle.model_validate_json(data)
    for words in re.findall(r'"(<div .*?</div>)"', json.dumps(json.loads(data), ensure_ascii=False)):
        inside = etree.fromstring(json.loads(f'"{words}"'))
        assert not {etree.QName(one).localname for one in inside.iter(etree.Element)} & {"script", "img", "a", "iframe"}
    return [entry.resource.get_resource_type() for entry in bundle.entry]


def text_structure(data: bytes) -> int:
    """How many lines begin at the edge with a hyphen or end a heading."""
    return sum(line.startswith("- ") for line in data.decode().splitlines())


STRUCTURES: dict[str, Callable[[bytes], object]] = {
    "docx": word_structure,
    "pdf": pdf_structure,
    "json": fhir_structure,
    "txt": text_structure,
}


def test_a_hospital_s_template_is_filled_once(cases: Cases, tmp_path: Path) -> None:
    path = template(tmp_path, "Re: {{patient_name}}", "{{letter}}")
    view = letter(cases)
    for text in (TEXTS["placeholder"], TEXTS["placeholders"], TEXTS["xml"]):
        filled = exported_file(whole(view, text), "docx", CopyKind.PATIENT, AT, PageStyle(template=path)).data
        plain = exported_file(whole(view, "x"), "docx", CopyKind.PATIENT, AT, PageStyle(template=path)).data
        assert f"Re: {one_line(text)}" in text_of(filled, format_of(EXPORTERS.get("docx")).media_type)
        assert word_structure(filled) == word_structure(plain)


def test_a_field_that_is_too_long_is_refused_with_the_limit() -> None:
    for name in FIELDS:
        with pytest.raises(ValidationError, match=f"{name}[\\s\\S]*at most {LONGEST} characters"):
            LetterDetails.model_validate({name: "a" * 10_000})


def test_a_field_holds_one_line_without_hidden_characters() -> None:
    made = LetterDetails(patient_name=" Ada\u202e\n\t By\u200bron\x07 ", date_of_birth=None)
    assert made.patient_name == "Ada Byron"
    for bad in ("a\x00b", "a\ud800"):
        with pytest.raises(ValidationError):
            LetterDetails(patient_name=bad)


def test_days_are_days_or_nothing() -> None:
    made = LetterDetails.model_validate(
        {"admitted": "", "discharged": None, "date_of_birth": "1951-03-12", "ward": None}
    )
    assert (made.admitted, made.discharged, made.date_of_birth, made.ward) == (None, None, date(1951, 3, 12), "")
    assert LetterDetails().empty and not made.empty
    for bad in ("12.3.1951", "0001-01-01", "9999-12-31", "<b>"):
        with pytest.raises(ValidationError):
            LetterDetails.model_validate({"admitted": bad})


def test_a_name_in_right_to_left_letters_keeps_its_letters(cases: Cases) -> None:
    view = letter(cases)
    name = TEXTS["right-to-left"]
    named = view.model_copy(update={"details": LetterDetails(patient_name=name)})
    for entry in EXPORTERS.entries():
        shown = text_of(exported_file(named, entry.name, CopyKind.PATIENT, AT).data, format_of(entry).media_type)
        assert set(name) <= set(shown), entry.name
