"""The results page: runs, tables, differences, charts, and what must be borne in mind."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.view_data.results_data import difference_rows, figure_rows, name_of, sections
from backend.schemas.evaluation_results import (
    Chart,
    DataCard,
    Difference,
    Figure,
    NotAvailable,
    Order,
    Result,
    ResultKind,
)
from backend.settings import ROOT
from tests.app.fake_api import FakeApi

CAVEAT = "Every pair is synthetic *and* made up."
FOUND = Result(
    id="paths-2026-01-02-0123abcd",
    kind=ResultKind.PATHS,
    date="2026-01-02",
    data=DataCard(name="pairs.jsonl", sha256="f" * 64, split="test", items=2, synthetic=True, left_out={"x": 1}),
    figures=(
        Figure(system="gro", measure="recall", budget=10, order=Order.OWN, value=0.25, low=0.1, high=0.4, n=2),
        Figure(system="gro", measure="precision", budget=10, order=Order.OWN, reason="nothing to find", n=2),
        Figure(system="gro", measure="recall", budget=10, order=Order.OWN, group="DISO", value=0.5, n=1),
    ),
    differences=(
        Difference(system="gro", baseline="sim1hop", measure="recall", budget=10, value=0.1, low=0.05, high=0.2, n=2),
        Difference(system="gro", baseline="dense", measure="recall", budget=10, value=-0.1, low=-0.3, high=-0.2, n=2),
    ),
    not_available=(NotAvailable(name="meteor", reason="no WordNet"),),
    caveats=(CAVEAT,),
    charts=(Chart(name="one", title="One", figure={"data": [{"type": "bar", "x": ["a"], "y": [1]}], "layout": {}}),),
    measures={"recall": "a share"},
    systems={"gro": "a policy"},
)
BROKEN = Result(id="notes-2026-01-01-ffffffff", problem="Its result.json cannot be read.")


class WithResults(FakeApi):
    def __init__(self, *results: Result, mode: str = "well") -> None:
        super().__init__(mode)
        self.found = results

    def results(self) -> list[dict[str, Any]]:
        self._reach()
        return [result.model_dump(mode="json") for result in self.found]


def open_results(api: FakeApi) -> AppTest:
    test = AppTest.from_file(str(ROOT / "app" / "screens" / "research" / "results.py"), default_timeout=20)
    test.session_state["client"] = api
    test.run()
    assert not test.exception, test.exception
    return test


def said(test: AppTest) -> str:
    kinds = ("markdown", "warning", "info", "caption", "title")
    return "\n".join(str(element.value) for kind in kinds for element in test.get(kind))


def test_a_run_shows_its_caveats_what_it_was_on_and_its_figures() -> None:
    test = open_results(WithResults(FOUND, BROKEN))
    stated = said(test)
    assert "synthetic \\*and\\* made up" in stated  # its asterisks taken literally
    for words in ("pairs\\.jsonl, split test, 2 items", "Left out\\: 1, since x", "meteor", "a share", "a policy"):
        assert words in stated
    assert list(test.dataframe[0].value["recall"]) == ["0.250 [0.100, 0.400]"]
    assert list(test.dataframe[0].value["precision"]) == ["not available: nothing to find"]
    assert len(test.get("plotly_chart")) == 1


def test_figures_by_group_and_another_baseline_can_be_chosen() -> None:
    test = open_results(WithResults(FOUND))
    test.selectbox(key="result_part").set_value("10 concepts, own order, by semantic group")
    test.selectbox(key="result_baseline").set_value("dense")
    test.run()
    assert list(test.dataframe[0].value["group"]) == ["Disorders"]
    assert list(test.dataframe[1].value["beyond chance"]) == ["yes, lower"]


def test_a_run_that_cannot_be_read_says_so() -> None:
    test = open_results(WithResults(FOUND, BROKEN))
    test.selectbox(key="result_run").set_value(BROKEN.id)
    test.run()
    assert not test.exception
    assert "cannot be read" in said(test)


def test_without_results_it_says_how_to_get_some() -> None:
    assert "evaluate paths" in said(open_results(WithResults()))


def test_it_says_when_the_api_does_not_answer() -> None:
    assert "make run" in said(open_results(WithResults(mode="unreachable")))


@pytest.mark.parametrize(
    ("low", "high", "stated"),
    [(0.1, 0.2, "yes, higher"), (-0.2, -0.1, "yes, lower"), (-0.1, 0.1, "no"), (None, None, "no interval")],
)
def test_a_difference_is_beyond_chance_when_its_interval_leaves_zero_out(
    low: float | None, high: float | None, stated: str
) -> None:
    one = Difference(system="a", baseline="b", measure="recall", value=0.0, low=low, high=high)
    assert difference_rows([one])[0]["beyond chance"] == stated


def test_rows_keep_a_system_s_measures_together() -> None:
    parts = sections(FOUND.figures)
    assert list(parts) == ["10 concepts, own order", "10 concepts, own order, by semantic group"]
    (row,) = figure_rows(parts["10 concepts, own order"])
    assert list(row) == ["system", "recall", "precision", "n"]
    assert "synthetic" in name_of(FOUND) and "not readable" in name_of(BROKEN)
