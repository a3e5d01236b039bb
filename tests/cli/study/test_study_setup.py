"""study: from a setup to a frozen study, as typed."""

import json
from pathlib import Path

from tests.cli.study.conftest import Run
from tests.study.sample import StudyWorld


def test_uploaded_drafts_need_no_generation(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.txt").write_text("Cough.")
    drafts = tmp_path / "drafts.jsonl"
    drafts.write_text(
        "".join(json.dumps({"case": "one", "arm": arm, "text": "Rest well."}) + "\n" for arm in ("x1", "y1"))
    )
    done = run(
        "new", "Uploads", "--cases", str(folder), "--arm", "x1=", "--arm", "y1=", "--instrument", "reinrag-statements",
        "--calibration-items", "0", "--guess-items", "0", "--drafts", str(drafts), "--json",
    )  # fmt: skip
    assert done.status == 0, done.err
    assert json.loads(done.out)["state"] == "ready"
    study_id = json.loads(done.out)["id"]
    assert run("upload", study_id, str(drafts)).status == 0
    done = run(
        "freeze", study_id, "--primary-outcome", "reinrag-statements/mean", "--test", "wilcoxon_case_means",
        "--exclusions", "none", "--sample-size-reason", "a pilot", "--correction", "holm",
    )  # fmt: skip
    assert "frozen" in done.out


def test_fields_change_before_it_is_frozen(run: Run, material: Path) -> None:
    study_id = run("new", "A", "--template", "reinrag", "--cases", str(material)).out.strip()
    done = run("change", study_id, "raters=3", 'extra_headings=["My advice"]', "public_title=Rate these", "--json")
    setup = json.loads(done.out)["setup"]
    assert (setup["raters"], setup["extra_headings"], setup["public_title"]) == (3, ["My advice"], "Rate these")
    assert run("change", study_id, "colour=red").status == 2


def test_a_setup_comes_from_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "setup.json"
    arms = [{"id": "p1", "system": "p1"}, {"id": "q1", "system": "q1"}]
    path.write_text(
        json.dumps({"arms": arms, "instruments": ["soap-quality"], "raters": 3, "document": "progress_note"})
    )
    made = json.loads(run("new", "From a file", "--setup", str(path), "--json").out)
    assert (made["setup"]["raters"], made["setup"]["instruments"][0]["id"]) == (3, "soap-quality")


def test_a_wrong_new_leaves_no_study_behind(run: Run) -> None:
    run("new", "x", "--template", "reinrag", "--cases", "/nowhere.jsonl")
    assert run("status").out == ""


def test_a_template_is_a_setup_that_options_change(run: Run, material: Path) -> None:
    done = run("new", "A", "--template", "reinrag", "--cases", str(material), "--raters", "5", "--seed", "9", "--json")
    made = json.loads(done.out)
    assert (made["setup"]["raters"], made["setup"]["seed"], made["setup"]["template"]) == (5, 9, "reinrag")
    assert len(made["cases"]) == 23


def test_each_shipped_instrument_has_a_line(run: Run) -> None:
    lines = run("instruments").out.splitlines()
    assert any(line.startswith("reinrag-statements  ") and line.endswith(" questions") for line in lines)
    assert [json.loads(line)["id"] for line in run("instruments", "--json").out.splitlines()] == [
        line.split()[0] for line in lines
    ]


def test_what_leaks_must_be_accepted_and_a_plan_keeps_what_was_not_given(run: Run, study_world: StudyWorld) -> None:
    study_id = study_world.ready(4)
    said = run("leaks", study_id)
    assert said.status == 0 and "taken out of" in said.out
    assert run("freeze", study_id, "--exclusions", "all who hurry", "--accept-warnings").status == 0
    plan = study_world.study(study_id).setup.plan
    assert plan is not None
    assert (plan.exclusions, plan.primary_outcome) == ("all who hurry", "reinrag-statements/mean")
    again = run("freeze", study_id, "--accept-warnings")
    assert again.status == 2 and again.err
