"""Draws the imported collections with what can be done with each, the form of an import, and the import at work."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import draw_refused, plain
from app.jobs.event_run import Phase
from app.jobs.sources_run import JobProgress
from app.words.words import _

MEGABYTE = 1_000_000


def draw_collections(rows: Sequence[dict[str, Any]], busy: bool, call: dict[str, Callable[..., None]]) -> None:
    """A row a collection. busy: an import is at work, so nothing else may begin. call: update, encode, remove."""
    for row in rows:
        name = str(row["name"])
        with st.container(horizontal=True, vertical_alignment="center", key=f"collection_{name}"):
            st.markdown(f"**{plain(name)}**{plain(f': {collection_words(row)}')}")
            st.button(_("Update"), key=f"update_{name}", on_click=call["update"], args=(row,), disabled=busy)
            if row.get("refused"):
                st.button(_("Encode again"), key=f"encode_{name}", on_click=call["encode"], args=(name,), disabled=busy)
            with st.popover(_("Remove")):
                st.markdown(plain(_("{name} and its indexes go. The file it was made from stays.").format(name=name)))
                st.button(_("Remove it"), key=f"remove_{name}", on_click=call["remove"], args=(name,))
        if row.get("refused"):
            draw_refused(str(row["refused"]))


def collection_words(row: dict[str, Any]) -> str:
    """What a collection holds, in one line."""
    size = f"{int(row['bytes']) / MEGABYTE:,.1f} MB" if row.get("bytes") else ""
    counts = _("{documents} documents, {passages} passages").format(
        documents=f"{int(row['documents']):,}", passages=f"{int(row['passages']):,}"
    )
    parts = [str(row["source"]), counts, size, str(row.get("licence") or _("licence not stated")),
            str(row.get("date", "")), f"{_('encoder')} {row['encoder']}" if row.get("encoder") else ""]  # fmt: skip
    return "; ".join(words for words in parts if words)


def draw_form(
    kinds: Sequence[dict[str, str]],
    sources: Sequence[str],
    field: Callable[[str], str],
    busy: bool,
    on_import: Callable[[], None],
) -> None:
    """The form of an import.

    Args:
        kinds: the importers of the API.
        sources: the text sources of the API.
        field: the key of a field, by its name.
        busy: an import is running.
        on_import: called by the button.
    """
    what = {kind["name"]: f"{kind['what']} ({kind['source']})" for kind in kinds}
    with st.expander(_("Import into a source"), key="import_form"):
        st.caption(
            _(
                "An import under a name that is there replaces that collection when it is whole. Stopped or broken off, the same "
                "import goes on where it was. Drafts are written meanwhile."
            )
        )
        st.selectbox(_("Kind"), list(what), key=field("kind"), format_func=lambda name: f"{name}: {what[name]}")
        st.text_input(_("File or folder, on the machine that serves"), key=field("path"), max_chars=1000)
        with st.container(horizontal=True, key="import_more"):
            st.text_input(_("Name (made of the file's name, if empty)"), key=field("name"), max_chars=48)
            st.selectbox(
                _("Source"),
                ("", *sources),
                key=field("source"),
                width=190,
                format_func=lambda name: name or _("as the kind says"),
            )
            st.text_input(_("Licence (as the documents state it, if empty)"), key=field("licence"), max_chars=200)
        st.button(_("Import"), key="import_start", type="primary", on_click=on_import, disabled=busy)


def draw_job(name: str, seen: JobProgress, on_stop: Callable[[], None]) -> None:
    """How far the import is, or what came of it."""
    if seen.phase == Phase.RUNNING:
        share = min(seen.done / seen.total, 1.0) if seen.total else 0.0
        far = (
            _("{n} of {all} {what}").format(n=f"{seen.done:,}", all=f"{seen.total:,}", what=seen.what)
            if seen.total
            else _("reading")
        )
        st.progress(share, text=plain(f"{name}: {far}"))
        st.button(_("Stop the import"), key="import_stop", on_click=on_stop)
    elif seen.phase == Phase.DONE:
        st.markdown(plain(_("{name} is imported.").format(name=name)))
        st.code(seen.report, language=None, wrap_lines=True)
    elif seen.phase == Phase.STOPPED:
        draw_refused(_("{name}: stopped. The same import goes on where it was.").format(name=name))
    else:
        draw_refused(seen.message)
