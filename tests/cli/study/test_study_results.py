"""study: figures, a judge's scores, files to take away and to bring in, as typed."""

import json
import stat
from pathlib import Path

import pytest

from tests.cli.study.conftest import Run
from tests.study.finished import whole
from tests.study.sample import OTHER, SYSTEM, StudyWorld


def test_a_blind_study_is_analysed_under_codes_and_its_ratings_stay(run: Run, study_world: StudyWorld) -> None:
    study_id = whole(study_world)
    shown = run("analyse", study_id)
    assert shown.status == 0 and SYSTEM not in shown.out and OTHER not in shown.out
    assert json.loads(run("analyse", study_id, "--json").out)["blind"] is True
    refused = run("export", study_id, "--format", "csv")
    assert (refused.status, refused.out) == (2, "")
    assert run("export", study_id, "--format", "design").status == 0


def test_an_export_is_for_its_owner_alone_and_is_taken_in_once(
    run: Run, study_world: StudyWorld, tmp_path: Path
) -> None:
    study_id = whole(study_world)
    run("unlock", study_id)
    file = tmp_path / "study.jsonl"
    assert run("export", study_id, "--to", str(file)).status == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "here already" in run("import", str(file)).err
    file.write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in run("import", str(file)).err


def test_a_report_needs_a_file(run: Run, study_world: StudyWorld) -> None:
    done = run("analyse", study_world.frozen(), "--report", "html")
    assert done.status == 2 and "--to study.html" in done.err


def test_a_judges_scores_are_kept_and_a_newer_upload_replaces_them(
    run: Run, study_world: StudyWorld, tmp_path: Path
) -> None:
    study_id = study_world.frozen(4)
    case = study_world.study(study_id).cases[-1].id
    row = {"question": "reinrag-statements/reading_comprehension", "case": case, "arm": SYSTEM, "value": 3}
    file = tmp_path / "scores.jsonl"
    file.write_text(json.dumps(row) + "\n")
    assert run("judge", study_id, "m", str(file)).out.endswith("m: 1 scores, counts\n")
    lines = run("judge", study_id, "m", str(file)).out.splitlines()
    assert [line.split(", ")[1] for line in lines] == ["replaced by a newer one", "counts"]
    file.write_text(json.dumps(row | {"case": "c99"}) + "\n")
    assert "no draft of case 'c99'" in run("judge", study_id, "m", str(file)).err


@pytest.mark.parametrize("given", [(), ("--sd", "1", "--draft-sd", "1", "--rating-sd", "1"), ("--draft-sd", "1")])
def test_a_size_needs_one_kind_of_standard_deviation(run: Run, given: tuple[str, ...]) -> None:
    done = run("power", "--difference", "1", *given)
    assert done.status == 2 and "Give either --sd, or --draft-sd and --rating-sd." in done.err


def test_more_raters_of_a_draft_need_fewer_cases(run: Run) -> None:
    def cases(*given: str) -> int:
        found = run("power", "--difference", "0.5", *given, "--json")
        return int(json.loads(found.out)["t_cases"])

    # sd 1 is that of two arms with draft sd 0.5 and one rating of sd 0.5 each: 2 (0.25 + 0.25) = 1
    parts = ("--draft-sd", "0.5", "--rating-sd", "0.5")
    assert cases("--sd", "1") == cases(*parts) > cases(*parts, "--raters", "4")
