"""Draws the demonstration cases: as cards with what each shows, and as a list."""

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
                st.markdown(f"**{plain(_(case.label))}**")
                st.caption(plain(_(case.about)))
            if st.button(_("Load"), key=f"load_{case.name}", help=None):
                chosen = case
    return chosen


def draw_case_list(cases: Sequence[DemonstrationCase], key: str, on_chosen: Callable[[], None]) -> None:
    """A list of the cases. on_chosen: called as soon as one is chosen; `key` holds its name."""
    labels = {case.name: _(case.label) for case in cases}
    st.selectbox(
        _("Or take a sample (made up, about no real person)"), list(labels), index=None, key=key, width=420,
        format_func=labels.__getitem__, placeholder=_("Choose a sample …"), on_change=on_chosen,
    )  # fmt: skip
