"""Draws the review of the knowledge: how far it is, the list of chapters and rows, and one of them with its decision."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from app.components.shell.notices import draw_refused, plain
from app.components.tables import draw_rows
from app.words.words import _, later

KINDS = {
    "chapter": later("Chapters"),
    "dose": later("Doses"),
    "interaction": later("Interactions"),
    "contraindication": later("Contraindications"),
    "monitoring": later("Monitoring"),
    "untreated": later("Not treated"),
    "red_flag": later("Warning signs"),
    "applicability": later("For whom advice holds"),
    "standing": later("Standing instructions"),
}
STATES = (
    later("unreviewed"),
    later("accepted"),
    later("changed"),
    later("refused"),
    later("signed"),
    later("added"),
    later("outdated"),
)
DONE = (later("withdrawn"), later("undone"), later("installed"), later("removed"))
ANY, ALL = "", later("All")
TEXT_PX = 320


class Fields(NamedTuple):
    """Keys of the fields, and what is called when one changes or a button is pressed."""

    kind: str
    state: str
    words: str
    reviewer: str
    filtered: Callable[[], None]
    turn: Callable[[int], None]
    open_item: Callable[[str], None]
    decide: Callable[[str, str], None]
    keep: Callable[[str], None]
    typed: Callable[[str, str], str]


def draw_counts(kinds: Mapping[str, Mapping[str, int]], lost: Sequence[str]) -> None:
    """A row a kind: how many stand how."""
    rows = [
        {_("kind"): _(KINDS.get(kind, kind))} | {_(state): counts.get(state, 0) for state in STATES}
        for kind, counts in kinds.items()
    ]
    draw_rows(rows, len(rows))
    if lost:
        st.caption(
            plain(f"{_('Decisions about what the knowledge no longer holds, or words otherwise')}: {', '.join(lost)}")
        )


def draw_list(found: Mapping[str, Any], page: int, size: int, fields: Fields) -> None:
    """The filters and one page of the list."""
    of_kind, of_state, words = st.columns((2, 2, 3))
    of_kind.selectbox(
        _("Kind"),
        (ANY, *KINDS),
        format_func=lambda one: _(KINDS.get(one, ALL)),
        key=fields.kind,
        on_change=fields.filtered,
    )
    of_state.selectbox(
        _("State"), (ANY, *STATES), format_func=lambda one: _(one or ALL), key=fields.state, on_change=fields.filtered
    )
    words.text_input(_("Words in it"), key=fields.words, on_change=fields.filtered)
    for row in found["items"]:
        by = f", {row['reviewer']}, {row['date']}" if row["reviewer"] else ""
        kind, state = _(KINDS.get(row["kind"], row["kind"])), _(row["state"]) + by
        st.button(
            f"**{plain(str(row['title']))}** · {plain(kind)} · {plain(state)}",
            key=f"open_{row['id']}",
            on_click=fields.open_item,
            args=(row["id"],),
            type="tertiary",
            icon=":material/chevron_right:",
        )
    total = int(found["total"])
    if not total:
        st.caption(_("Nothing has this kind, state and words."))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(_("Back"), on_click=fields.turn, args=(-1,), disabled=page == 0)
        st.button(_("Next"), on_click=fields.turn, args=(1,), disabled=(page + 1) * size >= total)
        st.caption(
            _("{first} to {last} of {all}").format(
                first=min(total, page * size + 1), last=min(total, (page + 1) * size), all=f"{total:,}"
            )
        )


def draw_item(row: Mapping[str, Any], text_key: str, reason_keys: tuple[str, str], name: str, fields: Fields) -> None:
    """One chapter or row, the decision about it, and those before.

    Args:
        row: as the API gives it.
        text_key: key of the field with the changed text.
        reason_keys: keys of the fields with the reason and with what was consulted.
        name: of the person who is logged in; empty where a name is asked for.
        fields: keys and callbacks.
    """
    item = str(row["id"])
    st.button(_("Back to the list"), on_click=fields.open_item, args=("",), icon=":material/arrow_back:")
    st.subheader(plain(str(row["title"])), anchor=False)
    st.caption(plain(f"{item}, {_(row['state'])}, {row['file']}:{row['line']}"))
    st.caption(plain(f"{_('Sources consulted')}: {row.get('sources') or '-'}"))
    if row["cells"]:
        st.table([{_("field"): plain(cell), _("value"): plain(str(words))} for cell, words in row["cells"].items()])
    else:
        draw_text(str(row["text"]))
    stands = fields.typed(text_key, str(row["changed_text"] or row["text"]))
    st.text_area(_("Changed text"), value=stands, key=text_key, height=TEXT_PX, on_change=fields.keep, args=(text_key,))
    asked = [] if name else [(_("Your name"), fields.reviewer)]
    reason_key, sources_key = reason_keys
    for label, key in (*asked, (_("Reason"), reason_key), (_("Sources consulted"), sources_key)):
        st.text_input(label, value=fields.typed(key, ""), key=key, on_change=fields.keep, args=(key,))
    standing = row["kind"] == "standing"
    if standing:
        st.caption(_("Letters tell it only once it is signed."))
    buttons = [("accepted", _("Accept")), ("changed", _("Keep the changed text")), ("refused", _("Do not use it"))]
    buttons += [("signed", _("Sign"))] if standing else []
    left = sum(-1 if one["verdict"] == "undone" else 1 for one in row["history"])
    buttons += [("undone", _("Undo the last decision"))] if left > 0 else []
    with st.container(horizontal=True):
        for verdict, label in buttons:
            st.button(label, key=f"decide_{verdict}", on_click=fields.decide, args=(item, verdict))
    for one in reversed(row["history"]):
        reason = f" {one['reason']}" if one["reason"] else ""
        reason += f" {_('Sources consulted')}: {one['sources']}" if one.get("sources") else ""
        st.markdown(
            plain(f"{str(one['at'])[:16].replace('T', ' ')} UTC: {_(one['verdict'])}, {one['reviewer']}.{reason}")
        )


def draw_text(text: str) -> None:
    """A chapter or sentence as it reads: its parts under their headings, in lines of a length that can be read."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]
    parts = [f"**{plain(line[3:])}**" if line.startswith("## ") else plain(line) for line in lines]
    with st.container(key="prose"):
        st.markdown("\n\n".join(parts))


def draw_message(message: str, refused: bool) -> None:
    """What came of the last decision."""
    if not message:
        return
    if refused:
        draw_refused(message)
    else:
        st.success(plain(message))
