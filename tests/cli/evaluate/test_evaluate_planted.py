"""`evaluate planted`, as a user runs it: which texts it judges, and what it prints."""

import csv
import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import typer

from backend.cli.evaluate import evaluate_planted
from backend.cli.program import run as run_command
from backend.container import Container
from backend.errors import InputError

VIGNETTES = "# Title\n\n## one | diagnosis | surgery\nHe has a cough. {{He has a cold.|He has gout.|He has asthma.}} He rests.\n"
RIGHT = "0 He woke up with pain in the big toe.\n1 He drinks much beer.\n2 Colchicine is given."
Run = Callable[..., str]


@pytest.fixture
def run(container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setattr(evaluate_planted, "evaluation_container", lambda: nullcontext(container))

    def command(*arguments: object) -> str:
        assert run_command(["evaluate", "planted", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return command


def texts(folder: Path) -> Path:
    path = folder / "texts.csv"
    wrong = RIGHT.replace("Colchicine", "Levodopa")
    rows = [["a", RIGHT, "0", "NA", "-1"], ["b", wrong, "1", "treatment", "2"], ["c", RIGHT, "0", "NA", "-1"]]
    with path.open("w", newline="") as file:
        header = ["Text ID", "Sentences", "Error Flag", "Error Type", "Error Sentence ID"]
        csv.writer(file).writerows([header, *rows])
    return path


def test_each_file_of_vignettes_has_its_figures(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.md", "b.md")]
    for file in files:
        file.write_text(VIGNETTES)
    found: dict[str, Any] = json.loads(run("--vignettes", *files, "--half", "all", "--json"))
    assert list(found) == ["a.md", "b.md"] and found["a.md"] == found["b.md"] != []
    table = run("--vignettes", *files, "--half", "all")
    assert table.startswith("a.md\n\n") and "\n\nb.md\n\n" in table


def test_marked_texts_are_counted_by_what_is_right_and_wrong(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("--texts", texts(tmp_path), "--json"))
    assert (found["right"], [row["n"] for row in found["rows"]]) == (2, [1])


def test_drafts_of_the_demonstration_cases_are_judged_where_nothing_is_named(run: Run) -> None:
    rows = json.loads(run("--limit", "1", "--half", "all", "--json"))
    assert rows and all(isinstance(row, dict) for row in rows)


def test_files_that_are_not_there_and_an_unknown_half_are_refused(run: Run, tmp_path: Path) -> None:
    for flag in ("--vignettes", "--texts"):
        with pytest.raises(InputError):
            run(flag, tmp_path / "none")
    with pytest.raises(typer.TyperException, match="'third' is not one of"):
        run("--half", "third")
