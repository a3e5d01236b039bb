"""A rater's requests over HTTP: links, answers sent twice, and what is no answer."""

import copy
import json
import uuid

import pytest
from fastapi.testclient import TestClient

from tests.api.studies.rater import PROFILED, invited
from tests.study.sample import StudyWorld, setup


@pytest.mark.parametrize("token", ["x" * 43, "short", ""])
def test_a_wrong_token_opens_nothing(client: TestClient, token: str) -> None:
    answer = client.get("/v1/ratings/session", headers={"Rater-Token": token} if token else {})
    assert answer.status_code in (401, 422)


def test_unknown_and_withdrawn_links_get_the_same_reply(client: TestClient, study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    rater = invited(client, study_id, "R01")
    [link] = client.get(f"/v1/studies/{study_id}/links").json()
    assert rater.token not in json.dumps(link)
    assert client.delete(f"/v1/studies/{study_id}/links/{link['id']}").status_code == 200
    withdrawn, unknown = rater.call("GET", "session"), rater.call("GET", "session", token="y" * 43)
    assert (withdrawn.status_code, withdrawn.content) == (401, unknown.content)


def test_a_rater_s_replies_stay_in_no_cache(client: TestClient, study_world: StudyWorld) -> None:
    rater = invited(client, study_world.frozen(), "R01")
    assert rater.call("GET", "session").headers["cache-control"] == "no-store"


def test_an_answer_twice_under_one_id_is_one_answer(client: TestClient, study_world: StudyWorld) -> None:
    rater = invited(client, study_world.frozen(), "R01")
    rater.call("PUT", "profile", PROFILED)
    body = {"key": "q1", "part": "A", "answer": {"kind": "value", "value": 4}}
    path = f"items/1/answers/{uuid.uuid4()}"
    first, again = rater.call("PUT", path, body), rater.call("PUT", path, body)
    assert (first.status_code, first.json()) == (200, again.json())
    changed = copy.deepcopy(body) | {"answer": {"kind": "value", "value": 1}}
    assert rater.call("PUT", path, changed).status_code == 409


@pytest.mark.parametrize("text", ["a\\u0000b", "a\\ud800b"])
def test_broken_characters_are_refused_everywhere(client: TestClient, study_world: StudyWorld, text: str) -> None:
    rater = invited(client, study_world.frozen(), "R01")
    study_id = study_world.studies.create(setup(), "Ada").id
    bodies = {
        f"/v1/studies/{study_id}/cases": '{"cases": [{"id": "x", "text": "%s"}]}',
        f"/v1/studies/{study_id}/drafts": '{"drafts": [{"case": "x", "arm": "y", "text": "z", "evidence": ["%s"]}]}',
        "/v1/ratings/leaks": '{"number": 1, "text": "%s"}',
    }
    for path, body in bodies.items():
        token = {"Rater-Token": rater.token} if "ratings" in path else {}
        answer = client.post(path, content=body % text, headers={"content-type": "application/json", **token})
        assert answer.status_code == 422, path


def test_a_value_in_a_wrong_request_is_not_repeated(client: TestClient, study_world: StudyWorld) -> None:
    rater = invited(client, study_world.frozen(), "R01")
    answer = rater.call("PUT", "profile", {"profession": "x", "secretword": "secretvalue"})
    assert answer.status_code == 422
    assert "secretvalue" not in answer.text
