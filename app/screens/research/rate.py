"""The rating page: what a rater's personal link opens, and nothing else of the program."""

import streamlit as st

from app.components.rate_form import rate_form as views
from app.components.rate_form.rate_form import FORM_KEY
from app.state import study_state
from app.state.rater_page import RaterPage, Screen
from app.words.words import _, later

RETRY_S = 5.0
FORMS = (Screen.ITEM, Screen.GUESSES, Screen.CLOSING)
WORDS = {
    Screen.NO_LINK: (
        later("A personal link is needed"),
        later("This page opens with the link that was sent to you. Use it as it is."),
    ),
    Screen.REFUSED: (
        later("This link does not open"),
        later("What you saved before is kept. If you think that it should open, ask the person who sent it to you."),
    ),
    Screen.CLOSED: (
        later("This rating session is closed"),
        later("Everything you saved is kept. Thank you for your work."),
    ),
    Screen.DONE: (
        later("Thank you"),
        later("All your answers are saved. There is nothing left to do; you can close this page."),
    ),
}


def screen() -> None:
    """Draw the page."""
    views.draw_frame()
    page = study_state.rater()
    if page.screen in FORMS:
        st.fragment(form)(page.screen)
    elif page.screen in WORDS:
        title, text = WORDS[page.screen]
        views.draw_plain(_(title), _(text), page.message)
    elif page.screen == Screen.NO_SERVER:
        st.fragment(run_every=RETRY_S)(wait_for_server)(page.load)
    else:
        draw_step(page)


def form(screen: Screen) -> None:
    """The form, drawn by itself: a click runs this and nothing else of the page."""
    page = study_state.rater()
    if page.screen not in FORMS:
        st.rerun(scope="app")
    views.draw_form(page.form(), lambda: study_state.acted(FORM_KEY))


def wait_for_server(load: int) -> None:
    """Ask the server again every few seconds, until it answers. load: of the page that is shown."""
    page = study_state.rater()
    if page.screen != Screen.NO_SERVER:
        st.rerun(scope="app")
    views.draw_no_server(page.message, page.open)


def draw_step(page: RaterPage) -> None:
    """A page around the form: profile, welcome, pause, or the end."""
    session = page.session
    assert session is not None
    match page.screen:
        case Screen.PROFILE:
            views.draw_profile(session, page.message, study_state.give_profile)
        case Screen.WELCOME:
            views.draw_welcome(session, page.message, page.begin)
        case Screen.PAUSED:
            views.draw_paused(session, page.message, page.begin)
        case Screen.READY:
            views.draw_ready(session, page.message, page.finish, page.back)


screen()
