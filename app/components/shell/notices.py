"""Draws what is said when there is nothing to show, or when something was refused or could not be reached."""

import streamlit as st

from backend.schemas.visible_text import visible

MARKUP = frozenset("\\`*_{}[]<>()#+-.!|~$:&=@^")
INTRODUCTION = """
- Leapnote drafts discharge instructions, a progress note or an answer from a pre-admission note, and lays open what
  every sentence rests on: the note itself, reasoning paths through a medical graph, and passages.
- It does not know the stay: what fits the findings is marked “possible: confirm”, what only the ward can know stays a
  visible gap, and nothing here tells a patient to start, stop or dose a medicine.
- It does not diagnose, and no draft is signed. A clinician checks every sentence before anyone uses it.
"""


def draw_introduction() -> None:
    with st.container(key="prose"):
        st.markdown(INTRODUCTION)


def draw_refused(message: str) -> None:
    st.info(plain(message), icon=":material/info:")


def draw_waiting(told: str) -> None:
    """How the server of a language model is that has yet to come."""
    st.info(
        f"{plain(told)}. The composer writes until the model is ready; this line counts on by itself, and what you type stays.",
        icon=":material/hourglass_empty:",
    )


def draw_heard(message: str) -> None:
    """The message where it is seen on a page scrolled far down."""
    st.toast(plain(message), icon=":material/info:", duration="long")


def draw_unreachable(message: str) -> None:
    """That what was typed is kept, and how whoever runs Leapnote starts the API."""
    st.info(plain(message), icon=":material/cloud_off:")
    st.markdown(
        "What you typed is kept. Whoever runs Leapnote starts it in its folder with `make run` (API and page), or the API "
        "alone with `.venv/bin/python -m backend serve`. `.venv/bin/python -m backend doctor` says what is missing."
    )


def plain(text: str) -> str:
    """The text with everything that Streamlit would read as markup taken literally, and without what nobody sees."""
    return "".join(f"\\{c}" if c in MARKUP else c for c in visible(text))
