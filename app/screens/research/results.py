"""What evaluations on this machine found, run by run."""

import streamlit as st

from app.clients.api_errors import ApiError
from app.components.evaluation.results_view import (
    draw_about,
    draw_caveats,
    draw_charts,
    draw_meanings,
    draw_not_available,
    draw_nothing,
    draw_problem,
    draw_table,
)
from app.components.shell.unreachable import draw_error
from app.state import session as state
from app.view_data.results_data import about, difference_rows, figure_rows, name_of, sections
from app.words.words import _
from backend.schemas.evaluation_results import Result


def screen() -> None:
    """Draw the page."""
    st.title(_("Results"))
    try:
        found = [Result.model_validate(row) for row in state.client().results()]
    except ApiError as error:
        draw_error(error)
        return
    if not found:
        draw_nothing()
        return
    ids = [result.id for result in found]
    chosen = st.selectbox(_("Run"), ids, format_func=lambda run: name_of(found[ids.index(run)]), key="result_run")
    show(found[ids.index(chosen)])


def show(result: Result) -> None:
    """One run."""
    if result.problem:
        draw_problem(result.problem)
        return
    draw_caveats(result.caveats)
    draw_about(about(result))
    figures, differences, charts, meaning = st.tabs([_("Figures"), _("Differences"), _("Charts"), _("What is what")])
    with figures:
        parts = sections(result.figures)
        part = st.selectbox(_("Which"), list(parts), key="result_part") if len(parts) > 1 else next(iter(parts), None)
        if part in parts:
            draw_table(figure_rows(parts[part]), _("Means with 95 % intervals of a bootstrap over the items."))
        draw_not_available(result.not_available)
    with differences:
        if result.differences:
            baselines = list(dict.fromkeys(one.baseline for one in result.differences))
            baseline = st.selectbox(_("Compared with"), baselines, key="result_baseline")
            rows = difference_rows([one for one in result.differences if one.baseline == baseline])
            draw_table(rows, _("System minus baseline on the same items, with 95 % intervals of a paired bootstrap."))
        else:
            st.info(_("This run compares nothing with a baseline."))
    with charts:
        draw_charts(result.charts, result.id)
    with meaning:
        draw_meanings(result.measures, _("Measures"))
        draw_meanings(result.systems, _("Systems"))


screen()
