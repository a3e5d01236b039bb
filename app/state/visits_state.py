"""The visits part of one tab's session: the files read, the patient chosen, the visits written.

Functions that ask the API are callbacks: they store their outcome and raise nothing.
"""

from typing import Any, cast

import streamlit as st

from app.clients.api_errors import ApiError
from app.clients.visits_client import VisitsClient
from app.jobs.visits_run import VisitsProgress, VisitsRun, WrittenVisit, as_progress
from app.state import session as state
from app.state.access import access_state
from app.view_data.entry import Entry
from app.view_data.pinned_data import pinned, words
from app.view_data.visits_data import (
    CollectedNotes,
    ReadFile,
    allergy_values,
    collect_notes,
    patients,
    request_of,
    visit_alerts,
)
from app.words.words import _
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_files import PatientOverview
from backend.settings import settings

SYSTEM = "cli-rag"
UPLOAD, TYPED, PATIENT = "visit_upload", "visit_typed", "visit_patient"


def visits_client() -> VisitsClient:
    """The client of this session; a test puts its own under the same key."""
    if "visits_client" not in st.session_state:
        st.session_state["visits_client"] = VisitsClient(settings(), login=access_state.bearer())
    return cast(VisitsClient, st.session_state["visits_client"])


def forms() -> tuple[dict[str, Any], ...]:
    """The forms of notes that can be uploaded, asked until the API answers; none before."""
    if "visit_forms" not in st.session_state:
        try:
            st.session_state["visit_forms"] = tuple(visits_client().note_forms())
        except ApiError:
            return ()
    return cast(tuple[dict[str, Any], ...], st.session_state["visit_forms"])


def read_files() -> None:
    """Have the API read what lies in the uploader, in the place of the files before."""
    read = []
    for file in st.session_state.get(f"{UPLOAD}_{_round()}") or []:
        try:
            read.append(ReadFile(file.name, visits_client().notes_file(file.name, file.getvalue())))
        except ApiError as error:
            read.append(ReadFile(file.name, None, str(error)))
    st.session_state["visit_files"] = tuple(read)


def files() -> tuple[ReadFile, ...]:
    """The files read so far."""
    return cast(tuple[ReadFile, ...], st.session_state.get("visit_files", ()))


def upload_key() -> str:
    """The key of the uploader; another patient gets an empty one."""
    return f"{UPLOAD}_{_round()}"


def patient() -> str:
    """The id of the patient chosen, or of the only one; empty where the files name none."""
    named = patients(files())
    chosen = str(st.session_state.get(PATIENT) or "")
    return chosen if chosen in named else named[0] if named else ""


def given() -> bool:
    """Whether a file or a word is there."""
    return bool(files() or str(st.session_state.get(TYPED, "")).strip())


def notes() -> CollectedNotes:
    """The notes of the chosen patient."""
    return collect_notes(files(), str(st.session_state.get(TYPED, "")), patient())


def request() -> DraftRequest | None:
    """The request for the notes as they are now; None without a note."""
    return request_of(notes().notes, SYSTEM, state.generator(), 0)


def overview() -> PatientOverview | None:
    """The visits as the notes show them, asked once for the same notes. Raises ApiError."""
    now = request()
    if now is None:
        return None
    held = st.session_state.get("visit_overview")
    if held is None or held[0] != now.patient_notes:
        held = (now.patient_notes, visits_client().overview(now))
        st.session_state["visit_overview"] = held
    return cast(PatientOverview, held[1])


def start() -> None:
    """Write the visits. A callback."""
    stop()
    now = request()
    if now is not None:
        st.session_state["visits_run"] = VisitsRun(visits_client(), now)


def stop() -> None:
    """Stop writing. A callback."""
    held = run()
    if held is not None:
        held.stop()


def run() -> VisitsRun | None:
    """The current run; None before the first."""
    return cast("VisitsRun | None", st.session_state.get("visits_run"))


def stale() -> bool:
    """Whether the notes were changed since the visits were written."""
    held = run()
    return held is not None and held.request != request()


def start_over() -> None:
    """Forget the patient: files, fields and drafts. A callback."""
    stop()
    for name in ("visit_files", TYPED, PATIENT, "visit_overview", "visits_run", "visit_shown"):
        st.session_state.pop(name, None)
    st.session_state["visit_round"] = _round() + 1


def shown(seen: VisitsProgress) -> WrittenVisit | None:
    """The visit that is looked at: the one chosen, else the latest written."""
    by_number = {visit.number: visit for visit in seen.written}
    chosen = int(st.session_state.get("visit_shown") or 0)
    return by_number.get(chosen) or (seen.written[-1] if seen.written else None)


def label() -> str:
    """What the patient is called in the pinned line."""
    if patient():
        return _("Patient {name}").format(name=patient())
    return _("Patient of the notes given") if notes().notes else ""


def pinned_values(service: dict[str, Any] | None) -> dict[str, Any]:
    """The pinned line of this patient: the allergies of all notes, the severe flags of every visit written."""
    held = run()
    seen = [] if held is None or stale() else [as_progress(one, held.request) for one in held.progress().written]
    values = pinned(seen[-1] if seen else None, label(), service, Entry())
    try:
        found = overview()
    except ApiError:
        found = None
    alerts = visit_alerts(seen)
    allergies = allergy_values(found) if found else None
    return {
        **values,
        "person": "",
        "stale": False,
        "allergies": allergies,
        "alerts": alerts,
        "words": words(),
    }


def _round() -> int:
    return int(st.session_state.get("visit_round", 0))
