"""A copy as plain text."""

import re

from backend.review.exports.contents.clinician_letter import STARTER_NOTICE
from backend.review.exports.copies import PageStyle
from backend.review.exports.export_text import WIDTH
from backend.review.exports.exporting import exported_file
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind
from tests.review.exports.contents.test_patient_letter import letter
from tests.review.exports.reading import AT, HOSTILE, SHOWN, file, save
from tests.review.exports.test_exported_medicines import ROWS
from tests.review.sample import with_sentence
from tests.review.steps import signed


def test_the_text_says_draft_first_and_last_and_keeps_to_its_width(draft_case: CaseView) -> None:
    rows = file(draft_case, "txt").decode().splitlines()
    assert rows[0] == rows[-1] == "DRAFT, NOT SIGNED"
    assert max(map(len, rows)) <= WIDTH
    assert "- You came because you were short of breath. [1]" in rows
    assert "- What you felt can fit heart failure. [1, 2] (unconfirmed diagnosis)" in rows
    assert "- [3, 4] Heart failure (book)" in rows
    assert STARTER_NOTICE in " ".join(row.strip() for row in rows)


def test_the_patients_text_has_no_citation_no_flag_and_no_draft(cases: Cases, draft_case: CaseView) -> None:
    text = file(signed(cases, draft_case), "txt", CopyKind.PATIENT).decode()
    assert "You came because you were short of breath." in text
    for word in ("[N1]", "[1]", "DRAFT", "SEVERE", "zorblax", "unconfirmed diagnosis"):
        assert word not in text


def test_the_text_has_no_markup(cases: Cases) -> None:
    view = letter(cases, medicines=ROWS)
    for kind in CopyKind:
        rows = file(view, "txt", kind).decode().splitlines()
        assert not [row for row in rows if re.match(r"[=*_#>`~|-]{2}|#|> ", row)]
        assert not re.search(r"\*\*|`|\]\(", "\n".join(rows))


def test_unwrapped_text_has_a_line_a_statement(cases: Cases) -> None:
    long = "Weigh yourself every morning before breakfast, " * 10
    view = save(cases, with_sentence(f"{long}always."))
    data = exported_file(view, "txt", CopyKind.CLINICIAN, AT, PageStyle(wrapped=False)).data.decode()
    assert [row for row in data.splitlines() if row.startswith(f"- {long}always.")]


def test_the_text_holds_no_control_character(cases: Cases) -> None:
    text = file(save(cases, with_sentence(HOSTILE)), "txt").decode()
    assert SHOWN in text
    assert not [c for c in text if c < " " and c != "\n"]
    assert "\u202e" not in text
