"""The demonstration cases: each says what it shows and loads with one click."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.drafts.demonstrations import draw_cases
from app.components.shell.unreachable import draw_error
from app.state import session as state

WRITE = "screens/write.py"
REVIEW = "screens/review.py"


def screen() -> None:
    """Draw the page."""
    st.title("Demonstration cases")
    try:
        cases = state.client().cases()
    except ApiError as error:
        draw_error(error)
        return
    st.page_link(REVIEW, label="Saved cases are on the screen Review", icon=":material/arrow_forward:")
    chosen = draw_cases(cases)
    if chosen is not None:
        state.load(chosen)
        st.switch_page(WRITE)


screen()
