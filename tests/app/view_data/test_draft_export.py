"""The text of a draft for download."""

from app.view_data.draft_export import as_text, unchecked
from backend.schemas.drafts.draft import Checks, Draft, Generator, NotChecked, Unrecognised
from backend.schemas.drafts.note import Allergies
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import NOTE, NOTICE, SEVERE, SUPPORTING, draft_of

DRAFT = draft_of(DraftRequest(text=NOTE))
TEXT = as_text(DRAFT, "Heart failure, 80 F", NOTICE)


def test_export_begins_by_saying_that_it_is_a_draft_and_on_what_knowledge() -> None:
    assert TEXT.startswith("DRAFT, not reviewed, not signed\nHeart failure, 80 F.")
    assert NOTICE in TEXT


def test_export_names_no_system_and_a_writer_only_where_it_is_a_model() -> None:
    assert "leapnote" not in TEXT.split("\n\n")[0] and "composer" not in TEXT
    by = DRAFT.model_copy(update={"generator": Generator(name="vllm:m", reason="it is set")})
    assert "written by vllm:m" in as_text(by, "Heart failure, 80 F", NOTICE)


def test_export_marks_every_sentence_with_citations_basis_and_support() -> None:
    assert "- This may be heart failure. [K1; G1; unconfirmed; partly found in source]" in TEXT
    assert "[P1; general: check that it fits this patient; found in source]" in TEXT


def test_export_holds_what_is_cited_and_the_flags() -> None:
    assert "P1  Heart failure: Diet (book; starter): Eat less salt, since salt holds water." in TEXT
    assert f"[severe] {SEVERE}" in TEXT


def test_export_gives_of_a_path_only_what_may_support_a_sentence() -> None:
    assert f"K1  {SUPPORTING} The path then leaps to a search hint, which supports nothing." in TEXT
    assert "low salt diet" not in TEXT


def test_export_says_which_allergies_were_not_checked_and_when_none_are_stated() -> None:
    assert "Allergies: lisinopril (angioedema); zorbium: not recognised, not checked" in TEXT
    unstated = DRAFT.model_copy(update={"allergies": Allergies(status="not_stated")})
    assert "Allergies: not stated" in as_text(unstated, "", NOTICE)


def test_what_was_not_recognised_and_which_rules_lacked_a_value_are_told_in_the_text() -> None:
    checks = Checks(
        unrecognised=(Unrecognised(kind="medicine", text="zorbitrexate"),),
        not_checked=(NotChecked(medicine="metformin", missing="eGFR", why="lactic acidosis"),),
    )
    draft = Draft.model_construct(checks=checks)
    assert unchecked(draft).splitlines() == [
        "Not recognised, not checked: zorbitrexate (medicine)",
        "Not checked: metformin, no eGFR (lactic acidosis)",
    ]
