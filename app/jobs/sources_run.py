"""A running import: how far it is, and how it ended."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from app.clients.api_errors import ApiError
from app.clients.sources_client import JobEvent
from app.jobs.event_run import EventRun, Phase
from app.words.api_words import error_words

ENDED = "The API ended the import without a result. Import again: it goes on where it was."


class JobProgress(NamedTuple):
    """How far an import is.

    Attributes:
        done: of total, both 0 where unknown, in units of `what`.
        report: the import's own, once it is done.
        message: why it failed.
    """

    phase: Phase
    done: int = 0
    total: int = 0
    what: str = ""
    report: str = ""
    message: str = ""


class SourceRun(EventRun[JobEvent]):
    """A running import. A stopped one can be continued by the same import."""

    def __init__(self, name: str, events: Callable[[], Iterator[JobEvent]]) -> None:
        """name: of the collection, or what is known of it."""
        self.name = name
        self._seen = JobProgress(Phase.RUNNING)
        super().__init__(events, "The page failed while following the import ({kind}).")

    @property
    def running(self) -> bool:
        """Also while a stopped import has yet to be left: another cannot begin before."""
        return self._thread.is_alive()

    def wait(self, seconds: float) -> None:
        """Return when the import is left, or after so many seconds."""
        self._thread.join(seconds)

    def progress(self) -> JobProgress:
        """How far it is."""
        running, failure = self.running, self._failure
        if running or self._seen.phase == Phase.DONE:
            return self._seen
        if self._stopped.is_set():
            return self._seen._replace(phase=Phase.STOPPED)
        return self._seen._replace(phase=Phase.FAILED, message=str(failure or ENDED))

    def _take(self, event: JobEvent) -> None:
        if event.kind == "progress":
            data = event.data
            self._seen = self._seen._replace(done=data["done"], total=data["total"], what=data["what"])
        elif event.kind == "done":
            self._seen = self._seen._replace(phase=Phase.DONE, report=str(event.data["text"]))
        elif event.kind == "error":
            self._failure = ApiError(error_words(str(event.data.get("kind", "")), str(event.data["message"])))
