"""Draws the fields a clinician types into. Their values last for the whole session."""

from collections.abc import Callable, Sequence

import streamlit as st

from app.components.shell.notices import plain

NOTE_HEIGHT = 300
PLACEHOLDER = "Allergies: …\n\nChief Complaint: …\n\nHistory of Present Illness: …"
EARLIER_HELP = "Separate two notes by a line of three dashes. A first line such as '# Discharge summary, 2024-03-01' names type and date."


def draw_note_box(on_change: Callable[[], None]) -> None:
    """The note's box. on_change: what follows a changed note."""
    st.text_area(
        "Pre-admission note: allergies, chief complaint, history of present illness",
        key="note",
        height=NOTE_HEIGHT,
        placeholder=PLACEHOLDER,
        persist_state="session",
        on_change=on_change,
    )


def draw_set_aside(names: Sequence[str], bring_back: Callable[[], None], forget: Callable[[], None]) -> None:
    """That fields were emptied because their note was replaced, and the buttons that restore or forget them.

    Args:
        names: the fields that held something.
        bring_back: restores them.
        forget: forgets them.
    """
    with st.container(key="set_aside"):
        st.info(
            f"The note was replaced, so these fields were cleared: {plain(', '.join(names))}.",
            icon=":material/history:",
        )
        with st.container(horizontal=True):
            st.button("Restore them", key="bring_back", on_click=bring_back)
            st.button("Discard them", key="forget_set_aside", on_click=forget)


def draw_question() -> None:
    """The question and its options."""
    st.text_input(
        "Question",
        key="question",
        persist_state="session",
        placeholder="What should be considered next?",
    )
    st.text_area(
        "Options, one a line (none, or two to ten)",
        key="options",
        height=110,
        persist_state="session",
    )


def draw_more(read: str) -> None:
    """The optional fields. read: what was understood of the earlier notes."""
    with st.expander("What else is known: earlier notes, hospital course, discharge medicines (optional)"):
        left, right = st.columns(2)
        left.text_area(
            "The patient's earlier notes", key="earlier", height=180, help=EARLIER_HELP, persist_state="session"
        )
        if read:
            left.caption(plain(read))
        right.text_area("Hospital course", key="course", height=90, persist_state="session")
        right.text_area("Discharge medicines, one a line", key="medicines", height=90, persist_state="session")
