"""The two drafts of the compare screen, in the session of one browser tab."""

import streamlit as st

from app.jobs.draft_run import DraftRun
from app.state import session as state


def compare(left: str, right: str) -> None:
    """Start the same request with two systems. For use as a callback."""
    for side, system in (("left", left), ("right", right)):
        request = state.chosen_request(state.entry()._replace(system=system))
        held = compared(side)
        if held is not None:
            held.stop()
        st.session_state[f"run_{side}"] = DraftRun(state.client(), request) if request is not None else None


def compared(side: str) -> DraftRun | None:
    """The draft of a side, left or right; None before the first."""
    held: DraftRun | None = st.session_state.get(f"run_{side}")
    return held
