"""The queue before the evidence: few drafts compute theirs at a time, first come, first served.

Evidence is processor work, and one process has one interpreter: sixteen drafts that compute at once are all ready when the last
one is, and whoever is ready to write waits for the others as well. One after the other, each is ready as early as it can be.
A turn protects for `turn_s` only: after that the next one begins too, so that one long note holds up nobody for long.
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


class QueueSlot:
    """One draft's place in the queue, or its time at work; used by one thread at a time. To be left, whatever happened.

    Args:
        queue: the queue it is of.
        cancelled: turns true when the draft is no longer wanted.
    """

    def __init__(self, queue: "EvidenceQueue", cancelled: Cancelled) -> None:
        self._queue = queue
        self._cancelled = cancelled
        self.called = threading.Event()
        self.since = 0.0

    def join(self) -> int:
        """Enter the queue: how many wait or work before it, 0 when its turn has begun. Else `wait` for it."""
        return self._queue.join(self)

    def wait(self) -> None:
        """Return when it is this draft's turn.

        Raises:
            CancelledError: it was cancelled first; the place is given up then.
        """
        while not self.called.wait(LOOK_S):
            if self._cancelled():
                self.leave()
                raise CancelledError("Cancelled while the draft waited for its turn.")
            self._queue.start_next()

    def leave(self) -> None:
        """Let the next one begin. More than once does no harm."""
        self._queue.leave(self)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Not in its turn meanwhile, and in the queue again afterwards: for whoever waits for a model.

        A draft that is cancelled while it waits for its next turn is a CancelledError.

        Yields:
            Nothing.
        """
        self.leave()
        try:
            yield
        finally:  # whoever falls back from a model that failed computes again
            self.join()
            self.wait()


class EvidenceQueue:
    """Who computes evidence, first come, first served.

    Args:
        places: drafts at work at a time.
        turn_s: seconds for which a turn protects.
        clock: seconds that only go forwards.
    """

    def __init__(self, places: int = 1, turn_s: float = 0.5, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._turn_s = turn_s
        self._clock = clock
        self._guard = threading.Lock()
        self._at_work: list[QueueSlot] = []
        self._waiting: deque[QueueSlot] = deque()

    def slot(self, cancelled: Cancelled) -> QueueSlot:
        """For one draft; not in the queue yet."""
        return QueueSlot(self, cancelled)

    def join(self, slot: QueueSlot) -> int:
        """Enter a slot; see `QueueSlot.join`."""
        with self._guard:
            slot.called.clear()
            self._waiting.append(slot)
            self._call()
            return 0 if slot.called.is_set() else len(self._waiting) - 1 + len(self._at_work)

    def start_next(self) -> None:
        """Call whoever may begin by now."""
        with self._guard:
            self._call()

    def leave(self, slot: QueueSlot) -> None:
        """End a turn, or give up a place in the queue."""
        with self._guard:
            # by identity, and whether it works, waits or has left already
            self._at_work = [one for one in self._at_work if one is not slot]
            self._waiting = deque(one for one in self._waiting if one is not slot)
            self._call()

    def _call(self) -> None:
        now = self._clock()
        while self._waiting and sum(now - one.since < self._turn_s for one in self._at_work) < self._places:
            slot = self._waiting.popleft()
            slot.since = now
            self._at_work.append(slot)
            slot.called.set()
