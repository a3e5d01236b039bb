"""Whoever is logged in is the author of what they do, however a request names another; and no request has two authors."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from httpx import Response
from pydantic import SecretStr

from backend.access.attempts import Attempts
from backend.access.people import People
from backend.api.app import create_app
from backend.container import Container
from backend.schemas.access import PersonRole
from backend.schemas.record import Statement
from backend.settings import Settings
from backend.stores.database.database import Database
from tests.api.test_logins import GOOD, PROGRAMS, kind, quick
from tests.nlp.fresh import linker
from tests.review.sample import sample

__all__ = ("quick",)  # the fixture that makes hashes cheap
NOBODY = "00000000-0000-4000-8000-000000000000"
Json = dict[str, Any]


class Ward:
    """An API with cases where Ada and Ben log in; the requests are Ada's unless they say otherwise."""

    def __init__(self, folder: Path, login: bool = True) -> None:
        settings = Settings(
            _env_file=None,
            data=folder,
            database_url=SecretStr(f"sqlite:///{folder / 'cases.sqlite'}"),
            login=login,
            api_token=PROGRAMS["Authorization"].split()[1] if login else "",
        )
        container = SimpleNamespace(
            settings=settings,
            safety=None,
            linker=None,
            checks=SimpleNamespace(verifier=lambda judge: None, fit=None),
            warm=dict,
            live=None,
            close=dict,
        )
        self.container = container
        app = create_app(settings, cast(Container, container))
        self.database = Database.of(settings)
        people = People(self.database, attempts=Attempts(lambda: 0.0))
        app.state.people = people
        self.client = TestClient(app, base_url="http://127.0.0.1")
        self.own: dict[str, str] = {}
        if login:
            people.add("Ada Byron", PersonRole.COORDINATOR, GOOD, "root")
            people.add("Ben", PersonRole.CLINICIAN, GOOD, "root")
            reply = self.client.post("/v1/logins", json={"name": "Ada Byron", "password": GOOD}, headers=PROGRAMS)
            self.own = {"Authorization": f"Bearer {reply.json()['token']}"}

    def ask(self, method: str, path: str, body: Json | None = None, **more: Any) -> Response:
        options = {"headers": self.own} | more
        return self.client.request(method, f"/v1{path}", json=body, **options)

    def saved(self) -> Json:
        body = {"label": "x", "draft": sample().model_dump(mode="json"), "author": "Ada Byron"}
        answer = self.ask("POST", "/cases", body)
        assert answer.status_code == 201, answer.text
        return cast(Json, answer.json())

    def newest(self, case: Json) -> Json:
        return cast(Json, self.ask("GET", f"/cases/{case['id']}").json())


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    made = Ward(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Ward]:
    """Without logins, on one machine."""
    made = Ward(tmp_path, login=False)
    yield made
    made.database.close()


REPLACE = {"kind": "replace", "sentence": 0, "text": "You were short of breath."}
EDITS: tuple[Json, ...] = (
    REPLACE,
    {"kind": "insert_after", "sentence": 0, "text": "It is better now."},
    {"kind": "delete", "sentence": 0},
    {"kind": "restore", "to_version": 1},
    {"kind": "restore", "sentence": 0, "to_version": 1},
    {"kind": "confirm_condition", "concept_id": "LN:heart-failure"},
    {"kind": "rule_out_condition", "concept_id": "LN:heart-failure"},
    {"kind": "note_gap", "sentence": 0, "text": "the weight"},
)


@pytest.mark.parametrize("change", EDITS, ids=lambda change: f"{change['kind']}-{len(change)}")
def test_no_edit_is_made_under_another_name(ward: Ward, change: Json) -> None:
    case = ward.saved()
    for forged in ([{**change, "author": "Ben"}], [{**REPLACE, "author": "Ada Byron"}, {**change, "author": "Ben"}]):
        answer = ward.ask("POST", f"/cases/{case['id']}/edits", {"version": 1, "edits": forged})
        assert kind(answer) == (403, "NotYouError")
    after = ward.newest(case)
    assert (after["version"], after["edits"]) == (1, [])


def test_own_edits_are_recorded_under_the_name_of_the_login(ward: Ward) -> None:
    case = ward.saved()
    edits = [{**REPLACE, "author": "  Ada   Byron "}]
    after = ward.ask("POST", f"/cases/{case['id']}/edits", {"version": 1, "edits": edits}).json()
    assert after["sentences"][0]["written_by"]["name"] == "Ada Byron"
    assert [edit["author"] for edit in after["edits"]] == ["Ada Byron"]
    assert after["versions"][-1]["author"] == "Ada Byron"


