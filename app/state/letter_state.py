"""Saving a draft of another screen as a letter, in one tab's session.

Functions that ask the API are callbacks: they store their outcome and raise nothing.
"""

import streamlit as st
from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.state.session import client
from app.words.words import _, later
from backend.schemas.drafts.draft import Draft
from backend.schemas.patients.saved_case import SaveRequest

NO_NAME = later("Give your name first: it stands in the record of who did what.")
NAME_TOO_LONG = later("Your name is too long; at most 120 characters are taken.")
LABEL_TOO_LONG = later("What it is saved as is too long; at most 200 characters are taken.")


def author() -> str:
    """The name typed for the audit trail."""
    return str(st.session_state.get("author", "")).strip()


def message() -> str:
    """Why the last draft could not be saved; empty otherwise."""
    return str(st.session_state.get("saving_message", ""))


def label_field(draft: Draft, label: str) -> str:
    """The key of the field for the letter's label, filled when it is first drawn."""
    key = f"save_label_{draft.id}"
    st.session_state.setdefault(key, label)
    return key


def saved_as(draft: Draft) -> str | None:
    """The id of the letter that a draft was saved as in this session."""
    found: str | None = st.session_state.get("saved_drafts", {}).get(draft.id)
    return found


def save(draft: Draft) -> None:
    """Save a finished draft as a letter."""
    st.session_state["saving_message"] = ""
    if not author():
        st.session_state["saving_message"] = _(NO_NAME)
        return
    label = str(st.session_state.get(f"save_label_{draft.id}", ""))
    try:
        view = client().save_case(SaveRequest(label=label, draft=draft, author=author()))
    except ApiError as error:
        st.session_state["saving_message"] = str(error)
        return
    except ValidationError as error:
        fields = {str(one["loc"][0]) for one in error.errors(include_input=False) if one["loc"]}
        st.session_state["saving_message"] = _(LABEL_TOO_LONG if "label" in fields else NAME_TOO_LONG)
        return
    st.session_state["saved_drafts"] = {**st.session_state.get("saved_drafts", {}), draft.id: view.id}
