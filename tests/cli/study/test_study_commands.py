"""study: the whole way as a person would type it, and what is wrong told in one line."""

import stat
from pathlib import Path

import pytest

from tests.cli.study.conftest import Run
from tests.study.sample import StudyWorld


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
