"""Draws that the API refused or does not answer, and draws the page again once the API is back."""

from itertools import count

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell.notices import draw_refused, draw_unreachable
from app.state import api_state
from app.words.words import _

LOOK_S = 3.0
"""Seconds between two looks after an API that does not answer."""


def draw_error(error: ApiError) -> None:
    """Why the screen has nothing to show."""
    if error.unreachable:
        draw_no_answer(str(error))
    else:
        draw_refused(str(error))


def draw_no_answer(message: str) -> None:
    """Say that the API does not answer, and draw the page anew once it does.

    It is for a request of the current run only. For a request that failed before, draw_unreachable alone: the failure
    would remain when the API answers again, and the page would be drawn without end.
    """
    draw_unreachable(message)
    st.markdown(_("This page looks every few seconds, and goes on by itself once the service answers."))
    looks = count()

    def look() -> None:
        # the first look is part of this drawing, and has just failed
        if next(looks) and api_state.look_again() is not None:
            st.rerun(scope="app")

    st.fragment(run_every=LOOK_S)(look)()
