"""A stream of the API's events, read in a thread, so that the page stays alive and can stop it.

Takes what opens the stream and what to do with each event; says whether it still runs, was stopped, or why it failed.
What was taken stays whatever happens. It knows nothing of Streamlit.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Generic, TypeVar

from app.clients.api_errors import ApiError

Event = TypeVar("Event")


class Phase(StrEnum):
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class EventRun(ABC, Generic[Event]):
    """Starts at once. All but _take may be called from any thread at any time."""

    def __init__(self, open_stream: Callable[[], Iterator[Event]], defect: str) -> None:
        """defect: what is said when the page itself fails while reading, with a place {kind} for the kind of failure."""
        self._open_stream = open_stream
        self._defect = defect
        self._stopped = threading.Event()
        self._over = threading.Event()
        self._failure: ApiError | None = None
        self._thread = threading.Thread(target=self._read, name=type(self).__name__, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._over.is_set()

    def stop(self) -> None:
        """Stop listening: what was taken stays. The API is left at its next event, within seconds, and stops its work."""
        if not self._over.is_set():
            self._stopped.set()
            self._over.set()

    def wait(self, seconds: float) -> None:
        """Return when the run is over, or after so many seconds."""
        self._over.wait(seconds)

    @abstractmethod
    def _take(self, event: Event) -> None:
        """Keep what an event says. Called in the run's own thread."""

    def _read(self) -> None:
        try:
            for event in self._open_stream():
                if self._stopped.is_set():
                    return  # closes the connection, and the API stops its work
                self._take(event)
        except ApiError as error:
            self._failure = error
        except Exception as error:  # a defect must end the run visibly, not leave the page waiting for ever
            self._failure = ApiError(self._defect.format(kind=type(error).__name__))
        finally:
            self._over.set()
