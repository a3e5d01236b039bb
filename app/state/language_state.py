"""The language of the page in one tab: as chosen, else as the browser asks for."""

import streamlit as st

from app.words import words

LANGUAGE = "language"


def chosen() -> str:
    """The language of this tab; English where there is no session, as in another thread."""
    held = st.session_state.get(LANGUAGE)
    if isinstance(held, str) and held in words.LANGUAGES:
        return held
    return words.asked(str(st.context.locale or ""))


def choose(key: str) -> None:
    """Take the language from the field of that key. A callback."""
    value = st.session_state.get(key)
    if value in words.LANGUAGES:
        st.session_state[LANGUAGE] = value


words.spoken_by(chosen)
