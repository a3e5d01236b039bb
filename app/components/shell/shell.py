"""Draws what is around every page: the word mark, the patient's line, and the component that names the tab and the language."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from app.components.component import component
from app.words.words import spoken

WORDMARK = Path(__file__).parent / "wordmark.svg"

TAB = "tab"
tab = component("leapnote_tab", ("shell/tab.js",), ())


def draw_mark() -> None:
    """The word mark."""
    st.logo(WORDMARK, size="medium")


def draw_tab(name: str, on_before: Callable[[], None]) -> None:
    """The component that names the tab.

    Args:
        name: the name that the browser stores for this tab; while it is empty, the browser sends the one it has.
        on_before: called when the browser has sent that name.
    """
    with st.container(key="tab_place"):
        tab(key=TAB, data={"name": name, "language": spoken()}, on_before_change=on_before)


def theme() -> str | None:
    """Light or dark, None while the browser has not said."""
    return st.context.theme.type


pinned_line = component(
    "leapnote_pinned", ("dom.js", "shell/leaving.js", "shell/pinned.js"), ("tokens.css", "shell/pinned.css")
)


pinned_alerts = component(
    "leapnote_pinned_alerts", ("dom.js", "shell/pinned_alerts.js"), ("tokens.css", "shell/pinned.css")
)


def draw_pinned(values: dict[str, Any]) -> None:
    """The pinned line, and below it the alerts in their words, which move with the page. values: see pinned_data.pinned."""
    with st.container(key="pinned"):
        pinned_line(key="pinned_line", data=values)
    with st.container(key="pinned_alerts"):
        pinned_alerts(key="pinned_alerts_below", data=values)
