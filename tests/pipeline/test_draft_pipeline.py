"""The pipeline with stages that can be steered: the order of events, cancelling, what survives a failure of the writer."""

from typing import Any

import pytest

from backend.container import Container
from backend.errors import CancelledError, KnowledgeError, MissingError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import DraftStatus
from tests.pipeline.steered import NOTE, SteeredWriter, written


def test_a_writer_that_dies_leaves_its_evidence_and_its_sentences(pipeline: Any) -> None:
    dying = pipeline(written("cough and fever", "N1"), failure=MissingError("The server has gone. Try again."))
    draft = dying.run(DraftRequest(text=NOTE))
    assert draft.status == DraftStatus.PARTIAL
    assert [s.text for s in draft.sentences] == ["cough and fever"]
    assert draft.evidence.notes
    assert "The server has gone." in {s.reason for s in draft.stages if s.name == "write"}.pop()


def test_a_writer_that_gives_nothing_is_stood_in_for_and_the_draft_says_so(pipeline: Any) -> None:
    gone = MissingError("The server has gone. Try again.")
    draft = pipeline(failure=gone, stand_in=SteeredWriter([written("cough and fever", "N1")])).run(
        DraftRequest(text=NOTE)
    )
    assert (draft.status, [s.text for s in draft.sentences]) == (DraftStatus.COMPLETE, ["cough and fever"])
    assert "The server has gone." in draft.generator.reason
    assert any("wrote nothing: The server has gone." in text for text in draft.fallbacks)


def test_what_was_written_before_a_failure_is_kept_and_nobody_stands_in(pipeline: Any) -> None:
    gone = MissingError("The server has gone. Try again.")
    stand_in = SteeredWriter([written("another draft", "N1")])
    draft = pipeline(written("cough", "N1"), failure=gone, stand_in=stand_in).run(DraftRequest(text=NOTE))
    assert (draft.status, [s.text for s in draft.sentences]) == (DraftStatus.PARTIAL, ["cough"])


def test_nothing_written_is_nothing_found(pipeline: Any) -> None:
    draft = pipeline().run(DraftRequest(text="Qwerty."))
    assert (draft.status, draft.text, draft.answer) == (DraftStatus.NOTHING_FOUND, "", "")
    assert "nothing recognised" in {s.reason for s in draft.stages if s.name == "link"}


def test_events_come_as_they_happen_and_the_draft_last(pipeline: Any) -> None:
    request = DraftRequest(text=NOTE)
    stages = [e.stage for e in pipeline(written("cough", "N1"), written("fever", "N1")).draft_events(request)]
    before = ["link", "conditions", "paths", "thought", "plan", "notes", "passages"]
    assert stages == [*before, "piece", "token", "piece", "token", "write", "draft"]


def test_cancelled_before_the_writing_nothing_more_is_done(pipeline: Any) -> None:
    events = pipeline(written("cough", "N1")).draft_events(DraftRequest(text=NOTE), lambda: True)
    with pytest.raises(CancelledError):
        list(events)


def test_cancelled_in_the_writing_what_is_written_stays(pipeline: Any) -> None:
    seen: list[str] = []
    steered = pipeline(written("cough", "N1"), written("fever", "N1"))
    for event in steered.draft_events(DraftRequest(text=NOTE), lambda: "token" in seen):
        seen.append(event.stage)
    draft = Draft.model_validate(event.data)
    assert (draft.status, [s.text for s in draft.sentences]) == (DraftStatus.CANCELLED, ["cough"])


def test_every_event_and_draft_survives_the_wire(container: Container) -> None:
    for event in container.pipeline("leapnote").draft_events(DraftRequest(text=NOTE)):
        assert event.model_validate_json(event.model_dump_json()) == event
    draft = container.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert Draft.model_validate_json(draft.model_dump_json()) == draft


def test_a_draft_with_nothing_written_has_a_flag_that_says_so(pipeline: Any) -> None:
    draft = pipeline(failure=KnowledgeError("plain_terms.tsv:3: a form begins with a mark.")).run(
        DraftRequest(text=NOTE)
    )
    assert (draft.status, draft.sentences) == (DraftStatus.PARTIAL, ())
    assert [flag.kind for flag in draft.flags if flag.kind == "stage_failed"] == ["stage_failed"]


def test_a_rule_file_that_cannot_be_read_is_a_flag_whatever_was_written(pipeline: Any) -> None:
    broken = pipeline(written("cough and fever", "N1"), failure=KnowledgeError("plain_terms.tsv:3: no row."))
    assert "stage_failed" in {flag.kind for flag in broken.run(DraftRequest(text=NOTE)).flags}
