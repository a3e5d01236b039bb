"""study analyse, as a person would type it."""

import json
from pathlib import Path

import pytest

from backend.cli.program import run as run_command
from backend.cli.study import study_shared
from backend.errors import InputError
from backend.study.design.studies import Studies
from tests.study.sample import SYSTEM, StudyWorld, Ticking


def command(*arguments: str) -> None:
    run_command(["study", *arguments])


def test_figures_are_printed_blind_and_a_report_is_written_once_unlocked(
    study_world: StudyWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(study_shared, "studies_here", lambda: Studies(study_world.database, Ticking()))
    study_id = study_world.frozen(3)
    for rater in ("R01", "R02"):
        study_world.rate_all(study_world.invite(study_id, rater))
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
    study_world.studies.close(study_id, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    target = tmp_path / "report.html"
    command("analyse", study_id, "--report", "html", "--to", str(target))
    assert SYSTEM in target.read_text(encoding="utf-8")


def test_a_judge_s_scores_stand_beside_the_raters(
    study_world: StudyWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(study_shared, "studies_here", lambda: Studies(study_world.database, Ticking()))
    study_id = study_world.frozen(3)
    file = tmp_path / "judge.jsonl"
    score = {"question": "reinrag-statements/mean", "case": "c02", "arm": SYSTEM, "value": 3.5}
    file.write_text(json.dumps(score | {"arm": "nobody"}) + "\n")
    with pytest.raises(InputError, match="Score 1: no draft of case 'c02' by arm 'nobody'"):
        command("judge", study_id, "some-model", str(file))
    main = next(item.case_id for item in study_world.study(study_id).items if item.kind == "main")
    file.write_text(json.dumps(score | {"case": main}) + "\n")
    command("judge", study_id, "some-model", str(file))
    command("judge", study_id, "some-model", str(file), "--json")
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
    assert [(row["scores"], row["counts"]) for row in rows] == [(1, False), (1, True)]


def test_the_cases_a_study_needs_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    command("power", "--difference", "0.5", "--sd", "1", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["t_cases"], found["wilcoxon_cases"]) == (34, 37)  # docs/studies.md, an effect of 0.5
    # variance 2 (0.5^2 + 1^2 / 2) = 1.5; 1.5 / 0.5^2 (1.960 + 0.842)^2 = 47.1, and 1.96^2 / 2 = 1.9 more for t: 49.02
    command("power", "--difference", "0.5", "--draft-sd", "0.5", "--rating-sd", "1", "--raters", "2")
    assert "paired t-test: 50 cases" in capsys.readouterr().out
    with pytest.raises(InputError, match="either --sd"):
        command("power", "--difference", "0.5")
