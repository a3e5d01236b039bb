"""Keeps requests from a server that has failed several times in a row: they fail at once rather than after a wait."""

import threading
import time
from collections.abc import Callable


class Breaker:
    """Closed until `failures` requests failed one after the other; then open for rest_s; then one request may try.

    If that one succeeds it is closed, else open for as long again.
    """

    def __init__(self, failures: int, rest_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: seconds, from anywhere, never going back."""
        self._most = failures
        self._rest_s = rest_s
        self._clock = clock
        self._guard = threading.Lock()
        self._failed = 0
        self._until = 0.0
        self._trying = False

    def wait_s(self) -> float:
        """0 when a request may be sent, and then it counts as sent: tell what became of it. Else seconds to wait."""
        with self._guard:
            if self._failed < self._most:
                return 0.0
            left = self._until - self._clock()
            if left <= 0 and not self._trying:
                self._trying = True
                return 0.0
            return max(left, 1.0)  # the one that tries is still at it

    def succeeded(self) -> None:
        with self._guard:
            self._failed = 0
            self._trying = False

    def failed(self) -> None:
        with self._guard:
            self._failed += 1
            self._trying = False
            self._until = self._clock() + self._rest_s

    def unknown(self) -> None:
        """The request ended without telling anything of the server: it was cancelled, or the server was too busy."""
        with self._guard:
            self._trying = False

    @property
    def failures(self) -> int:
        """Failures one after the other, up to now."""
        with self._guard:
            return self._failed
