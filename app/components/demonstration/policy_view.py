"""Draws the steps of the path policy, one at a time or all."""

from collections.abc import Sequence

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.policy_data import StepView
from app.words.words import _

ROW_PX = 35
"""A table keeps its place from the first drawing on."""


def draw_step(view: StepView) -> None:
    """One step: preferences, moves, and what was out of reach or passed over."""
    st.header(plain(view.title), anchor=False)
    chances, moves = st.columns(2, gap="large")
    with chances:
        st.dataframe(
            view.chances, hide_index=True, width="stretch", height=ROW_PX * (len(view.chances) + 1) + 3,
            column_config={_("preference"): st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="percent")},
        )  # fmt: skip
        if view.masked:
            st.caption(plain(_("Out of reach: {groups}").format(groups=", ".join(view.masked))))
    with moves:
        st.markdown(f"**{_('Where the paths went')}**")
        st.markdown("\n".join(f"- {plain(words)}" for words in view.moves) or _("Nowhere."))
        if view.rejected:
            st.caption(plain(_("Passed over: {names}").format(names=", ".join(view.rejected))))


def draw_choice(views: Sequence[StepView], key: str) -> int:
    """Which step is looked at, counted from 0."""
    numbers = list(range(len(views)))
    chosen = st.segmented_control(
        _("Step"), numbers, key=key, default=0, format_func=lambda n: plain(views[n].title), label_visibility="collapsed",
    )  # fmt: skip
    return int(chosen) if chosen is not None else 0
