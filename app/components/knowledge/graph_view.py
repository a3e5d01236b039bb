"""Draws concepts of the graph, their neighbours, and ways between them."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app.components.knowledge.graph_picture import Picture
from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.words.words import _, later, plural
from backend.schemas.visible_text import visible
from backend.schemas.vocabulary import GROUP_NAMES, SemanticGroup

MOST_ROWS = 30
MOST_PX, LEAST_PX = 1240, 120
WIDTHS = {later("relation"): 143, later("concept"): 252, later("qualifier"): 180}
"""Pixels. A fact that holds only "fast IV or high dose" needs its qualifier in sight; the group may need a scroll."""


def draw_words(label: str, key: str, example: str) -> str:
    """What was typed to search for."""
    return (st.text_input(label, key=key, placeholder=example, persist_state="session", max_chars=100) or "").strip()


def draw_size(graph: dict[str, Any]) -> None:
    """Which graph is loaded, and how large it is."""
    words = _("Graph: {name}. {concepts} concepts, {edges} edges both ways.")
    st.caption(plain(words.format(name=graph["name"], concepts=f"{graph['concepts']:,}", edges=f"{graph['edges']:,}")))


def draw_offers(names: Sequence[str], find: Callable[[str], None]) -> None:
    """Concepts to begin with: those of the current note. find: called with the name that was clicked."""
    if not names:
        st.markdown(_("Type a word above. After a draft, the concepts of its note are offered here."))
        return
    st.markdown(_("**In the note at hand**"))
    with st.container(horizontal=True):
        for name in names:
            st.button(plain(name), key=f"offer-{name}", on_click=find, args=(name,))


def draw_found(rows: Sequence[dict[str, Any]], key: str) -> dict[str, Any] | None:
    """The concept chosen among those found, exact names first; None when there are none."""
    if not rows:
        st.info(_("The graph holds no such concept. Try another word or a part of it."))
        return None
    chosen: dict[str, Any] | None = st.selectbox(_("Found"), list(rows), key=key, format_func=name_of)
    return chosen


def name_of(row: dict[str, Any]) -> str:
    """A concept on a list, which shows text as it is."""
    return f"{visible(row['name'])} ({_group_name(row['group'])})"


def _group_name(group: str) -> str:
    return _(GROUP_NAMES[SemanticGroup(group)])


def draw_concept(concept: dict[str, Any], edges: int) -> None:
    """Name, group, definition, synonyms."""
    st.header(plain(concept["name"]), anchor=False)
    if concept["definition"]:
        st.markdown(plain(concept["definition"]))
    also = f"{_('Also called')}: {', '.join(concept['synonyms'])}. " if concept["synonyms"] else ""
    count = plural("{n} edge", "{n} edges", edges)
    st.caption(plain(f"{also}{_group_name(concept['group'])}, {concept['category']}. {count}."))


def draw_neighbours(rows: Sequence[dict[str, Any]]) -> None:
    """The neighbours of a concept, by relation."""
    table = [
        {
            _("relation"): _(visible(row["relation"].replace("_", " "))),
            _("concept"): visible(row["concept"]["name"]),
            _("qualifier"): visible(row["qualifier"]),
            _("group"): _group_name(row["concept"]["group"]),
        }
        for row in sorted(rows, key=lambda row: (row["relation"], row["concept"]["name"]))
    ]
    if table:
        shown = {_(name): dict(st.column_config.Column(width=width)) for name, width in WIDTHS.items()}
        draw_rows(table, MOST_ROWS, shown)
    else:
        st.info(_("Nothing is joined to it."))


def draw_relations(relations: Sequence[str]) -> Sequence[str]:
    """The relations chosen for the picture; none stands for all. Their names are read as markup unless it is escaped."""
    return st.pills(
        _("Relations in the picture"),
        relations,
        selection_mode="multi",
        format_func=lambda relation: plain(_(relation.replace("_", " "))),
        wrap=True,
    )


def draw_picture(picture: Picture, count: int, most: int) -> None:
    """The picture of a concept and its neighbours, with a note where some are left out."""
    height = min(MOST_PX, max(LEAST_PX, picture.height + 8))
    st.iframe(picture.html, height=height, alt=_("The concept and its neighbours; the table beside it holds the same."))
    if count > most:
        st.caption(_("The first {most} of {all}; choose relations to see others.").format(most=most, all=count))


def draw_way(steps: Sequence[dict[str, Any]]) -> None:
    """A shortest way, or that there is none."""
    if not steps:
        st.info(_("No way of at most four edges joins the two."))
        return
    parts = [plain(steps[0]["concept"]["name"])]
    parts += [
        f"— {plain(step['relation'].replace('_', ' '))} → **{plain(step['concept']['name'])}**" for step in steps[1:]
    ]
    st.markdown(" ".join(parts))
