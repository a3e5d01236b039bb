"""The file that somebody takes away, whatever its format."""

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.registry import EXPORTERS, exporter
from backend.review.exports.copies import Copy
from backend.review.exports.exporting import export_formats, exported_file
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind
from backend.schemas.vocabulary import Document
from tests.review.exports.reading import AT, file, save, text_of
from tests.review.sample import sample
from tests.review.steps import signed


def test_a_files_name_is_a_wards_and_holds_no_id_and_no_person(cases: Cases, draft_case: CaseView) -> None:
    day = AT.date().isoformat()
    draft = exported_file(draft_case, "txt", CopyKind.CLINICIAN, AT).name
    assert draft == f"Discharge instructions {day} for the clinician DRAFT version 1.txt"
    done = signed(cases, draft_case)
    assert done.signature is not None
    when = done.signature.at.date().isoformat()
    for form in export_formats():
        for kind in form.copies:
            name = exported_file(done, form.name, kind, AT).name
            assert name == f"Discharge instructions {when} for the {kind.value}.{form.suffix}"
            assert name.isascii() and draft_case.id not in name and done.label not in name


def test_a_case_says_in_which_formats_it_can_be_taken(draft_case: CaseView) -> None:
    formats = [(f.name, f.label, f.suffix) for f in draft_case.exports]
    assert {("txt", "Text", "txt"), ("docx", "Word", "docx"), ("pdf", "PDF", "pdf"), ("fhir", "FHIR", "json")} <= {
        *formats
    }
    assert [name for name, _, _ in formats] == [entry.name for entry in export_formats()]
    assert "fhir" in [f.name for f in draft_case.exports if f.for_programs]


def test_an_unknown_format_is_refused_with_those_there_are(draft_case: CaseView) -> None:
    there_are = ", ".join(entry.name for entry in export_formats())
    with pytest.raises(NotFoundError, match=rf"exporter 'no-such-format'\. Choose one of: {there_are}"):
        exported_file(draft_case, "no-such-format", CopyKind.CLINICIAN, AT)


def test_there_is_no_patients_copy_of_a_draft_in_any_format(draft_case: CaseView) -> None:
    for form in export_formats():
        with pytest.raises(ConflictError, match="only of a signed version"):
            exported_file(draft_case, form.name, CopyKind.PATIENT, AT)


def test_a_format_for_clinicians_alone_makes_no_patients_copy(cases: Cases, draft_case: CaseView) -> None:
    with EXPORTERS.scratch():

        @exporter("md", label="Markdown", media_type="text/markdown", suffix="md", copies=(CopyKind.CLINICIAN,))
        def as_markdown(copy: Copy, view: CaseView, at: object) -> bytes:
            """Markdown."""
            return f"# {copy.title}".encode()

        assert (
            exported_file(draft_case, "md", CopyKind.CLINICIAN, AT).data
            == b"# Discharge instructions, clinician's copy"
        )
        with pytest.raises(InputError, match="'md' has no patient's copy"):
            exported_file(signed(cases, draft_case), "md", CopyKind.PATIENT, AT)


@pytest.mark.parametrize("document", list(Document))
def test_each_kind_of_document_can_be_taken_away_in_each_format(cases: Cases, document: Document) -> None:
    view = save(
        cases, sample(document=document, question="What could it be?", options=("gout", "heart failure"), answer="B")
    )
    for form in export_formats():
        assert "What could it be?" in text_of(file(view, form.name), form.media_type), form.name
