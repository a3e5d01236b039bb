"""Which of a tab's values outlive a reload, and how they come back into the new session."""

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from app.view_data.entry import Entry

NAME = "tab_name"
VALUES = frozenset(Entry._fields) | {
    *(
        "generator",
        "filled_note",
        "language",
        "words",
        "author",
    ),
    *("saved_drafts", "run_left", "run_right"),
    *("visit_files", "visit_typed", "visit_patient", "visits_run", "visit_shown", "visit_round"),
}
# what a draft of another screen is to be saved as
TYPED = re.compile(r"save_label_.+")


def name() -> str:
    """The name under which this tab is stored; empty until the browser has said which name it had."""
    return str(st.session_state.get(NAME, ""))


def restore(component: str, owner: str) -> None:
    """Bring back the values this tab had before a reload, and give it a new name. A callback.

    Args:
        component: the key of the component that sends the tab's former name.
        owner: who is logged in.
    """
    event = getattr(st.session_state.get(component), "before", None)
    if name() or not isinstance(event, Mapping):
        return
    for key, value in tab_store.take(str(event["name"]), owner).items():
        st.session_state[key] = value
    st.session_state[NAME] = _new_name()


def save(owner: str) -> None:
    """Store the values of this tab for the next reload."""
    if name():
        tab_store.save(name(), owner, _saved_values())


def forget() -> None:
    """Remove the stored values of this tab, when somebody logs out."""
    tab_store.forget(name())


def _saved_values() -> dict[str, Any]:
    return {str(key): value for key, value in st.session_state.items() if key in VALUES or TYPED.fullmatch(str(key))}


LIFETIME_S = 1_800.0
"""Seconds since a tab was last drawn after which its values are forgotten."""

MOST = 200
"""The most tabs that are stored; the one drawn longest ago goes first."""


class Held(NamedTuple):
    """The values of one tab. owner: who was logged in; empty where nobody has to."""

    owner: str
    values: Mapping[str, Any]
    until: float


class TabStore:
    """The values of the browser tabs of one process, in memory alone, so that a reload loses nothing.

    A reload begins a new session. The tab sends the name it was given (a secret that only it knows) and gets its values
    back, once: whoever copies a tab gets a copy under another name. Threads share the store.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._held: dict[str, Held] = {}

    def save(self, name: str, owner: str, values: Mapping[str, Any]) -> None:
        """Store values in the place of those that the name had."""
        with self._lock:
            self._held.pop(name, None)
            self._held[name] = Held(owner, values, self.clock() + LIFETIME_S)
            self._clear()

    def take(self, name: str, owner: str) -> Mapping[str, Any]:
        """The values of a name, once; nothing for an unknown name, another owner, or values that are too old."""
        with self._lock:
            self._clear()
            held = self._held.get(name)
            if held is None or held.owner != owner:
                return {}
            return self._held.pop(name).values

    def forget(self, name: str) -> None:
        """Remove the values of a name."""
        with self._lock:
            self._held.pop(name, None)

    def _clear(self) -> None:
        now = self.clock()
        fresh = [(name, held) for name, held in self._held.items() if held.until > now]
        self._held = dict(fresh[-MOST:])


def _new_name() -> str:
    return secrets.token_urlsafe(24)


tab_store = TabStore()
