"""Draws one evaluation result: what it was on and what to bear in mind first, then figures, differences and charts."""

from collections.abc import Sequence

import streamlit as st

from app.components.evaluation.charts import draw_figure
from app.components.shell.notices import plain
from app.components.tables import draw_rows
from app.view_data.results_data import Row
from app.words.words import _, later
from backend.schemas.evaluation_results import Chart, NotAvailable

COMMANDS = (
    ("paths --pairs FILE", later("retrievers of concepts side by side")),
    ("notes --pairs FILE", later("written documents against the true ones")),
    ("retrieval --from FILE", later("rankings of passages side by side")),
    ("answers --data KIND=FILE", later("systems that answer questions")),
    ("plans --data KIND=FILE", later("what planners ask of the five sources")),
    ("planted", later("wrong statements planted in true text, and whether they are marked")),
    ("linking --data FILE", later("the linker against labelled texts")),
)


def draw_nothing() -> None:
    """That no evaluation was run, and the commands that run one."""
    st.info(_("No evaluation has been run on this machine yet. Run one, and it is shown here:"))
    st.markdown("\n".join(f"- `python -m backend evaluate {call}`: {_(what)}" for call, what in COMMANDS))


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
    draw_rows(rows, 16)


def draw_meanings(meanings: dict[str, str], title: str) -> None:
    """Names with what they mean, folded under a title."""
    with st.expander(title):
        st.markdown(
            "\n".join(f"- **{plain(name.replace('_', ' '))}**: {plain(what)}" for name, what in meanings.items())
        )


def draw_not_available(missing: Sequence[NotAvailable]) -> None:
    """What could not be computed, with the reason."""
    for one in missing:
        st.caption(plain(f"{_('Not available')}: {one.name}. {one.reason}"))


def draw_charts(charts: Sequence[Chart], run: str) -> None:
    """The charts of a run. run: its id, part of each chart's key."""
    for chart in charts:
        draw_figure(chart.figure, f"{run}-{chart.name}")
