"""A copy as plain text."""

from backend.review.exports.copies import STARTER_NOTICE
from backend.review.exports.export_text import WIDTH
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, CopyKind
from tests.review.exports.reading import HOSTILE, SHOWN, file, save
from tests.review.sample import with_sentence
from tests.review.steps import signed


def test_the_text_says_draft_first_and_last_and_keeps_to_its_width(draft_case: CaseView) -> None:
    rows = file(draft_case, "txt").decode().splitlines()
    assert rows[0] == rows[-1] == "*** DRAFT, NOT SIGNED ***"
    assert max(map(len, rows)) <= WIDTH
    assert "- You came because you were short of breath. [N1]" in rows
    assert "    (stated in the cited text)" in rows
    assert "- [P1, P2] Heart failure (book), CC0" in rows
    assert STARTER_NOTICE in " ".join(rows)


def test_the_patients_text_has_no_citation_no_flag_and_no_draft(cases: Cases, draft_case: CaseView) -> None:
    text = file(signed(cases, draft_case), "txt", CopyKind.PATIENT).decode()
    assert "You came because you were short of breath." in text
    for word in ("[N1]", "DRAFT", "SEVERE", "zorblax", "stated in the cited text"):
        assert word not in text


def test_the_text_holds_no_control_character(cases: Cases) -> None:
    text = file(save(cases, with_sentence(HOSTILE)), "txt").decode()
    assert SHOWN in text
    assert not [c for c in text if c < " " and c != "\n"]
    assert "\u202e" not in text
