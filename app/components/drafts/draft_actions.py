"""Draws saving a written draft as a letter, and the name of who does so."""

from collections.abc import Callable

import streamlit as st

from app.components.shell.notices import draw_refused
from app.words.words import _

NAME_WIDTH = 280


def draw_author() -> None:
    """The name of who changes and signs; asked once a session."""
    st.text_input(_("Your name"), key="author", width=NAME_WIDTH, max_chars=120, persist_state="session")


def draw_saving(label_key: str, saved: bool, message: str, on_save: Callable[[], None]) -> bool:
    """The row that saves a draft as a letter; whether the saved letter is to be opened.

    Args:
        label_key: the key of the label's field.
        saved: it is saved.
        message: why saving was refused.
        on_save: called by the button.
    """
    if message and not saved:
        draw_refused(message)
    with st.container(horizontal=True, key="saving", vertical_alignment="bottom"):
        if saved:
            st.markdown(_("Saved in My letters, where it is checked and signed."))
            return st.button(_("Open the letter"), key="to_letter")
        st.text_input(_("Save as"), key=label_key, width=320, max_chars=200, persist_state="session")
        draw_author()
        st.button(_("Save as a letter"), key="save_case", on_click=on_save)
    return False
