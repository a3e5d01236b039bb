"""Demonstrations in one tab's session: the sample chosen, its drafts, and how far the tour has played."""

import time
from collections.abc import Sequence
from typing import cast

import streamlit as st

from app.jobs.draft_run import DraftRun
from app.state.session import client
from app.view_data.entry import Entry, entry_of, request_of
from backend.schemas.patients.case import DemonstrationCase

WITH, WITHOUT, WALKED = "leapnote", "no-retrieval", "reinrag"
SAMPLE, STEP = "policy_sample", "policy_step"
TOUR_CASE = "heart-failure-ace-angioedema"
TOUR_S = 120.0
_RUNS, _PLAYED, _SINCE = "demonstration_runs", "tour_played", "tour_since"


def samples() -> tuple[DemonstrationCase, ...]:
    """The demonstration cases. Raises ApiError."""
    return client().cases()


def sample(cases: Sequence[DemonstrationCase]) -> DemonstrationCase:
    """The case chosen, else that of the tour, else the first."""
    wanted = st.session_state.get(SAMPLE) or TOUR_CASE
    return next((case for case in cases if case.name == wanted), cases[0])


def drafted(case: DemonstrationCase, system: str) -> DraftRun:
    """The draft of a case by a system, begun when it is first asked for; one that failed is begun again."""
    runs = cast(dict[tuple[str, str], DraftRun], st.session_state.setdefault(_RUNS, {}))
    held = runs.get((case.name, system))
    if held is None or (not held.running and held.progress().draft is None):
        request = request_of(Entry(**{**Entry()._asdict(), **entry_of(case), "system": system}))
        assert request is not None  # a demonstration case has a note
        held = runs[(case.name, system)] = DraftRun(client(), request)
    return held


def playing() -> bool:
    """Whether the tour plays."""
    return st.session_state.get(_SINCE) is not None


def started() -> bool:
    """Whether the tour was begun in this tab."""
    return _PLAYED in st.session_state


def played_s() -> float:
    """Seconds of the tour that have been seen."""
    since = st.session_state.get(_SINCE)
    run = time.monotonic() - since if since is not None else 0.0
    return float(st.session_state.get(_PLAYED, 0.0)) + run


def play() -> None:
    """Play on from where it stands; from the beginning after the end. A callback."""
    if played_s() >= TOUR_S:
        st.session_state[_PLAYED] = 0.0
    st.session_state.setdefault(_PLAYED, 0.0)
    st.session_state[_SINCE] = time.monotonic()


def pause() -> None:
    """Stop where it stands. A callback."""
    st.session_state[_PLAYED] = min(played_s(), TOUR_S)
    st.session_state[_SINCE] = None


def go(second: float) -> None:
    """Go to a second of the tour and stay there. A callback."""
    st.session_state[_PLAYED] = max(0.0, min(second, TOUR_S))
    st.session_state[_SINCE] = None
