"""The list of letters in one tab's session: what is searched for, the letter about to be deleted, the outcome.

Functions that ask the API are callbacks: they store their outcome and raise nothing.
"""

import streamlit as st

from app.clients.api_errors import ApiError
from app.state.access import access_state
from app.state.session import client
from app.words.words import _, later
from backend.schemas.patients.saved_case import CasePage, CaseState, CaseSummary
from backend.settings import settings

SEARCH, STATE, PAGE, AUTHOR, TYPED = "letters_search", "letters_state", "letters_page", "author", "letters_typed"
PAGE_LETTERS = 20
DELETE = later("delete")
"""The word that is typed before a letter is deleted."""
_LETTER, _MESSAGE = "letters_deleting", "letters_message"


def asked_for() -> str:
    """The id of the letter that the address names; empty for none."""
    return str(st.query_params.get("letter", ""))


def page() -> int:
    """The page of the list, counted from 0."""
    return int(st.session_state.get(PAGE, 0))


def turn(by: int) -> None:
    """Go on or back in the list. A callback."""
    st.session_state[PAGE] = max(0, page() + by)


def first_page() -> None:
    """Begin the list anew. A callback of the search and the filter."""
    st.session_state[PAGE] = 0


def searched() -> bool:
    """Whether the list is narrowed."""
    return bool(str(st.session_state.get(SEARCH) or "").strip() or st.session_state.get(STATE))


def letters() -> CasePage:
    """The letters of this page of the list. Raises ApiError."""
    state: CaseState | None = st.session_state.get(STATE) or None
    words = str(st.session_state.get(SEARCH) or "").strip()
    found = client().saved_cases(PAGE_LETTERS, page() * PAGE_LETTERS, state, words)
    if not found.cases and found.total and page():  # the last letter of the last page was deleted
        st.session_state[PAGE] = (found.total - 1) // PAGE_LETTERS
        found = client().saved_cases(PAGE_LETTERS, page() * PAGE_LETTERS, state, words)
    return found


def retention_days() -> int:
    """Days after its last change that an unsigned letter is deleted; 0 where it is kept."""
    return settings().retention_days


def deleting() -> CaseSummary | None:
    """The letter about to be deleted."""
    found: CaseSummary | None = st.session_state.get(_LETTER)
    return found


def ask_deleting(letter: CaseSummary) -> None:
    """Ask before a letter is deleted. A callback."""
    st.session_state[_LETTER] = letter
    st.session_state[_MESSAGE] = ""
    st.session_state.pop(TYPED, None)


def keep() -> None:
    """Delete nothing. A callback."""
    st.session_state.pop(_LETTER, None)
    st.session_state[_MESSAGE] = ""


def confirmed() -> bool:
    """Whether the word is typed, in whatever case."""
    return str(st.session_state.get(TYPED) or "").strip().casefold() == _(DELETE).casefold()


def message() -> str:
    """Why the last letter was not deleted; empty otherwise."""
    return str(st.session_state.get(_MESSAGE, ""))


def delete() -> None:
    """Delete the letter for good. A callback."""
    letter = deleting()
    person = access_state.owner() or str(st.session_state.get(AUTHOR) or "").strip()
    if letter is None:
        return
    if not confirmed():
        st.session_state[_MESSAGE] = _("Type the word {word} first.").format(word=_(DELETE))
    elif not person:
        st.session_state[_MESSAGE] = _("Give your name: it stands in the record of who deleted what.")
    else:
        try:
            client().delete_case(letter.id, person)
        except ApiError as error:
            st.session_state[_MESSAGE] = str(error)
            return
        keep()
