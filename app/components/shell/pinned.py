"""Draws the pinned line above every screen."""

from typing import Any

import streamlit as st

from app.components.component import component

pinned_line = component(
    "leapnote_pinned", ("shell/dom.js", "shell/leaving.js", "shell/pinned.js"), ("shell/tokens.css", "shell/pinned.css")
)


def draw_pinned(values: dict[str, Any]) -> None:
    with st.container(key="pinned"):
        pinned_line(key="pinned_line", data=values)
