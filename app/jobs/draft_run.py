"""A running draft: its events, and what they amount to so far."""

from collections.abc import Sequence
from typing import NamedTuple

from app.clients.client import ApiClient
from app.jobs.event_run import EventRun, Phase
from backend.schemas.drafts.draft import Draft, StageReport, WrittenSentence
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.evidence import Condition, Evidence, Plan
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest


class Progress(NamedTuple):
    """What a run has found so far.

    Attributes:
        draft: the whole of it, once the phase is done.
        message: why it failed, or is not complete.
    """

    phase: Phase
    request: DraftRequest
    stages: tuple[StageReport, ...] = ()
    linked: LinkedNote | None = None
    conditions: tuple[Condition, ...] = ()
    plan: Plan = Plan()
    evidence: Evidence = Evidence()
    written: tuple[WrittenSentence, ...] = ()
    piece: str = ""
    draft: Draft | None = None
    fallbacks: tuple[str, ...] = ()
    message: str = ""
    unreachable: bool = False


class DraftRun(EventRun[StageEvent]):
    """A draft, read in a thread of its own."""

    def __init__(self, client: ApiClient, request: DraftRequest) -> None:
        self.request = request
        self._events: list[StageEvent] = []
        super().__init__(
            lambda: client.drafts(request), "The page failed while reading the draft ({kind}). Draft again."
        )

    def progress(self) -> Progress:
        """Everything received so far, read into values."""
        running = self.running  # read first: an event that arrives afterwards only adds to what is shown
        failure = self._failure
        seen = progress_of(self.request, tuple(self._events))
        if seen.draft is not None:
            return seen._replace(phase=Phase.DONE)
        if self._stopped.is_set():
            return seen._replace(phase=Phase.STOPPED)
        if running:
            return seen
        if failure is not None:
            return seen._replace(phase=Phase.FAILED, message=str(failure), unreachable=failure.unreachable)
        message = seen.message or "The API ended before the draft was complete. Draft again."
        return seen._replace(phase=Phase.FAILED, message=message)

    def _take(self, event: StageEvent) -> None:
        if event.stage != "heartbeat":
            self._events.append(event)


def progress_of(request: DraftRequest, events: Sequence[StageEvent]) -> Progress:
    """The events, read into one Progress that is still running."""
    seen = Progress(Phase.RUNNING, request)
    written: list[WrittenSentence] = []
    piece = ""
    for event in events:
        if event.stage == "token":
            written.append(WrittenSentence.model_validate(event.data))
            piece = ""
            continue
        if event.stage == "piece":
            piece = str(event.data["text"])
            continue
        if event.stage == "draft":
            draft = Draft.model_validate(event.data)
            ended = [s.reason for s in draft.stages if s.failed or (s.name == "write" and not draft.failures)]
            message = "; ".join(ended) if draft.status == "partial" else ""
            seen = seen._replace(draft=draft, stages=draft.stages, message=message)
            continue
        if event.stage == "error":
            seen = seen._replace(message=event.reason)
            continue
        seen = _with(seen, event)
        seen = seen._replace(
            stages=(*seen.stages, StageReport(name=event.stage, reason=event.reason, ms=event.ms, failed=event.failed))
        )
    return seen._replace(written=tuple(written), piece=piece)


def _with(seen: Progress, event: StageEvent) -> Progress:
    data = event.data
    if "linked" in data:
        seen = seen._replace(linked=LinkedNote.model_validate(data["linked"]))
    if "conditions" in data:
        seen = seen._replace(conditions=tuple(Condition.model_validate(row) for row in data["conditions"]))
    if "paths" in data:
        found = {"paths": data["paths"], "policy": data.get("policy", ())}
        seen = seen._replace(evidence=Evidence.model_validate(found))
    if "plan" in data:
        seen = seen._replace(plan=Plan.model_validate(data["plan"]))
    if "evidence" in data:
        seen = seen._replace(evidence=Evidence.model_validate(data["evidence"]))
    if "fallbacks" in data:
        seen = seen._replace(fallbacks=tuple(data["fallbacks"]))
    return seen
