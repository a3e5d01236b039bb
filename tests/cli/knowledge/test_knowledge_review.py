"""knowledge review on the shipped knowledge: every command once, and what is wrong in one line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.cli.program import main
from backend.settings import Settings
from backend.settings import settings as current

WHO = ("--reviewer", "Dr Okafor")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of the test's own."""
    chosen: Settings = current().model_copy(update={"data": tmp_path / "data"})
    monkeypatch.setattr("backend.cli.knowledge.knowledge_review.settings", lambda: chosen)
    yield tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["knowledge", "review", *words]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["knowledge", "review", *words]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_status_counts_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    table = json.loads(said(capsys, "status", "--json"))["kinds"]
    assert {"chapter", "dose", "interaction", "contraindication", "red_flag", "applicability"} <= set(table)
    assert table["chapter"]["accepted"] == 0
    assert "chapter" in said(capsys, "status")


def test_a_decision_is_listed_shown_and_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert "next start" in said(capsys, "accept", "chapter/gout", *WHO, "--reason", "read whole")
    (row,) = json.loads(said(capsys, "list", "--state", "accepted", "--json"))
    assert (row["id"], row["reviewer"]) == ("chapter/gout", "Dr Okafor")
    assert "read whole" in said(capsys, "show", "chapter/gout")
    assert json.loads(said(capsys, "show", "chapter/gout", "--json"))["history"][0]["verdict"] == "accepted"
    said(capsys, "withdraw", "chapter/gout", *WHO)
    assert said(capsys, "list", "--state", "accepted") == ""


def test_what_was_refused_and_changed_is_exported(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    said(capsys, "refuse", "chapter/gout", *WHO)
    text = json.loads(said(capsys, "show", "chapter/asthma", "--json"))["text"]
    (data / "asthma.md").write_text(text + " Asthma is looked after here.\n")
    said(capsys, "change", "chapter/asthma", *WHO, "--from", str(data / "asthma.md"))
    out = data / "ours.diff"
    said(capsys, "export", "--out", str(out))
    assert "-# gout" in out.read_text()
    assert "Asthma is looked after here." in out.read_text()
    assert said(capsys, "export") == out.read_text()
    assert "cannot be written" in refused(capsys, "export", "--out", str(out))


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        (("accept", "chapter/none", *WHO), "chapter/none"),
        (("sign", "chapter/gout", *WHO), "no standing instruction"),
        (("change", "chapter/gout", *WHO, "--from", "none.md"), "cannot be read as text"),
        (("list", "--kind", "tables"), "Choose one of: chapter"),
        (("list", "--state", "new"), "Choose one of: unreviewed"),
        (("accept", "chapter/gout", "--reviewer", " "), "name of the clinician"),
    ],
)
def test_what_is_wrong_is_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], stated: str) -> None:
    assert stated in refused(capsys, *words)


def test_undo_puts_back_what_was_decided_before_and_the_journal_tells_both(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "accept", "chapter/gout", *WHO)
    said(capsys, "refuse", "chapter/gout", *WHO)
    said(capsys, "undo", "chapter/gout", "--reviewer", "Dr Rao", "--reason", "too hasty")
    (row,) = json.loads(said(capsys, "list", "--kind", "chapter", "--state", "accepted", "--json"))
    assert row["id"] == "chapter/gout"
    assert said(capsys, "export") == ""
    lines = said(capsys, "journal").splitlines()
    assert [line.split("  ")[1] for line in lines] == ["undone", "refused", "accepted"]
    assert "Dr Rao" in lines[0] and "too hasty" in lines[0]
    assert len(json.loads(said(capsys, "journal", "--last", "2", "--json"))) == 2
    said(capsys, "undo", "chapter/gout", *WHO)
    assert "taken back already" in refused(capsys, "undo", "chapter/gout", *WHO)
    assert "Nobody has decided" in refused(capsys, "undo", "chapter/asthma", *WHO)
