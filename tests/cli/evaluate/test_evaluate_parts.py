"""What the evaluate commands share."""

from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from backend.cli.evaluate import evaluate_parts
from backend.cli.evaluate.evaluate_parts import (
    EvaluationOptions,
    SearchedOptions,
    evaluation_container,
    named_files,
    print_result,
)
from backend.errors import InputError
from backend.schemas.evaluation_results import Result, ResultKind
from backend.schemas.vocabulary import Source

RESULT = Result(id="paths-2031-01-01-0123abcd", kind=ResultKind.PATHS, date="2031-01-01")


def test_a_name_and_its_file_are_taken_apart_at_the_first_mark() -> None:
    assert named_files(["a=b.jsonl", "c=d=e"], "--set") == (("a", Path("b.jsonl")), ("c", Path("d=e")))
    assert named_files(None, "--set") == ()


@pytest.mark.parametrize("given", ["a", "a=", "=b", ""])
def test_another_form_is_refused_by_its_flag(given: str) -> None:
    with pytest.raises(InputError, match=r"--set .* is not NAME=FILE"):
        named_files(["x=y", given], "--set")


def test_a_run_is_dated_today_and_goes_where_it_is_told(tmp_path: Path) -> None:
    run = EvaluationOptions(out=tmp_path, seed=3, limit=2, resamples=10).run()
    assert (run.root, run.day, run.seed, run.limit, run.resamples) == (tmp_path, date.today().isoformat(), 3, 2, 10)


def test_sources_are_all_unless_some_are_named_and_an_unknown_one_is_refused() -> None:
    assert SearchedOptions().allowed() == ()
    without = SearchedOptions(drop_source=[Source.GRAPH]).allowed()
    assert without and Source.GRAPH not in without
    with pytest.raises(InputError):
        SearchedOptions(sources=["zebra"]).allowed()


def test_the_container_is_closed_also_where_the_evaluation_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[Any] = []

    def container(chosen: Any, keeper: str) -> Any:
        made = SimpleNamespace(settings=chosen, keeper=keeper, closed=0)
        made.close = lambda: setattr(made, "closed", made.closed + 1)
        opened.append(made)
        return made

    monkeypatch.setattr("backend.container.Container", container)
    with pytest.raises(InputError, match="broken"), evaluation_container(tmp_path):
        raise InputError("broken")
    (one,) = opened
    assert (one.closed, one.settings.graph, one.keeper) == (1, str(tmp_path), evaluate_parts.KEEPER)


@pytest.mark.parametrize("html", [True, False])
def test_a_result_is_printed_alone_and_its_charts_are_written_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: bool
) -> None:
    print_result((RESULT, tmp_path), EvaluationOptions(as_json=True, html=html))
    said = capsys.readouterr()
    assert Result.model_validate_json(said.out) == RESULT
    assert said.err == f"kept in {tmp_path}\n"
    assert (tmp_path / "charts.html").exists() is html
