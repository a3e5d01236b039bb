"""knowledge formulary: the hospital's rows, and the names that no medicine has."""

import json
from pathlib import Path

import pytest

from backend.cli.program import main
from backend.settings import settings as current

TABLE = "medicine\tstatus\tinstead\tnote\nLipitor\trestricted\t-\task pharmacy\nzzz\toff\t-\t-\nstatin\ton\t-\t-\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    chosen = current().model_copy(update={"data": tmp_path})
    monkeypatch.setattr("backend.cli.knowledge.knowledge.settings", lambda: chosen)
    return tmp_path


def test_rows_are_shown_and_unknown_names_said(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "knowledge").mkdir()
    (data / "knowledge" / "formulary.tsv").write_text(TABLE, encoding="utf-8")
    assert main(["knowledge", "formulary"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Lipitor: Lipitor is restricted by the hospital's formulary (ask pharmacy)"
    assert "no medicine of this name is known" in lines[1]
    assert lines[2] == "statin: on"
    assert main(["knowledge", "formulary", "--json"]) == 0
    assert [row["known"] for row in json.loads(capsys.readouterr().out)] == [True, False, True]


def test_without_one_it_says_how_to_write_it(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["knowledge", "formulary"]) == 0
    assert "medicine status instead note" in capsys.readouterr().out
