"""The review of the knowledge by a hospital's clinicians."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.knowledge.hospital_view import draw_journal, draw_table
from app.components.knowledge.review_view import Fields, draw_counts, draw_item, draw_list, draw_message
from app.components.shell.unreachable import draw_error
from app.state import knowledge_review_state as state
from app.state.access import access_state
from app.words.words import _, later

ABOUT = later(
    "Leapnote's medical knowledge was written for it and comes unreviewed. Clinicians of your hospital accept, change or refuse each chapter and "
    "row here. Decisions are kept in the data folder and take effect at the next start."
)


def screen() -> None:
    """Draw the page."""
    st.title(_("Review of the knowledge"))
    st.markdown(_(ABOUT))
    st.fragment(draw)()


def draw() -> None:
    """The list, or the item that is open."""
    fields = Fields(
        state.KIND,
        state.STATE,
        state.WORDS,
        state.REVIEWER,
        state.first_page,
        state.turn,
        state.open_item,
        state.decide,
        state.keep,
        state.typed,
    )
    state.keep_filters()
    parts = {
        state.ITEMS: _("Chapters and rows"),
        "formulary": _("Formulary"),
        "instructions": _("Hospital instructions"),
        state.JOURNAL: _("History"),
    }
    st.segmented_control(
        _("Part"),
        tuple(parts),
        format_func=lambda one: parts[one],
        key=state.PART,
        default=state.ITEMS,
        on_change=state.clear_message,
        label_visibility="collapsed",
    )
    person = access_state.person() if access_state.needed() else None
    name = person.name if person is not None else ""
    try:
        draw_message(*state.message())
        if state.part() in state.TABLES:
            table = state.part()
            key = state.file_key(table)
            draw_table(table, state.client().table(table), key, state.REVIEWER, name, state.do_table)
            return
        if state.part() == state.JOURNAL:
            journal = state.client().journal(state.JOURNAL_ROWS)
            draw_journal(journal["decisions"], journal["total"])
            draw_difference()
            return
        if state.opened():
            item = state.opened()
            keys = (state.reason_key(item), state.sources_key(item))
            draw_item(state.client().item(item), state.text_key(item), keys, name, fields)
            return
        counts = state.client().counts()
        draw_counts(counts["kinds"], counts["without_item"])
        offset = state.page() * state.PAGE_ITEMS
        asked = state.value(state.KIND), state.value(state.STATE), state.value(state.WORDS)
        draw_list(state.client().items(*asked, offset, state.PAGE_ITEMS), state.page(), state.PAGE_ITEMS, fields)
        draw_difference()
    except ApiError as error:
        draw_error(error)


def draw_difference() -> None:
    """What the decisions change, to look at and to take away."""
    difference = state.client().difference()
    if difference:
        with st.expander(_("What the decisions change")):
            st.code(difference, language="diff")
    st.download_button(_("Download the changes as a diff"), difference, "knowledge-review.diff", "text/x-diff")


screen()
