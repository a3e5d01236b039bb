"""Draws the list of saved cases, and the sentences of an open one with what can be done to each."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.review_text import STATE_WORDS, change, marks, missing, provenance, when
from backend.schemas.patients.saved_case import CasePage, CaseState, CaseView, EditRecord, ReviewedSentence

Call = Mapping[str, Callable[..., None]]
Key = Callable[[str, str], str]
IsOpen = Callable[[str, str], bool]
PAGE = 50
NAME_WIDTH = 260
GAP_WIDTH = 420


def draw_author() -> None:
    """The name of who changes and signs; asked once a session."""
    st.text_input(
        "Your name (for the audit trail)", key="author", width=NAME_WIDTH, max_chars=120, persist_state="session"
    )


def draw_filter() -> CaseState | None:
    """Which state to list; None for all."""
    states = (CaseState.DRAFT, CaseState.IN_REVIEW, CaseState.SIGNED)
    options: tuple[CaseState | None, ...] = (None, *states)
    return st.selectbox(
        "Show", options, key="review_states", width=NAME_WIDTH, persist_state="session",
        format_func=lambda state: STATE_WORDS[state] if state else "all saved cases",
    )  # fmt: skip


def draw_page_choice(total: int) -> int:
    """Which page of the list is looked at, from 0."""
    if total <= PAGE:
        return 0
    last = (total - 1) // PAGE + 1
    return int(st.number_input(f"Page, 1 to {last}", 1, last, key="review_page", width=NAME_WIDTH)) - 1


def draw_list(page: CasePage, on_open: Callable[[str], None]) -> None:
    """The saved cases, one a row."""
    if not page.cases:
        st.markdown("No case is saved here yet. Draft one on the **Write** screen and press **Save case**.")
        return
    for case in page.cases:
        name, state, time, act = st.columns([4, 3, 3, 1], vertical_alignment="center")
        name.markdown(f"**{plain(case.label)}**")
        state.markdown(f"{STATE_WORDS[case.state]} (version {case.version})")
        time.markdown(f"changed {when(case.updated_at)}")
        act.button("Open", key=f"open_{case.id}", on_click=on_open, args=(case.id,))


def draw_head(view: CaseView, call: Call) -> None:
    """Which case this is, and its state. call: close, refresh, undo."""
    st.title(plain(view.label), anchor=False)
    signed = view.signature
    by = f" by {plain(signed.name)}, {plain(signed.role)}, {when(signed.at)}" if signed else ""
    st.markdown(f"**{STATE_WORDS[view.state].capitalize()}**{by} · version {view.version} · {when(view.updated_at)}")
    if signed:
        st.caption("A change to a signed case makes a new version, which must be signed anew.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="case_head"):
        draw_author()
        st.button("Undo the last change", key="undo", disabled=view.version == 1, on_click=call["undo"])
        st.button("Load the newest version", key="refresh", on_click=call["refresh"], args=(view.id,))
        st.button("Close", key="close", on_click=call["close"])


def draw_stale(message: str, changed: Sequence[EditRecord], typed_into_deleted: Sequence[tuple[str, str]]) -> None:
    """What another changed meanwhile. typed_into_deleted: sentence and text of what has no place any more."""
    with st.container(border=True, key="stale"):
        st.warning(plain(message.split(" Nothing was saved", maxsplit=1)[0]), icon=":material/history:")
        st.markdown("\n".join(f"- {plain(change(record))}" for record in changed) or "No edit is recorded.")
        st.markdown("What you typed is still below, and the newest version is loaded. Look at it, then save again.")
        for sentence, text in typed_into_deleted:
            st.markdown(f"{plain(sentence)} was deleted meanwhile. You had typed:")
            st.code(text, language=None, wrap_lines=True)


def draw_sentences(sentences: Sequence[ReviewedSentence], key: Key, is_open: IsOpen, call: Call) -> None:
    """The sentences under their headings. call: open_editor, close_editor, rewrite, insert, delete, fill, restore."""
    section = None
    for sentence in sentences:
        if sentence.deleted:
            continue
        if sentence.section != section:
            section = sentence.section
            st.markdown(f"## {plain(section)}" if section else "")
        draw_sentence(sentence, key, is_open, call)
    gone = [sentence for sentence in sentences if sentence.deleted]
    if gone:
        with st.expander(f"Deleted sentences: {len(gone)}", key="deleted_sentences"):
            for sentence in gone:
                text, act = st.columns([5, 1], vertical_alignment="center")
                text.markdown(f"~~{plain(sentence.text)}~~  \n{plain(sentence.deleted_reason)}")
                act.button("Restore", key=f"restore_{sentence.id}", on_click=call["restore"], args=(sentence.id,))


def draw_sentence(sentence: ReviewedSentence, key: Key, is_open: IsOpen, call: Call) -> None:
    """One sentence: its text, who wrote it, its support, and what can be done to it."""
    name = sentence.id
    said, act = st.columns([2, 1], vertical_alignment="top")
    with said:
        if not is_open("text", name):
            st.markdown(plain(sentence.text))
        else:
            st.text_area(
                f"Sentence {name}", key=key("text", name), height=90, max_chars=5000, persist_state="session"
            )  # fmt: skip
            with st.container(horizontal=True):
                st.button("Save", key=f"rewrite_{name}", type="primary", on_click=call["rewrite"], args=(name,))
                st.button("Cancel", key=f"cancel_{name}", on_click=call["close_editor"], args=("text", name))
        st.caption(plain(" · ".join(part for part in (name, marks(sentence), provenance(sentence)) if part)))
        if sentence.earlier and is_open("history", name):
            for earlier in sentence.earlier:
                st.caption(plain(f"to version {earlier.last_version}, {earlier.written_by.name}: {earlier.text}"))
        what = missing(sentence.text)
        if what and not is_open("text", name):
            draw_gap(sentence, what, key, call)
        if is_open("insert", name):
            st.text_area(
                f"New sentence after {name}", key=key("insert", name), height=90, max_chars=5000,
                persist_state="session",
            )  # fmt: skip
            with st.container(horizontal=True):
                st.button("Insert", key=f"insert_{name}", type="primary", on_click=call["insert"], args=(name,))
                st.button("Cancel", key=f"cancel_insert_{name}", on_click=call["close_editor"], args=("insert", name))
    with act, st.container(horizontal=True, key=f"actions_{name}"):
        opens = call["open_editor"]
        if not is_open("text", name):
            st.button("Edit", key=f"edit_{name}", type="tertiary", on_click=opens, args=("text", name, sentence.text))
        if not is_open("insert", name):
            st.button("Insert after", key=f"add_{name}", type="tertiary", on_click=opens, args=("insert", name))
        st.button("Delete", key=f"delete_{name}", type="tertiary", on_click=call["delete"], args=(name,))
        if sentence.earlier:
            shown = is_open("history", name)
            toggle = call["close_editor"] if shown else opens
            label = "Hide earlier" if shown else "Earlier"
            st.button(label, key=f"history_{name}", type="tertiary", on_click=toggle, args=("history", name))
            st.button("Undo", key=f"undo_{name}", type="tertiary", on_click=call["restore"], args=(name,))


def draw_gap(sentence: ReviewedSentence, what: str, key: Key, call: Call) -> None:
    """A field for what only the team can know."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"gap_row_{sentence.id}"):
        st.text_input(
            f"To complete: {plain(what)}", key=key("gap", sentence.id), width=GAP_WIDTH, persist_state="session"
        )
        st.button("Fill in", key=f"fill_{sentence.id}", on_click=call["fill"], args=(sentence.id, sentence.text))
