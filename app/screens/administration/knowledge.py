"""The review of the knowledge by a hospital's clinicians."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.knowledge.review_view import Fields, draw_counts, draw_item, draw_list, draw_message
from app.components.shell.unreachable import draw_error
from app.state import knowledge_review_state as state
from app.state.access import access_state
from app.words.words import _, later

ABOUT = later(
    "What ships was written for Leapnote, and no clinician had reviewed it then. Clinicians of your hospital accept, change or refuse each chapter and "
    "row here. Decisions are kept in the data folder, beside what ships, and hold from the next start on."
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
    try:
        draw_message(*state.message())
        if state.opened():
            person = access_state.person() if access_state.needed() else None
            name = person.name if person is not None else ""
            item = state.opened()
            draw_item(state.client().item(item), state.text_key(item), state.reason_key(item), name, fields)
            return
        counts = state.client().counts()
        draw_counts(counts["kinds"], counts["without_item"])
        offset = state.page() * state.PAGE_ITEMS
        asked = state.value(state.KIND), state.value(state.STATE), state.value(state.WORDS)
        draw_list(state.client().items(*asked, offset, state.PAGE_ITEMS), state.page(), state.PAGE_ITEMS, fields)
        st.download_button(
            _("Download the changes as a diff"), state.client().difference(), "knowledge-review.diff", "text/x-diff"
        )
    except ApiError as error:
        draw_error(error)


screen()
