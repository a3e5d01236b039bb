"""The words of the review screen for a saved case."""

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.view_data import review_text
from backend.schemas.patients.saved_case import EditKind, EditRecord, ReviewedSentence, ReviewFlag, WriterKind
from backend.schemas.vocabulary import Basis, Severity, Support

AT = datetime(2030, 1, 2, 3, 4, tzinfo=UTC)


def test_a_time_is_told_in_utc() -> None:
    assert review_text.when(AT.astimezone(timezone(timedelta(hours=5)))) == "2030-01-02 03:04 UTC"


def sentence(kind: WriterKind = WriterKind.PERSON, earlier: int = 0, **fields: Any) -> ReviewedSentence:
    by = SimpleNamespace(kind=kind, name="Ada", version=2, at=AT)
    given = {"support": Support.SUPPORTED, "reason": "", "basis": Basis.PATIENT, "citations": ("N1", "P2")}
    return cast(ReviewedSentence, SimpleNamespace(written_by=by, earlier=("x",) * earlier, **given | fields))


@pytest.mark.parametrize(
    ("kind", "earlier", "told"),
    [
        (WriterKind.PERSON, 0, "written by Ada, version 2, 2030-01-02 03:04 UTC"),
        (WriterKind.PERSON, 1, "written by Ada, version 2, 2030-01-02 03:04 UTC, 1 earlier text"),
        (WriterKind.PERSON, 2, "written by Ada, version 2, 2030-01-02 03:04 UTC, 2 earlier texts"),
    ],
)
def test_who_wrote_a_sentence_and_how_often_it_was_written_before(kind: WriterKind, earlier: int, told: str) -> None:
    assert review_text.provenance(sentence(kind, earlier)) == told


def test_a_writer_that_is_no_person_says_what_it_is() -> None:
    other = next(one for one in WriterKind if one is not WriterKind.PERSON)
    assert f"written by Ada ({other.value})" in review_text.provenance(sentence(other))


def test_support_has_a_shape_and_what_was_not_scored_its_reason() -> None:
    assert "● " in review_text.marks(sentence()) and review_text.marks(sentence()).endswith("N1 P2")
    unscored = review_text.marks(sentence(support=Support.NOT_SCORED, reason="a gap", citations=()))
    assert "– a gap" in unscored


@pytest.mark.parametrize(
    ("text", "what", "done"),
    [
        ("Take [team to complete: dose] daily.", "dose", "Take 5 mg daily."),
        ("[ Team to complete ]", "this place", "5 mg"),
        ("Rest.", "", "Rest."),
        ("[team to complete: a] [team to complete: b]", "a", r"5 mg [team to complete: b]"),
    ],
)
def test_a_gap_asks_for_something_and_the_first_is_filled(text: str, what: str, done: str) -> None:
    assert review_text.missing(text) == what
    assert review_text.completed(text, " 5 mg ") == done


def test_words_with_a_backslash_are_filled_in_as_they_are() -> None:
    assert review_text.completed("[team to complete]", r"\1 of 2") == r"\1 of 2"


def test_severe_flags_come_first_and_others_keep_their_order() -> None:
    order = [Severity.INFO, Severity.SEVERE, Severity.WARNING, Severity.SEVERE]
    flags = [cast(ReviewFlag, SimpleNamespace(severity=one, place=n)) for n, one in enumerate(order)]
    assert [flag.place for flag in review_text.by_severity(flags)] == [1, 3, 2, 0]  # type: ignore[attr-defined]


def test_an_edit_says_who_did_what_and_what_it_reads_now() -> None:
    fields = {"version": 3, "at": AT, "author": "Ada", "kind": EditKind.REPLACE, "sentence": "S1", "concept_id": "",
              "to_version": None, "text": "Rest.", "earlier_text": "Run."}  # fmt: skip
    record = cast(EditRecord, SimpleNamespace(**fields))
    assert review_text.change(record) == "Version 3, 2030-01-02 03:04 UTC: Ada rewrote S1: “Rest.”"
    deleted = cast(EditRecord, SimpleNamespace(**fields | {"kind": EditKind.DELETE, "text": ""}))
    assert review_text.change(deleted).endswith("Ada deleted S1: “Run.”")
