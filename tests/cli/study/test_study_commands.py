"""study: each action once, as a person would type it, on a small study."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from backend.cli.program import run as run_command
from backend.cli.study import study_shared
from backend.errors import LeapnoteError
from backend.study.design import draft_sources as sources
from backend.study.design.studies import Studies
from tests.study.sample import StudyWorld, Ticking, write


class Done(NamedTuple):
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def study_world(tmp_path: Path) -> Any:
    made = StudyWorld(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def run(study_world: StudyWorld, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """An action in this process, on a small database, with a writer that needs no model."""
    monkeypatch.setattr(study_shared, "studies_here", lambda: Studies(study_world.database, Ticking()))
    monkeypatch.setattr(study_shared, "container_here", lambda: None)
    monkeypatch.setattr(sources, "pipeline_source", lambda container: write)

    def command(*arguments: str) -> Done:
        try:
            status = run_command(["study", *arguments])
        except typer.TyperException as wrong:
            return Done(wrong.exit_code, capsys.readouterr().out, wrong.format_message())
        except LeapnoteError as error:
            status = error.exit_status
            said = capsys.readouterr()
            return Done(status, said.out, str(error))
        said = capsys.readouterr()
        return Done(status, said.out, said.err)

    return command


@pytest.fixture
def material(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    rows = [{"id": f"c{n}", "text": f"Patient {n} coughs.", "reference": "Rest."} for n in range(23)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_study_from_a_template_goes_the_whole_way(
    run: Run, material: Path, tmp_path: Path, study_world: StudyWorld
) -> None:
    done = run(
        "new", "A study", "--template", "reinrag", "--cases", str(material),
        "--arm", "zebrafinch=zebrafinch", "--arm", "quokka-9=quokka-9",
        "--guess-label", "zebrafinch=One way", "--guess-label", "quokka-9=Another way",
    )  # fmt: skip
    assert done.status == 0, done.err
    study_id = done.out.strip()
    done = run("generate", study_id)
    assert "46 made, 0 failed, of 46" in done.out  # 20 cases and 3 for calibration, 2 arms
    assert "drafts: 45 of 46, case" in done.err
    assert run("generate", study_id).status == 0  # nothing is left to do
    assert "taken out of zebrafinch" in run("leaks", study_id).out
    assert run("freeze", study_id, "--exclusions", "raters who miss every check", "--accept-warnings").status == 0
    assert study_world.study(study_id).setup.plan.exclusions == "raters who miss every check"  # type: ignore[union-attr]
    links = [line.split() for line in run("invite", study_id).out.splitlines()]
    assert [line[0] for line in links] == ["R01", "R02"]
    token = links[0][1].split("link=")[1]
    assert study_world.ratings.session(token).total == 43  # 20 cases, 2 arms, 3 for calibration
    assert "0 of 86 items rated" in run("status", study_id).out
    assert "blind until" in run("export", study_id).err
    assert run("withdraw", study_id, "R02").status == 0
    assert run("close", study_id).status == 0
    assert run("unlock", study_id).status == 0
    file = tmp_path / "study.jsonl"
    assert run("export", study_id, "--to", str(file)).status == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.part"))
    assert run("export", study_id, "--format", "csv").out.startswith("study,sha256,stamp,rater")
    assert "here already" in run("import", str(file)).err
    assert "unlock" in run("trail", study_id).out
    assert "nothing to adjudicate" in run("adjudicate", study_id).err
    assert f"{study_id}  closed" in run("status").out


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new", "x", "--template", "nobody"], "no study template 'nobody'"),
        (["new", "x", "--arm", "a"], "write it as a="),
        (["new", "x", "--arm", "a=s", "--arm", "b=s"], "instruments: Field required"),
        (["new", "x", "--template", "reinrag", "--cases", "/nowhere.jsonl"], "cannot be read"),
        (["new", "x", "--setup", "/nowhere.json"], "cannot be read"),
        (["new", "x", "--template", "reinrag", "--raters", "0"], "raters"),
        (["status", "00000000-0000-4000-8000-000000000000"], "There is no study"),
        (["import", "/nowhere.jsonl"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert message in done.err
    assert "\n" not in done.err.strip()


def test_a_wrong_new_leaves_no_study_behind(run: Run) -> None:
    run("new", "x", "--template", "reinrag", "--cases", "/nowhere.jsonl")
    assert run("status").out == ""
