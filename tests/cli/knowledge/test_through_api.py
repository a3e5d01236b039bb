"""Changes to the sources by way of a running API: what it answers, and what its errors become."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from backend.cli.knowledge import through_api
from backend.errors import ConflictError, InputError, LeapnoteError, MissingError
from backend.settings import Settings

REAL = httpx.Client
Answer = Callable[[httpx.Request], httpx.Response]
SETTINGS = Settings(_env_file=None, host="0.0.0.0", api_port=1234, api_token="secret")


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], list[httpx.Request]]:
    """Let a function answer in the place of the API; gives what was asked."""

    def put(answer: Answer) -> list[httpx.Request]:
        asked: list[httpx.Request] = []

        def handler(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            return answer(request)

        monkeypatch.setattr(
            through_api.httpx, "Client", lambda **given: REAL(**given, transport=httpx.MockTransport(handler))
        )
        return asked

    return put


def events(*told: tuple[str, Any]) -> Answer:
    text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in told)
    return lambda request: httpx.Response(200, text=text)


def add(seen: list[tuple[int, int, str]] | None = None) -> dict[str, Any]:
    told = seen if seen is not None else []
    return through_api.import_through_api(SETTINGS, {"path": "x.zip"}, lambda *one: told.append(one))  # type: ignore[arg-type]


def test_an_import_follows_its_progress_to_the_result(api: Callable[[Answer], list[httpx.Request]]) -> None:
    asked = api(events(("progress", {"done": 1, "total": 2, "what": "pages"}), ("done", {"documents": 7})))
    seen: list[tuple[int, int, str]] = []
    assert add(seen) == {"documents": 7}
    assert seen == [(1, 2, "pages")]
    (request,) = asked
    assert (request.url.host, request.url.port) == (
        "127.0.0.1",
        1234,
    )  # an address of every interface is no place to ask
    assert request.headers["authorization"] == "Bearer secret"
    assert json.loads(request.content)["path"].startswith("/")


@pytest.mark.parametrize(("status", "kind"), [(2, InputError), (3, MissingError), (1, LeapnoteError)])
def test_an_error_within_the_answer_keeps_its_kind(
    api: Callable[[Answer], list[httpx.Request]], status: int, kind: type[Exception]
) -> None:
    api(events(("error", {"message": "no", "status": status})))
    with pytest.raises(kind, match="no") as caught:
        add()
    assert type(caught.value) is kind


@pytest.mark.parametrize(("code", "kind"), [(409, ConflictError), (422, InputError), (500, LeapnoteError)])
def test_a_refusal_becomes_the_error_it_stands_for(
    api: Callable[[Answer], list[httpx.Request]], code: int, kind: type[Exception]
) -> None:
    api(lambda request: httpx.Response(code, json={"error": {"message": "not so"}}))
    with pytest.raises(kind, match="not so"):
        through_api.remove_through_api(SETTINGS, "who")


def test_an_answer_of_another_shape_is_told_by_its_status(api: Callable[[Answer], list[httpx.Request]]) -> None:
    api(lambda request: httpx.Response(502, text="<html>"))
    with pytest.raises(LeapnoteError, match="status 502"):
        through_api.remove_through_api(SETTINGS, "who")


def test_an_answer_that_ends_without_a_result_says_how_to_go_on(api: Callable[[Answer], list[httpx.Request]]) -> None:
    api(events(("progress", {"done": 1, "total": 2, "what": "pages"})))
    with pytest.raises(MissingError, match="goes on where it was"):
        through_api.encode_through_api(SETTINGS, "who", 8, lambda *one: None)  # type: ignore[arg-type]


def test_where_none_answers_there_is_no_api_and_one_that_goes_away_is_missing(
    api: Callable[[Answer], list[httpx.Request]],
) -> None:
    def refuse(error: type[httpx.TransportError]) -> Answer:
        def raising(request: httpx.Request) -> httpx.Response:
            raise error("gone", request=request)

        return raising

    api(refuse(httpx.ConnectError))
    with pytest.raises(through_api.NoApi):
        add()
    api(refuse(httpx.ReadError))
    with pytest.raises(MissingError, match="went away"):
        add()
