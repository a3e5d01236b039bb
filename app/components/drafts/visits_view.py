"""Draws a patient's visits: the notes given, the visits they fall into, and what was written of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from app.components.shell.notices import draw_refused, plain
from app.components.tables import draw_rows
from app.jobs.visits_run import WrittenVisit
from app.view_data.visits_data import ReadFile, file_words, note_rows, visit_rows, when
from app.words.words import _, later, plural
from backend.schemas.patients.patient_files import PatientOverview
from backend.schemas.vocabulary import AllergyKind

ABOUT = later(
    "A progress note for each visit, one after the other. Each rests on that visit's notes alone; what the note before said, and "
    "every allergy of earlier notes, is included with its date."
)
TYPED_HELP = later(
    "Separate two notes by a line of three dashes. A first line such as '# Nursing, 2024-03-01' names type and date."
)
KINDS = {AllergyKind.ALLERGY: later("allergy"), AllergyKind.INTOLERANCE: later("intolerance")}
MOST_ROWS = 8
MARKUP = re.compile(r"[^\w ,.()/+-]")
"""What a field's name, which is read out as it is written, cannot hold."""


def draw_notes(
    files: Sequence[ReadFile],
    forms: Sequence[Mapping[str, Any]],
    upload_key: str,
    typed_key: str,
    unfolded: bool,
    given: bool,
    call: dict[str, Callable[[], None]],
) -> None:
    """The uploader, the field, and what was read of each file.

    Args:
        files: the files read so far.
        forms: label and endings of each form that can be read; none while they are unknown, and then any file is taken.
        upload_key: the key of the uploader.
        typed_key: the key of the field.
        unfolded: whether the form is open; it is folded once visits are written.
        given: there is something to start over from.
        call: read, start_over.
    """
    labels = [MARKUP.sub("", str(form["label"])) for form in forms]  # a backslash before a sign would be read out
    endings = list(dict.fromkeys(str(ending) for form in forms for ending in form["endings"]))
    with st.expander(_("The patient's notes"), expanded=unfolded, key="visit_given"):
        st.file_uploader(
            _("Files of one patient's notes") + (f": {', '.join(labels)}" if labels else ""),
            type=endings or None,
            accept_multiple_files=True,
            key=upload_key,
            on_change=call["read"],
        )
        st.text_area(_("Or paste notes"), key=typed_key, height=140, help=_(TYPED_HELP), persist_state="session")
        if given:
            st.button(_("Another patient"), key="visit_start_over", on_click=call["start_over"])
        else:  # what was typed is taken as the field is left
            st.button(_("Read the notes"), key="visit_read", type="primary")
    for file in files:
        if file.found is None:
            draw_refused(file_words(file))
        else:
            st.caption(plain(file_words(file)))


def draw_patient_choice(ids: Sequence[str], key: str) -> None:
    """Whose notes are meant, where the files name several patients."""
    if len(ids) > 1:
        draw_refused(
            _("The files name {n} patients. The notes of one are taken at a time; choose whose.").format(n=len(ids))
        )
        st.selectbox(_("Patient"), list(ids), key=key, width=320, persist_state="session")


def draw_overview(found: PatientOverview, older: int) -> None:
    """Each visit with its notes."""
    st.header(_("Visits"), anchor=False)
    if older:
        draw_refused(
            _("The {n} oldest notes are left out: at most 200 are taken. Those that name allergies are kept.").format(
                n=older
            )
        )
    for one in found.allergies:
        stated = f"{_(KINDS[one.kind])}: {one.text}{f' ({one.reaction})' if one.reaction else ''}"
        checked = "" if one.checked else f"; {_('not recognised, not checked')}"
        where = f", {one.note_type}, {one.date or _('undated')}{checked}"
        st.markdown(f"**{plain(stated)}**{plain(where)}")
    rows = visit_rows(found.visits)
    draw_rows(rows, MOST_ROWS)
    with st.expander(_("Every note with its date and its visit"), key="visit_notes"):
        draw_rows([row for visit in found.visits for row in note_rows(visit)])


def draw_controls(written: bool, on_write: Callable[[], None]) -> None:
    """The button that writes the visits."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="visit_controls"):
        st.button(
            _("Write the visits again") if written else _("Write the visits"),
            key="write_visits",
            type="primary",
            on_click=on_write,
        )


def draw_choice(written: Sequence[WrittenVisit], key: str) -> None:
    """Which of the visits written so far is looked at."""
    days = {
        visit.number: _("Visit {n}, {days}").format(n=visit.number, days=when(visit.first, visit.last))
        for visit in written
    }
    st.segmented_control(_("Written"), list(days), key=key, format_func=lambda number: plain(days[number]))


def draw_earlier_statements(lines: Sequence[str]) -> None:
    """What the chosen visit was given from the visits before it."""
    if lines:
        with st.expander(
            plural("From earlier visits ({n} statement)", "From earlier visits ({n} statements)", len(lines)),
            key="visit_earlier_statements",
        ):
            for line in lines:
                st.markdown(plain(line))


def draw_statements(rows: Sequence[dict[str, str]]) -> None:
    """Each statement with its date and source note."""
    with st.expander(_("Every statement with its date and its source note"), key="visit_statements"):
        draw_rows(rows)


def draw_downloads(text: str, json_text: str) -> None:
    """All visits as text and as JSON."""
    with st.container(horizontal=True, key="visits_taking"):
        st.download_button(
            _("All visits as text"), text, "visits.txt", "text/plain", key="visits_text", on_click="ignore"
        )
        st.download_button(
            _("All visits as JSON"), json_text, "visits.json", "application/json", key="visits_json", on_click="ignore"
        )
