"""A draft in the queue: it has its turn until its prompt is written, and says when it waits."""

from collections.abc import Iterator
from typing import Any

import pytest

from backend.errors import CancelledError
from backend.pipeline.evidence_queue import EvidenceQueue
from backend.schemas.chat import never
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared
from tests.pipeline.steered import NOTE, SteeredWriter, written


class AskingWriter(SteeredWriter):
    """Says that its prompt is written, then looks whether another draft may begin."""

    def __init__(self, queue: EvidenceQueue, before: list[int]) -> None:
        super().__init__([written("cough", "N1")])
        self._queue = queue
        self._before = before

    def stream(self, *given: Any) -> Iterator[Any]:
        self._before.append(self._ahead())
        yield Prepared()
        self._before.append(self._ahead())
        yield from super().stream(*given)

    def _ahead(self) -> int:
        other = self._queue.slot(never)
        try:
            return other.join()
        finally:
            other.leave()


def test_a_draft_has_its_turn_until_its_prompt_is_written(pipeline: Any) -> None:
    queue, before = EvidenceQueue(), []
    steered = pipeline()
    steered._queue = queue
    steered._parts = steered._parts._replace(writer=AskingWriter(queue, before))
    stages = [event.stage for event in steered.draft_events(DraftRequest(text=NOTE))]
    assert before == [1, 0]
    assert "turn" not in stages  # nobody was before it
    assert "piece" in stages  # and being prepared is no event of its own


def test_a_draft_that_waits_for_its_turn_says_so_and_how_long(pipeline: Any) -> None:
    steered, ahead = pipeline(written("cough", "N1")), EvidenceQueue(turn_s=1000.0)
    steered._queue = ahead
    others = [ahead.slot(never), ahead.slot(never)]
    for other in others:
        other.join()
    events = steered.draft_events(DraftRequest(text=NOTE))
    first = next(events)
    assert (first.stage, first.reason) == ("turn", "waits: 2 drafts before this one")
    for other in others:
        other.leave()
    second, third = next(events), next(events)
    assert (second.stage, second.reason, third.stage) == ("turn", "2 drafts before this one", "link")
    *_, last = events
    assert Draft.model_validate(last.data).stages[0].name == "turn"


@pytest.mark.parametrize("evidence_alone", [True, False])
def test_a_draft_cancelled_or_left_while_it_waits_keeps_nobody_waiting(pipeline: Any, evidence_alone: bool) -> None:
    steered, queue = pipeline(written("cough", "N1")), EvidenceQueue(turn_s=1000.0)
    steered._queue = queue
    run = steered.evidence_events if evidence_alone else steered.draft_events
    at_work = queue.slot(never)
    at_work.join()
    events = run(DraftRequest(text=NOTE), lambda: True)
    assert next(events).stage == "turn"
    with pytest.raises(CancelledError, match="waited for its turn"):
        next(events)
    left = run(DraftRequest(text=NOTE))
    next(left)
    left.close()
    at_work.leave()
    half = run(DraftRequest(text=NOTE))
    assert next(half).stage == "link"  # nobody is left in the queue, and this one works
    half.close()
    assert queue.slot(never).join() == 0
