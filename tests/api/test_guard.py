"""Who may use which route: the whole table, and what becomes of a route that declares nothing."""

from typing import Any, cast

import pytest
from fastapi.routing import iter_route_contexts
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.api.guard import Allowed, Caller, declared, for_coordinators, for_people
from backend.settings import Settings

OPEN = frozenset(Caller)
ADMINISTRATORS = frozenset({Caller.PROGRAM, Caller.ADMINISTRATOR})
COORDINATORS = ADMINISTRATORS | {Caller.COORDINATOR}
PEOPLE = COORDINATORS | {Caller.CLINICIAN}
RATERS = PEOPLE | {Caller.RATER}
STUDY = "/v1/studies/{study_id}"
CASE = "/v1/cases/{case_id}"

TABLE: dict[frozenset[Caller], tuple[str, ...]] = {
    OPEN: ("GET /v1/health",),
    PEOPLE: (
        "GET /openapi.json",
        "HEAD /openapi.json",
        "GET /v1/systems",
        "GET /v1/seams",
        "GET /v1/prompts",
        "GET /v1/settings",
        "GET /v1/knowledge",
        "GET /v1/knowledge/kinds",
        "GET /v1/knowledge/review",
        "GET /v1/knowledge/review/items",
        "GET /v1/knowledge/review/item",
        "POST /v1/knowledge/review/decisions",
        "GET /v1/knowledge/review/difference",
        "GET /v1/knowledge/review/journal",
        "GET /v1/knowledge/hospital/{table}",
        "POST /v1/knowledge/hospital/{table}/check",
        "PUT /v1/knowledge/hospital/{table}",
        "POST /v1/knowledge/hospital/{table}/restore",
        "DELETE /v1/knowledge/hospital/{table}",
        "GET /v1/cases/demonstration",
        "GET /v1/cases/demonstration/{name}",
        "GET /v1/flag-answers",
        "POST /v1/logins",
        "GET /v1/logins",
        "DELETE /v1/logins",
        "POST /v1/links",
        "POST /v1/uploads",
        "POST /v1/uploads/notes",
        "GET /v1/uploads/notes",
        "POST /v1/evidence",
        "POST /v1/drafts",
        "POST /v1/visits/overview",
        "POST /v1/visits",
        "GET /v1/results",
        "GET /v1/concepts",
        "GET /v1/concepts/{concept_id}/neighbours",
        "GET /v1/paths",
        "GET /v1/documents",
        "POST /v1/cases",
        "GET /v1/cases",
        f"GET {CASE}",
        f"DELETE {CASE}",
        f"POST {CASE}/edits",
        f"POST {CASE}/signature",
        f"GET {CASE}/exports/{{file_format}}",
        f"POST {CASE}/translation",
        f"GET {CASE}/audit",
        f"GET {CASE}/presence",
        f"GET {CASE}/comparison",
    ),
    ADMINISTRATORS: (
        "GET /v1/people",
        "POST /v1/people",
        "GET /v1/people/trail",
        "PUT /v1/people/{name}",
        "DELETE /v1/people/{name}",
    ),
    COORDINATORS: (
        "GET /v1/status",
        "POST /v1/knowledge/collections",
        "POST /v1/knowledge/collections/{name}/encoding",
        "DELETE /v1/knowledge/collections/{name}",
        "GET /v1/instruments",
        "GET /v1/study-templates",
        "POST /v1/study-imports",
        "GET /v1/study-power",
        "GET /v1/studies",
        "POST /v1/studies",
        f"GET {STUDY}",
        f"PUT {STUDY}/setup",
        f"POST {STUDY}/cases",
        f"POST {STUDY}/drafts",
        f"POST {STUDY}/generation",
        f"DELETE {STUDY}/generation",
        f"GET {STUDY}/leaks",
        f"POST {STUDY}/freeze",
        f"GET {STUDY}/links",
        f"POST {STUDY}/links",
        f"DELETE {STUDY}/links/{{link_id}}",
        f"GET {STUDY}/progress",
        f"POST {STUDY}/close",
        f"POST {STUDY}/unlock",
        f"GET {STUDY}/analysis",
        f"GET {STUDY}/analysis/charts",
        f"GET {STUDY}/reports/{{file_format}}",
        f"GET {STUDY}/judges",
        f"POST {STUDY}/judges",
        f"POST {STUDY}/adjudication",
        f"GET {STUDY}/exports/{{file_format}}",
        f"GET {STUDY}/audit",
    ),
    RATERS: (
        "GET /v1/ratings/session",
        "PUT /v1/ratings/profile",
        "GET /v1/ratings/items/{number}",
        "PUT /v1/ratings/items/{number}/answers/{answer_id}",
        "POST /v1/ratings/items/{number}/evidence",
        "POST /v1/ratings/pauses",
        "DELETE /v1/ratings/pauses",
        "POST /v1/ratings/leaks",
        "POST /v1/ratings/finish",
        "GET /v1/ratings/guesses",
        "PUT /v1/ratings/guesses/{answer_id}",
        "GET /v1/ratings/closing",
        "PUT /v1/ratings/closing/{answer_id}",
    ),
}


