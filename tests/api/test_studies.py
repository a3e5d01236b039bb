"""Studies over HTTP: a coordinator's whole way, and every byte a rater gets searched for what must not be in it."""

import copy
import json
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from httpx import Response
from pydantic import SecretStr

from backend.api import routes_ratings, routes_studies
from backend.api.app import create_app
from backend.assembly import House
from backend.schemas.study import EvidenceShown, PrimaryTest
from backend.schemas.study_frozen import StudyDraft
from backend.schemas.study_instrument import Design
from backend.settings import Settings
from backend.stores.database import Database
from backend.study.desk import StudyDesk
from backend.study.instruments import instrument
from backend.study.sources import DraftJob
from tests.study.sample import GENERATOR, OTHER, PLAN, PROFILE, SYSTEM, Desk, cases, setup, write

Json = dict[str, Any]
PROFILED = PROFILE.model_dump(mode="json")


def no_work() -> None:
    """The small house is warm as it is."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, data=tmp_path, database_url=SecretStr(f"sqlite:///{tmp_path / 'study.sqlite'}"))


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    app = create_app(settings, cast(House, SimpleNamespace(settings=settings, warm=no_work, live=None, close=no_work)))
    known = set(app.openapi()["paths"])
    app.openapi_schema = None
    for module in (routes_studies, routes_ratings):
        if not any(f"/v1{route.path}" in known for route in module.router.routes if hasattr(route, "path")):
            app.include_router(module.router, prefix="/v1")
    app.state.study_desk = StudyDesk(Database.of(settings), write)
    with TestClient(app, raise_server_exceptions=False) as opened:
        yield opened


class Rater:
    """One rater over HTTP. Keeps every byte it was ever sent, headers too."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.token = client, token
        self.seen: list[bytes] = []

    def call(self, method: str, path: str, body: Json | None = None, token: str | None = None) -> Response:
        headers = {"Rater-Token": token or self.token}
        answer = self.client.request(method, f"/v1/ratings/{path}", json=body, headers=headers)
        self.seen += [answer.content, *(f"{k}: {v}".encode() for k, v in answer.headers.items())]
        return answer

    def click(self, number: int, key: str, answer: Json, part: str = "A", **fields: Any) -> Response:
        body = {"key": key, "part": part, "answer": answer, **fields}
        return self.call("PUT", f"items/{number}/answers/{uuid.uuid4()}", body)

    def rate(self, number: int, value: int = 4) -> None:
        item = self.call("GET", f"items/{number}").json()
        for question in item["questions"]:
            parts = [d["part"] for d in item["drafts"]] if question["target"] == "draft" else [""]
            for part in parts:
                answer: Json = {"kind": "cannot_judge"}
                if not question["only_cannot_judge"]:
                    answer = {"value": {"kind": "value", "value": value}, "text": {"kind": "text", "text": "fine"}}[
                        "text" if question["kind"] == "text" else "value"
                    ]
                done = self.click(number, question["key"], answer, part, phase=item["phase"])
                assert done.status_code == 200, done.text


def invited(client: TestClient, study_id: str, rater: str) -> Rater:
    answer = client.post(f"/v1/studies/{study_id}/links", json={"rater": rater})
    assert answer.status_code == 201, answer.text
    return Rater(client, answer.json()["token"])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.database.close()


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


def forbidden(desk: Desk, study_id: str, seen: list[bytes]) -> list[str]:
    """What must be in no byte a rater gets: names, ids of arms, items, cases and raters, the hash, the instruments."""
    study = desk.study(study_id)
    words = [SYSTEM, OTHER, "quokka", "ocelot", GENERATOR, "vllm", "leapnote", "reinrag", study.study_id]
    words += [str(desk.studies.view(study_id).sha256), study.setup.name, study.blinding_rule]
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
    client: TestClient, desk: Desk, evidence: EvidenceShown
) -> None:
    study_id = desk.frozen(4, evidence=evidence, attention_checks=1)
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
    desk.studies.close(study_id, "Ada")
    rater.call("GET", "session")
    rater.call("GET", "items/1")
    rater.call("GET", "session", token="x" * 43)
    assert len(rater.seen) > 300
    assert forbidden(desk, study_id, rater.seen) == []


def test_the_search_for_forbidden_words_finds_one_that_is_there(desk: Desk) -> None:
    study_id = desk.frozen()
    assert forbidden(desk, study_id, [b"said Zebrafinch"]) == [SYSTEM]


