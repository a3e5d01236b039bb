"""knowledge formulary and knowledge instructions: every command once, and what is wrong with its place and a remedy."""

import json
from pathlib import Path

import pytest

from backend.cli.program import main
from backend.settings import settings as current

FORMULARY = "medicine\tstatus\tinstead\tcondition\tnote\nLipitor\trestricted\t-\task pharmacy\t-\nzzz\toff\t-\t-\t-\n"
INSTRUCTIONS = "id\tneeds\texcludes\tsentence\tsection\nward\t-\t-\tCall the ward.\tFollow-up\n"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, with a file of each table beside it."""
    chosen = current().model_copy(update={"data": tmp_path / "data"})
    for module in ("knowledge_hospital", "knowledge_review"):
        monkeypatch.setattr(f"backend.cli.knowledge.{module}.settings", lambda: chosen)
    (tmp_path / "formulary.tsv").write_text(FORMULARY, encoding="utf-8")
    (tmp_path / "instructions.tsv").write_text(INSTRUCTIONS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("table", ["formulary", "instructions"])
def test_a_table_is_checked_installed_shown_and_removed(
    table: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        assert main(["knowledge", table, *words]) == 0
        return capsys.readouterr().out

    file = str(data / f"{table}.tsv")
    assert "There is none" in said("show")
    assert "0 faults" in said("check", file)
    assert "installed by Dr Okafor" in said("install", file, "--by", "Dr Okafor")
    assert "Dr Okafor" in said("show")
    shown = json.loads(said("show", "--json"))
    assert (shown["installed"], shown["by"], shown["faults"]) == (True, "Dr Okafor", [])
    assert f"{table} removed by Dr Rao" in said("remove", "--by", "Dr Rao")
    assert json.loads(said("show", "--json"))["installed"] is False
    assert main(["knowledge", "review", "journal", "--json"]) == 0
    done = [(one["verdict"], one["reviewer"]) for one in json.loads(capsys.readouterr().out)]
    assert done == [("removed", "Dr Rao"), ("installed", "Dr Okafor")]


def test_a_table_that_was_replaced_is_listed_by_its_number_and_brought_back(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        assert main(["knowledge", "formulary", *words]) == 0
        return capsys.readouterr().out

    other = data / "other.tsv"
    other.write_text(FORMULARY.replace("zzz", "yyy"), encoding="utf-8")
    said("install", str(data / "formulary.tsv"), "--by", "Dr Okafor")
    said("install", str(other), "--by", "Dr Rao")
    (before,) = json.loads(said("replaced", "--json"))
    assert (before["by"], before["rows"]) == ("Dr Okafor", "2") and before["digest"] in said("replaced")
    assert "2 rows are back, by Sister Mary" in said("restore", before["digest"], "--by", "Sister Mary")
    assert (data / "data" / "knowledge" / "formulary.tsv").read_text(encoding="utf-8") == FORMULARY
    assert [one["by"] for one in json.loads(said("replaced", "--json"))] == ["Dr Rao"]
    assert main(["knowledge", "formulary", "restore", "../x", "--by", "Sister Mary"]) == 2
    assert "'../x'" in capsys.readouterr().err


def test_the_rows_tell_what_letters_will_and_which_names_are_not_known(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["knowledge", "formulary", "install", str(data / "formulary.tsv"), "--by", "Dr Okafor"]) == 0
    assert "Names of no medicine that is known, so that no draft meets them: zzz" in capsys.readouterr().err
    assert main(["knowledge", "formulary", "show"]) == 0
    assert "Lipitor is restricted by the hospital's formulary: ask pharmacy" in capsys.readouterr().out


def test_a_fault_is_named_and_nothing_is_installed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = data / "bad.tsv"
    bad.write_text(FORMULARY + "x\tgone\t-\t-\t-\ny\trestricted\t-\t-\t-\n", encoding="utf-8")
    assert main(["knowledge", "formulary", "check", str(bad)]) == 2
    assert "bad.tsv:4: the status 'gone' is none of on, restricted, off" in capsys.readouterr().err
    assert main(["knowledge", "formulary", "check", str(bad), "--json"]) == 2
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 2
    assert main(["knowledge", "formulary", "install", str(bad), "--by", "Dr Okafor"]) == 2
    error = capsys.readouterr().err
    assert "Nothing was installed. bad.tsv:4" in error
    assert error.count("\n") == 1
    assert not (data / "data" / "knowledge" / "formulary.tsv").exists()


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        (("install", "none.tsv", "--by", "Dr Okafor"), "cannot be read"),
        (("remove", "--by", "Dr Okafor"), "nothing can be removed"),
        (("install", "none.tsv"), "Missing option '--by'"),
    ],
)
def test_what_is_wrong_is_one_line(words: tuple[str, ...], stated: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "instructions", *words]) == 2
    error = capsys.readouterr().err
    assert stated in error
    assert error.count("\n") == 1
