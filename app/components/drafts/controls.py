"""Draws the note, the selectors and the figures of the compare screen."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app.components.tables import draw_rows
from app.words.words import _

WITHOUT = "no-retrieval"


def draw_note() -> None:
    """The box for the note that is compared."""
    st.text_area(
        _("Note"), key="note", height=200, persist_state="session", placeholder=_("Paste a note, or take a case.")
    )


def draw_choice(names: Sequence[str], on_compare: Callable[[str, str], None]) -> None:
    """Two systems to compare. names: the default first. on_compare: called with the two chosen."""
    options = list(names)
    without = options.index(WITHOUT) if WITHOUT in options else len(options) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare_controls"):
        left = st.selectbox(_("Left"), options, key="left_system", width=220, persist_state="session")
        right = st.selectbox(_("Right"), options, index=without, key="right_system", width=220, persist_state="session")
        st.button(_("Compare"), key="compare", type="primary", on_click=on_compare, args=(left, right))
    st.caption(_("Same note, same document, same seed. The default shows the draft with and without retrieval."))


def draw_figures(rows: Sequence[dict[str, Any]]) -> None:
    """One row a system."""
    draw_rows(rows)
