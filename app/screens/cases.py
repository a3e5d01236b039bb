"""The demonstration cases: each says what it shows and loads with one click."""

import streamlit as st

from app import state
from app.api_errors import ApiError
from app.away import draw_error
from app.views.cases import draw_cases

WRITE = "screens/write.py"
REVIEW = "screens/review.py"


def screen() -> None:
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
