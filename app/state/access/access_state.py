"""The person of this tab, where people must log in. The login is in a cookie, so that a reload does not end it.

The API decides what a login may ask; the page only shows what it answers. Where nobody has to log in, everybody is
admitted and gives a name where one is asked for.
"""

import time
from typing import cast

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.login_client import LoginClient
from app.state.access import tab_state
from app.state.access.login_cookie import COOKIE, codes
from backend.schemas.access import LoggedIn, PersonRole, login_needed
from backend.settings import settings

INCLUDED = {
    PersonRole.CLINICIAN: frozenset({PersonRole.CLINICIAN}),
    PersonRole.COORDINATOR: frozenset({PersonRole.CLINICIAN, PersonRole.COORDINATOR}),
    PersonRole.ADMINISTRATOR: frozenset(PersonRole),
}
"""The roles whose pages each role opens."""
AGAIN_S = 30.0  # how long an answer of the API about a login is taken as it is
ENDED = "Your login has ended. Log in again."
UNFIT = "Give your name and your password."


def needed() -> bool:
    """Whether people must log in to this page."""
    found = settings()
    return login_needed(found.host, found.login)


def person() -> LoggedIn | None:
    """The person logged in in this tab, asked anew every AGAIN_S seconds. Raises ApiError where the API cannot be reached."""
    token = _token()
    if not token:
        return None
    held = cast(LoggedIn | None, st.session_state.get("access_person"))
    if held is None or time.monotonic() - st.session_state.get("access_asked", 0.0) > AGAIN_S:
        held = _client().who(token)
        st.session_state["access_asked"] = time.monotonic()
        if held is None:
            _forget(ENDED)
        else:
            st.session_state["access_person"] = held
    if held is not None:
        st.session_state["author"] = held.name  # acts are recorded under no other name
    return held


def owner() -> str:
    """The name of the person this tab belongs to; empty where nobody has to log in."""
    held = cast(LoggedIn | None, st.session_state.get("access_person"))
    return held.name if needed() and held is not None else ""


def may() -> frozenset[PersonRole]:
    """Whose pages the person at this tab may open: those of every role where nobody has to log in."""
    if not needed():
        return frozenset(PersonRole)
    held = cast(LoggedIn | None, st.session_state.get("access_person"))
    return INCLUDED[held.role] if held is not None else frozenset()


def coordinates() -> bool:
    """Whether the person at this tab may change the sources and lead studies."""
    return PersonRole.COORDINATOR in may()


def bearer() -> str:
    """The login to ask the API with; empty for the page's own token."""
    return _token() if needed() else ""


def log_in() -> None:
    """Log in with the fields' values. A callback; the password is forgotten at once."""
    name, password = str(st.session_state.get("login_name", "")), str(st.session_state.pop("login_password", ""))
    st.session_state["access_message"] = ""
    if not name.strip() or not password:
        st.session_state["access_message"] = UNFIT
        return
    try:
        given = _client().log_in(name, password)
    except ApiError as error:
        st.session_state["access_message"] = str(error)
        return
    except ValueError:
        st.session_state["access_message"] = UNFIT
        return
    _forget("")
    st.session_state["access_token"] = given.token
    st.session_state["access_code"] = codes.put(given.token)


def log_out() -> None:
    """End the login. A callback; where the API cannot be reached, the login ends by itself later."""
    token = _token()
    try:
        if token:
            _client().log_out(token)
    except ApiError:
        pass
    _forget("")
    st.session_state["access_code"] = codes.put("")


def message() -> str:
    """Why the last login failed or ended; empty otherwise."""
    return str(st.session_state.get("access_message", ""))


def cookie_code() -> str:
    """The code that the browser sends to have its cookie set or removed; empty when the cookie is as it should be."""
    return str(st.session_state.get("access_code", ""))


def _token() -> str:
    if "access_token" not in st.session_state:
        st.session_state["access_token"] = str(st.context.cookies.get(COOKIE, ""))
    return cast(str, st.session_state["access_token"])


def _client() -> LoginClient:
    if "access_client" not in st.session_state:
        st.session_state["access_client"] = LoginClient(settings())
    return cast(LoginClient, st.session_state["access_client"])


def _forget(words: str) -> None:
    """Whatever the work of whoever was logged in left in this tab goes with the login."""
    client = _client()
    tab_state.forget()
    for name in list(st.session_state):
        st.session_state.pop(name)
    st.session_state["access_client"] = client
    st.session_state["access_token"] = ""
    st.session_state["access_message"] = words
