"""study analyse, as a person would type it."""

import argparse
import json
from pathlib import Path

import pytest

from backend.commands import study as family
from backend.errors import InputError
from backend.study.studies import Studies
from tests.study.sample import SYSTEM, Desk, Ticking


def command(*arguments: str) -> None:
    parser = argparse.ArgumentParser(prog="python -m backend")
    family.add_to(parser.add_subparsers(dest="command", required=True))
    chosen = parser.parse_args(["study", *arguments])
    chosen.run(chosen)


def test_figures_are_printed_blind_and_a_report_is_written_once_unlocked(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(family, "_studies", lambda: Studies(desk.database, Ticking()))
    study_id = desk.frozen(3)
    for rater in ("R01", "R02"):
        desk.rate_all(desk.invite(study_id, rater))
    command("analyse", study_id)
    said = capsys.readouterr()
    assert "The study is blind" in said.out
    assert "Ratings by arm" in said.out
    assert SYSTEM not in said.out
    assert "analysis: 0 of" in said.err
    command("analyse", study_id, "--json")
    assert json.loads(capsys.readouterr().out)["arms"] == ["arm 1", "arm 2"]
    with pytest.raises(InputError, match="--to"):
        command("analyse", study_id, "--report", "html")
    desk.studies.close(study_id, "Ada")
    desk.studies.unlock(study_id, "Ada")
    target = tmp_path / "report.html"
    command("analyse", study_id, "--report", "html", "--to", str(target))
    assert SYSTEM in target.read_text(encoding="utf-8")
