"""Draws how the service is: its parts, versions, disk."""

from datetime import UTC, datetime

import streamlit as st

from app.components.shell.notices import plain
from app.view_data.pinned_data import called, reason_words
from app.words.words import _, later, plural
from backend.schemas.service_status import Disk, Part, ServiceStatus

WRITER = "writer"
PARTS = {
    "database": later("Database"),
    "knowledge": later("Medical knowledge"),
    "encoder": later("Encoder"),
    "policy": later("Path policy"),
    WRITER: later("Writer"),
    "model_server": later("Language model server"),
    "sources": later("Sources"),
    "disk": later("Disk"),
}
GIGABYTE = 1e9


def draw_parts(status: ServiceStatus) -> None:
    """Every part; what is not in order comes first, and is told by a word, not by colour alone."""
    down = [part for part in status.parts if not part.ok]
    if down:
        st.warning(
            plural("{n} part needs attention.", "{n} parts need attention.", len(down)), icon=":material/warning:"
        )
    else:
        st.markdown(f":material/check: {_('Everything is in order.')}")
    with st.container(key="rows"):
        for part in sorted(status.parts, key=lambda one: one.ok):
            _draw_part(part)


def _draw_part(part: Part) -> None:
    name, found = st.columns([2, 5], vertical_alignment="center")
    title = f"**{_(PARTS.get(part.name, part.name))}**"
    icon = ":material/warning:"
    name.markdown(title if part.ok else f"{title}  \n{icon} {_('needs attention')}")
    found.markdown(plain(found_words(part)))


def found_words(part: Part) -> str:
    """What was found of a part; who writes, in the page's words."""
    name, bracket, reason = part.found.partition(" (")
    if part.name != WRITER or not bracket:
        return part.found
    return f"{called(name)} ({reason_words(reason.removesuffix(')'))})"


def draw_versions(status: ServiceStatus, now: datetime | None = None) -> None:
    """What runs, and since when."""
    st.header(_("Versions"), anchor=False)
    hours = int(((now or datetime.now(UTC)) - status.started_at).total_seconds() // 3600)
    since = f"{status.started_at.astimezone():%Y-%m-%d %H:%M}"
    st.markdown(
        _("Leapnote {version}, running since {since}").format(version=status.version, since=since)
        + f" ({plural('{n} hour', '{n} hours', hours)})."
    )
    others = ", ".join(f"{name} {version}" for name, version in status.packages.items())
    st.caption(plain(f"Python {status.python}, {others}"))


def draw_disk(disk: Disk) -> None:
    """How much of the disk is used."""
    st.header(_("Disk"), anchor=False)
    used = 1 - disk.free_bytes / disk.total_bytes if disk.total_bytes else 0.0
    words = _("{free} GB free of {total} GB; Leapnote's data take {data} GB in {folder}").format(
        free=f"{disk.free_bytes / GIGABYTE:.1f}", total=f"{disk.total_bytes / GIGABYTE:.0f}",
        data=f"{disk.data_bytes / GIGABYTE:.2f}", folder=disk.folder,
    )  # fmt: skip
    st.progress(min(max(used, 0.0), 1.0), text=plain(words))
