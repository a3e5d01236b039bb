"""What a screen says when the API refused or does not answer, and how it goes on by itself once the API is back."""

from itertools import count

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.shell.notices import draw_refused, draw_unreachable
from app.state import api_state

LOOK_S = 3.0
"""Seconds between two looks after an API that does not answer."""


def draw_error(error: ApiError) -> None:
    """Why the screen has nothing to show."""
    if error.unreachable:
        draw_away(str(error))
    else:
        draw_refused(str(error))


def draw_away(message: str) -> None:
    """Say that the API does not answer to a request of this very drawing, and draw the page anew once it does.

    An answer that was missed before this drawing is told by draw_unreachable alone: it would be missed for ever.
    """
    draw_unreachable(message)
    st.markdown("This page looks every few seconds, and goes on by itself once the API answers.")
    looks = count()

    def look() -> None:
        # the first look is part of this drawing, and has just failed
        if next(looks) and api_state.look_again() is not None:
            st.rerun(scope="app")

    st.fragment(run_every=LOOK_S)(look)()
