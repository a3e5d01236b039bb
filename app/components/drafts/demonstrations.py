"""Draws the demonstration cases: as cards with what each shows, and as buttons."""

from collections.abc import Callable, Sequence

import streamlit as st

from app.components.shell.notices import plain
from app.words.words import _
from backend.schemas.patients.case import DemonstrationCase


def draw_cases(cases: Sequence[DemonstrationCase]) -> DemonstrationCase | None:
    """The case whose button was pressed in this run, if any."""
    st.caption(_("Made up, about no real person. A click drafts it."))
    if not cases:
        st.info(_("There are no samples on this computer."))
    chosen = None
    columns = st.columns(2)
    for place, case in enumerate(cases):
        with (
            columns[place % 2],
            st.container(border=True, horizontal=True, vertical_alignment="center", key=f"row_{case.name}"),
        ):
            with st.container(width="stretch", gap=None):
                st.markdown(f"**{plain(case.label)}**")
                st.caption(plain(case.about))
            if st.button(_("Load"), key=f"load_{case.name}", help=None):
                chosen = case
    return chosen


def draw_case_buttons(cases: Sequence[DemonstrationCase], on_load: Callable[[DemonstrationCase], None]) -> None:
    """One click loads a case."""
    if not cases:
        return
    st.markdown(_("**Samples** (made up, about no real person)"))
    with st.container(horizontal=True, key="case_buttons"):
        for case in cases:
            # no tooltip: after a click it would stay open over the button that drafts
            st.button(plain(case.label), key=f"case_{case.name}", on_click=on_load, args=(case,))
