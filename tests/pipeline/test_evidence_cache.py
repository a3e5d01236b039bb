"""What is kept of a draft that broke off: a retry finds it, runs a failed stage again, and in time it is forgotten."""

from typing import Any

from backend.errors import MissingError
from backend.pipeline.evidence_cache import EvidenceCache
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import DraftStatus
from tests.pipeline.steered import NOTE, Failing, SteeredWriter, written


def test_a_retry_finds_the_evidence_of_the_draft_that_broke_off(pipeline: Any) -> None:
    cache, request = EvidenceCache(), DraftRequest(text=NOTE)
    gone = MissingError("The server has gone.")
    broken = pipeline(written("cough", "N1"), failure=gone)
    whole = pipeline(written("cough", "N1"), written("fever", "N1"))
    broken._cache = whole._cache = cache
    first = broken.run(request)
    again = whole.run(request.model_copy(update={"generator": "another"}))
    reasons = {stage.name: stage.reason for stage in again.stages}
    assert reasons["passages"].endswith("(kept from the draft that broke off)")
    assert (again.evidence, again.note) == (first.evidence, first.note)
    third = {stage.name: stage.reason for stage in whole.run(request).stages}
    assert "kept" not in third["passages"]  # a draft that ended leaves nothing


def test_a_retry_after_a_stand_in_and_after_a_reader_who_left_finds_it_as_well(pipeline: Any) -> None:
    request = DraftRequest(text=NOTE)
    stood_in = pipeline(failure=MissingError("gone"), stand_in=SteeredWriter([written("cough", "N1")]))
    whole = pipeline(written("cough", "N1"), written("fever", "N1"))
    stood_in._cache = whole._cache = EvidenceCache()

    def passages() -> str:
        return next(event.reason for event in whole.draft_events(request) if event.stage == "passages")

    assert stood_in.run(request).status == DraftStatus.COMPLETE
    assert passages().endswith("(kept from the draft that broke off)")
    for left_at in ("token", "write"):
        events = whole.draft_events(request)
        assert any(event.stage == left_at for event in events)  # reads up to it and no further
        events.close()  # type: ignore[attr-defined]
        assert passages().endswith("(kept from the draft that broke off)") == (left_at == "token")


def test_a_retry_runs_a_failed_stage_again(pipeline: Any) -> None:
    unfinished, request = EvidenceCache(), DraftRequest(text=NOTE)
    broken = pipeline(written("cough", "N1"), failure=MissingError("The server has gone."))
    broken._parts = broken._parts._replace(linker=Failing())
    whole = pipeline(written("cough", "N1"))
    broken._cache = whole._cache = unfinished
    assert broken.run(request).failures[0] == "link, IndexError"
    again = whole.run(request)
    assert (again.status, again.failures) == (DraftStatus.COMPLETE, ())


def test_what_is_kept_for_a_retry_is_forgotten() -> None:
    now = [0.0]
    cache = EvidenceCache(lambda: now[0])
    kept: Any = object()
    cache.put(DraftRequest(text="a"), kept)
    now[0] = 901.0
    assert cache.take(DraftRequest(text="a")) is None
    for number in range(20):
        cache.put(DraftRequest(text=f"note {number}"), kept)
    assert cache.take(DraftRequest(text="note 3")) is None
    assert cache.take(DraftRequest(text="note 4")) is kept
