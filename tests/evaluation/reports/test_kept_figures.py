"""Kept figures: what a file says, and that it holds no place of the machine it was measured on."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from backend.errors import InputError, MissingError
from backend.evaluation.reports import kept_figures
from backend.evaluation.reports.kept_figures import app, hash_of, keep, parsed, read_kept, shown_command
from backend.settings import ROOT

DAY = "2026-01-02"


@pytest.fixture
def printing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the command prints; a list, so that a test can change it."""
    printed = ['{"name": "x", "charts": [1]}']
    monkeypatch.setattr(kept_figures, "_printed", lambda words, data: printed[0].replace("DATA", str(data)))
    return printed


def test_a_file_says_what_was_run_and_on_what(printing: list[str], tmp_path: Path) -> None:
    data = tmp_path / "questions.jsonl"
    data.write_text("a", encoding="utf-8")
    path = keep("of-mine", ["evaluate", "answers", "--data", f"jsonl={data}"], data=None, day=DAY, results=tmp_path)
    kept = read_kept(path)
    assert path.name == "of-mine.json"
    assert kept.command == "python -m backend evaluate answers --data jsonl=questions.jsonl --json"
    assert (kept.date, kept.own_data) == (DAY, False)
    # printf a | sha256sum
    assert kept.inputs["questions.jsonl"] == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert {"assets/knowledge", "models/checkpoints"} < set(kept.inputs)
    assert kept.figures == ({"name": "x"},)
    assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_rows_of_some_measures_and_systems_alone_are_kept_where_they_are_named(
    printing: list[str], tmp_path: Path
) -> None:
    rows = [{"system": s, "measure": m} for s in ("a", "b") for m in ("recall", "f1")]
    between = [{"system": "a", "baseline": b, "measure": "recall"} for b in ("a", "b")]
    printing[0] = json.dumps({"figures": rows, "differences": between})
    words = ["evaluate", "paths"]
    path = keep("mine", words, data=None, day=DAY, results=tmp_path, measures=["recall"], systems=["a"])
    assert read_kept(path).figures == ({"figures": rows[:1], "differences": between[:1]},)


def test_the_command_hands_on_which_measures_and_systems_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}
    monkeypatch.setattr(kept_figures, "keep", lambda *_, **given: asked.update(given) or ROOT / "mine.json")
    words = ["--measure", "recall", "--system", "a", "--system", "b", "mine", "evaluate", "paths"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert (asked["measures"], asked["systems"]) == (["recall"], ["a", "b"])


@pytest.mark.parametrize("place", ["DATA/results", str(ROOT), str(Path.home() / "notes")])
def test_a_place_of_this_machine_is_not_kept(printing: list[str], tmp_path: Path, place: str) -> None:
    printing[0] = json.dumps({"kept": place})
    with pytest.raises(InputError, match="Nothing is kept"):
        keep("mine", ["bench", "link"], data=None, day=DAY, results=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "words"), [("Mine", ["bench"]), ("a/b", ["bench"]), ("mine", ["draft", "NOTE"]), ("mine", [])]
)
def test_another_name_or_command_is_refused(printing: list[str], tmp_path: Path, name: str, words: list[str]) -> None:
    with pytest.raises(InputError):
        keep(name, words, data=None, day=DAY, results=tmp_path)


def test_a_command_that_fails_keeps_nothing(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="status 2"):
        keep("mine", ["bench", "no-such-row"], data=None, day=DAY, results=tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_run_sees_no_setting_but_its_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEAPNOTE_GENERATOR", "composer")
    script = tmp_path / "python"
    script.write_text(
        f"#!{sys.executable}\nimport json, os\n"
        "print(json.dumps(sorted(n for n in os.environ if n.startswith('LEAPNOTE_') and 'TEST' not in n)))\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    path = keep("mine", ["bench", "link"], data=None, day=DAY, results=tmp_path / "results")
    assert read_kept(path).figures == (["LEAPNOTE_DATA"],)


@pytest.mark.parametrize("printed", ["", "one line of text", '{"a": 1}\nkept in somewhere'])
def test_output_that_is_no_json_is_refused(printed: str) -> None:
    with pytest.raises(InputError):
        parsed(printed)


def test_a_file_of_the_repository_stands_with_its_path() -> None:
    name = "tests/evaluation/retrieval/graded_corpus.tsv"
    given = {name: ROOT / name}
    assert shown_command(["evaluate", "x", "--from", name], given).endswith(f"--from {name}")


def test_the_hash_of_a_folder_changes_with_a_name_and_with_a_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1", encoding="utf-8")
    first = hash_of(tmp_path)
    (tmp_path / "a").write_text("2", encoding="utf-8")
    second = hash_of(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, hash_of(tmp_path)}) == 3


def measured(**values: float) -> str:
    figures = [{"system": "record", "measure": name, "value": value, "n": 1} for name, value in values.items()]
    others = [figure | {"system": "record: clinic", "value": 0.0} for figure in figures]
    result = {"id": "x", "kind": "reading", "date": DAY, "key": "k", "seed": 0, "figures": [*figures, *others]}
    return json.dumps(result)


def test_the_first_sight_stays_when_the_figures_are_measured_again(printing: list[str], tmp_path: Path) -> None:
    words = ["evaluate", "reading"]
    printing[0] = measured(dose=0.5)
    path = keep("mine", words, data=None, day=DAY, results=tmp_path)
    assert read_kept(path).first_sight is None and "first_sight" not in path.read_text(encoding="utf-8")
    keep("mine", words, data=None, day=DAY, results=tmp_path, first_sight=True)
    first = read_kept(path).first_sight
    assert first is not None and (first.date, first.measures) == (DAY, {"dose": 0.5})
    assert first.rules == {folder: hash_of(ROOT / folder) for folder in ("assets/rules", "backend/nlp")}
    printing[0] = measured(dose=0.75)
    keep("mine", words, data=None, day="2026-02-03", results=tmp_path, first_sight=True)
    again = read_kept(path)
    assert again.first_sight == first
    assert (again.date, again.figures[0]["figures"][0]["value"]) == ("2026-02-03", 0.75)


def test_only_an_evaluation_has_a_first_sight(printing: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Only a result of `evaluate`"):
        keep("mine", ["bench", "link"], data=None, day=DAY, results=tmp_path, first_sight=True)
    assert not list(tmp_path.iterdir())


def test_a_wrong_name_on_the_command_line_is_explained() -> None:
    done = CliRunner().invoke(app, ["NOT-A-NAME", "bench"])
    assert done.exit_code == 2
    assert "Use lower-case letters" in done.stderr


def test_words_after_the_name_are_the_command_s_own() -> None:
    """`--first-sight` and `--help` after the name belong to the command that is run, not to this one."""
    done = CliRunner().invoke(app, ["NOT-A-NAME", "bench", "--help", "--data", "x"])
    assert "Use lower-case letters" in done.stderr
