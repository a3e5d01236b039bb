"""Every setting with its value and meaning, the knowledge that is loaded, the systems, and what a model is asked."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from app import sources_state, state
from app.client import ApiError
from app.pinned import called
from app.sources_run import SourceRun
from app.views.notices import draw_refused, draw_unreachable, plain
from app.views.sources import collection_words, draw_collections, draw_form, draw_job

NO_POLICY = "none"
TICK_S = 0.5
SETTLE_S = 0.05


def screen() -> None:
    st.title("Settings and knowledge")
    try:
        draw_settings()
        draw_knowledge()
        draw_systems()
        draw_prompts()
    except ApiError as error:
        (draw_unreachable if error.unreachable else draw_refused)(str(error))


def draw_settings() -> None:
    st.subheader("Settings", anchor=False)
    st.caption(plain("Set in the environment or in the file .env, then start again. Nothing is changed from here."))
    rows = [
        {"setting": row["name"], "value": row["value"], "what it means": row["meaning"] or ""}
        for row in state.client().settings()
    ]
    st.dataframe(rows, hide_index=True, width="stretch", height=35 * (len(rows) + 1) + 3)


def draw_knowledge() -> None:
    found = state.client().knowledge()
    st.subheader("Knowledge", anchor=False)
    st.markdown(plain(str(found["notice"])))
    graph = found["graph"]
    st.caption(
        plain(
            f"Graph {graph['name']}: {graph['concepts']:,} concepts, {graph['edges']:,} directed edges. "
            f"Encoder {found['encoder']}."
        )
    )
    st.markdown(f"**Path policy:** {plain(policy_words(str(found['policy'])))}")
    if found.get("entities"):
        st.caption(plain(f"Entities are being read ({found['entities']}). A draft of clinicalrag waits for them."))
    rows = [
        {
            "source": row["source"],
            "documents": row["documents"],
            "passages": row["passages"],
            "licence": row["licence"] or ("" if row["passages"] else "empty until someone imports into it"),
            "not searched": row["refused"],
        }
        for row in found["sources"]
    ]
    st.dataframe(rows, hide_index=True, width="stretch")
    draw_sources([{"source": row["source"], **held} for row in found["sources"] for held in row["collections"]])


def draw_sources(collections: list[dict[str, Any]]) -> None:
    """The imported collections, and where it is allowed what changes them."""
    held = sources_state.run()
    busy = held is not None and held.running
    if collections:
        st.markdown("**Imported collections**")
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
        draw_form(sources_state.kinds(), sources_state.field, busy, sources_state.start)
    except ApiError as error:
        draw_refused(str(error))
    if held is not None:
        held.wait(SETTLE_S)
        st.fragment(run_every=TICK_S if held.running else None)(watch)(held, held.running)


def watch(held: SourceRun, was_running: bool) -> None:
    """How far the import is; when it has ended the whole page is drawn anew."""
    if held.running != was_running:
        st.rerun(scope="app")
    draw_job(held.name, held.progress(), sources_state.stop)


def policy_words(policy: str) -> str:
    """The policy by its name, or what happens without one."""
    if policy != NO_POLICY:
        return f"{policy}. The tab Policy of a draft shows its walk step by step."
    return "none. Paths of the system leapnote follow edges of the graph; the tab Policy of a draft says why."


def draw_systems() -> None:
    found = state.client().systems()
    st.subheader("Systems", anchor=False)
    rows = [{"name": row["name"], "from": row["origin"], "what it is": row["what"]} for row in found["systems"]]
    st.dataframe(rows, hide_index=True, width="stretch")
    rows = [
        {"who": "writer" if not row["setting"] else "writer, where it is chosen", **told(row)}
        for row in found["generators"]
    ]
    rows += [{"who": row["role"], **told(row)} for row in found["roles"]]
    st.markdown("**Who writes, who else reads, and where the text goes**")
    st.dataframe(rows, hide_index=True, width="stretch")


def told(row: dict[str, Any]) -> dict[str, str]:
    """A writer or a model with a role of its own, as a row of the table."""
    return {
        "name": called(str(row["name"])),
        "why": str(row.get("reason", "set by a setting of its own")),
        "the text": str(row["where"]),
    }


def draw_prompts() -> None:
    """Everything a language model may be asked, word for word. The note and the evidence come between, fenced."""
    found = state.client().prompts()
    st.subheader("Prompts", anchor=False)
    st.caption(
        plain(
            f"What a language model is asked, where one is set: {len(found)} prompts. A draft's record names the one that "
            "wrote it, with version and hash. Note and evidence go between the instructions and the task, marked as data."
        )
    )
    for row in found:
        with st.expander(plain(f"{row['name']}: version {row['version']}, {row['hash']}"), key=f"prompt_{row['name']}"):
            st.markdown(plain(str(row["what"])))
            st.code(str(row["instructions"]), language=None, wrap_lines=True)
            if row["data"]:
                st.caption(plain(f"Then the data: {', '.join(row['data']).replace('_', ' ')}."))
            if row["ending"]:
                st.markdown("Then the task:")
                st.code(str(row["ending"]), language=None, wrap_lines=True)


screen()
