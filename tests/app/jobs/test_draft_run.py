"""A run reads events in its thread, can be stopped, and loses nothing it found."""

from collections.abc import Iterator

from app.jobs.draft_run import DraftRun
from app.jobs.event_run import Phase
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import BROKE_OFF, EVIDENCE, LINKED, NOTE, UNREACHABLE, FakeApi

REQUEST = DraftRequest(text=NOTE)


def ended(api: FakeApi) -> DraftRun:
    run = DraftRun(api, REQUEST)
    run.wait(10)
    return run


def until_written(run: DraftRun, sentences: int) -> None:
    for _ in range(500):
        if len(run.progress().written) == sentences:
            return
        run.wait(0.01)
    raise AssertionError("nothing was written")


def test_run_ends_with_the_whole_draft() -> None:
    seen = ended(FakeApi()).progress()
    assert seen.phase == Phase.DONE
    assert seen.draft is not None
    assert len(seen.draft.sentences) == 4


def test_run_shows_evidence_and_sentences_before_the_draft_is_done() -> None:
    api = FakeApi(held=True)
    run = DraftRun(api, REQUEST)
    until_written(run, 2)
    seen = run.progress()
    assert (seen.phase, seen.linked, seen.evidence, seen.draft) == (Phase.RUNNING, LINKED, EVIDENCE, None)
    assert [stage.name for stage in seen.stages] == ["link", "conditions", "paths", "plan", "passages"]
    api.release.set()


def test_run_that_is_stopped_keeps_what_was_written() -> None:
    api = FakeApi(held=True)
    run = DraftRun(api, REQUEST)
    until_written(run, 2)
    run.stop()
    seen = run.progress()
    assert not run.running
    assert (seen.phase, len(seen.written)) == (Phase.STOPPED, 2)
    api.release.set()


def test_run_that_breaks_off_keeps_what_was_written_and_says_why() -> None:
    seen = ended(FakeApi("breaks_off")).progress()
    assert (seen.phase, len(seen.written), seen.message) == (Phase.FAILED, 2, BROKE_OFF)


def test_run_against_no_api_fails_at_once() -> None:
    seen = ended(FakeApi("unreachable")).progress()
    assert (seen.phase, seen.message, seen.unreachable) == (Phase.FAILED, UNREACHABLE, True)


def test_stopping_a_run_that_has_ended_changes_nothing() -> None:
    run = ended(FakeApi())
    run.stop()
    assert run.progress().phase == Phase.DONE


def test_run_passes_an_error_event_s_reason_on() -> None:
    class Failing(FakeApi):
        def drafts(self, request: DraftRequest) -> Iterator[StageEvent]:
            yield StageEvent(stage="error", reason="There is no passage index.")

    assert ended(Failing()).progress().message == "There is no passage index."


def test_a_defect_while_reading_ends_the_run_visibly_and_without_the_note_s_text() -> None:
    class Defective(FakeApi):
        def drafts(self, request: DraftRequest) -> Iterator[StageEvent]:
            raise RuntimeError(request.text)

    seen = ended(Defective()).progress()
    assert seen.phase == Phase.FAILED
    assert "RuntimeError" in seen.message
    assert NOTE not in seen.message
