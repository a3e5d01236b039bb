"""The tour: two minutes that play by themselves and can be stopped, on a sample about no real person."""

from collections.abc import Callable

import streamlit as st

from app.components.demonstration.samples_view import drawn_samples
from app.components.demonstration.tour_view import draw_controls, draw_scene
from app.components.shell.notices import draw_refused, draw_under_way
from app.state import demonstration_state as state
from app.view_data.tour_data import scene_at, scenes
from app.words.words import _

TICK_S = 1.0
WAIT_S = 0.5


def screen() -> None:
    """Draw the page. It plays from the moment it is opened."""
    st.title(_("Two-minute tour"))
    cases = drawn_samples()
    if not cases:
        return
    case = state.sample(cases)
    runs = [state.drafted(case, system) for system in (state.WITHOUT, state.WITH)]
    for run in runs:
        run.wait(WAIT_S)
    waiting = any(run.running for run in runs)
    failed = next((run.progress().message for run in runs if not run.running and run.progress().draft is None), "")
    if failed:
        draw_refused(failed)
        return
    if not waiting and not state.started():
        state.play()
    st.fragment(run_every=TICK_S if waiting or state.playing() else None)(watch)(waiting, state.playing())


def watch(was_waiting: bool, was_playing: bool) -> None:
    """The scene of now; the page is drawn anew when the drafts are there, when it is stopped or goes on, and at the end."""
    cases = state.samples()
    case = state.sample(cases)
    runs = [state.drafted(case, system) for system in (state.WITHOUT, state.WITH)]
    drafts = [run.progress().draft for run in runs]
    if state.playing() and state.played_s() >= state.TOUR_S:
        state.pause()
    if (was_waiting, was_playing) != (any(run.running for run in runs), state.playing()):
        st.rerun(scope="app")
    without, beside = drafts
    if without is None or beside is None:
        draw_under_way(_("The sample is being drafted twice: without retrieval and with it …"))
        return
    found = scenes(without, beside)
    place = scene_at(state.played_s(), state.TOUR_S, len(found))
    begun = state.played_s() > 0
    call: dict[str, Callable[..., None]] = {"play": state.play, "pause": state.pause, "go": state.go}
    # a little inside the scene, so that rounding never falls into the one before
    draw_controls(place, len(found), state.playing(), begun, lambda n: (n + 0.01) * state.TOUR_S / len(found), call)
    draw_scene(found[place], without, beside)


screen()
