"""Who sits before this tab, where people must log in. The login lives in a cookie, so that a reload does not end it.

The API decides what a login may ask; the page only shows what it says. Where nobody has to log in, everybody is let in
and gives a name where one is asked for.
"""

import time
from typing import cast

import httpx
import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from app.state import tab_state
from app.state.login_cookie import COOKIE, codes
from backend.schemas.access import GivenLogin, LoggedIn, LoginRequest, PersonRole, login_needed
from backend.settings import settings

AGAIN_S = 30.0  # how long an answer of the API about a login is taken as it is
ENDED = "Your login has ended. Log in again."
UNFIT = "Give your name and your password."
SERVER_FAILS = 500


class AccessClient(ApiClient):
    """The routes of logins, asked with the page's own token or with a person's."""

    def log_in(self, name: str, password: str) -> GivenLogin:
        body = LoginRequest(name=name, password=password).model_dump(mode="json")
        return self._value(GivenLogin, self._json(self._send("POST", "/logins", json=body)))

    def who(self, token: str) -> LoggedIn | None:
        """None when the login has ended."""
        try:
            answer = self._http.get(f"{self.address}/logins", headers={"Authorization": f"Bearer {token}"})
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if answer.status_code >= SERVER_FAILS:
            raise ApiError(f"The API answered with status {answer.status_code}.", unreachable=True)
        return self._value(LoggedIn, self._json(answer)) if answer.is_success else None

    def log_out(self, token: str) -> None:
        self._send("DELETE", "/logins", headers={"Authorization": f"Bearer {token}"})


def needed() -> bool:
    """Whether people must log in to this page."""
    found = settings()
    return login_needed(found.host, found.login)


def person() -> LoggedIn | None:
    """Who is logged in in this tab. Asks the API now and then. Raises ApiError where it cannot be reached."""
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
    """Whose work this tab holds; empty where nobody has to log in."""
    held = cast(LoggedIn | None, st.session_state.get("access_person"))
    return held.name if needed() and held is not None else ""


def coordinates() -> bool:
    """Whether whoever sits here may open the Studies page."""
    held = cast(LoggedIn | None, st.session_state.get("access_person"))
    return not needed() or (held is not None and held.role == PersonRole.COORDINATOR)


def bearer() -> str:
    """The login to ask the API with; empty for the page's own token."""
    return _token() if needed() else ""


def log_in() -> None:
    """With what stands in the fields. For use as a callback; the password is forgotten at once."""
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
    """For use as a callback. Where the API cannot be reached, the login ends by itself later."""
    token = _token()
    try:
        if token:
            _client().log_out(token)
    except ApiError:
        pass
    _forget("")
    st.session_state["access_code"] = codes.put("")


def message() -> str:
    return str(st.session_state.get("access_message", ""))


def cookie_code() -> str:
    """What the browser hands in to have its cookie set or taken away; empty when it is as it should be."""
    return str(st.session_state.get("access_code", ""))


def _token() -> str:
    if "access_token" not in st.session_state:
        st.session_state["access_token"] = str(st.context.cookies.get(COOKIE, ""))
    return cast(str, st.session_state["access_token"])


def _client() -> AccessClient:
    if "access_client" not in st.session_state:
        st.session_state["access_client"] = AccessClient(settings())
    return cast(AccessClient, st.session_state["access_client"])


def _forget(words: str) -> None:
    """Whatever the work of whoever was logged in left in this tab goes with the login."""
    client = _client()
    tab_state.forget()
    for name in list(st.session_state):
        st.session_state.pop(name)
    st.session_state["access_client"] = client
    st.session_state["access_token"] = ""
    st.session_state["access_message"] = words