def test_pairs_show_no_side_and_no_arm(client: TestClient, desk: Desk) -> None:
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.BRADLEY_TERRY}
    )
    study_id = desk.frozen(
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
    assert forbidden(desk, study_id, rater.seen) == []


def test_two_raters_see_only_their_own(client: TestClient, desk: Desk) -> None:
    study_id = desk.frozen()
    one, two = invited(client, study_id, "R01"), invited(client, study_id, "R02")
    for rater in (one, two):
        rater.call("PUT", "profile", PROFILED)
    one.click(1, "q1", {"kind": "value", "value": 5})
    one.click(1, "comment", {"kind": "comment", "thread": str(uuid.uuid4()), "text": "heron"}, "")
    assert two.call("GET", "items/1").json()["answers"] == []
    assert b"heron" not in b"".join(two.seen)


@pytest.mark.parametrize("token", ["x" * 43, "short", ""])
def test_a_wrong_token_opens_nothing(client: TestClient, token: str) -> None:
    answer = client.get("/v1/ratings/session", headers={"Rater-Token": token} if token else {})
    assert answer.status_code in (401, 422)


def test_unknown_and_withdrawn_links_get_the_same_reply(client: TestClient, desk: Desk) -> None:
    study_id = desk.frozen()
    rater = invited(client, study_id, "R01")
    [link] = client.get(f"/v1/studies/{study_id}/links").json()
    assert rater.token not in json.dumps(link)
    assert client.delete(f"/v1/studies/{study_id}/links/{link['id']}").status_code == 200
    withdrawn, unknown = rater.call("GET", "session"), rater.call("GET", "session", token="y" * 43)
    assert (withdrawn.status_code, withdrawn.content) == (401, unknown.content)


def test_a_rater_s_replies_stay_in_no_cache(client: TestClient, desk: Desk) -> None:
    rater = invited(client, desk.frozen(), "R01")
    assert rater.call("GET", "session").headers["cache-control"] == "no-store"


def test_an_answer_twice_under_one_id_is_one_answer(client: TestClient, desk: Desk) -> None:
    rater = invited(client, desk.frozen(), "R01")
    rater.call("PUT", "profile", PROFILED)
    body = {"key": "q1", "part": "A", "answer": {"kind": "value", "value": 4}}
    path = f"items/1/answers/{uuid.uuid4()}"
    first, again = rater.call("PUT", path, body), rater.call("PUT", path, body)
    assert (first.status_code, first.json()) == (200, again.json())
    changed = copy.deepcopy(body) | {"answer": {"kind": "value", "value": 1}}
    assert rater.call("PUT", path, changed).status_code == 409


def test_freezing_with_leaks_tells_which(client: TestClient, desk: Desk) -> None:
    study_id = desk.ready(4, instructions="Do not think of Zebrafinch.")
    answer = client.post(f"/v1/studies/{study_id}/freeze", json={"accept_warnings": True})
    assert answer.status_code == 409
    assert answer.json()["error"]["leaks"][0]["where"] == "instructions"


def test_a_second_batch_on_one_study_is_refused_while_one_is_at_work(settings: Settings, desk: Desk) -> None:
    made = desk.studies.create(setup(), "Ada")
    desk.studies.add_cases(made.id, cases(2), "Ada")
    begun, go = threading.Event(), threading.Event()

    def slow(job: DraftJob) -> StudyDraft:
        begun.set()
        assert go.wait(20)
        return write(job)

    from backend.errors import ConflictError
    from backend.schemas.study_views import GenerateRequest

    shared = StudyDesk(Database.of(settings), slow)
    shared.start(made.id, GenerateRequest())
    assert begun.wait(20)
    with pytest.raises(ConflictError, match="being written already"):
        shared.start(made.id, GenerateRequest())
    shared.stop(made.id)
    go.set()
    for thread in threading.enumerate():
        if thread.name == f"study-{made.id}":
            thread.join(timeout=20)
    assert desk.studies.view(made.id).drafts.made == 1  # the one at work was finished, the next not begun


@pytest.mark.parametrize("text", ["a\\u0000b", "a\\ud800b"])
def test_broken_characters_are_refused_everywhere(client: TestClient, desk: Desk, text: str) -> None:
    rater = invited(client, desk.frozen(), "R01")
    study_id = desk.studies.create(setup(), "Ada").id
    bodies = {
        f"/v1/studies/{study_id}/cases": '{"cases": [{"id": "x", "text": "%s"}]}',
        f"/v1/studies/{study_id}/drafts": '{"drafts": [{"case": "x", "arm": "y", "text": "z", "evidence": ["%s"]}]}',
        "/v1/ratings/leaks": '{"number": 1, "text": "%s"}',
    }
    for path, body in bodies.items():
        token = {"Rater-Token": rater.token} if "ratings" in path else {}
        answer = client.post(path, content=body % text, headers={"content-type": "application/json", **token})
        assert answer.status_code == 422, path


def test_a_value_in_a_wrong_request_is_not_repeated(client: TestClient, desk: Desk) -> None:
    rater = invited(client, desk.frozen(), "R01")
    answer = rater.call("PUT", "profile", {"profession": "x", "secretword": "secretvalue"})
    assert answer.status_code == 422
    assert "secretvalue" not in answer.text


def test_a_study_that_is_not_there_is_told(client: TestClient) -> None:
    path = "/v1/studies/00000000-0000-4000-8000-000000000000"
    for tail in ("", "/progress", "/links", "/audit", "/leaks", "/exports/csv"):
        assert client.get(path + tail).status_code == 404, tail
