"""Draws the demonstration cases with what each one shows."""

from collections.abc import Sequence

import streamlit as st

from app.components.shell.notices import plain
from backend.schemas.patients.case import DemonstrationCase


def draw_cases(cases: Sequence[DemonstrationCase]) -> DemonstrationCase | None:
    """The case whose button was pressed in this run, if any."""
    st.caption("Made up for this project, about no real person. A click loads a case into the write screen.")
    if not cases:
        st.info("There are no demonstration cases in assets/cases.")
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
            if st.button("Load", key=f"load_{case.name}", help=f"Load {plain(case.label)}"):
                chosen = case
    return chosen
