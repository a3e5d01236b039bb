"""Draws the settings, the knowledge that is loaded, who writes, and what a language model is asked."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.view_data.pinned_data import called, reason_words
from app.view_data.setting_groups import SeamTable, Section
from app.words.words import _, later

NO_POLICY = "none"
PRIVACY = (
    later(
        "A note stays in the memory of the page and the API until somebody saves a case; then it lies in the database below."
    ),
    later(
        "The page's memory holds what a tab held for half an hour after it was last used, so that a reload loses nothing. "
        "Logging out ends that."
    ),
    later(
        "Nothing is sent to another machine except to the addresses in the settings. The tab **Model** says for each writer and "
        "reader where the text goes."
    ),
    later(
        "Deleting a case removes its text and its changes; the audit trail keeps who did what and when, by ids, and a frozen "
        "study its own copies. Logs hold counts and timings, never a note's text."
    ),
)


def draw_how_to_change() -> None:
    """Where a setting is changed."""
    st.markdown(
        _(
            "To change a setting, write its line into the file `.env` in Leapnote's folder (`.env.example` lists them all), for "
            "example `LEAPNOTE_GENERATOR=composer`, and start Leapnote again. Sources are imported and removed here, at once."
        )
    )


def draw_sections(sections: Sequence[Section]) -> None:
    """A table a section: what a setting does, its value, and its name for the file .env."""
    for section in sections:
        st.header(_(section.title), anchor=False)
        rows = [
            (plain(_(one.what)), f"**{plain(one.now)}**" if one.changed else plain(one.now), f"`{one.name}`")
            for one in section.settings
        ]
        draw_table((_("What it does"), _("Now"), _("In the file .env")), rows, section.title)
    st.caption(_("Bold: differs from the default."))


def draw_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]], name: str) -> None:
    """Rows of markdown whose words wrap; on a phone each cell has a line of its own.

    Args:
        head: what stands above each column; of three columns the first is the widest.
        rows: as many cells each.
        name: unique on the page.
    """
    lines = [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]
    with st.container(key=f"settings_{re.sub('[^a-z]+', '_', name.lower())}"):
        st.markdown("\n".join(lines))


def draw_knowledge(found: Mapping[str, Any]) -> None:
    """What is loaded: the graph, the encoder, the policy, and each source with what it holds."""
    st.header(_("What is loaded"), anchor=False)
    st.markdown(plain(str(found["notice"])))
    graph = found["graph"]
    st.markdown(
        plain(
            _("Graph {name}: {concepts} concepts, {edges} directed edges. Encoder {encoder}.").format(
                name=graph["name"],
                concepts=f"{graph['concepts']:,}",
                edges=f"{graph['edges']:,}",
                encoder=found["encoder"],
            )
        )
    )
    st.markdown(f"**{_('Path policy')}:** {plain(policy_words(str(found['policy'])))}")
    if found.get("entities"):
        words = _("Entities are being read ({done}). A draft of clinicalrag waits for them.")
        st.markdown(plain(words.format(done=found["entities"])))
    rows = [
        {
            _("source"): row["source"],
            _("documents"): row["documents"],
            _("passages"): row["passages"],
            _("licence"): row["licence"] or ("" if row["passages"] else _("empty until someone imports into it")),
            _("not searched"): row["refused"],
        }
        for row in found["sources"]
    ]
    draw_rows(rows)


def policy_words(policy: str) -> str:
    """The policy by its name, or what happens without one."""
    if policy != NO_POLICY:
        return f"{policy}. {_('Drafts use what its concept step proposes; the page Policy shows a walk.')}"
    return _("none. Paths follow the edges of the graph.")


def draw_writers(generators: Sequence[Mapping[str, Any]], roles: Sequence[Mapping[str, Any]]) -> None:
    """Who writes, who else reads the note, and where the text goes."""
    st.header(_("Who writes now, who else reads, and where the text goes"), anchor=False)
    chosen = [_("writer, where it is chosen") if row["setting"] else _("writer") for row in generators]
    who = [*chosen, *(_(str(row["role"])) for row in roles)]
    rows = [(plain(one), *model_row(row)) for one, row in zip(who, (*generators, *roles), strict=True)]
    draw_table((_("Who"), _("Name"), _("Why"), _("Where the text goes")), rows, "writers")


def model_row(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Name, reason and place of a writer, or of a model with a role of its own."""
    reason = reason_words(str(row.get("reason") or _("set by a setting of its own")))
    return plain(called(str(row["name"]))), plain(reason), plain(str(row["where"]))


def draw_privacy() -> None:
    """Where notes are stored, and where they are sent."""
    with st.container(key="prose"):
        st.markdown("\n".join(f"- {_(one)}" for one in PRIVACY))


def draw_systems(systems: Sequence[Mapping[str, Any]]) -> None:
    """The systems with what each is and its origin."""
    st.header(_("Systems that can be chosen"), anchor=False)
    rows = [(plain(str(row["what"])), plain(str(row["name"])), plain(str(row["origin"]))) for row in systems]
    draw_table((_("What it is"), _("Name"), _("From")), rows, "systems")


def draw_registered(tables: Sequence[SeamTable]) -> None:
    """What can be added to Leapnote: a folded table a seam."""
    st.header(_("What is registered"), anchor=False)
    for table in tables:
        with st.expander(plain(table.title)):
            rows = [(plain(about), f"`{name}`", plain(label)) for about, name, label in table.rows]
            draw_table((_("What it is"), _("Name"), _("Label")), rows, table.title)


def draw_prompts(found: Sequence[Mapping[str, Any]]) -> None:
    """Everything a language model may be asked, word for word. The note and the evidence come between, fenced."""
    st.header(_("Prompts"), anchor=False)
    st.markdown(
        plain(
            _(
                "What a language model is asked, where one is set: {n} prompts. A draft's record names the one that wrote it, with "
                "version and hash. Note and evidence go between the instructions and the task, marked as data."
            ).format(n=len(found))
        )
    )
    for row in found:
        with st.expander(
            plain(f"{row['name']}: {_('version')} {row['version']}, {row['hash']}"), key=f"prompt_{row['name']}"
        ):
            st.markdown(plain(str(row["what"])))
            st.code(str(row["instructions"]), language=None, wrap_lines=True)
            if row["data"]:
                st.markdown(plain(f"{_('Then the data')}: {', '.join(row['data']).replace('_', ' ')}."))
            if row["ending"]:
                st.markdown(_("Then the task:"))
                st.code(str(row["ending"]), language=None, wrap_lines=True)
