"""Draws the tour: its controls, how far it is, and the scene that it shows."""

from collections.abc import Callable, Mapping

import streamlit as st

from app.components.demonstration.policy_view import draw_step
from app.components.demonstration.reading_view import draw_reading
from app.components.shell.notices import plain
from app.view_data.policy_data import step_view
from app.view_data.reading_data import reading
from app.view_data.tour_data import Kind, Scene
from app.words.api_words import flag_words
from app.words.words import _
from backend.schemas.drafts.draft import Draft
from backend.schemas.vocabulary import Severity

PANE_PX = 460
MOST_LINES = 18
Call = Mapping[str, Callable[..., None]]


def draw_controls(
    place: int, number: int, playing: bool, begun: bool, second_of: Callable[[int], float], call: Call
) -> None:
    """Play, stop, back and on.

    Args:
        place: of the scene, counted from 0.
        number: of scenes.
        playing: it plays.
        begun: it was begun before.
        second_of: the second at which a scene begins.
        call: play, pause, go.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="tour_controls"):
        if playing:
            st.button(_("Stop"), key="tour_stop", icon=":material/pause:", type="primary", on_click=call["pause"])
        else:
            words = _("Go on") if begun and place < number - 1 else _("Play")
            st.button(words, key="tour_play", icon=":material/play_arrow:", type="primary", on_click=call["play"])
        st.button(_("Back"), key="tour_back", on_click=call["go"], args=(second_of(place - 1),), disabled=place == 0)
        last = place >= number - 1
        st.button(_("Next"), key="tour_next", on_click=call["go"], args=(second_of(place + 1),), disabled=last)
        st.caption(_("Scene {n} of {all}, two minutes in all").format(n=place + 1, all=number))


def draw_scene(scene: Scene, without: Draft, beside: Draft) -> None:
    """One scene."""
    st.header(plain(scene.title), anchor=False)
    st.markdown(plain(scene.words))
    match scene.kind:
        case Kind.NOTE:
            with st.container(border=True, key="tour_note"):
                st.text(excerpt(beside.note.text))
        case Kind.WITHOUT:
            _draw_draft("tour_without", without, _("Without retrieval"))
        case Kind.BESIDE:
            left, right = st.columns(2)
            with left:
                _draw_draft("tour_without", without, _("Without retrieval"))
            with right:
                _draw_draft("tour_with", beside, _("With retrieval"))
        case Kind.STEP:
            draw_step(step_view(beside.evidence.policy[scene.step]))
        case Kind.SOURCE:
            _draw_draft("tour_with", beside, _("With retrieval"))
        case Kind.ALERT:
            for flag in beside.flags:
                if flag.severity == Severity.SEVERE:
                    st.error(plain(flag_words(flag)), icon=":material/warning:")
        case Kind.SIGN:
            st.page_link(
                "screens/clinical/workspace.py", label=_("Try it with a note of your own"), icon=":material/add:"
            )


def excerpt(text: str) -> str:
    """The beginning of a note, without its empty lines."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join([*lines[:MOST_LINES], *(["…"] if len(lines) > MOST_LINES else [])])


def _draw_draft(key: str, draft: Draft, label: str) -> None:
    st.markdown(f"**{plain(label)}**")
    with st.container(border=True, height=PANE_PX, key=f"{key}_pane"):
        draw_reading(key, reading(draft), label)
