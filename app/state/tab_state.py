"""Which of a tab's values outlive a reload, and how they come back into the new session."""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.components.write.entry import Entry
from app.state.kept_tabs import kept_tabs, new_name

NAME = "tab_name"
VALUES = frozenset(Entry._fields) | {
    *(
        "generator",
        "judged_note",
        "filed_note",
        "filled",
        "put_away",
        "run",
        "run_before",
        "refusal",
        "editing",
        "words",
        "author",
        "role",
    ),
    *("case_view", "saved_drafts", "run_left", "run_right"),
    *("visit_files", "visit_typed", "visit_patient", "visits_run", "visit_shown", "visit_system", "visit_round"),
}
# what is typed into a saved case: kind, the case's id, the sentence or flag
TYPED = re.compile(r"(text|insert|gap|ack|reason|open_text|open_insert|open_history)_[0-9a-f-]{36}_.+|save_label_.+")


def name() -> str:
    """The name this tab is to keep in its browser; empty until it has said which it had."""
    return str(st.session_state.get(NAME, ""))


def restore(component: str, owner: str) -> None:
    """Bring back what this tab held before a reload, and give it a new name. For use as a callback.

    component: the key of the one that says which name the tab had.
    """
    event = getattr(st.session_state.get(component), "before", None)
    if name() or not isinstance(event, Mapping):
        return
    for key, value in kept_tabs.take(str(event["name"]), owner).items():
        st.session_state[key] = value
    st.session_state[NAME] = new_name()


def keep(owner: str) -> None:
    """What there is now, for the next reload."""
    if name():
        kept_tabs.keep(name(), owner, kept_values())


def forget() -> None:
    """For when somebody logs out."""
    kept_tabs.forget(name())


def kept_values() -> dict[str, Any]:
    return {str(key): value for key, value in st.session_state.items() if key in VALUES or TYPED.fullmatch(str(key))}
