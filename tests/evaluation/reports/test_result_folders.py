"""Where results lie, and how they read."""

from pathlib import Path

from backend.evaluation.reports.journal import Journal, run_key
from backend.evaluation.reports.plotly_charts import Point, forest_chart, line_chart
from backend.evaluation.reports.result_folders import PARTIAL, RESULT, ROWS, read_results, run_folder, write_result
from backend.evaluation.reports.result_report import as_html, as_table
from backend.schemas.evaluation_results import DataCard, Difference, Figure, NotAvailable, Order, Result, ResultKind

RESULT_OF = Result(
    id="paths-2026-01-02-0123abcd",
    kind=ResultKind.PATHS,
    date="2026-01-02",
    key="0123abcd",
    data=DataCard(name="pairs.jsonl", sha256="f" * 64, split="test", items=2, notices={"synthetic": 2}, synthetic=True),
    graph="feed",
    versions={"leapnote": "1"},
    systems={"gro": "a policy"},
    measures={"recall": "a share"},
    figures=(
        Figure(system="gro", measure="recall", budget=10, order=Order.OWN, value=0.25, low=0.1, high=0.4, n=2),
        Figure(system="gro", measure="precision", budget=10, order=Order.OWN, reason="nothing to find"),
    ),
    differences=(
        Difference(system="gro", baseline="sim1hop", measure="recall", budget=10, value=0.1, low=0.05, high=0.2, n=2),
        Difference(system="gro", baseline="dense", measure="recall", budget=10, value=0.1, low=-0.05, high=0.2, n=2),
    ),
    not_available=(NotAvailable(name="meteor", reason="no WordNet"),),
    caveats=("Every pair is synthetic.",),
    charts=(line_chart("one", "One <b>", "x", "y", {"gro": [Point(10, 0.25, 0.1, 0.4)]}),),
)


def test_a_result_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    folder = tmp_path / RESULT_OF.id
    with Journal(folder / PARTIAL, RESULT_OF.key) as book:
        book.add("1", {"scores": {}})
    write_result(folder, RESULT_OF)
    assert read_results(tmp_path) == (RESULT_OF,)
    assert sorted(path.name for path in folder.iterdir()) == [RESULT, ROWS, "table.md"]


def test_an_unfinished_run_is_found_whatever_its_day_and_a_finished_one_is_not(tmp_path: Path) -> None:
    key = "0123abcdef"
    first = run_folder(tmp_path, ResultKind.PATHS, key, "2026-01-02")
    assert first.name == "paths-2026-01-02-0123abcd"
    with Journal(first / PARTIAL, key):
        pass
    assert run_folder(tmp_path, ResultKind.PATHS, key, "2026-01-03") == first
    assert run_folder(tmp_path, ResultKind.NOTES, key, "2026-01-03") != first
    write_result(first, RESULT_OF)
    assert run_folder(tmp_path, ResultKind.PATHS, key, "2026-01-03").name == "paths-2026-01-03-0123abcd"


def test_results_come_newest_first_and_a_broken_one_says_so(tmp_path: Path) -> None:
    older = RESULT_OF.model_copy(update={"id": "paths-2025-01-01-00000000", "date": "2025-01-01"})
    for result in (older, RESULT_OF):
        write_result(tmp_path / result.id, result)
    broken = tmp_path / "notes-2026-01-01-ffffffff"
    broken.mkdir()
    (broken / RESULT).write_text('{"id": 1, "unknown": 2}')
    found = read_results(tmp_path)
    assert [result.id for result in found] == [RESULT_OF.id, older.id, broken.name]
    assert "cannot be read" in found[2].problem
    assert read_results(tmp_path / "nothing") == ()


def test_the_table_tells_figures_intervals_and_what_to_bear_in_mind() -> None:
    table = as_table(RESULT_OF)
    assert "| gro | 0.250 [0.100, 0.400] | – |" in table
    assert "| gro | sim1hop | recall |  | 10 | 0.100 [0.050, 0.200] | yes, higher |" in table
    assert "| gro | dense | recall |  | 10 | 0.100 [-0.050, 0.200] | no |" in table
    for words in ("Every pair is synthetic.", "no WordNet", "split test", "2 items marked synthetic", "a share"):
        assert words in table


def test_the_html_needs_nothing_else() -> None:
    page = as_html(RESULT_OF)
    assert page.count("Plotly.newPlot") == 1
    assert '<script src="http' not in page
    assert "0.250 [0.100, 0.400]" in page


def test_a_key_changes_with_every_part() -> None:
    keys = {run_key(a=1, b="x"), run_key(a=2, b="x"), run_key(a=1, b="y"), run_key(a=1)}
    assert len(keys) == 4
    assert run_key(b="x", a=1) == run_key(a=1, b="x")


def test_error_bars_reach_from_the_value_to_the_bounds() -> None:
    # 0.25 with [0.1, 0.4]: 0.15 up and 0.15 down
    trace = RESULT_OF.charts[0].figure["data"][0]
    assert [round(trace["error_y"][key][0], 12) for key in ("array", "arrayminus")] == [0.15, 0.15]
    forest = forest_chart("f", "F", "difference", [("a", Point("", 0.1, 0.05, 0.3)), ("b", Point("", 0.2))])
    assert [round(up, 12) for up in forest.figure["data"][0]["error_x"]["array"]] == [0.2, 0.0]


def test_plotly_takes_every_chart() -> None:
    import plotly.graph_objects as go

    for chart in (*RESULT_OF.charts, forest_chart("f", "F", "x", [("a", Point("", 0.1, 0.05, 0.3))])):
        go.Figure(chart.figure)  # raises for a property plotly does not know
