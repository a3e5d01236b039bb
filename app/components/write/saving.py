"""Draws the row with which a finished draft is saved as a case."""

from collections.abc import Callable

import streamlit as st

from app.components.review.case_list import draw_author
from app.components.shell.notices import draw_refused


def draw_saving(label_key: str, saved: bool, message: str, on_save: Callable[[], None]) -> bool:
    """Whether the saved case is to be opened. label_key: the key of the label's field. message: what was refused."""
    if message and not saved:
        draw_refused(message)
    with st.container(horizontal=True, key="saving", vertical_alignment="bottom"):
        if saved:
            st.markdown("Saved as a case. Changes and the signature are made on the Review screen.")
            return st.button("Open in Review", key="to_review")
        st.text_input("Save as", key=label_key, width=320, max_chars=200, persist_state="session")
        draw_author()
        st.button("Save case", key="save_case", on_click=on_save)
    return False
