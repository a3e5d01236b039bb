"""The client against a transport that answers from memory."""

import json
from collections.abc import Callable, Iterator

import httpx
import pytest

from app.clients.api_errors import ApiError, SignatureRefusedError, StaleError
from app.clients.client import ApiClient
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import Edit, EditKind, EditsRequest, SaveRequest, SignatureRequest
from backend.schemas.seams import Registered, Seam
from backend.settings import Settings
from tests.app.fake_api import CASE, draft_of
from tests.app.fake_cases import CASE_ID, FakeCases

REQUEST = DraftRequest(text="a note")
Answer = Callable[[httpx.Request], httpx.Response]


def client(answer: Answer, **settings: object) -> ApiClient:
    return ApiClient(Settings(_env_file=None, **settings), httpx.MockTransport(answer))


def sse(*events: StageEvent) -> bytes:
    return b"".join(f"event: {e.stage}\ndata: {e.model_dump_json()}\n\n".encode() for e in events)


def test_client_yields_the_stages_in_the_order_they_arrive() -> None:
    events = (StageEvent(stage="link"), StageEvent(stage="draft", data=draft_of(REQUEST).model_dump(mode="json")))
    found = client(lambda request: httpx.Response(200, content=sse(*events))).drafts(REQUEST)
    assert [event.stage for event in found] == ["link", "draft"]


def test_client_sends_the_whole_request_and_the_token() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=b"")

    wanted = DraftRequest(text="a note", system="drknows", seed=7, ruled_out_conditions=("T:x",))
    list(client(answer, api_token="secret").drafts(wanted))
    assert DraftRequest.model_validate(json.loads(seen[0].content)) == wanted
    assert seen[0].headers["authorization"] == "Bearer secret"
    assert seen[0].url.path == "/v1/drafts"


def test_client_passes_the_api_s_own_words_of_refusal_on() -> None:
    refusal = {"error": {"kind": "TooLongError", "message": "The note is too long."}}
    with pytest.raises(ApiError, match="The note is too long") as caught:
        list(client(lambda request: httpx.Response(413, json=refusal)).drafts(REQUEST))
    assert not caught.value.unreachable


def test_client_says_how_to_start_an_api_that_does_not_answer() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with pytest.raises(ApiError, match="make run") as caught:
        client(answer).systems()
    assert caught.value.unreachable


def test_client_knows_a_stream_that_breaks_off_from_an_api_that_is_not_there() -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield sse(StageEvent(stage="link"))
            raise httpx.ReadError("gone")

    stream = client(lambda request: httpx.Response(200, stream=Broken())).drafts(REQUEST)
    assert next(stream).stage == "link"
    with pytest.raises(ApiError, match="broke off") as caught:
        next(stream)
    assert not caught.value.unreachable


@pytest.mark.parametrize("body", [b"<html>", b"\xff\xfe"])
def test_client_knows_when_something_else_answers_at_the_port(body: bytes) -> None:
    with pytest.raises(ApiError, match="does not speak"):
        client(lambda request: httpx.Response(200, content=body)).systems()


def test_client_reads_what_is_registered() -> None:
    planner = Registered(name="rules", label="Rules", about="Plans by rule.")
    seam = Seam(name="planner", registered=(planner,))
    assert client(lambda request: httpx.Response(200, json=[seam.model_dump()])).seams() == (seam,)


def test_client_reads_the_demonstration_cases() -> None:
    rows = [CASE.model_dump(mode="json")]
    assert client(lambda request: httpx.Response(200, json=rows)).cases() == (CASE,)


def test_client_reaches_an_api_that_listens_on_all_addresses_by_loopback() -> None:
    assert client(lambda request: httpx.Response(200), host="0.0.0.0").address == "http://127.0.0.1:8600/v1"
    assert client(lambda request: httpx.Response(200), host="::1").address == "http://[::1]:8600/v1"


def test_client_sends_an_edit_and_reads_the_case_that_comes_back() -> None:
    cases, seen = FakeCases(), []
    cases.save_case(SaveRequest(label="HF", draft=draft_of(REQUEST), author="Dr Ames"))
    wanted = EditsRequest(version=1, edits=(Edit(kind=EditKind.DELETE, sentence="S1", author="Dr Ames"),))

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append((request.method, request.url.path, EditsRequest.model_validate_json(request.content)))
        return httpx.Response(200, content=cases.edit_case(CASE_ID, wanted).model_dump_json())

    view = client(answer).edit_case(CASE_ID, wanted)
    assert seen == [("POST", f"/v1/cases/{CASE_ID}/edits", wanted)]
    assert view.sentences[0].deleted


def test_client_reads_what_changed_from_a_stale_write() -> None:
    record = {"version": 2, "kind": "delete", "sentence": "S1", "text": "", "earlier_text": "x", "author": "Dr Other",
              "at": "2026-01-02T03:04:00Z"}  # fmt: skip
    error = {"kind": "StaleVersionError", "message": "No longer the newest.", "newest": 2, "changed": [record]}
    with pytest.raises(StaleError, match="No longer") as caught:
        client(lambda request: httpx.Response(409, json={"error": error})).saved_case(CASE_ID)
    assert (caught.value.newest, [one.author for one in caught.value.changed]) == (2, ["Dr Other"])


def test_client_reads_what_stands_against_a_signature() -> None:
    gap = {"sentence": "S4", "section": "Your stay", "text": "[team to complete: weight]"}
    error = {"kind": "SignatureRefusedError", "message": "Not yet.", "flags": [], "gaps": [gap]}
    request = SignatureRequest(version=1, name="Dr Ames", role="attending")
    with pytest.raises(SignatureRefusedError) as caught:
        client(lambda _: httpx.Response(409, json={"error": error})).sign_case(CASE_ID, request)
    assert [one.sentence for one in caught.value.gaps] == ["S4"]


def test_client_exports_a_file_in_the_name_of_who_asked() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == f"/v1/cases/{CASE_ID}/exports/pdf"
        assert dict(request.url.params) == {"copy": "patient", "version": "3", "author": "Dr Ames"}
        return httpx.Response(200, content=b"%PDF")

    assert client(answer).export_case(CASE_ID, "pdf", "patient", 3, "Dr Ames") == b"%PDF"
