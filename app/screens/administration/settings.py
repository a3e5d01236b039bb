"""The settings by what somebody wants to change, the loaded knowledge, what is registered, and what a model is asked."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.knowledge.settings_view import (
    draw_how_to_change,
    draw_knowledge,
    draw_privacy,
    draw_prompts,
    draw_registered,
    draw_sections,
    draw_systems,
    draw_writers,
)
from app.components.knowledge.sources_view import collection_words, draw_collections, draw_form, draw_job
from app.components.shell.notices import draw_refused, plain
from app.components.shell.unreachable import draw_error
from app.jobs.sources_run import SourceRun
from app.state import session as state
from app.state import sources_state
from app.view_data.setting_groups import ADVANCED, DATA, KNOWLEDGE, MODEL, seam_tables, sections
from app.words.words import _

TICK_S = 0.5
FIRST_WAIT_S = 0.05


def screen() -> None:
    """Draw the page."""
    st.title(_("Settings and knowledge"))
    try:
        draw()
    except ApiError as error:
        draw_error(error)


def draw() -> None:
    """The four tabs. Raises ApiError."""
    api = state.client()
    rows, systems, known = api.settings(), api.systems(), api.knowledge()
    draw_how_to_change()
    model, knowledge, data, advanced = st.tabs([_(MODEL), _(KNOWLEDGE), _(DATA), _(ADVANCED)])
    with model:
        draw_writers(systems["generators"], systems["roles"])
        draw_sections(sections(rows, MODEL))
        draw_prompts(api.prompts())
    with knowledge:
        draw_knowledge(known)
        draw_sources(known["sources"])
        draw_sections(sections(rows, KNOWLEDGE))
    with data:
        draw_privacy()
        draw_sections(sections(rows, DATA))
    with advanced:
        draw_systems(systems["systems"])
        draw_registered(seam_tables(api.seams()))
        draw_sections(sections(rows, ADVANCED))


def draw_sources(sources: list[dict[str, Any]]) -> None:
    """The imported collections, and where it is allowed what changes them."""
    collections = [{"source": row["source"], **held} for row in sources for held in row["collections"]]
    held = sources_state.run()
    busy = held is not None and held.running
    if collections:
        st.markdown(_("**Imported collections**"))
    if not sources_state.may_change():
        for row in collections:
            st.markdown(plain(f"{row['name']}: {collection_words(row)}"))
        return
    call: dict[str, Callable[..., None]] = {
        "update": sources_state.fill,
        "encode": sources_state.encode,
        "remove": sources_state.remove,
    }
    draw_collections(collections, busy, call)
    if sources_state.message():
        draw_refused(sources_state.message())
    try:
        draw_form(
            sources_state.kinds(),
            [str(row["source"]) for row in sources],
            sources_state.field,
            busy,
            sources_state.start,
        )
    except ApiError as error:
        draw_refused(str(error))
    if held is not None:
        held.wait(FIRST_WAIT_S)
        st.fragment(run_every=TICK_S if held.running else None)(watch)(held, held.running)


def watch(held: SourceRun, was_running: bool) -> None:
    """How far the import is; when it has ended the whole page is drawn anew."""
    if held.running != was_running:
        st.rerun(scope="app")
    draw_job(held.name, held.progress(), sources_state.stop)


screen()
