"""A stream of the API's events, read in a thread, so that the page stays responsive and can stop it.

What was received stays, however the run ends.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Generic, TypeVar

from app.clients.api_errors import ApiError

Event = TypeVar("Event")


class Phase(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class EventRun(ABC, Generic[Event]):
    """A run, which starts at once. Every method but _take may be called from any thread at any time."""

    def __init__(self, open_stream: Callable[[], Iterator[Event]], defect: str) -> None:
        """Start reading.

        Args:
            open_stream: opens the stream.
            defect: the message when the page itself fails while reading, with a place {kind} for the type of the error.
        """
        self._open_stream = open_stream
        self._defect = defect
        self._stopped = threading.Event()
        self._over = threading.Event()
        self._failure: ApiError | None = None
        self._thread = threading.Thread(target=self._read, name=type(self).__name__, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether events are still read."""
        return not self._over.is_set()

    def stop(self) -> None:
        """Stop listening. The connection closes at the API's next event, within seconds, and the API stops its work."""
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
