"""Accounts in one tab's session: what was typed, and what came of the last act.

Functions that ask the API are callbacks: they store their outcome and raise nothing. A password is forgotten at once.
"""

from collections.abc import Callable
from typing import cast

import streamlit as st
from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.people_client import PeopleClient
from app.state.access import access_state
from app.words.words import _
from backend.schemas.access import LONGEST_PASSWORD, AccountChange, NewAccount, PersonRole
from backend.settings import settings

NAME, ROLE, PASSWORD = "people_name", "people_role", "people_password"
_DONE, _REFUSED = "people_done", "people_refused"


def client() -> PeopleClient:
    """The client of this session; a test puts its own under the same key."""
    if "people_client" not in st.session_state:
        st.session_state["people_client"] = PeopleClient(settings(), login=access_state.bearer())
    return cast(PeopleClient, st.session_state["people_client"])


def message() -> tuple[str, bool]:
    """What came of the last act, and whether it was refused."""
    refused = str(st.session_state.get(_REFUSED, ""))
    return refused or str(st.session_state.get(_DONE, "")), bool(refused)


def add() -> None:
    """Make the account of the form. A callback."""
    name, password = str(st.session_state.get(NAME) or ""), _taken(PASSWORD)
    role = st.session_state.get(ROLE) or PersonRole.CLINICIAN
    _act(
        lambda: client().add_account(NewAccount(name=name, role=role, password=password)),
        _("{name} can log in now. Tell them the password; they may have it changed at any time.").format(name=name),
        (NAME,),
    )


def change_role(name: str, key: str) -> None:
    """Give an account the role of the field of that key. A callback."""
    role = cast(PersonRole, st.session_state.get(key))
    _act(
        lambda: client().change_account(name, AccountChange(role=role)),
        _("{name} has another role and must log in again.").format(name=name),
    )


def change_password(name: str, key: str) -> None:
    """Give an account the password of the field of that key. A callback."""
    password = _taken(key)
    _act(
        lambda: client().change_account(name, AccountChange(password=password)),
        _("{name} has a new password and must log in again.").format(name=name),
    )


def remove(name: str) -> None:
    """Remove an account. A callback."""
    _act(lambda: client().remove_account(name), _("{name} can no longer log in.").format(name=name))


def field(what: str, name: str) -> str:
    """The key of a field of an account."""
    return f"people_{what}_{name}"


def _taken(key: str) -> str:
    value = str(st.session_state.get(key) or "")
    if key in st.session_state:
        st.session_state[key] = ""
    return value


def _act(ask: Callable[[], object], done: str, emptied: tuple[str, ...] = ()) -> None:
    st.session_state[_DONE] = st.session_state[_REFUSED] = ""
    try:
        ask()
    except ApiError as error:
        st.session_state[_REFUSED] = str(error)
    except ValidationError as error:
        st.session_state[_REFUSED] = _unfit(error)
    else:
        st.session_state[_DONE] = done
        for key in emptied:
            st.session_state[key] = ""


def _unfit(error: ValidationError) -> str:
    """The field that does not fit, by its name."""
    where = str(error.errors(include_input=False)[0]["loc"][0])
    if where == "name":
        return _("The name must have 1 to {n} characters.").format(n=120)
    return _("The password must have 12 to {n} characters.").format(n=LONGEST_PASSWORD)
