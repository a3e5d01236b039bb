"""Draws messages: an introduction, a refusal, a server that is starting or cannot be reached."""

import streamlit as st

from app.words.words import _
from backend.schemas.visible_text import visible

MARKUP = frozenset("\\`*_{}[]<>()#+-.!|~$:&=@^")


def draw_refused(message: str) -> None:
    """Why something was refused; a text of the catalogue comes in the page's language."""
    st.info(plain(_(message)), icon=":material/info:")


def draw_under_way(words: str) -> None:
    """What the page waits for; it goes away by itself."""
    with st.container(key="under_way"):
        st.markdown(words)


def draw_unreachable(message: str) -> None:
    """That the API cannot be reached, that nothing typed is lost, and how the API is started."""
    st.info(plain(_(message)), icon=":material/cloud_off:")
    st.markdown(
        _(
            "What you typed is kept. Whoever looks after Leapnote starts it in its folder with `make run`; "
            "`.venv/bin/python -m backend doctor` says what is missing."
        )
    )


def plain(text: str) -> str:
    """The text with every character that Streamlit reads as markup escaped, and without invisible characters."""
    return "".join(f"\\{c}" if c in MARKUP else c for c in visible(text))
