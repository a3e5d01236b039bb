"""study: links, progress and the end of it, as typed."""

import json

from tests.cli.study.conftest import Run
from tests.study.sample import StudyWorld


def test_a_link_opens_its_place_until_it_is_withdrawn(run: Run, study_world: StudyWorld) -> None:
    study_id = study_world.frozen(3)
    given = json.loads(run("invite", study_id, "R02", "--label", "a nurse", "--json").out)
    assert given["rater_id"] == "R02"
    assert study_world.ratings.session(given["token"]).total > 0
    assert "R02 opens nothing" in run("withdraw", study_id, "R02").out
    refused = run("withdraw", study_id, "R02")
    assert refused.status == 2 and "R02 has no open link" in refused.err


def test_every_place_without_a_link_gets_one_and_then_none_is_left(run: Run, study_world: StudyWorld) -> None:
    study_id = study_world.frozen(3)
    run("invite", study_id, "R01")
    (line,) = run("invite", study_id).out.splitlines()
    assert line.startswith("R02  http://") and "/rate?link=" in line
    full = run("invite", study_id)
    assert full.status == 2 and "Every place has a link" in full.err


def test_status_lists_studies_and_tells_the_progress_of_one(run: Run, study_world: StudyWorld) -> None:
    assert run("status").out == ""
    study_id = study_world.frozen(3)
    token = study_world.invite(study_id)
    study_world.rate(token, 1)
    assert [json.loads(line)["id"] for line in run("status", "--json").out.splitlines()] == [study_id]
    stand = json.loads(run("status", study_id, "--json").out)
    assert [(row["rater_id"], row["done"]) for row in stand["raters"]] == [("R01", 1), ("R02", 0)]
    assert "value" not in run("status", study_id).out


def test_a_study_is_unlocked_only_once_closed_and_the_reason_is_on_record(run: Run, study_world: StudyWorld) -> None:
    study_id = study_world.frozen(3)
    assert run("unlock", study_id, "--reason", "early").status == 2
    assert run("close", study_id).status == 0
    assert run("unlock", study_id, "--reason", "all have rated").status == 0
    trail = run("trail", study_id).out
    assert "all have rated" in trail and "early" not in trail
    assert [json.loads(line)["kind"] for line in run("trail", study_id, "--json").out.splitlines()][-2:] == [
        "close", "unlock",
    ]  # fmt: skip


def test_nothing_is_adjudicated_where_nobody_disagrees(run: Run, study_world: StudyWorld) -> None:
    study_id = study_world.frozen(3)
    run("close", study_id)
    done = run("adjudicate", study_id)
    assert done.status == 2 and "nothing to adjudicate" in done.err
