"""What every exporter must do, whatever its file format. A new one is held to it by being registered.

Each check takes an exporter's entry in the registry. The files are read back as `tests/review/exports/reading.py` reads
their media type; a format that is neither text nor listed there needs a reader there.
"""

import re
import unicodedata
import uuid
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, is_zipfile

import pytest

from backend.generation.layout import DocumentLayout
from backend.registry import EXPORTERS, Entry, exporter
from backend.review.exports.contents.clinician_letter import clinician_copy
from backend.review.exports.contents.patient_letter import patient_copy
from backend.review.exports.copies import Copy
from backend.review.exports.export_text import as_text
from backend.review.exports.exporting import Exporter, format_of
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.patients.saved_case import CaseView, CopyKind, SaveRequest
from backend.stores.database.database import Database
from tests.review.exports.reading import AT, HOSTILE, SHOWN, text_of
from tests.review.sample import Ticking, Watch, sample, with_sentence
from tests.review.steps import signed

BANNER = "DRAFT, NOT SIGNED"
FOREIGN = "Señora Müller: 5 µg, 37 °C, déjà vu"
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
Check = Callable[[Entry[Exporter], Cases], None]


@pytest.fixture
def cases(tmp_path: Path) -> Cases:
    return Cases(Database(f"sqlite:///{tmp_path / 'x.sqlite'}"), Checkers(DocumentLayout(), safety=Watch()), Ticking())


def shown(entry: Entry[Exporter], view: CaseView, kind: CopyKind = CopyKind.CLINICIAN) -> str:
    """What a reader of the file sees of a copy."""
    copy = patient_copy(view) if kind == CopyKind.PATIENT else clinician_copy(view)
    return text_of(entry.value(copy, view, AT), format_of(entry).media_type)


def saved(cases: Cases, text: str = "") -> CaseView:
    draft = with_sentence(text) if text else sample()
    return cases.save(SaveRequest(label="x", draft=draft, author="Dr Ames"))


def check_it_states_what_it_writes(entry: Entry[Exporter], cases: Cases) -> None:
    form = format_of(entry)
    assert form.label and form.copies
    assert re.fullmatch(r"[a-z]+/[\w.+-]+(; charset=utf-8)?", form.media_type)


def check_a_draft_says_so(entry: Entry[Exporter], cases: Cases) -> None:
    assert BANNER in shown(entry, saved(cases))


def check_a_signed_version_does_not_say_draft(entry: Entry[Exporter], cases: Cases) -> None:
    assert BANNER not in shown(entry, signed(cases, saved(cases)))


def check_every_line_is_in_the_file(entry: Entry[Exporter], cases: Cases) -> None:
    view = saved(cases)
    found = shown(entry, view)
    lines = [line for part in clinician_copy(view).parts for line in part.lines if part.heading != "Allergies"]
    assert not [line.text for line in lines if line.text not in found]
    assert {gap.text for gap in view.gaps} <= {line.text for line in lines}
    assert not [c for line in lines for c in line.citations if c not in found]


def check_every_row_of_a_table_is_in_the_file(entry: Entry[Exporter], cases: Cases) -> None:
    row = MedicineRow(
        id="M1", action=MedicineAction.STOPPED, name="zoniphen", dose="75 mg", reason="bleeding", source="the note"
    )
    view = cases.save(SaveRequest(label="x", draft=sample(medicines=(row,)), author="Dr Ames"))
    for found in (shown(entry, view), shown(entry, signed(cases, view))):
        assert not [words for words in ("zoniphen", "75 mg", "Stop taking") if words not in found]


def check_allergies_are_in_the_clinicians_copy(entry: Entry[Exporter], cases: Cases) -> None:
    found = shown(entry, saved(cases))
    assert "lisinopril" in found and "angioedema" in found
    assert re.search(r"zorblax\b.{0,20}not recognised, not checked", found, re.IGNORECASE)


def check_a_patients_copy_is_the_text_alone(entry: Entry[Exporter], cases: Cases) -> None:
    if CopyKind.PATIENT not in format_of(entry).copies:
        return
    found = shown(entry, signed(cases, saved(cases)), CopyKind.PATIENT)
    assert "Keep your visits." in found
    kept_out = ("[N1]", "[P1]", "[1]", "SEVERE", "zorblax", "stated in the cited text", "unconfirmed diagnosis")
    assert not [word for word in kept_out if word in found]


def check_nothing_hidden_is_in_the_file(entry: Entry[Exporter], cases: Cases) -> None:
    found = shown(entry, saved(cases, HOSTILE))
    assert not BIDI.search(found)
    assert not [c for c in found if unicodedata.category(c) == "Cc"]


