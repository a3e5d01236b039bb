"""Draws the row of selectors and buttons of the write screen."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.bench_data import DOCUMENT_NAMES

STYLES = {"sections": "Sections", "paragraph": "One paragraph"}


def draw_controls(
    house: dict[str, Any] | None, drafted: bool, editing: bool, call: dict[str, Callable[[], None]]
) -> None:
    """house: the API's systems and documents, None when it does not answer. call: draft, edit, start_over."""
    names = [system["name"] for system in house["systems"]] if house else ["leapnote"]
    documents = house["documents"] if house else list(DOCUMENT_NAMES)
    what = {system["name"]: system["what"] for system in house["systems"]} if house else {}
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        st.selectbox(
            "Document", documents, key="document", format_func=lambda name: DOCUMENT_NAMES.get(name, name),
            width=230, persist_state="session",
        )  # fmt: skip
        st.selectbox(
            "System", names, key="system", width=190, persist_state="session",
            help="\n".join(f"- {name}: {text}" for name, text in what.items()) or None,
        )  # fmt: skip
        st.selectbox(
            "Layout", list(STYLES), key="style", format_func=STYLES.__getitem__, width=160, persist_state="session"
        )
        st.number_input(
            "Seed", min_value=0, max_value=2**31 - 1, step=1, key="seed", width=120, persist_state="session",
            help="The same note, system and seed give the same draft.",
        )  # fmt: skip
        st.button("Draft again" if drafted else "Draft", key="draft", type="primary", on_click=call["draft"])
        if drafted:
            st.button("Hide the note's box" if editing else "Edit the note", key="edit", on_click=call["edit"])
            st.button("New note", key="start_over", on_click=call["start_over"])
