"""Draws what a clinician takes away: copy, text, JSON; and the picture of all paths on request."""

from collections.abc import Callable

import streamlit as st


def draw_taking(text: str, json_text: str, name: str, picture: Callable[[], str] | None) -> None:
    """name: the files' name without an ending. picture: makes the graph's HTML; None when there are no paths."""
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