def test_no_case_is_saved_signed_exported_or_deleted_under_another_name(ward: Ward) -> None:
    case = ward.saved()
    path = f"/cases/{case['id']}"
    draft = sample().model_dump(mode="json")
    signature = {"version": 1, "name": "Ben", "role": "attending"}
    forged = (
        ward.ask("POST", "/cases", {"label": "x", "draft": draft, "author": "Ben"}),
        ward.ask("POST", f"{path}/signature", signature),
        ward.ask("GET", f"{path}/exports/txt?author=Ben"),
        ward.ask("GET", f"{path}/exports/txt?author=Ada%20Byron&author=Ben"),
        ward.ask("DELETE", f"{path}?author=Ben"),
    )
    assert {kind(answer) for answer in forged} == {(403, "NotYouError")}
    assert [entry["actor"] for entry in ward.ask("GET", f"{path}/audit").json()] == ["Ada Byron"]


def test_an_act_without_a_name_is_recorded_under_that_of_the_login(ward: Ward) -> None:
    case = ward.saved()
    path = f"/cases/{case['id']}"
    assert ward.ask("GET", f"{path}/exports/txt").status_code == 200
    assert ward.ask("DELETE", path).status_code == 204
    actions = [(entry["action"], entry["actor"]) for entry in ward.ask("GET", f"{path}/audit").json()]
    assert actions == [("create", "Ada Byron"), ("export_clinician", "Ada Byron"), ("delete_case", "Ada Byron")]


@pytest.mark.parametrize("name", ["Ben", " bEN ", "ada  byron"])
def test_a_program_signs_and_edits_for_nobody_who_logs_in(ward: Ward, name: str) -> None:
    case = ward.saved()
    path = f"/cases/{case['id']}"
    program: Json = {"headers": PROGRAMS}
    forged = (
        ward.ask("POST", f"{path}/edits", {"version": 1, "edits": [{**REPLACE, "author": name}]}, **program),
        ward.ask("POST", f"{path}/signature", {"version": 1, "name": name, "role": "attending"}, **program),
        ward.ask("DELETE", path, params={"author": name}, **program),
    )
    assert {kind(answer) for answer in forged} == {(403, "NotAProgramError")}
    own = ward.ask("POST", f"{path}/edits", {"version": 1, "edits": [{**REPLACE, "author": "the record"}]}, **program)
    assert own.json()["edits"][0]["author"] == "the record"


@pytest.mark.parametrize(
    "claim",
    [
        {"written_by": {"kind": "model", "name": "m", "version": 1}},
        {"kind_of_writer": "model"},
        {"at": "2020-01-01T00:00:00Z"},
        {"earlier": []},
        {"by": "Ben"},
        {"name": "Ben"},
    ],
    ids=lambda claim: next(iter(claim)),
)
def test_an_edit_cannot_say_who_wrote_the_sentence(ward: Ward, claim: Json) -> None:
    case = ward.saved()
    edits = [{**REPLACE, "author": "Ada Byron", **claim}]
    assert ward.ask("POST", f"/cases/{case['id']}/edits", {"version": 1, "edits": edits}).status_code == 422
    assert ward.newest(case)["version"] == 1


@pytest.mark.parametrize("claim", ["written_by", "earlier", "id", "deleted", "rests_on"])
def test_a_draft_cannot_say_who_wrote_its_sentences(ward: Ward, claim: str) -> None:
    case = ward.saved()
    draft = sample().model_dump(mode="json")
    draft["sentences"][0][claim] = case["sentences"][0][claim]
    answer = ward.ask("POST", "/cases", {"label": "x", "draft": draft, "author": "Ada Byron"})
    assert answer.status_code == 422


def test_other_citations_make_nobody_the_writer_of_a_sentence(ward: Ward) -> None:
    case = ward.saved()
    was = case["sentences"][0]
    change = {"kind": "replace", "sentence": 0, "text": was["text"], "citations": ["P1"], "author": "Ada Byron"}
    now = ward.ask("POST", f"/cases/{case['id']}/edits", {"version": 1, "edits": [change]}).json()["sentences"][0]
    assert now["citations"] == ["P1"]
    assert (now["written_by"], now["earlier"]) == (was["written_by"], [])


def test_a_restored_sentence_keeps_its_writer(ward: Ward) -> None:
    case = ward.saved()
    path = f"/cases/{case['id']}/edits"
    ward.ask("POST", path, {"version": 1, "edits": [{**REPLACE, "author": "Ada Byron"}]})
    back = {"kind": "restore", "sentence": "S1", "to_version": 1, "author": "Ada Byron"}
    after = ward.ask("POST", path, {"version": 2, "edits": [back]}).json()
    assert after["sentences"][0]["written_by"] == case["sentences"][0]["written_by"]
    assert after["edits"][-1]["author"] == "Ada Byron"


