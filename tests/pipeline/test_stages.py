"""Stages: one left out says so, a slow one is named, one with a defect on a text is reported and ends nothing."""

from types import SimpleNamespace
from typing import Any

import pytest

from backend.errors import CancelledError, MissingError
from backend.schemas.drafts.event import STAGES
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Repaired, Uncertainty
from backend.schemas.vocabulary import AllergyStatus, Document, DraftStatus, Severity
from tests.pipeline.steered import NOTE, Failing, Slow, SteeredClock, written


def test_a_stage_left_out_says_so(pipeline: Any) -> None:
    draft = pipeline(written("cough", "N1")).run(DraftRequest(text=NOTE))
    reasons = {stage.name: stage.reason for stage in draft.stages}
    assert [s.name for s in draft.stages][:7] == ["link", "conditions", "paths", "thought", "plan", "notes", "passages"]
    for stage in ("conditions", "paths", "thought", "plan", "passages"):
        assert reasons[stage] == "left out by the system steered"
    assert draft.timings_ms.keys() == reasons.keys()


OPTIONAL = (
    "turn",
    "extraction",
    "repair",
    "medicines",
    "fit",
    "uncertainty",
)  # only with a model, or behind other drafts


@pytest.mark.parametrize("document", Document)
def test_what_a_draft_reports_is_what_the_page_lists(pipeline: Any, document: Document) -> None:
    draft = pipeline(written("cough", "N1")).run(DraftRequest(text=NOTE, document=document))
    listed = [stage.name for stage in STAGES]
    assert [s.name for s in draft.stages] == [name for name in listed if name not in OPTIONAL]
    assert all(s.reason for s in draft.stages)


STAGE_OF = {
    "linker": "link",
    "extractor": "extraction",
    "ranker": "conditions",
    "paths": "paths",
    "strategy": "passages",
    "notes": "notes",
    "writer": "write",
    "repairer": "repair",
    "layout": "layout",
    "verifier": "verify",
    "doubt": "uncertainty",
    "safety": "safety",
    "readable": "readability",
}
IDLE = SimpleNamespace(  # in place of what the steered pipeline leaves out
    read=lambda linked, seed: (linked, "nothing more"),
    rank=lambda *given: (),
    paths=lambda *given: ((), (), "none"),
    repair=lambda *given: Repaired(given[-1], (), 0, "nothing to repair"),
    score=lambda *given: Uncertainty(None, (), "not scored"),
)


@pytest.mark.parametrize("field", STAGE_OF)
def test_the_time_of_a_slow_stage_stands_under_its_own_name(pipeline: Any, field: str) -> None:
    clock = SteeredClock()
    steered = pipeline(written("cough and fever", "N1"), now=clock)
    slow = Slow(getattr(steered._parts, field) or IDLE, clock)
    steered._parts = steered._parts._replace(**{field: slow})
    draft = steered.run(DraftRequest(text=NOTE))
    assert {name: ms for name, ms in draft.timings_ms.items() if ms} == {STAGE_OF[field]: 1000.0}
    assert draft.timings_ms == {stage.name: stage.ms for stage in draft.stages}


@pytest.mark.parametrize("field", STAGE_OF)
def test_a_stage_that_fails_on_a_text_is_told_and_ends_nothing(pipeline: Any, field: str, caplog: Any) -> None:
    steered, stage = pipeline(written("cough and fever", "N1")), STAGE_OF[field]
    steered._parts = steered._parts._replace(**{field: Failing()})
    draft = steered.run(DraftRequest(text=NOTE))
    assert draft.status == DraftStatus.PARTIAL
    assert draft.failures == (f"{stage}, IndexError",)
    assert f"failed: {stage}, IndexError" in {report.reason for report in draft.stages if report.name == stage}
    (flag,) = (flag for flag in draft.flags if flag.kind == "stage_failed")
    assert f"failed: {stage}, IndexError" in flag.message
    assert (flag.severity == Severity.SEVERE) == (field in ("linker", "safety"))
    assert draft.note.text == NOTE
    assert [s.text for s in draft.sentences] == ([] if field == "writer" else ["cough and fever"])
    assert [draft.text[s.start_char : s.end_char] for s in draft.sentences] == [s.text for s in draft.sentences]
    assert "IndexError at" in caplog.text
    assert "cough" not in caplog.text  # neither the message nor the note is logged
    assert "cough" not in flag.message


def test_a_note_that_could_not_be_read_is_not_said_to_be_without_allergies(pipeline: Any) -> None:
    steered = pipeline(written("cough and fever", "N1"))
    steered._parts = steered._parts._replace(linker=Failing())
    draft = steered.run_evidence(DraftRequest(text=NOTE))
    assert (draft.allergies.status, draft.allergies.items) == (AllergyStatus.UNREADABLE, ())
    assert draft.flags[0].severity == Severity.SEVERE
    assert "allergies" in draft.flags[0].message


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), CancelledError("Cancelled."), MissingError("The graph is gone.")]
)
def test_what_means_something_to_the_caller_still_reaches_the_caller(pipeline: Any, error: BaseException) -> None:
    steered = pipeline(written("cough", "N1"))
    for field in ("linker", "notes", "verifier", "safety"):
        stopped = pipeline(written("cough", "N1"))
        stopped._parts = steered._parts._replace(**{field: Failing(error)})
        with pytest.raises(type(error)):
            stopped.run(DraftRequest(text=NOTE))


def test_a_defect_of_the_writer_is_told_and_what_it_wrote_stays(pipeline: Any) -> None:
    draft = pipeline(written("cough", "N1"), failure=ZeroDivisionError()).run(DraftRequest(text=NOTE))
    assert (draft.status, [s.text for s in draft.sentences]) == (DraftStatus.PARTIAL, ["cough"])
    assert draft.failures == ("write, ZeroDivisionError",)