def check_markup_is_text(entry: Entry[Exporter], cases: Cases) -> None:
    assert SHOWN in shown(entry, saved(cases, HOSTILE))


def check_letters_of_other_languages_are_kept(entry: Entry[Exporter], cases: Cases) -> None:
    assert FOREIGN in shown(entry, saved(cases, FOREIGN))


def check_the_same_copy_gives_the_same_content(entry: Entry[Exporter], cases: Cases) -> None:
    view = saved(cases)
    first, second = (entry.value(clinician_copy(view), view, AT) for _ in range(2))
    assert parts(first) == parts(second)


def parts(data: bytes) -> dict[str, bytes]:
    """The content of a file; of an archive its members, since the archive itself holds the time of day."""
    if not is_zipfile(BytesIO(data)):
        return {"": data}
    with ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


CHECKS: tuple[Check, ...] = (
    check_it_states_what_it_writes,
    check_a_draft_says_so,
    check_a_signed_version_does_not_say_draft,
    check_every_line_is_in_the_file,
    check_every_row_of_a_table_is_in_the_file,
    check_allergies_are_in_the_clinicians_copy,
    check_a_patients_copy_is_the_text_alone,
    check_nothing_hidden_is_in_the_file,
    check_markup_is_text,
    check_letters_of_other_languages_are_kept,
    check_the_same_copy_gives_the_same_content,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", EXPORTERS.names())
def test_every_exporter(name: str, check: Check, cases: Cases) -> None:
    check(EXPORTERS.get(name), cases)


def _without_banner(copy: Copy) -> Copy:
    return copy._replace(banner="", notices=())


def _always_draft(copy: Copy) -> Copy:
    return copy._replace(banner=BANNER)


def _without_gaps(copy: Copy) -> Copy:
    kept = (part._replace(lines=tuple(x for x in part.lines if "team" not in x.text)) for part in copy.parts)
    return copy._replace(parts=tuple(kept))


def _without_tables(copy: Copy) -> Copy:
    return copy._replace(parts=tuple(part._replace(table=None) for part in copy.parts))


def _without_allergies(copy: Copy) -> Copy:
    return copy._replace(parts=tuple(part for part in copy.parts if part.heading != "Allergies"))


BROKEN: tuple[tuple[Check, Callable[[Copy, CaseView, datetime], bytes]], ...] = (
    (check_a_draft_says_so, lambda copy, view, at: as_text(_without_banner(copy), view, at)),
    (check_a_signed_version_does_not_say_draft, lambda copy, view, at: as_text(_always_draft(copy), view, at)),
    (check_every_line_is_in_the_file, lambda copy, view, at: as_text(_without_gaps(copy), view, at)),
    (check_every_row_of_a_table_is_in_the_file, lambda copy, view, at: as_text(_without_tables(copy), view, at)),
    (
        check_allergies_are_in_the_clinicians_copy,
        lambda copy, view, at: as_text(_without_allergies(copy), view, at).replace(b"zorblax", b""),
    ),
    (check_a_patients_copy_is_the_text_alone, lambda copy, view, at: as_text(clinician_copy(view), view, at)),
    (check_nothing_hidden_is_in_the_file, lambda copy, view, at: view.draft.text.encode("utf-8", "replace")),
    (check_markup_is_text, lambda copy, view, at: as_text(copy, view, at).replace(b"<", b"")),
    (
        check_letters_of_other_languages_are_kept,
        lambda copy, view, at: as_text(copy, view, at).decode().encode("ascii", "replace"),
    ),
    (
        check_the_same_copy_gives_the_same_content,
        lambda copy, view, at: as_text(copy, view, at) + uuid.uuid4().bytes.hex().encode(),
    ),
)


@pytest.mark.parametrize(("check", "write"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_exporter_fails_the_check(check: Check, write: Exporter, cases: Cases) -> None:
    with EXPORTERS.scratch():
        exporter("broken", label="Broken", media_type="text/plain", suffix="txt", copies=tuple(CopyKind))(write)
        with pytest.raises(AssertionError):
            check(EXPORTERS.get("broken"), cases)


def test_an_exporter_that_states_no_media_type_fails_the_suite(cases: Cases) -> None:
    with EXPORTERS.scratch():
        exporter("nameless", label="Nameless", suffix="txt", copies=tuple(CopyKind))(as_text)
        with pytest.raises(ValueError, match="media_type"):
            check_it_states_what_it_writes(EXPORTERS.get("nameless"), cases)
