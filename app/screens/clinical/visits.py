"""A patient of several visits: notes from files, seen by visit, and a SOAP note for each, written one after the other."""

import json

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.demonstration.reading_view import draw_reading
from app.components.drafts.draft_actions import draw_saving
from app.components.drafts.visits_view import (
    ABOUT,
    draw_choice,
    draw_controls,
    draw_downloads,
    draw_earlier_statements,
    draw_notes,
    draw_overview,
    draw_patient_choice,
    draw_statements,
)
from app.components.shell.notices import draw_refused, draw_unreachable
from app.components.shell.unreachable import draw_error
from app.jobs.event_run import Phase
from app.jobs.visits_run import VisitsProgress, VisitsRun, WrittenVisit
from app.state import api_state, letter_state, visits_state
from app.view_data.pinned_data import NOTICE
from app.view_data.reading_data import reading
from app.view_data.visits_data import all_as_text, earlier_statements, patients, statement_rows
from app.words.words import _

READING = "visits_reading"
WORKSPACE = "screens/clinical/workspace.py"
TICK_S = 0.5
FIRST_WAIT_S = 0.05


def screen() -> None:
    """Draw the page."""
    st.title(_("A patient's visits"))
    st.caption(_(ABOUT))
    files = visits_state.files()
    call = {"read": visits_state.read_files, "start_over": visits_state.start_over}
    held = visits_state.run()
    draw_notes(
        files, visits_state.forms(), visits_state.upload_key(), visits_state.TYPED, held is None,
        visits_state.given(), call,
    )  # fmt: skip
    draw_patient_choice(patients(files), visits_state.PATIENT)
    try:
        found = visits_state.overview()
    except ApiError as error:
        draw_error(error)
        return
    if found is None:
        return
    draw_overview(found, visits_state.notes().older)
    draw_controls(held is not None, visits_state.start)
    if held is not None:
        held.wait(FIRST_WAIT_S)
        st.fragment(run_every=TICK_S if held.running else None)(watch)(held, held.running, len(found.visits))


def watch(held: VisitsRun, was_running: bool, total: int) -> None:
    """The visits written so far; when the last has ended, the whole page is drawn anew."""
    if held.running != was_running:
        st.rerun(scope="app")
    seen = held.progress()
    if seen.phase == Phase.RUNNING:
        done = len(seen.written)
        st.progress(
            done / max(total, 1),
            text=_("Visit {n} of {all} is being written").format(n=min(done + 1, total), all=total),
        )
        st.button(_("Stop"), key="visits_stop", on_click=visits_state.stop)
    elif seen.phase == Phase.STOPPED:
        draw_refused(_("Stopped: {n} of {all} visits are written.").format(n=len(seen.written), all=total))
    elif seen.phase == Phase.FAILED:
        (draw_unreachable if seen.unreachable else draw_refused)(seen.message)
    if visits_state.stale():
        draw_refused(_("The notes were changed since these visits were written. Write them again."))
    draw_written(seen)


def draw_written(seen: VisitsProgress) -> None:
    """The chosen visit, of those written so far."""
    visit = visits_state.shown(seen)
    if visit is None:
        return
    draw_choice(seen.written, "visit_shown")
    draw_earlier_statements(earlier_statements(visit.draft))
    draw_reading(READING, reading(visit.draft), _("Note of visit {n}").format(n=visit.number))
    draw_statements(statement_rows(visit.draft))
    if seen.phase != Phase.RUNNING:
        draw_actions(seen, visit)


def draw_actions(seen: VisitsProgress, visit: WrittenVisit) -> None:
    """Saving one visit as a case, and the downloads of all of them."""
    draft, label = visit.draft, visits_state.label()
    key = letter_state.label_field(draft, _("{patient}, visit {n}").format(patient=label, n=visit.number))
    saved = letter_state.saved_as(draft)
    if draw_saving(key, saved is not None, letter_state.message(), lambda: letter_state.save(draft)):
        st.switch_page(WORKSPACE, query_params={"letter": str(saved)})
    notice = str((api_state.service() or {}).get("notice") or NOTICE)
    rows = [
        {"number": one.number, "first": one.first, "last": one.last, "draft": one.draft.model_dump(mode="json")}
        for one in seen.written
    ]
    draw_downloads(all_as_text(seen.written, label, notice.rstrip(".")), json.dumps(rows, ensure_ascii=False, indent=2))


screen()
