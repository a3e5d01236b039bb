"""Every byte a rater gets is searched for what must not be in it."""

import uuid

import pytest
from fastapi.testclient import TestClient

from backend.schemas.studies.study_design import EvidenceShown, PrimaryTest
from backend.schemas.studies.study_instrument import Design
from backend.study.design.instruments import instrument
from tests.api.studies.rater import PROFILED, invited
from tests.study.sample import GENERATOR, OTHER, PLAN, SYSTEM, StudyWorld


def forbidden(study_world: StudyWorld, study_id: str, seen: list[bytes]) -> list[str]:
    """What must be in no byte a rater gets: names, ids of arms, items, cases and raters, the hash, the instruments."""
    study = study_world.study(study_id)
    words = [SYSTEM, OTHER, "quokka", "ocelot", GENERATOR, "vllm", "leapnote", "reinrag", study.study_id]
    words += [str(study_world.studies.view(study_id).sha256), study.setup.name, study.blinding_rule]
    words += [item.id for item in study.items] + [
        case.id for case in study.cases if case.id not in "".join(d.text for d in study.drafts)
    ]
    words += [f'"{plan.rater_id}"' for plan in study.raters] + [i.id for i in study.setup.instruments]
    words += [
        "attention",
        "planted",
        "arm_id",
        "item_id",
        "rater_id",
        "provenance",
        "[K1]",
        "[P3]",
        "retrieved documents",
    ]
    everything = b"\n".join(seen).lower()
    return [word for word in words if word.lower().encode() in everything]


@pytest.mark.parametrize("evidence", [EvidenceShown.NEVER, EvidenceShown.ALWAYS, EvidenceShown.AFTER_FIRST])
def test_no_byte_a_rater_gets_names_a_system_an_arm_or_another_rater(
    client: TestClient, study_world: StudyWorld, evidence: EvidenceShown
) -> None:
    study_id = study_world.frozen(4, evidence=evidence, attention_checks=1)
    rater = invited(client, study_id, "R01")
    rater.call("GET", "session")
    rater.call("GET", "items/1")  # too early
    rater.call("PUT", "profile", PROFILED)
    rater.call("GET", "items/5")  # calibration first
    total = rater.call("GET", "session").json()["total"]
    for number in range(1, total + 1):
        rater.rate(number)
        rater.call("POST", f"items/{number}/evidence")
        if evidence == EvidenceShown.AFTER_FIRST:
            rater.rate(number, 2)
        rater.call("GET", f"items/{number}")
        rater.call("GET", "session")
    rater.call("GET", "items/99")
    rater.click(1, "q9", {"kind": "value", "value": 1})
    rater.click(1, "q1", {"kind": "value", "value": 9})
    rater.click(1, "zzz", {"kind": "value", "value": 9})
    rater.call("POST", "leaks", {"number": 1, "text": "I know this style"})
    rater.call("POST", "pauses")
    rater.call("DELETE", "pauses")
    assert rater.call("POST", "finish").json()["stage"] == "guesses"
    guesses = rater.call("GET", "guesses").json()
    rater.call("GET", "closing")
    for item in guesses["items"]:
        body = {"number": item["number"], "part": item["part"], "guess": 0}
        rater.call("PUT", f"guesses/{uuid.uuid4()}", body)
    closing = rater.call("GET", "closing").json()
    for group in closing["groups"]:
        for question in closing["questions"]:
            body = {"group": group["group"], "key": question["key"], "answer": {"kind": "text", "text": "clear"}}
            assert rater.call("PUT", f"closing/{uuid.uuid4()}", body).status_code == 200
    assert rater.call("GET", "session").json()["stage"] == "done"
    study_world.studies.close(study_id, "Ada")
    rater.call("GET", "session")
    rater.call("GET", "items/1")
    rater.call("GET", "session", token="x" * 43)
    assert len(rater.seen) > 300
    assert forbidden(study_world, study_id, rater.seen) == []


def test_the_search_for_forbidden_words_finds_one_that_is_there(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    assert forbidden(study_world, study_id, [b"said Zebrafinch"]) == [SYSTEM]


def test_pairs_show_no_side_and_no_arm(client: TestClient, study_world: StudyWorld) -> None:
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.BRADLEY_TERRY}
    )
    study_id = study_world.frozen(
        4,
        design=Design.PAIRWISE,
        instruments=(instrument("pairwise-preference"),),
        plan=plan,
        calibration_items=0,
        guess_items=0,
    )
    rater = invited(client, study_id, "R01")
    rater.call("PUT", "profile", PROFILED)
    for number in range(1, 5):
        item = rater.call("GET", f"items/{number}").json()
        assert [d["part"] for d in item["drafts"]] == ["A", "B"]
        rater.rate(number, 0)
    assert forbidden(study_world, study_id, rater.seen) == []


def test_two_raters_see_only_their_own(client: TestClient, study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    one, two = invited(client, study_id, "R01"), invited(client, study_id, "R02")
    for rater in (one, two):
        rater.call("PUT", "profile", PROFILED)
    one.click(1, "q1", {"kind": "value", "value": 5})
    one.click(1, "comment", {"kind": "comment", "thread": str(uuid.uuid4()), "text": "heron"}, "")
    assert two.call("GET", "items/1").json()["answers"] == []
    assert b"heron" not in b"".join(two.seen)
