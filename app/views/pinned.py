"""Draws the pinned line above every screen."""

from typing import Any

import streamlit as st

from app.views.component import component

pinned_line = component("leapnote_pinned", ("dom.js", "leaving.js", "pinned.js"), ("tokens.css", "pinned.css"))


def draw_pinned(values: dict[str, Any]) -> None:
    with st.container(key="pinned"):
        pinned_line(key="pinned_line", data=values)
