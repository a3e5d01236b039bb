"""The session of one browser tab. Only the modules of this folder touch st.session_state.

What is typed lasts for the whole session: each field of Entry is the key of its widget, and the widgets have their
value while another screen is shown, so neither an error nor a switch of screens loses it.
"""

from collections.abc import Sequence

import streamlit as st

from app.clients.client import ApiClient
from app.jobs.draft_run import DraftRun, Progress
from app.state.access import access_state
from app.view_data.entry import Entry, entry_of, request_of
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.settings import settings


def client() -> ApiClient:
    """The client of this session; a test puts its own under the same key."""
    if "client" not in st.session_state:
        st.session_state["client"] = ApiClient(settings(), login=access_state.bearer())
    chosen: ApiClient = st.session_state["client"]
    return chosen


def entry() -> Entry:
    """The note that is compared, with what else is known of its patient, as the fields are now.

    What a demonstration case brings holds for its own note alone.
    """
    now = Entry(**{name: st.session_state.get(name, default) for name, default in Entry()._asdict().items()})
    if now.note != st.session_state.get("filled_note", ""):
        return Entry(note=now.note, document=now.document, system=now.system, style=now.style, seed=now.seed)
    return now


def load(case: DemonstrationCase) -> None:
    """Fill the fields from a demonstration case. A callback."""
    for name, value in {**entry_of(case), "question": "", "options": "", "filled_note": case.text}.items():
        st.session_state[name] = value


def load_chosen(cases: Sequence[DemonstrationCase], key: str) -> None:
    """Fill the fields from the case whose name a field holds. A callback."""
    case = next((one for one in cases if one.name == st.session_state.get(key)), None)
    if case is not None:
        load(case)


def generator() -> str:
    """Who was chosen to write: empty for the one that is set."""
    return str(st.session_state.get("generator") or "")


def progress() -> Progress | None:
    """What the last draft of this session has found; None when there is none."""
    held = compared("left")
    return held.progress() if held is not None else None


def find_concept(name: str) -> None:
    """Search the graph for a name. For use as a callback."""
    st.session_state["words"] = name


def chosen_request(now: Entry) -> DraftRequest | None:
    """The request of the fields, by the writer that was chosen; None when there is nothing to send."""
    request = request_of(now)
    return request.model_copy(update={"generator": generator() or None}) if request is not None else None


def compare(left: str, right: str) -> None:
    """Start the same request with two systems. A callback."""
    for side, system in (("left", left), ("right", right)):
        request = chosen_request(entry()._replace(system=system))
        held = compared(side)
        if held is not None:
            held.stop()
        st.session_state[f"run_{side}"] = DraftRun(client(), request) if request is not None else None


def compared(side: str) -> DraftRun | None:
    """The draft of a side, left or right; None before the first."""
    held: DraftRun | None = st.session_state.get(f"run_{side}")
    return held
