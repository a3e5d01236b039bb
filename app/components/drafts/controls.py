"""Draws the selectors and buttons of the write screen and of the compare screen."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.bench_data import document_name
from app.view_data.entry import Entry
from app.view_data.pinned_data import COMPOSER, called
from backend.schemas.vocabulary import Document

STYLES = {"sections": "Sections", "paragraph": "One paragraph"}


def draw_controls(
    service: dict[str, Any] | None, drafted: bool, editing: bool, call: dict[str, Callable[[], None]]
) -> None:
    """The selectors and buttons of the write screen.

    Args:
        service: the API's systems and documents, None when it does not answer.
        drafted: there is a draft.
        editing: the note's box is open beside the draft.
        call: draft, edit, start_over.
    """
    names = [system["name"] for system in service["systems"]] if service else [Entry().system]
    documents = service["documents"] if service else [document.value for document in Document]
    what = {system["name"]: system["what"] for system in service["systems"]} if service else {}
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        st.selectbox(
            "Document", documents, key="document", format_func=document_name,
            width=230, persist_state="session",
        )  # fmt: skip
        st.selectbox(
            "System", names, key="system", width=190, persist_state="session",
            help="\n".join(f"- {plain(str(name))}: {plain(str(text))}" for name, text in what.items()) or None,
        )  # fmt: skip
        draw_writers(service)
        draw_options()
        st.button("Draft again" if drafted else "Draft", key="draft", type="primary", on_click=call["draft"])
        if drafted:
            st.button("Hide the note's box" if editing else "Edit the note", key="edit", on_click=call["edit"])
            st.button("New note", key="start_over", on_click=call["start_over"])


def draw_options() -> None:
    """What is seldom changed."""
    with st.popover("Options"):
        st.selectbox(
            "Layout", list(STYLES), key="style", format_func=STYLES.__getitem__, width=220, persist_state="session",
            help="Discharge instructions under headings, or as one flowing paragraph.",
        )  # fmt: skip
        st.number_input(
            "Seed", min_value=0, max_value=2**31 - 1, step=1, key="seed", width=220, persist_state="session",
            help="Where chance plays a part, the same note, system and seed give the same draft.",
        )  # fmt: skip


def draw_writers(service: dict[str, Any] | None) -> None:
    """Who writes: the one that is set, or the composer. Where no model is set there is nothing to choose."""
    rows = service.get("generators", []) if service else []
    if len(rows) < 2:
        return
    names = {str(row["setting"]): str(row["name"]) for row in rows}
    st.selectbox(
        "Writer", list(names), key="generator", width=230, persist_state="session",
        format_func=lambda setting: as_set(names[setting]) if not setting else called(COMPOSER),
        help="\n".join(f"- {plain(called(str(row['name'])))}: {plain(row_words(row))}" for row in rows),
    )  # fmt: skip


def as_set(name: str) -> str:
    """The writer that is set; the composer where its model has yet to come."""
    return f"As set: {called(name) if name != COMPOSER else 'composer for now'}"


def row_words(row: dict[str, Any]) -> str:
    """Why a writer may be chosen, and where the text goes."""
    return "; ".join(str(words) for words in (row["reason"], f"text {row['where']}" if row["where"] else "") if words)


WITHOUT = "no-retrieval"


def draw_choice(names: Sequence[str], on_compare: Callable[[str, str], None]) -> None:
    """Two systems to compare. names: the default first. on_compare: called with the two chosen."""
    options = list(names)
    without = options.index(WITHOUT) if WITHOUT in options else len(options) - 1
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare_controls"):
        left = st.selectbox("Left", options, key="left_system", width=220, persist_state="session")
        right = st.selectbox("Right", options, index=without, key="right_system", width=220, persist_state="session")
        st.button("Compare", key="compare", type="primary", on_click=on_compare, args=(left, right))
    st.caption("Same note, same document, same seed. The default shows the draft with and without retrieval.")


def draw_figures(rows: Sequence[dict[str, Any]]) -> None:
    """One row a system."""
    st.dataframe(list(rows), hide_index=True, width="stretch")
