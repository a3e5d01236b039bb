"""The line before the evidence: few drafts compute theirs at a time, first come, first served.

Evidence is processor work, and one process has one interpreter: sixteen drafts that compute at once are all ready when the last
one is, and whoever is ready to write waits for the others as well. One after the other, each is ready as early as it can be.
A turn protects for `turn_s` only: after that the next one begins too, so that one long note holds up nobody for long. It does
not know what is computed.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from backend.errors import CancelledError
from backend.schemas.chat import Cancelled

LOOK_S = 0.05
"""How often a waiting thread looks whether it was cancelled, or a turn has grown old, in seconds."""


class Turn:
    """One draft's place in the line, or its time at work; used by one thread at a time. To be left, whatever happened."""

    def __init__(self, line: "EvidenceQueue", cancelled: Cancelled) -> None:
        self._line = line
        self._cancelled = cancelled
        self.called = threading.Event()
        self.since = 0.0

    def join(self) -> int:
        """Stands in line; how many wait or work before it, 0 when its turn has begun. Else `wait` for it."""
        return self._line.join(self)

    def wait(self) -> None:
        """Until it is this draft's turn. Raises CancelledError when it was cancelled first; the place is given up then."""
        while not self.called.wait(LOOK_S):
            if self._cancelled():
                self.leave()
                raise CancelledError("Cancelled while the draft waited for its turn.")
            self._line.look()

    def leave(self) -> None:
        """Lets the next one begin. More than once does no harm."""
        self._line.leave(self)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Not in its turn meanwhile, and in line again afterwards: for whoever waits for a model. Raises CancelledError."""
        self.leave()
        try:
            yield
        finally:  # whoever falls back from a model that failed computes again
            self.join()
            self.wait()


class EvidenceQueue:
    """places: drafts at work at a time. turn_s: seconds for which a turn protects. clock: seconds that only go forwards."""

    def __init__(self, places: int = 1, turn_s: float = 0.5, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._turn_s = turn_s
        self._clock = clock
        self._guard = threading.Lock()
        self._at_work: list[Turn] = []
        self._waiting: deque[Turn] = deque()

    def turn(self, cancelled: Cancelled) -> Turn:
        """For one draft; not in line yet."""
        return Turn(self, cancelled)

    def join(self, turn: Turn) -> int:
        """See Turn.join."""
        with self._guard:
            turn.called.clear()
            self._waiting.append(turn)
            self._call()
            return 0 if turn.called.is_set() else len(self._waiting) - 1 + len(self._at_work)

    def look(self) -> None:
        """Calls whoever may begin by now."""
        with self._guard:
            self._call()

    def leave(self, turn: Turn) -> None:
        """Ends a turn, or gives up a place in the line."""
        with self._guard:
            # by identity, and whether it works, waits or has left already
            self._at_work = [one for one in self._at_work if one is not turn]
            self._waiting = deque(one for one in self._waiting if one is not turn)
            self._call()

    def _call(self) -> None:
        now = self._clock()
        while self._waiting and sum(now - one.since < self._turn_s for one in self._at_work) < self._places:
            turn = self._waiting.popleft()
            turn.since = now
            self._at_work.append(turn)
            turn.called.set()
