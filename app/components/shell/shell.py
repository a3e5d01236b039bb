"""Draws what is around every screen: the style, the pinned line, and the component that names the tab."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from app.components.component import component

WORDMARK = Path(__file__).parent / "wordmark.svg"

TAB = "tab"
tab = component("leapnote_tab", ("shell/tab.js",), ())

STYLE = """
<style>
.stMainBlockContainer { padding: 4.1rem 1.5rem 2rem; max-width: 1760px; }
.stMainBlockContainer > .stVerticalBlock { gap: 0.75rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-pinned) { position: sticky; top: 4rem; z-index: 90; }
.st-key-prose { max-width: 44rem; }
.st-key-prose li { margin-bottom: 0.3rem; }
.st-key-prose p, .st-key-prose li { line-height: 1.55; }
.st-key-stop_place:not(:has(button)) { display: none; }
.stTextArea textarea { line-height: 1.5; }
.st-key-case_buttons button { min-height: 2rem; padding: 0.1rem 0.6rem; }
.st-key-case_buttons { gap: 0.4rem; }
.st-key-case_text, .st-key-case_text .stVerticalBlock { gap: 0.35rem; }
.st-key-case_text .stHorizontalBlock { gap: 1rem; }
.stMainBlockContainer h2 { padding: 0.6rem 0 0.3rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-page_name), [data-testid="stLayoutWrapper"]:has(> .st-key-tab_place) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.st-key-case_text h2 { font-size: 1.0625rem; padding: 0.7rem 0 0.5rem; }
[data-testid="stCaptionContainer"] { opacity: 1; color: color-mix(in srgb, currentColor 78%, transparent); }
[data-testid="stBaseButton-primary"]:not(:disabled) { color: light-dark(#ffffff, #0d161b); }
[data-testid="stToastContainer"] { top: auto; bottom: 1.5rem; }
[class*="st-key-settings_"] table { width: 100%; table-layout: fixed; }
[class*="st-key-settings_"] td { overflow-wrap: anywhere; vertical-align: top; }
[class*="st-key-settings_"] th:nth-child(1) { width: 50%; }
h1 { padding: 0.25rem 0 0.5rem !important; }
footer { display: none; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
</style>
"""


def draw_style() -> None:
    """The logo and the style sheet."""
    st.logo(WORDMARK, size="medium")
    st.html(STYLE)


def draw_page_name(name: str) -> None:
    """A heading for screen readers, on a screen that shows none."""
    with st.container(key="page_name"):
        st.title(name, anchor=False)


def draw_tab(name: str, on_before: Callable[[], None]) -> None:
    """The component that names the tab.

    Args:
        name: the name that the browser stores for this tab; while it is empty, the browser sends the one it has.
        on_before: called when the browser has sent that name.
    """
    with st.container(key="tab_place"):
        tab(key=TAB, data={"name": name}, on_before_change=on_before)


def theme() -> str | None:
    """Light or dark, None while the browser has not said."""
    return st.context.theme.type


pinned_line = component(
    "leapnote_pinned", ("dom.js", "shell/leaving.js", "shell/pinned.js"), ("tokens.css", "shell/pinned.css")
)


def draw_pinned(values: dict[str, Any]) -> None:
    """The pinned line. values: see pinned_data.pinned."""
    with st.container(key="pinned"):
        pinned_line(key="pinned_line", data=values)
