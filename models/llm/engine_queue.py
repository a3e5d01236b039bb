"""The line before a language model: so many at a time, so many waiting, first come, first served."""

import threading
from collections import deque
from typing import NamedTuple

from backend.errors import FullError
from backend.schemas.chat import Cancelled, never

LOOK_S = 0.05
"""How often a waiting thread looks whether it was cancelled, in seconds."""


class _Ticket(NamedTuple):
    places: int
    called: threading.Event


class RequestQueue:
    """`concurrent` places; whoever finds too few free waits, at most `waiting` of them, the rest is refused.

    A request for several places waits until so many are free at once, and nobody overtakes it meanwhile.
    """

    def __init__(self, concurrent: int, waiting: int) -> None:
        self.concurrent = concurrent
        self.waiting = waiting
        self._guard = threading.Lock()
        self._free = concurrent
        self._line: deque[_Ticket] = deque()

    def enter(self, places: int = 1, cancelled: Cancelled = never) -> int:
        """The places taken, at most `concurrent` of them, to be given back by `leave`; 0 when it was cancelled first.

        Raises FullError at once when the line is full.
        """
        places = min(places, self.concurrent)
        with self._guard:
            if not self._line and self._free >= places:
                self._free -= places
                return places
            self._refuse_if_full()
            mine = _Ticket(places, threading.Event())
            self._line.append(mine)
        try:
            while not mine.called.wait(LOOK_S):
                if cancelled():
                    self._withdraw(mine)
                    return 0
        except BaseException:  # interrupted, or the question itself failed: nobody would give the place back
            self._withdraw(mine)
            raise
        return places

    def check(self) -> None:
        """Raises FullError where a request for one place would be refused now; takes none."""
        with self._guard:
            if self._line or not self._free:
                self._refuse_if_full()

    def leave(self, places: int) -> None:
        """Gives places back; whoever is next in line is called."""
        with self._guard:
            self._free += places
            self._call()

    @property
    def length(self) -> int:
        """How many wait."""
        with self._guard:
            return len(self._line)

    @property
    def busy(self) -> int:
        """How many places are taken."""
        with self._guard:
            return self.concurrent - self._free

    def _refuse_if_full(self) -> None:
        if len(self._line) >= self.waiting:
            raise FullError(
                f"The language model is busy: {self.concurrent - self._free} requests are being answered and "
                f"{len(self._line)} wait. Try again in a moment."
            )

    def _withdraw(self, ticket: _Ticket) -> None:
        with self._guard:
            if ticket.called.is_set():  # called in the very moment of giving up
                self._free += ticket.places
            else:
                # by identity: tickets of equal places are no equals in the line
                self._line = deque(one for one in self._line if one is not ticket)
            self._call()

    def _call(self) -> None:
        while self._line and self._free >= self._line[0].places:
            ticket = self._line.popleft()
            self._free -= ticket.places
            ticket.called.set()
