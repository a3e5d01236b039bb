"""The rating page: what a rater's personal link opens, and nothing else of the program."""

import streamlit as st

from app.components.rate_form import rate_form as views
from app.components.rate_form.rate_form import FORM_KEY
from app.jobs.rater_page import RaterPage, Screen
from app.state import study_state

RETRY_S = 5.0
FORMS = (Screen.ITEM, Screen.GUESSES, Screen.CLOSING)
WORDS = {
    Screen.NO_LINK: (
        "A personal link is needed",
        "This page opens with the link that was sent to you. Use it as it is.",
    ),
    Screen.REFUSED: (
        "This link does not open",
        "What you saved before is kept. If you think that it should open, ask the person who sent it to you.",
    ),
    Screen.CLOSED: ("This rating session is closed", "Everything you saved is kept. Thank you for your work."),
    Screen.DONE: ("Thank you", "All your answers are saved. There is nothing left to do; you can close this page."),
}


def screen() -> None:
    views.draw_frame()
    desk = study_state.rater()
    if desk.screen in FORMS:
        st.fragment(form)(desk.screen)
    elif desk.screen in WORDS:
        title, text = WORDS[desk.screen]
        views.draw_plain(title, text, desk.message)
    elif desk.screen == Screen.AWAY:
        st.fragment(run_every=RETRY_S)(away)(desk.load)
    else:
        draw_step(desk)


def form(screen: Screen) -> None:
    """The form, drawn by itself: a click runs this and nothing else of the page."""
    desk = study_state.rater()
    if desk.screen not in FORMS:
        st.rerun(scope="app")
    views.draw_form(desk.form(), lambda: study_state.acted(FORM_KEY))


def away(load: int) -> None:
    desk = study_state.rater()
    if desk.screen != Screen.AWAY:
        st.rerun(scope="app")
    views.draw_away(desk.message, desk.open)


def draw_step(desk: RaterPage) -> None:
    session = desk.session
    assert session is not None
    match desk.screen:
        case Screen.PROFILE:
            views.draw_profile(session, desk.message, study_state.give_profile)
        case Screen.WELCOME:
            views.draw_welcome(session, desk.message, desk.begin)
        case Screen.PAUSED:
            views.draw_paused(session, desk.message, desk.begin)
        case Screen.READY:
            views.draw_ready(session, desk.message, desk.finish, desk.back)


screen()
