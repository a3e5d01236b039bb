"""The review of the knowledge in one tab's session: what is looked at, and what came of the last decision.

Functions that ask the API are meant as callbacks: they leave their outcome behind and raise nothing.
"""

from typing import cast

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.review_client import ReviewClient
from app.state.access import access_state
from backend.settings import settings

KIND, STATE, WORDS, PAGE = "knowledge_kind", "knowledge_state", "knowledge_words", "knowledge_page"
REVIEWER = "knowledge_reviewer"
PAGE_ITEMS = 12
_TYPED = "knowledge_typed"
_ITEM, _MESSAGE, _REFUSED = "knowledge_item", "knowledge_message", "knowledge_refused"


def client() -> ReviewClient:
    """The client of this session; a test puts its own under the same key."""
    if "review_client" not in st.session_state:
        st.session_state["review_client"] = ReviewClient(settings(), login=access_state.bearer())
    return cast(ReviewClient, st.session_state["review_client"])


def value(key: str) -> str:
    """What a field holds."""
    return str(st.session_state.get(key) or "")


def page() -> int:
    """The page of the list, counted from 0."""
    return int(st.session_state.get(PAGE, 0))


def first_page() -> None:
    """Begin the list anew. A callback of its filters."""
    st.session_state[PAGE] = 0


def turn(by: int) -> None:
    """Go on or back in the list. A callback."""
    st.session_state[PAGE] = max(0, page() + by)


def opened() -> str:
    """The id of the item that is looked at; empty for none."""
    return value(_ITEM)


def open_item(item: str) -> None:
    """Look at an item; an empty id closes it. A callback."""
    st.session_state[_ITEM] = item
    st.session_state[_MESSAGE] = ""


def text_key(item: str) -> str:
    """The key of the field that holds an item's changed text."""
    return f"knowledge_text_{item}"


def reason_key(item: str) -> str:
    """The key of the field that holds the reason for a decision about an item."""
    return f"knowledge_reason_{item}"


def keep(key: str) -> None:
    """Keep what was typed into a field while the field is not on the page. A callback of the field."""
    st.session_state.setdefault(_TYPED, {})[key] = value(key)


def typed(key: str, otherwise: str = "") -> str:
    """What was typed into a field and not sent yet; `otherwise` where nothing was."""
    return str(st.session_state.get(_TYPED, {}).get(key, otherwise))


def message() -> tuple[str, bool]:
    """What came of the last decision, and whether it was refused."""
    return value(_MESSAGE), bool(st.session_state.get(_REFUSED))


def decide(item: str, verdict: str) -> None:
    """Send a decision about an item as the fields have it. A callback."""
    person = access_state.person() if access_state.needed() else None
    body = {"item": item, "verdict": verdict, "reason": value(reason_key(item))}
    body["reviewer"] = person.name if person is not None else value(REVIEWER)
    if verdict == "changed":
        body["text"] = value(text_key(item))
    try:
        made = client().decide(body)
        outcome, refused = f"{item}: {made['verdict']} by {made['reviewer']}. It holds from the next start on.", False
        for key in (text_key(item), reason_key(item)):
            st.session_state.get(_TYPED, {}).pop(key, None)
            st.session_state.pop(key, None)
    except ApiError as error:
        outcome, refused = str(error), True
    st.session_state[_MESSAGE], st.session_state[_REFUSED] = outcome, refused
