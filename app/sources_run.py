"""One import at work: reads its events in a thread, so that the page stays alive and can stop it. It knows nothing of Streamlit."""

import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

from app.client import ApiError
from app.draft_run import Phase
from app.sources_client import JobEvent

ENDED = "The API ended the import without a result. Import again: it goes on where it was."


class JobProgress(NamedTuple):
    """done of total (both 0 where unknown) in the words of `what`. report: the import's own, once it is done."""

    phase: Phase
    done: int = 0
    total: int = 0
    what: str = ""
    report: str = ""
    message: str = ""


class SourceRun:
    """Starts at once. name: of the collection, or what is known of it. progress() may be called from any thread."""

    def __init__(self, name: str, events: Callable[[], Iterator[JobEvent]]) -> None:
        self.name = name
        self._events = events
        self._seen = JobProgress(Phase.RUNNING)
        self._stop = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._read, name="import", daemon=True).start()

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def stop(self) -> None:
        """Leave the stream, which stops the import; what it did is kept, and the same import goes on with it."""
        self._stop.set()

    def wait(self, seconds: float) -> None:
        self._ended.wait(seconds)

    def progress(self) -> JobProgress:
        return self._seen

    def _read(self) -> None:
        try:
            for event in self._events():
                if self._stop.is_set():
                    self._seen = self._seen._replace(phase=Phase.STOPPED)
                    return
                self._take(event)
            if self._seen.phase == Phase.RUNNING:
                self._fail(ENDED)
        except ApiError as error:
            self._fail(str(error))
        except Exception as error:  # a defect must end the run visibly, not leave the page waiting for ever
            self._fail(f"The page failed while following the import ({type(error).__name__}).")
        finally:
            self._ended.set()

    def _take(self, event: JobEvent) -> None:
        if event.kind == "progress":
            told = event.data
            self._seen = self._seen._replace(done=told["done"], total=told["total"], what=told["what"])
        elif event.kind == "done":
            self._seen = self._seen._replace(phase=Phase.DONE, report=str(event.data["text"]))
        elif event.kind == "error":
            self._fail(str(event.data["message"]))

    def _fail(self, message: str) -> None:
        self._seen = self._seen._replace(phase=Phase.FAILED, message=message)
