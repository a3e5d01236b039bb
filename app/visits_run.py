"""A patient's visits in the making: reads the API's events in a thread, so that the page stays alive and can stop it.

Takes a client and a request; gives the visits written so far whenever asked. What was written stays when it is stopped or
the API dies. It knows nothing of Streamlit.
"""

import threading
from typing import NamedTuple

from app.client import ApiError
from app.draft_run import Phase, Progress
from app.visits_client import VisitsApi
from backend.schemas.draft import Draft
from backend.schemas.event import StageEvent
from backend.schemas.request import DraftRequest


class WrittenVisit(NamedTuple):
    """first and last are days (ISO), None for a patient without any date."""

    number: int
    first: str | None
    last: str | None
    draft: Draft


class VisitsProgress(NamedTuple):
    """message says why it failed."""

    phase: Phase
    written: tuple[WrittenVisit, ...] = ()
    message: str = ""
    unreachable: bool = False


class VisitsRun:
    """Starts at once. progress() may be called from any thread at any time."""

    def __init__(self, client: VisitsApi, request: DraftRequest) -> None:
        self.request = request
        self._client = client
        self._written: list[WrittenVisit] = []
        self._whole = False
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._failure: ApiError | None = None
        threading.Thread(target=self._read, name="visits", daemon=True).start()

    @property
    def running(self) -> bool:
        return not self._ended.is_set() and not self._stop.is_set()

    def stop(self) -> None:
        """Stop listening: what was written stays. The API is left within seconds, and stops the writer."""
        if not self._ended.is_set():
            self._stop.set()

    def wait(self, seconds: float) -> None:
        """Return when the run has ended, or after so many seconds."""
        self._ended.wait(seconds)

    def progress(self) -> VisitsProgress:
        running, failure = self.running, self._failure  # read first: what comes afterwards only adds to what is shown
        written = tuple(self._written)
        if self._whole:
            return VisitsProgress(Phase.DONE, written)
        if self._stop.is_set():
            return VisitsProgress(Phase.STOPPED, written)
        if running:
            return VisitsProgress(Phase.RUNNING, written)
        told = failure or ApiError("The API ended before all visits were written. Write them again.")
        return VisitsProgress(Phase.FAILED, written, str(told), told.unreachable)

    def _read(self) -> None:
        try:
            for event in self._client.visits(self.request):
                if self._stop.is_set():
                    return  # closes the connection, and the API stops the writer
                self._take(event)
        except ApiError as error:
            self._failure = error
        except Exception as error:  # a defect must end the run visibly, not leave the page waiting for ever
            self._failure = ApiError(f"The page failed while reading the visits ({type(error).__name__}). Try again.")
        finally:
            self._ended.set()

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
    """A written visit as the workbench and the pinned line take a draft."""
    asked = request.model_copy(update={"text": "", "question": "-"})
    return Progress(Phase.DONE, asked, stages=visit.draft.stages, draft=visit.draft)