@pytest.fixture
def app() -> Any:
    return create_app(Settings(_env_file=None), cast(Any, object()))


def client(app: Any) -> TestClient:
    return TestClient(app, base_url="http://127.0.0.1")


def kind(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["kind"]


def test_every_route_declares_who_may_use_it(app: Any) -> None:
    found = {
        f"{method} {route.path}": declared(route).callers
        for route in iter_route_contexts(app.routes)
        for method in route.methods or ()
    }
    assert found == {route: callers for callers, routes in TABLE.items() for route in routes}


def test_a_route_that_declares_nothing_is_closed_to_everybody(app: Any) -> None:
    app.add_api_route("/v1/forgotten", lambda: "open")
    app.router.add_route("/v1/plain", lambda request: None)
    for path in ("/v1/forgotten", "/v1/plain"):
        assert kind(client(app).get(path)) == (403, "role")  # on loopback, where programs ask freely
        assert kind(client(app).post(path)) == (403, "role")  # another method says no more
        assert kind(client(app).get(path, headers={"Rater-Token": "x" * 20})) == (403, "rater")


def test_a_route_that_declares_nothing_is_closed_to_a_program_with_its_token() -> None:
    known = Settings(_env_file=None, api_token="a-long-random-word")
    app = create_app(known, cast(Any, object()))
    app.add_api_route("/v1/forgotten", lambda: "open")
    asking = client(app)
    assert kind(asking.get("/v1/forgotten")) == (401, "token")
    assert kind(asking.get("/v1/forgotten", headers={"Authorization": "Bearer a-long-random-word"})) == (403, "role")


def test_a_route_may_declare_another_than_its_router() -> None:
    from fastapi import APIRouter, FastAPI

    router = APIRouter(dependencies=[for_coordinators("These are for coordinators.")])

    @router.get("/own", dependencies=[for_people()])
    def own() -> None: ...

    @router.get("/other")
    def other() -> None: ...

    app = FastAPI()
    app.include_router(router, prefix="/v1")
    routes = {route.path: route for route in iter_route_contexts(app.routes)}
    assert declared(routes["/v1/own"]).callers == PEOPLE
    assert declared(routes["/v1/other"]).callers == COORDINATORS
    assert declared(routes["/v1/other"]).refusal.message.startswith("These are for coordinators. Ask whoever")


def test_an_unknown_address_is_answered_as_unknown(app: Any) -> None:
    assert kind(client(app).get("/v1/nothing")) == (404, "HttpError")
    assert kind(client(app).get("/v1/nothing", headers={"Rater-Token": "x" * 20})) == (403, "rater")


def test_a_declaration_without_callers_lets_nobody_in() -> None:
    assert Allowed().callers == frozenset()
