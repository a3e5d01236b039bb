"""Draws the login form, the person who is logged in, and the component that sets the login cookie."""

from collections.abc import Callable

import streamlit as st

from app.components.component import component
from app.components.shell.notices import draw_refused, plain
from app.state.login_cookie import PATH
from backend.schemas.access import LONGEST_PASSWORD, LoggedIn

STYLE = """
<style>
.st-key-login { max-width: 26rem; margin: 8vh auto 0; }
.st-key-who { position: fixed; top: 0.7rem; right: 4.5rem; width: auto; z-index: 1000000; }
</style>
"""
cookie = component("login_cookie", ("shell/cookie.js",), ())


def draw_login(message: str, on_log_in: Callable[[], None]) -> None:
    """The login form. message: why the last attempt failed."""
    st.html(STYLE)
    with st.container(key="login"):
        st.title("Log in", anchor=False)
        if message:
            draw_refused(message)
        with st.form("login_form"):
            st.text_input("Name", key="login_name", max_chars=120, autocomplete="username")
            st.text_input("Password", key="login_password", type="password", max_chars=LONGEST_PASSWORD,
                          autocomplete="current-password")  # fmt: skip
            st.form_submit_button("Log in", type="primary", on_click=on_log_in, width="stretch")
        st.caption(
            "Accounts are made on the server by whoever runs it. If you were sent a personal link to rate documents, "
            "open that link instead: it needs no password."
        )


def draw_no_server() -> None:
    """That the server cannot be reached, with a button to try again."""
    st.html(STYLE)
    with st.container(key="login"):
        st.title("Please wait", anchor=False)
        draw_refused("The server cannot be reached at the moment.")
        st.button("Try now", key="login_retry", type="primary")


def draw_who(person: LoggedIn, on_log_out: Callable[[], None]) -> None:
    """The person who is logged in, with the button that logs out."""
    st.html(STYLE)
    with st.container(key="who"), st.popover(plain(person.name), icon=":material/person:"):
        st.markdown(f"Logged in as {person.role.value}, until {person.ends_at.astimezone():%H:%M} at the latest.")
        st.button("Log out", key="log_out", on_click=on_log_out)


def draw_cookie(code: str) -> None:
    """Have the browser send a code to the page's server, which then changes the cookie; an empty code does nothing."""
    if code:
        cookie(key="login_cookie", data={"path": PATH.lstrip("/"), "code": code})
