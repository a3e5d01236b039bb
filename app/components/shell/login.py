"""Draws the login form, the end of the bar with the person who is logged in, and the component that sets the login cookie."""

from collections.abc import Callable

import streamlit as st

from app.components.component import component
from app.components.shell.notices import draw_refused
from app.state.access.login_cookie import PATH
from app.words.words import LANGUAGES, _, later, spoken
from backend.schemas.access import LONGEST_PASSWORD, LoggedIn, PersonRole

STYLE = """
<style>
.st-key-login { max-width: 26rem; margin: 8vh auto 0; }
</style>
"""
TOUR = "screens/clinical/tour.py"
ROLE_WORDS = {
    PersonRole.CLINICIAN: later("clinician"),
    PersonRole.COORDINATOR: later("study coordinator"),
    PersonRole.ADMINISTRATOR: later("administrator"),
}
cookie = component("login_cookie", ("shell/cookie.js",), ())


def draw_login(message: str, on_log_in: Callable[[], None]) -> None:
    """The login form. message: why the last attempt failed."""
    st.html(STYLE)
    with st.container(key="login"):
        st.title(_("Log in"), anchor=False)
        if message:
            draw_refused(message)
        with st.form("login_form"):
            st.text_input(_("Name"), key="login_name", max_chars=120, autocomplete="username")
            st.text_input(_("Password"), key="login_password", type="password", max_chars=LONGEST_PASSWORD,
                          autocomplete="current-password")  # fmt: skip
            st.form_submit_button(_("Log in"), type="primary", on_click=on_log_in, width="stretch")
        st.caption(
            _(
                "An administrator makes accounts. If you were sent a personal link to rate documents, open that link "
                "instead: it needs no password."
            )
        )


def draw_no_server() -> None:
    """That the server cannot be reached, with a button to try again."""
    st.html(STYLE)
    with st.container(key="login"):
        st.title(_("Please wait"), anchor=False)
        draw_refused(_("The service cannot be reached at the moment."))
        st.button(_("Try now"), key="login_retry", type="primary")


def draw_corner(person: LoggedIn | None, on_log_out: Callable[[], None], on_language: Callable[[str], None]) -> None:
    """What stands at the end of the bar: the tour, the language, and who is logged in.

    Args:
        person: who is logged in; None where nobody has to.
        on_log_out: called by the button.
        on_language: called with the key of the field whose language was chosen.
    """
    with st.container(key="corner", horizontal=True, vertical_alignment="center", gap="small"):
        st.page_link(TOUR, label=_("Tour"), icon=":material/play_circle:")
        name = LANGUAGES[spoken()]
        with st.popover(person.name[:24] if person is not None else name, icon=None, type="tertiary"):
            if person is not None:
                until = f"{person.ends_at.astimezone():%H:%M}"
                st.markdown(
                    _("Logged in as {role}, until {time} at the latest.").format(
                        role=_(ROLE_WORDS[person.role]), time=until
                    )
                )
            st.radio(
                _("Language of the page"), list(LANGUAGES), key="language_field", format_func=LANGUAGES.__getitem__,
                index=list(LANGUAGES).index(spoken()), on_change=on_language, args=("language_field",),
            )  # fmt: skip
            if person is not None:
                st.button(_("Log out"), key="log_out", on_click=on_log_out)


def draw_cookie(code: str) -> None:
    """Have the browser send a code to the page's server, which then changes the cookie; an empty code does nothing."""
    if code:
        cookie(key="login_cookie", data={"path": PATH.lstrip("/"), "code": code})
