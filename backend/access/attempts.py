"""Slows guessing: after five wrong passwords for one name, each further try waits twice as long, up to a minute.

A minute is short enough that nobody can keep a colleague out for long, and long enough that 1,440 guesses take a day.
It is held in memory, one table a process.
"""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from backend.errors import InputError

FREE = 5
LONGEST_S = 60.0
FORGOTTEN_S = 3600.0
MOST_NAMES = 10_000


class TooManyTriesError(InputError):
    """Wrong passwords came too fast."""

    http_status = 429


class Tries(NamedTuple):
    """wrong: in a row. until: of the steady clock, when the next is taken. at: of the last one."""

    wrong: int
    until: float
    at: float


class Attempts:
    """Threads may share it. clock: seconds of a steady clock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: dict[str, Tries] = {}
        self._lock = threading.Lock()

    def begin(self, key: str) -> None:
        """Count a try as wrong before it is checked, so that many at once count too.

        Raises:
            TooManyTriesError: too many wrong tries came before.
        """
        with self._lock:
            now = self._clock()
            before = self._tries.pop(key, Tries(0, 0.0, now))
            if now - before.at > FORGOTTEN_S:
                before = Tries(0, 0.0, now)
            if now < before.until:
                self._tries[key] = before
                left = int(before.until - now) + 1
                raise TooManyTriesError(f"Too many wrong passwords for this name. Try again in {left} s.")
            wrong = before.wrong + 1
            wait = 0.0 if wrong < FREE else min(2.0 ** (wrong - FREE), LONGEST_S)
            self._tries[key] = Tries(wrong, now + wait, now)
            while len(self._tries) > MOST_NAMES:
                self._tries.pop(next(iter(self._tries)))

    def succeed(self, key: str) -> None:
        """The password was right: forget what was wrong before."""
        with self._lock:
            self._tries.pop(key, None)
