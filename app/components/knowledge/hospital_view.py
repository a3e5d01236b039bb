"""Draws a table of the hospital's own, with what checks, installs and removes it, and the journal of who did what."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import draw_refused, plain
from app.components.tables import draw_rows
from app.words.words import _, later

ABOUT = {
    "formulary": later(
        "Which medicines your hospital has, restricts or lacks, and what it gives instead. A draft notes this for the medicines that it names, for information."
    ),
    "instructions": later(
        "Your hospital's own sentences for letters, each with the patients it is for. Letters give them under the hospital's name; whoever installs them signs for them."
    ),
}
COLUMNS = {
    "formulary": (later("medicine"), later("status"), later("instead"), later("condition"), later("note")),
    "instructions": (later("id"), later("needs"), later("excludes"), later("section"), later("says")),
}
BY = (later("put there by hand"), later("the journal that says who installed it cannot be read"))
"""What the API says in the place of a name."""
MOST_ROWS = 8


def draw_table(
    table: str, found: Mapping[str, Any], file_key: str, name_key: str, name: str, do: Callable[..., None]
) -> None:
    """The table that is installed, and the fields for another.

    Args:
        table: formulary or instructions.
        found: as the API gives it.
        file_key: key of the field for a file.
        name_key: key of the field for the name of who acts.
        name: of the person who is logged in; empty where a name is asked for.
        do: checks, installs, removes or brings back.
    """
    st.markdown(_(ABOUT[table]))
    if not found["installed"]:
        st.caption(
            plain(
                _("None is installed. The first line of the file, separated by tabs: {header}").format(
                    header=" ".join(found["header"])
                )
            )
        )
    else:
        at = f", {str(found['at'])[:10]}" if found["at"] else ""
        since = f", {_('changed by hand since')}" if found["changed"] else ""
        st.caption(plain(f"{len(found['rows'])} {_('rows')}, {_(found['by'])}{at}{since}"))
        rows = [{_(head): str(row[head]) for head in COLUMNS[table]} for row in found["rows"]]
        draw_rows(rows, MOST_ROWS)
        if found["unknown"]:
            st.caption(
                plain(
                    f"{_('Names of no medicine that is known, so that no draft meets them')}: {', '.join(found['unknown'])}"
                )
            )
        for fault in found["faults"]:
            draw_refused(fault)
    st.file_uploader(_("A file (tab-separated, UTF-8)"), type=["tsv", "txt"], key=file_key)
    if not name:
        st.text_input(_("Your name"), key=name_key)
    with st.container(horizontal=True):
        st.button(_("Check the file"), key=f"check_{table}", on_click=do, args=("check", table))
        st.button(_("Install the file"), key=f"install_{table}", on_click=do, args=("install", table))
        st.button(
            _("Remove it"), key=f"remove_{table}", on_click=do, args=("remove", table), disabled=not found["installed"]
        )
    if found["replaced"]:
        with st.expander(_("Earlier tables")):
            draw_replaced(table, found["replaced"], do)


def draw_replaced(table: str, replaced: Sequence[Mapping[str, Any]], do: Callable[..., None]) -> None:
    """The tables that stood before, each with a button that brings it back.

    Args:
        table: formulary or instructions.
        replaced: as the API gives them, the last first.
        do: called with restore, the table and the number of its text.
    """
    for one in replaced:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                _("Bring back"),
                key=f"restore_{table}_{one['digest']}",
                on_click=do,
                args=("restore", table, one["digest"]),
            )
            until = str(one["until"])[:16].replace("T", " ")
            by = f", {one['by']}" if one["by"] else ""
            words = _("until {time} UTC, {n} rows").format(time=until, n=one["rows"])
            st.markdown(plain(words + by))


def draw_journal(done: Sequence[Mapping[str, Any]], total: int) -> None:
    """Who decided, installed and took back what, the last first.

    Args:
        done: as the API gives it.
        total: how many there are.
    """
    if not total:
        st.caption(_("Nothing was decided yet."))
        return
    rows = [
        {
            _("time (UTC)"): str(one["at"])[:16].replace("T", " "),
            _("what"): _(one["verdict"]),
            _("who"): str(one["reviewer"]),
            _("item"): str(one["item"]),
            _("reason"): str(one["reason"]),
        }
        for one in done
    ]
    draw_rows(rows)
    if total > len(done):
        st.caption(_("The last {n} of {all}").format(n=len(done), all=total))
