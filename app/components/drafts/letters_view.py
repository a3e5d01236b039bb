"""Draws the list of letters, and the question before one is deleted."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import streamlit as st

from app.components.shell.notices import draw_refused, plain
from app.words.words import _, later, plural
from backend.schemas.patients.saved_case import CasePage, CaseState, CaseSummary

Call = Mapping[str, Callable[..., None]]
STATES = {
    CaseState.DRAFT: later("Not checked yet"),
    CaseState.IN_REVIEW: later("Being checked"),
    CaseState.SIGNED: later("Signed"),
}
ICONS = {
    CaseState.DRAFT: ":material/edit_note:",
    CaseState.IN_REVIEW: ":material/rule:",
    CaseState.SIGNED: ":material/verified:",
}
ALL = ""
WORKSPACE = "screens/clinical/workspace.py"


def draw_retention(days: int) -> None:
    """Where letters lie, and how long."""
    stays = _("Letters stay on this computer. A signed letter is kept until somebody deletes it.")
    unsigned = (
        plural(
            "One that is not signed is deleted {n} day after its last change.",
            "One that is not signed is deleted {n} days after its last change.",
            days,
        )
        if days
        else _("So is one that is not signed.")
    )
    st.caption(f"{stays} {unsigned}")


def draw_search(search: str, state: str, on_change: Callable[[], None]) -> None:
    """The search and the filter. search, state: keys of the fields."""
    with st.container(key="filters"):
        words, chosen = st.columns([3, 2], vertical_alignment="bottom")
    words.text_input(_("Search"), key=search, max_chars=200, on_change=on_change, persist_state="session",
                     placeholder=_("Name, record number, age or reason"), icon=":material/search:")  # fmt: skip
    chosen.selectbox(
        _("State"), (ALL, *STATES), key=state, on_change=on_change, persist_state="session",
        format_func=lambda one: _(STATES[one]) if one else _("All"),
    )  # fmt: skip


def draw_letters(found: CasePage, days: int, searched: bool, page: int, call: Call) -> None:
    """The letters, one a row.

    Args:
        found: this page of the list.
        days: of retention.
        searched: the list is narrowed.
        page: counted from 0.
        call: delete, turn, all.
    """
    if not found.cases:
        draw_none(searched)
        return
    with st.container(key="rows"):
        for letter in found.cases:
            draw_letter(letter, days, call)
    if found.total > found.limit:
        first = page * found.limit + 1
        with st.container(horizontal=True, vertical_alignment="center", key="letters_pages"):
            st.button(_("Back"), key="letters_back", on_click=call["turn"], args=(-1,), disabled=page == 0)
            last = min(found.total, first + found.limit - 1)
            st.button(_("Next"), key="letters_next", on_click=call["turn"], args=(1,), disabled=last >= found.total)
            st.caption(_("{first} to {last} of {total}").format(first=first, last=last, total=found.total))


def draw_none(searched: bool) -> None:
    """That there is no letter, and how one comes here."""
    if searched:
        st.markdown(_("No letter fits this search. Take a word out, or choose all states."))
        return
    with st.container(border=True, key="no_letters"):
        st.markdown(_("There is no letter yet. Paste a note under **New**: its first draft is kept here by itself."))
        st.page_link(WORKSPACE, label=_("Write the first letter"), icon=":material/add:")


def draw_letter(letter: CaseSummary, days: int, call: Call) -> None:
    """One letter: what it is, how it stands, until when it is kept, and what can be done."""
    name, state, act = st.columns([5, 4, 3], vertical_alignment="center")
    with name, st.container(key=f"english_{letter.id}"):
        st.page_link(WORKSPACE, label=plain(whose_words(letter)), query_params={"letter": letter.id})
    state.markdown(
        f"{ICONS.get(letter.state, '')} {_(STATES.get(letter.state, ''))}  \n{_small(when_words(letter, days))}"
    )
    with act, st.container(horizontal=True, horizontal_alignment="right"):
        st.button(_("Delete"), key=f"delete_{letter.id}", type="tertiary", icon=":material/delete:",
                  on_click=call["delete"], args=(letter,))  # fmt: skip


def whose_words(letter: CaseSummary) -> str:
    """Whose letter it is: name and record number where they are known, then its label."""
    return " · ".join(filter(None, (letter.patient_name, letter.record_number, letter.label)))


def when_words(letter: CaseSummary, days: int, now: datetime | None = None) -> str:
    """When it was changed, and when an unsigned one is deleted."""
    changed = _("changed {day}").format(day=f"{letter.updated_at.astimezone():%Y-%m-%d %H:%M}")
    if letter.state == CaseState.SIGNED or not days:
        return changed
    last = (letter.updated_at + timedelta(days=days)).astimezone().date()
    left = (last - (now or datetime.now(UTC)).astimezone().date()).days
    until = plural("deleted in {n} day", "deleted in {n} days", left) if left > 0 else _("deleted today")
    return f"{changed}, {until}"


def draw_deleting(
    letter: CaseSummary, word: str, message: str, keys: Mapping[str, str], ask_name: bool, call: Call
) -> None:
    """The question before a letter is deleted.

    Args:
        letter: the letter.
        word: what must be typed.
        message: why it was not deleted.
        keys: of the fields: typed, author.
        ask_name: nobody is logged in, so a name is asked for.
        call: delete, keep.
    """
    with st.container(border=True, key="deleting"):
        st.markdown(_("Delete **{letter}** for good?").format(letter=plain(whose_words(letter))))
        st.markdown(
            _("Its text and all its versions go, and nothing brings them back. Who deleted it, and when, is kept.")
        )
        if message:
            draw_refused(message)
        st.text_input(_("Type {word} to confirm").format(word=word), key=keys["typed"], width=320, max_chars=40)
        if ask_name:
            st.text_input(_("Your name"), key=keys["author"], width=320, max_chars=120, persist_state="session")
        with st.container(horizontal=True):
            st.button(_("Delete the letter"), key="delete_now", type="primary", on_click=call["delete"])
            st.button(_("Keep it"), key="delete_not", on_click=call["keep"])


def _small(words: Any) -> str:
    return f":small[{plain(str(words))}]"
