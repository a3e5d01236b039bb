"""A coordinator's whole way over HTTP, and what is refused on it."""

import threading

import pytest
from fastapi.testclient import TestClient

from backend.errors import ConflictError
from backend.schemas.studies.study_frozen import StudyDraft
from backend.schemas.studies.study_views import GenerateRequest
from backend.settings import Settings
from backend.stores.database.database import Database
from backend.study.design.draft_sources import DraftJob
from backend.study.study_context import StudyContext
from tests.api.studies.rater import PROFILED, invited
from tests.study.sample import StudyWorld, cases, setup, write


def test_a_coordinator_goes_the_whole_way(client: TestClient) -> None:
    plain = setup(name="A study").model_dump(mode="json")
    for arm, system in zip(plain["arms"], ("leapnote", "no-retrieval"), strict=True):
        arm |= {"id": system, "system": system, "generator": "composer"}
    made = client.post("/v1/studies", json={"setup": plain, "author": "Ada"})
    assert made.status_code == 201, made.text
    path = f"/v1/studies/{made.json()['id']}"
    given = [case.model_dump(mode="json") for case in cases(3)]
    assert client.post(f"{path}/cases", json={"cases": given}).status_code == 200
    assert client.post(f"{path}/generation", json={}).status_code == 202
    for thread in threading.enumerate():
        if thread.name.startswith("study-"):
            thread.join(timeout=30)
    assert client.get(f"{path}/progress").json()["state"] == "ready"
    assert client.get(f"{path}/leaks").status_code == 200
    frozen = client.post(f"{path}/freeze", json={"author": "Ada", "accept_warnings": True})
    assert frozen.status_code == 200, frozen.text
    rater = invited(client, made.json()["id"], "R01")
    assert rater.call("PUT", "profile", PROFILED).status_code == 200
    rater.rate(1)
    live = client.get(f"{path}/progress").json()
    assert [(r["rater_id"], r["done"], r["total"]) for r in live["raters"]] == [("R01", 1, 5), ("R02", 0, 5)]
    assert client.get(f"{path}/exports/csv").status_code == 409
    assert client.post(f"{path}/close", json={}).status_code == 200
    assert client.post(f"{path}/unlock", json={}).status_code == 200
    for form in ("csv", "jsonl", "design"):
        answer = client.get(f"{path}/exports/{form}")
        assert frozen.json()["sha256"] in answer.text
        assert answer.headers["cache-control"] == "no-store"
    assert client.post("/v1/study-imports", content=answer.text).status_code == 409  # it is here already
    kinds = [event["kind"] for event in client.get(f"{path}/audit").json()]
    assert {"create", "freeze", "invite", "completed", "close", "unlock", "export"} <= set(kinds)
    assert client.get("/v1/studies").json()[0]["state"] == "closed"
    assert len(client.get("/v1/instruments").json()["instruments"]) >= 8
    assert {t["id"] for t in client.get("/v1/study-templates").json()} == {"reinrag", "omnirag"}


def test_freezing_with_leaks_tells_which(client: TestClient, study_world: StudyWorld) -> None:
    study_id = study_world.ready(4, instructions="Do not think of Zebrafinch.")
    answer = client.post(f"/v1/studies/{study_id}/freeze", json={"accept_warnings": True})
    assert answer.status_code == 409
    assert answer.json()["error"]["leaks"][0]["where"] == "instructions"


def test_a_second_batch_on_one_study_is_refused_while_one_is_at_work(
    settings: Settings, study_world: StudyWorld
) -> None:
    made = study_world.studies.create(setup(), "Ada")
    study_world.studies.add_cases(made.id, cases(2), "Ada")
    begun, go = threading.Event(), threading.Event()

    def slow(job: DraftJob) -> StudyDraft:
        begun.set()
        assert go.wait(20)
        return write(job)

    shared = StudyContext(Database.of(settings), slow)
    shared.start(made.id, GenerateRequest())
    assert begun.wait(20)
    with pytest.raises(ConflictError, match="being written already"):
        shared.start(made.id, GenerateRequest())
    shared.stop(made.id)
    go.set()
    for thread in threading.enumerate():
        if thread.name == f"study-{made.id}":
            thread.join(timeout=20)
    assert study_world.studies.view(made.id).drafts.made == 1  # the one at work was finished, the next not begun


def test_a_study_that_is_not_there_is_told(client: TestClient) -> None:
    path = "/v1/studies/00000000-0000-4000-8000-000000000000"
    for tail in ("", "/progress", "/links", "/audit", "/leaks", "/exports/csv"):
        assert client.get(path + tail).status_code == 404, tail
