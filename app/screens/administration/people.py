"""People: who can log in, with which role; a new account, another password."""

from collections.abc import Callable

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell.people_view import draw_accounts, draw_logins_off, draw_new, draw_outcome, draw_trail
from app.components.shell.unreachable import draw_error
from app.state.access import access_state
from app.state.access import people_state as state
from app.words.words import _

NEWEST = 100


def screen() -> None:
    """Draw the page."""
    st.title(_("People"))
    if not access_state.needed():
        draw_logins_off()
    draw_outcome(*state.message())
    draw_new(state.NAME, state.ROLE, state.PASSWORD, state.add)
    try:
        accounts, events = state.client().accounts(), state.client().access_trail(NEWEST)
    except ApiError as error:
        draw_error(error)
        return
    call: dict[str, Callable[..., None]] = {
        "role": state.change_role,
        "password": state.change_password,
        "remove": state.remove,
    }
    draw_accounts(accounts, access_state.owner(), state.field, call)
    draw_trail(events)


screen()
