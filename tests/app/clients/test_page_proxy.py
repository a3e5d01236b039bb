"""The page's way to the API: what is passed on, with which login, and what is not."""

import json
import logging
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Route

from app.clients import page_proxy
from app.clients.page_proxy import PageProxy
from app.state.access.login_cookie import COOKIE
from backend.settings import Settings

OWN = {"X-Leapnote": "page"}
Seen = list[httpx.Request]


def proxy(answer: Callable[[httpx.Request], httpx.Response] | None = None, **changed: Any) -> tuple[TestClient, Seen]:
    """A page's server before an API that keeps what it is asked."""
    seen: Seen = []

    def api(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answer(request) if answer else httpx.Response(200, json={"path": request.url.path})

    settings = Settings(_env_file=None, **{"api_token": "the-page-s-own", **changed})
    passing = PageProxy(settings, COOKIE, httpx.MockTransport(api))
    app = Starlette(routes=[Route(page_proxy.PATH, passing.answer, methods=page_proxy.METHODS)])
    return TestClient(app, base_url="http://127.0.0.1"), seen


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "drafts"),
        ("GET", "cases"),
        ("GET", "cases/demonstration"),
        ("POST", "cases/1/edits"),
        ("DELETE", "cases/1"),
        ("GET", "concepts/LN:gout/neighbours"),
        ("POST", "uploads/notes"),
        ("PUT", "visits/1"),
        ("GET", "flag-answers"),
    ],
)
def test_what_the_page_asks_is_passed_on_with_its_own_token(method: str, path: str) -> None:
    client, seen = proxy()
    answer = client.request(method, f"/leapnote/v1/{path}", params={"q": "a b", "version": 2}, headers=OWN)
    assert (answer.status_code, answer.json()) == (200, {"path": f"/v1/{path}"})
    assert (seen[0].method, dict(seen[0].url.params)) == (method, {"q": "a b", "version": "2"})
    assert seen[0].headers["authorization"] == "Bearer the-page-s-own"
    assert "x-leapnote" not in seen[0].headers


@pytest.mark.parametrize(
    "path",
    [
        "logins", "people", "settings", "knowledge/review", "studies", "", "cases/../settings", "cases/%2e%2e/settings",
        "cases//settings", "cases\\..\\settings", "drafts/x", "seams", "casesx",
    ],
)  # fmt: skip
def test_nothing_else_is_passed_on(path: str) -> None:
    client, seen = proxy()
    assert client.get(f"/leapnote/v1/{path}", headers=OWN).status_code == 404
    assert seen == []


@pytest.mark.parametrize("headers", [{}, {"X-Leapnote": "no"}])
def test_without_the_pages_header_nothing_is_passed_on(headers: dict[str, str]) -> None:
    client, seen = proxy()
    answer = client.post("/leapnote/v1/drafts", json={}, headers=headers)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "header")
    assert seen == []


def test_where_people_log_in_the_cookies_login_is_sent_and_never_the_pages_token() -> None:
    client, seen = proxy(login=True)
    client.get("/leapnote/v1/cases", headers=OWN)
    client.get("/leapnote/v1/cases", headers=OWN, cookies={COOKIE: "adas-login"})
    assert "authorization" not in seen[0].headers
    assert seen[1].headers["authorization"] == "Bearer adas-login"
    assert "cookie" not in seen[1].headers


def test_an_authorization_that_a_browser_sends_is_not_passed_on() -> None:
    client, seen = proxy()
    client.get("/leapnote/v1/cases", headers={**OWN, "Authorization": "Bearer forged", "Host": "127.0.0.1"})
    assert seen[0].headers["authorization"] == "Bearer the-page-s-own"


def test_an_api_that_is_away_is_told_in_the_apis_form(caplog: pytest.LogCaptureFixture) -> None:
    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    client, _ = proxy(away)
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/leapnote/v1/cases", json={"note": "zebra words"}, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (503, "away")
    assert "zebra" not in caplog.text + answer.text


def test_an_answers_status_body_and_the_headers_of_a_download_come_through() -> None:
    def refused(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("edits"):
            return httpx.Response(409, json={"error": {"kind": "signed", "message": "Reopen it."}})
        given = {
            "content-disposition": 'attachment; filename="x.pdf"',
            "content-type": "application/pdf",
            "server": "x",
        }
        return httpx.Response(200, content=b"%PDF\x00", headers=given)

    client, _ = proxy(refused)
    answer = client.post("/leapnote/v1/cases/1/edits", json={}, headers=OWN)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (409, "signed")
    file = client.get("/leapnote/v1/cases/1/exports/pdf", headers=OWN)
    assert (file.content, file.headers["content-disposition"]) == (b"%PDF\x00", 'attachment; filename="x.pdf"')
    assert "server" not in file.headers


def test_events_come_through_as_they_are_sent() -> None:
    async def pieces() -> Any:
        for number in range(3):
            yield f"event: e\ndata: {number}\n\n".encode()

    def stream(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=pieces(), headers={"content-type": "text/event-stream"})

    client, seen = proxy(stream)
    with client.stream(
        "POST", "/leapnote/v1/drafts", json={"text": "a"}, headers={**OWN, "Accept": "text/event-stream"}
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert [line for line in answer.iter_lines() if line.startswith("data")] == ["data: 0", "data: 1", "data: 2"]
    assert json.loads(seen[0].content) == {"text": "a"}
    assert seen[0].headers["accept"] == "text/event-stream"


def test_a_body_that_is_too_large_is_refused_here() -> None:
    client, seen = proxy()
    answer = client.post("/leapnote/v1/uploads", content=b"x" * (page_proxy.LARGEST_BODY + 1), headers=OWN)
    assert (answer.status_code, answer.json()["error"]["kind"], seen) == (413, "too_long", [])
