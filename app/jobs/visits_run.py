"""The running drafts of a patient's visits: those written so far."""

from typing import NamedTuple

from app.clients.api_errors import ApiError
from app.clients.visits_client import VisitsClient
from app.jobs.draft_run import Progress
from app.jobs.event_run import EventRun, Phase
from app.words.words import later
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest


class WrittenVisit(NamedTuple):
    """A visit with its draft. first, last: days (ISO), None for a patient without any date."""

    number: int
    first: str | None
    last: str | None
    draft: Draft


class VisitsProgress(NamedTuple):
    """What was written so far. message: why it failed."""

    phase: Phase
    written: tuple[WrittenVisit, ...] = ()
    message: str = ""
    unreachable: bool = False


class VisitsRun(EventRun[StageEvent]):
    """The visits of a request, written one after the other and read in a thread of its own."""

    def __init__(self, client: VisitsClient, request: DraftRequest) -> None:
        self.request = request
        self._written: list[WrittenVisit] = []
        self._whole = False
        super().__init__(
            lambda: client.visits(request), "The page failed while reading the visits ({kind}). Try again."
        )

    def progress(self) -> VisitsProgress:
        """The visits written so far."""
        running, failure = self.running, self._failure  # read first: what comes afterwards only adds to what is shown
        written = tuple(self._written)
        if self._whole:
            return VisitsProgress(Phase.DONE, written)
        if self._stopped.is_set():
            return VisitsProgress(Phase.STOPPED, written)
        if running:
            return VisitsProgress(Phase.RUNNING, written)
        error = failure or ApiError(later("The API ended before all visits were written. Write them again."))
        return VisitsProgress(Phase.FAILED, written, str(error), error.unreachable)

    def _take(self, event: StageEvent) -> None:
        if event.stage == "visit":
            row = event.data
            draft = Draft.model_validate(row["draft"])
            self._written.append(WrittenVisit(row["number"], row["first"], row["last"], draft))
        elif event.stage == "visits":
            self._whole = True
        elif event.stage == "error":
            self._failure = ApiError(event.reason)


def as_progress(visit: WrittenVisit, request: DraftRequest) -> Progress:
    """A written visit as the pinned line takes a draft."""
    asked = request.model_copy(update={"text": "", "question": "-"})
    return Progress(Phase.DONE, asked, stages=visit.draft.stages, draft=visit.draft)