def test_without_logins_one_request_has_one_author(alone: Ward) -> None:
    case = alone.saved()
    path = f"/cases/{case['id']}/edits"
    two = [{**REPLACE, "author": "Dr Ames"}, {"kind": "delete", "sentence": 1, "author": "Dr Brand"}]
    answer = alone.ask("POST", path, {"version": 1, "edits": two})
    assert kind(answer) == (422, "InputError")
    assert "one person" in answer.text
    one = [{**change, "author": "Dr Ames"} for change in two]
    assert alone.ask("POST", path, {"version": 1, "edits": one}).json()["versions"][-1]["author"] == "Dr Ames"


STUDY_ACTS: tuple[tuple[str, str, Json], ...] = (
    ("POST", "/studies", {"setup": {}}),
    ("PUT", f"/studies/{NOBODY}/setup", {}),
    *(
        ("POST", f"/studies/{NOBODY}/{act}", {})
        for act in ("cases", "drafts", "generation", "freeze", "links", "close", "unlock", "judges", "adjudication")
    ),
)


@pytest.mark.parametrize(("method", "path", "body"), STUDY_ACTS)
def test_no_act_on_a_study_is_recorded_under_another_name(ward: Ward, method: str, path: str, body: Json) -> None:
    assert kind(ward.ask(method, path, {**body, "author": "Ben"})) == (403, "NotYouError")


def test_every_body_that_names_an_author_is_asked_whose_act_it_is(ward: Ward) -> None:
    """A new route whose body names its author stands here, and so above, before it is served."""
    api = ward.client.app.openapi()  # type: ignore[attr-defined]
    known = {"SaveRequest", "Edit", "NewStudy", "SetupChange", "CasesRequest", "UploadRequest", "GenerateRequest",
             "FreezeRequest", "InviteRequest", "AuthoredRequest", "UnlockRequest", "JudgeRequest", "AdjudicateRequest"}  # fmt: skip
    sent: set[str] = set()

    def walk(schema: object) -> None:
        if isinstance(schema, dict):
            name = str(schema.get("$ref", "")).rpartition("/")[2]
            if name and name not in sent:
                sent.add(name)
                walk(api["components"]["schemas"][name])
            for value in schema.values():
                walk(value)
        elif isinstance(schema, list):
            for value in schema:
                walk(value)

    for methods in api["paths"].values():
        for route in methods.values():
            walk(route.get("requestBody", {}))
    claims = ("author", "actor", "by", "written_by", "made_by", "signed_by")
    found = {name for name in sent if set(api["components"]["schemas"][name].get("properties", {})) & set(claims)}
    records = {one.__name__ for one in Statement.__subclasses__()}  # of a saved draft: check_correctors
    # Of links, evidence, drafts and visits: corrected_by_who_acts.
    corrections = {"backend__schemas__corrections__Correction"}
    assert found == known | records | corrections


@pytest.mark.parametrize("path", ["/links", "/evidence", "/drafts", "/visits"])
def test_no_correction_of_a_reading_is_made_under_another_name(ward: Ward, path: str) -> None:
    correction = {"start_char": 0, "end_char": 5, "text": "Cough", "kind": "absent", "author": "Ben"}
    answer = ward.ask("POST", path, {"text": "Cough.", "corrections": [correction]})
    assert kind(answer) == (403, "NotYouError")


def test_a_correction_is_recorded_under_the_name_of_the_login(ward: Ward) -> None:
    ward.container.linker = linker()
    for author in ("", "  Ada   Byron "):
        correction = {"start_char": 0, "end_char": 5, "text": "Cough", "kind": "absent", "author": author}
        record = ward.ask("POST", "/links", {"text": "Cough.", "corrections": [correction]}).json()["record"]
        assert [one["author"] for one in record["problems"]] == ["Ada Byron"]


def test_no_draft_is_saved_that_another_is_said_to_have_corrected(ward: Ward) -> None:
    draft = sample().model_dump(mode="json")
    problem = {"id": "problem-1", "name": "cough", "concept_id": None, "stated_by": "clinician", "author": "Ben"}
    draft["record"] = {"problems": [problem]}
    answer = ward.ask("POST", "/cases", {"label": "x", "draft": draft, "author": "Ada Byron"})
    assert kind(answer) == (403, "NotYouError")
    problem["author"] = "Ada Byron"
    assert ward.ask("POST", "/cases", {"label": "x", "draft": draft, "author": "Ada Byron"}).status_code == 201
