"""Two systems side by side on the same note: with and without retrieval, or any two."""

from functools import partial
from typing import Any

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.demonstration.reading_view import draw_reading
from app.components.drafts.controls import draw_choice, draw_figures, draw_note
from app.components.drafts.demonstrations import draw_case_list
from app.components.shell.notices import draw_refused, draw_unreachable
from app.components.shell.unreachable import draw_error, draw_no_answer
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.state import api_state
from app.state import session as state
from app.state.session import compare, compared
from app.view_data.entry import request_of
from app.view_data.reading_data import counts, reading
from app.words.words import _, plural
from backend.schemas.drafts.draft import Draft

SIDES = ("left", "right")
SAMPLE = "compare_sample"
TICK_S = 0.25
FIRST_WAIT_S = 0.05


def screen() -> None:
    """Draw the page."""
    st.title(_("Compare two systems on one note"))
    service = api_state.service()
    if service is None:
        draw_no_answer(api_state.api_error())
        return
    if request_of(state.entry()) is None:
        draw_note()
        try:
            cases = state.client().cases()
            draw_case_list(cases, SAMPLE, partial(state.load_chosen, cases, SAMPLE))
        except ApiError as error:
            draw_error(error)
        return
    with st.expander(_("The note")):
        draw_note()
    names = [str(system["name"]) for system in service["systems"]]
    draw_choice(names, compare)
    if compared("left") is None:
        return
    running = False
    for side in SIDES:
        held = compared(side)
        if held is not None:
            held.wait(FIRST_WAIT_S)
            running = running or held.running
    st.fragment(run_every=TICK_S if running else None)(watch)(running)


def watch(was_running: bool) -> None:
    """Both drafts as far as they are; when both have ended, or begun again, draw the whole page anew."""
    runs = [held for held in map(compared, SIDES) if held is not None]
    if any(held.running for held in runs) != was_running:
        st.rerun(scope="app")
    seen = [held.progress() for held in runs]
    if any(one.request.text != state.entry().note for one in seen):
        draw_refused(_("The note was changed since these drafts. Compare again."))
    drafts = [one.draft for one in seen]
    if all(draft is not None for draft in drafts):
        draw_figures([figures(draft) for draft in drafts if draft is not None])
    for side, column, one in zip(SIDES, st.columns(2), seen, strict=True):
        with column:
            draw_side(side, one)


def draw_side(side: str, seen: Progress) -> None:
    """One of the two drafts, how far it is, or why it failed. side: left or right."""
    if seen.message:
        (draw_unreachable if seen.unreachable else draw_refused)(seen.message)
    if seen.draft is not None:
        draw_reading(f"reading_{side}", reading(seen.draft), seen.request.system)
    elif seen.phase is Phase.RUNNING:
        st.caption(plural("{n} sentence so far", "{n} sentences so far", len(seen.written)))


def figures(draft: Draft) -> dict[str, Any]:
    """What is set side by side. All are counts, but for the grade and the seconds."""
    found, evidence = counts(draft), draft.evidence
    return {
        _("System"): draft.system,
        _("Sentences"): found["sentences"],
        _("with a citation"): found["cited"],
        _("stated in the cited text"): found["supported"],
        _("partly"): found["partial"],
        _("not found"): found["unsupported"],
        _("not scored"): found["not_scored"],
        _("Flags"): len(draft.flags),
        _("Paths"): len(evidence.paths),
        _("Passages"): len(evidence.passages),
        _("Reading grade"): draft.readability.fkgl,
        _("Seconds"): round(sum(stage.ms for stage in draft.stages) / 1000, 2),
    }


screen()
