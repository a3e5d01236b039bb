"""My letters: search, open, delete; until when each is kept."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.drafts.letters_view import WORKSPACE, draw_deleting, draw_letters, draw_retention, draw_search
from app.components.shell.unreachable import draw_error
from app.state import letters_state as state
from app.state.access import access_state
from app.words.words import _


def screen() -> None:
    """Draw the page; an address that names a letter opens it."""
    if state.asked_for():
        st.switch_page(WORKSPACE, query_params={"letter": state.asked_for()})
    st.title(_("My letters"))
    draw_retention(state.retention_days())
    draw_search(state.SEARCH, state.STATE, state.first_page)
    letter = state.deleting()
    if letter is not None:
        keys = {"typed": state.TYPED, "author": state.AUTHOR}
        call = {"delete": state.delete, "keep": state.keep}
        draw_deleting(letter, _(state.DELETE), state.message(), keys, not access_state.owner(), call)
    try:
        found = state.letters()
    except ApiError as error:
        draw_error(error)
        return
    draw_letters(
        found, state.retention_days(), state.searched(), state.page(),
        {"delete": state.ask_deleting, "turn": state.turn},
    )  # fmt: skip


screen()
