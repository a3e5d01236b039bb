"""Policy: which kinds of concept the path policy chose for a sample, step by step."""

import streamlit as st

from app.components.demonstration.policy_view import draw_choice, draw_step
from app.components.demonstration.samples_view import drawn_samples
from app.components.shell.notices import draw_refused, draw_under_way, plain
from app.state import demonstration_state as state
from app.view_data.policy_data import step_views
from app.words.words import _

TICK_S = 0.5
WAIT_S = 0.5


def screen() -> None:
    """Draw the page."""
    st.title(_("The path policy, step by step"))
    cases = drawn_samples()
    if not cases:
        return
    names = {case.name: _(case.label) for case in cases}
    st.selectbox(
        _("Sample"), list(names), key=state.SAMPLE, index=list(names).index(state.sample(cases).name),
        format_func=names.__getitem__, persist_state="session", width=420,
    )  # fmt: skip
    run = state.drafted(state.sample(cases), state.WALKED)
    run.wait(WAIT_S)
    st.fragment(run_every=TICK_S if run.running else None)(watch)(run.running)


def watch(was_running: bool) -> None:
    """The steps, once the sample is drafted."""
    run = state.drafted(state.sample(state.samples()), state.WALKED)
    if run.running != was_running:
        st.rerun(scope="app")
    seen = run.progress()
    if seen.draft is None:
        if run.running:
            draw_under_way(_("The sample is being drafted …"))
        else:
            draw_refused(seen.message)
        return
    views = step_views(seen.draft.evidence.policy)
    if not views:
        reasons = [stage.reason for stage in seen.draft.stages if stage.name == "paths"]
        draw_refused(_("No policy walked for this draft."))
        st.caption(plain(" ".join(reasons)))
        return
    st.caption(
        _(
            "At each step one kind of concept is chosen for the whole note. Figures say what was preferred, not what is true."
        )
    )
    draw_step(views[draw_choice(views, state.STEP)])


screen()
