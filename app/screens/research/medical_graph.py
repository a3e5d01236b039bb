"""The medical graph: find a concept, read it, see its neighbours, find the way between two."""

from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.knowledge.graph_picture import neighbours_picture, paint
from app.components.knowledge.graph_view import (
    draw_concept,
    draw_found,
    draw_neighbours,
    draw_offers,
    draw_picture,
    draw_relations,
    draw_size,
    draw_way,
    draw_words,
)
from app.components.shell.shell import theme
from app.components.shell.unreachable import draw_error
from app.state import session as state
from app.words.words import _

MOST_IN_PICTURE = 40  # more cannot be read
MOST_OFFERED = 40


def screen() -> None:
    """Draw the page."""
    st.title(_("The medical graph"))
    try:
        browse()
    except ApiError as error:
        draw_error(error)


def browse() -> None:
    """Search, then one concept with its neighbours, then the way to another."""
    typed, found_here = st.columns(2)
    with typed:
        words = draw_words(_("Find a concept"), "words", _("heart failure, furosemide, shortness of breath …"))
    if not words:
        draw_size(state.client().knowledge()["graph"])
        draw_offers(concepts_of_note(), state.find_concept)
        return
    with found_here:
        chosen = draw_found(state.client().concepts(words), "concept")
    if chosen is None:
        return
    found = state.client().neighbours(chosen["concept_id"])
    rows: list[dict[str, Any]] = found["neighbours"]
    draw_concept(found["concept"], len(rows))
    left, right = st.columns(2)
    with left:
        draw_neighbours(rows)
    with right:
        relations = sorted({str(row["relation"]) for row in rows})
        wanted = draw_relations(relations)
        shown = [row for row in rows if not wanted or row["relation"] in wanted]
        picture = neighbours_picture(found["concept"], shown, MOST_IN_PICTURE, paint(theme()))
        draw_picture(picture, len(shown), MOST_IN_PICTURE)
    way(chosen)


def concepts_of_note() -> tuple[str, ...]:
    """Names of the concepts that the current note mentions, in its order; none without a draft."""
    seen = state.progress()
    if seen is None or seen.linked is None:
        return ()
    return tuple(dict.fromkeys(mention.name for mention in seen.linked.note.mentions))[:MOST_OFFERED]


def way(chosen: dict[str, Any]) -> None:
    """A shortest way from the concept chosen to another."""
    typed, found_here = st.columns(2)
    with typed:
        words = draw_words(_("The way from here to"), "other_words", _("another concept"))
    with found_here:
        other = draw_found(state.client().concepts(words), "other_concept") if words else None
    if other is not None:
        draw_way(state.client().paths(chosen["concept_id"], other["concept_id"])["steps"])


screen()
