"""Draws the steps of the path policy, one at a time or all."""

from collections.abc import Sequence

import streamlit as st

from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.view_data.policy_data import StepView
from app.words.words import _


def draw_step(view: StepView) -> None:
    """One step: preferences, moves, and what was out of reach or passed over."""
    st.header(plain(view.title), anchor=False)
    chances, moves = st.columns(2, gap="large")
    with chances:
        bar = st.column_config.ProgressColumn(min_value=0.0, max_value=1.0, format="percent")
        draw_rows(view.chances, len(view.chances), {_("preference"): dict(bar)})
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
