"""Draws one evaluation result: what it was on and what to bear in mind first, then figures, differences and charts."""

from collections.abc import Sequence

import streamlit as st

from app.components.evaluation.charts import draw_figure
from app.components.shell.notices import plain
from app.view_data.results_data import Row
from backend.schemas.evaluation_results import Chart, NotAvailable

COMMANDS = """
- `python -m backend evaluate paths --pairs FILE`: retrievers of concepts side by side
- `python -m backend evaluate notes --pairs FILE`: written documents against the true ones
- `python -m backend evaluate retrieval --from FILE`: rankings of passages side by side
- `python -m backend evaluate answers --data KIND=FILE`: systems that answer questions
- `python -m backend evaluate plans --data KIND=FILE`: what planners ask of the five sources
- `python -m backend evaluate planted`: wrong statements planted in true text, and whether they are marked
- `python -m backend evaluate linking --data FILE`: the linker against labelled texts
"""


def draw_nothing() -> None:
    """That no evaluation was run, and the commands that run one."""
    st.info("No evaluation has been run on this machine yet. Run one, and it is shown here:")
    st.markdown(COMMANDS)


def draw_problem(problem: str) -> None:
    """Why a result cannot be read."""
    st.warning(plain(problem), icon=":material/broken_image:")


def draw_caveats(caveats: Sequence[str]) -> None:
    """What a reader must know before any figure."""
    for caveat in caveats:
        st.warning(plain(caveat), icon=":material/priority_high:")


def draw_about(lines: Sequence[str]) -> None:
    """What a run was on, one line each."""
    st.caption("  \n".join(plain(line) for line in lines))


def draw_table(rows: Sequence[Row], caption: str) -> None:
    """A table of rows under a caption."""
    st.caption(plain(caption))
    st.dataframe(list(rows), hide_index=True, width="stretch", height=min(35 * (len(rows) + 1) + 3, 600))


def draw_meanings(meanings: dict[str, str], title: str) -> None:
    """Names with what they mean, folded under a title."""
    with st.expander(title):
        st.markdown(
            "\n".join(f"- **{plain(name.replace('_', ' '))}**: {plain(what)}" for name, what in meanings.items())
        )


def draw_not_available(missing: Sequence[NotAvailable]) -> None:
    """What could not be computed, with the reason."""
    for one in missing:
        st.caption(plain(f"Not available: {one.name}, since {one.reason}"))


def draw_charts(charts: Sequence[Chart], run: str) -> None:
    """The charts of a run. run: its id, part of each chart's key."""
    for chart in charts:
        draw_figure(chart.figure, f"{run}-{chart.name}")
