"""Draws what can be done with a finished draft: downloads, a text to copy, the picture of all paths, and saving it as a case."""

from collections.abc import Callable

import streamlit as st

from app.components.drafts.case_list import draw_author
from app.components.shell.notices import draw_refused


def draw_downloads(text: str, json_text: str, name: str, picture: Callable[[], str] | None) -> None:
    """The downloads of a draft, its text to copy, and the picture of its paths.

    Args:
        text: the draft as text.
        json_text: the draft as JSON.
        name: the files' name without an ending.
        picture: makes the graph's HTML; None when there are no paths.
    """
    with st.container(horizontal=True, key="taking", vertical_alignment="center"):
        st.download_button("Download as text", text, f"{name}.txt", "text/plain", key="take_text", on_click="ignore")
        st.download_button(
            "Download as JSON", json_text, f"{name}.json", "application/json", key="take_json", on_click="ignore"
        )
        show_text = st.toggle("Show the text to copy", key="show_text")
        show_picture = picture is not None and st.toggle("Show all paths as one graph", key="show_picture")
    if show_text:
        st.code(text, language=None, wrap_lines=True, height=420)
    if picture is not None and show_picture:
        st.iframe(picture(), height=560, alt="The reasoning paths of this draft as one graph")


def draw_saving(label_key: str, saved: bool, message: str, on_save: Callable[[], None]) -> bool:
    """The row that saves a draft as a case; whether the saved case is to be opened.

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
            st.markdown("Saved as a case. Changes and the signature are made on the Review screen.")
            return st.button("Open in Review", key="to_review")
        st.text_input("Save as", key=label_key, width=320, max_chars=200, persist_state="session")
        draw_author()
        st.button("Save case", key="save_case", on_click=on_save)
    return False
