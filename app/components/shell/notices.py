"""Draws messages: an introduction, a refusal, a server that is starting or cannot be reached."""

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
    """What Leapnote does, and what it does not."""
    with st.container(key="prose"):
        st.markdown(INTRODUCTION)


def draw_refused(message: str) -> None:
    """Why something was refused."""
    st.info(plain(message), icon=":material/info:")


def draw_waiting(status: str) -> None:
    """That the server of a language model is starting. status: in its own words."""
    st.info(
        f"{plain(status)}. The composer writes until the model is ready; this line counts on by itself, and what you type stays.",
        icon=":material/hourglass_empty:",
    )


def draw_heard(message: str) -> None:
    """The message where it is seen on a page scrolled far down."""
    st.toast(plain(message), icon=":material/info:", duration="long")


def draw_unreachable(message: str) -> None:
    """That the API cannot be reached, that nothing typed is lost, and how the API is started."""
    st.info(plain(message), icon=":material/cloud_off:")
    st.markdown(
        "What you typed is kept. Whoever runs Leapnote starts it in its folder with `make run` (API and page), or the API "
        "alone with `.venv/bin/python -m backend serve`. `.venv/bin/python -m backend doctor` says what is missing."
    )


def plain(text: str) -> str:
    """The text with every character that Streamlit reads as markup escaped, and without invisible characters."""
    return "".join(f"\\{c}" if c in MARKUP else c for c in visible(text))
