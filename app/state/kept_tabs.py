"""What browser tabs held, kept for a while in the page's memory, so that a reload loses nothing.

A reload begins a new session. The tab hands in the name it was given (a secret that only it knows) and gets back what it
held, once: whoever copies a tab gets a copy under a name of its own. Nothing is written to disk.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

KEPT_S = 1_800.0
"""Seconds since a tab was last drawn after which what it held is forgotten."""

MOST = 200
"""Tabs that are kept at most; the one drawn longest ago goes first."""


class Held(NamedTuple):
    """owner: who was logged in; empty where nobody has to."""

    owner: str
    values: Mapping[str, Any]
    until: float


class KeptTabs:
    """One process's; threads share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, Held] = {}

    def keep(self, name: str, owner: str, values: Mapping[str, Any]) -> None:
        """In the place of what was kept under this name before."""
        with self._lock:
            self._held.pop(name, None)
            self._held[name] = Held(owner, values, self.clock() + KEPT_S)
            self._clear()

    def take(self, name: str, owner: str) -> Mapping[str, Any]:
        """What was kept, once; nothing for an unknown name, another owner, or what is too long ago."""
        with self._lock:
            self._clear()
            held = self._held.get(name)
            if held is None or held.owner != owner:
                return {}
            return self._held.pop(name).values

    def forget(self, name: str) -> None:
        with self._lock:
            self._held.pop(name, None)

    def _clear(self) -> None:
        now = self.clock()
        fresh = [(name, held) for name, held in self._held.items() if held.until > now]
        self._held = dict(fresh[-MOST:])


def new_name() -> str:
    return secrets.token_urlsafe(24)


kept_tabs = KeptTabs()
