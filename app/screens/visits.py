"""A patient of several visits: notes from files, seen by visit, and a SOAP note for each, written one after the other."""

import json
from functools import partial

import streamlit as st

from app.clients.api_errors import ApiError
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
from app.components.workbench.workbench_view import draw_bench
from app.jobs.event_run import Phase
from app.jobs.visits_run import VisitsProgress, VisitsRun, WrittenVisit, as_progress
from app.state import api_state, review_state, visits_state
from app.state import session as state
from app.view_data.bench_data import bench_data
from app.view_data.pinned_data import NOTICE
from app.view_data.visits_data import all_as_text, earlier_statements, patients, statement_rows

BENCH = "visits_bench"
REVIEW = "screens/review.py"
TICK_S = 0.5
FIRST_WAIT_S = 0.05


def screen() -> None:
    """Draw the page."""
    st.title("A patient's visits")
    st.caption(ABOUT)
    files = visits_state.files()
    call = {"read": visits_state.read_files, "start_over": visits_state.start_over}
    held = visits_state.run()
    draw_notes(files, visits_state.forms(), visits_state.upload_key(), visits_state.TYPED, held is None, call)
    draw_patient_choice(patients(files), visits_state.PATIENT)
    try:
        found = visits_state.overview()
    except ApiError as error:
        draw_error(error)
        return
    if found is None:
        return
    draw_overview(found, visits_state.notes().older)
    service = api_state.service()
    names = [str(row["name"]) for row in (service or {}).get("systems", ())] or [visits_state.SYSTEM]
    first = [name for name in names if name == visits_state.SYSTEM]
    draw_controls(
        [*first, *(n for n in names if n not in first)], visits_state.CHOSEN, held is not None, visits_state.start
    )
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
        st.progress(done / max(total, 1), text=f"Visit {min(done + 1, total)} of {total} is being written")
        st.button("Stop", key="visits_stop", on_click=visits_state.stop)
    elif seen.phase == Phase.STOPPED:
        draw_refused(f"Stopped: {len(seen.written)} of {total} visits are written.")
    elif seen.phase == Phase.FAILED:
        (draw_unreachable if seen.unreachable else draw_refused)(seen.message)
    if visits_state.stale():
        draw_refused("The notes or the system were changed since these visits were written. Write them again.")
    draw_written(held, seen)


def draw_written(held: VisitsRun, seen: VisitsProgress) -> None:
    """The chosen visit, of those written so far."""
    visit = visits_state.shown(seen)
    if visit is None:
        return
    draw_choice(seen.written, "visit_shown")
    draw_earlier_statements(earlier_statements(visit.draft))
    data = bench_data(
        as_progress(visit, held.request),
        views=("draft", "evidence"),
        concept=state.looked_up(),
        known_stages=api_state.stages(),
    )
    draw_bench(BENCH, data, lambda: None, partial(state.look_up, BENCH))
    draw_statements(statement_rows(visit.draft))
    if seen.phase != Phase.RUNNING:
        draw_actions(seen, visit)


def draw_actions(seen: VisitsProgress, visit: WrittenVisit) -> None:
    """Saving one visit as a case, and the downloads of all of them."""
    draft, label = visit.draft, visits_state.label()
    key = review_state.label_field(draft, f"{label}, visit {visit.number}")
    saved = review_state.saved_as(draft)
    if draw_saving(key, saved is not None, review_state.outcome().message, lambda: review_state.save(draft)):
        review_state.open_case(str(saved))
        st.switch_page(REVIEW)
    notice = str((api_state.service() or {}).get("notice") or NOTICE)
    rows = [
        {"number": one.number, "first": one.first, "last": one.last, "draft": one.draft.model_dump(mode="json")}
        for one in seen.written
    ]
    draw_downloads(all_as_text(seen.written, label, notice.rstrip(".")), json.dumps(rows, ensure_ascii=False, indent=2))


screen()
