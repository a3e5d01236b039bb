"""The demonstration cases: each says what it shows and loads with one click."""

import streamlit as st

from app import state
from app.client import ApiError
from app.views.cases import draw_cases
from app.views.notices import draw_unreachable

WRITE = "screens/write.py"


def screen() -> None:
    st.title("Demonstration cases")
    try:
        cases = state.client().cases()
    except ApiError as error:
        draw_unreachable(str(error))
        return
    chosen = draw_cases(cases)
    if chosen is not None:
        state.load(chosen)
        st.switch_page(WRITE)


screen()
