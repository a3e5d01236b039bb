"""The API over HTTP: every route, the order of events, and refusals that never repeat the note."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import LARGEST_BODY, create_app
from backend.errors import InputError
from backend.schemas.access import is_loopback
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.note import LinkedNote
from backend.settings import Settings
from backend.systems import SYSTEMS

NOTE = "Allergies: penicillin (hives)\n\nChief Complaint: cough and fever\n\nHPI: A 60-year-old woman. She denies chest pain.\n"
SECRET = "zanzibarsecret"
STAGES = ["link", "conditions", "paths", "thought", "plan", "notes", "passages"]
JSON = {"accept": "application/json"}


def events(body: str) -> list[StageEvent]:
    found = []
    for block in body.strip().split("\n\n"):
        name, data = block.split("\n", 1)
        event = StageEvent.model_validate(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {event.stage}"
        found.append(event)
    return found


def test_health_and_what_there_is(client: TestClient) -> None:
    assert client.get("/v1/health").json()["status"] == "ready"
    systems = client.get("/v1/systems").json()
    assert systems["default"] == "leapnote"
    assert [s["name"] for s in systems["systems"]][: len(SYSTEMS)] == [s.name for s in SYSTEMS]
    assert set(systems["documents"]) == {"discharge_instructions", "progress_note", "clinical_answer"}
    assert systems["generator"]["reason"]
    assert client.get("/v1/results").json() == []


def test_every_setting_is_listed_with_its_meaning_and_a_token_is_never_shown(
    client_with: Callable[..., TestClient],
) -> None:
    client = client_with(api_token=SECRET)
    answer = client.get("/v1/settings", headers={"authorization": f"Bearer {SECRET}"})
    rows = {row["name"]: row for row in answer.json()}
    assert set(rows) == {f"LEAPNOTE_{name.upper()}" for name in Settings.model_fields}
    assert all(row["meaning"] for row in rows.values())
    assert rows["LEAPNOTE_API_TOKEN"]["value"] == "set"
    assert SECRET not in answer.text


def test_knowledge_says_what_it_is_and_which_sources_are_empty(client: TestClient) -> None:
    found = client.get("/v1/knowledge").json()
    for words in ("not reviewed by a clinician", "not a guideline", "adults only"):
        assert words in found["notice"]
    passages = {row["source"]: row["passages"] for row in found["sources"]}
    assert passages.pop("book") > 1000
    assert passages == {"guideline": 0, "research": 0, "wiki": 0}


def test_demonstration_cases_are_listed_and_read_one_by_one(client: TestClient) -> None:
    rows = client.get("/v1/cases/demonstration").json()
    assert len(rows) >= 18
    assert [row["name"] for row in rows] == sorted(row["name"] for row in rows)
    assert client.get(f"/v1/cases/demonstration/{rows[0]['name']}").json() == rows[0]
    assert client.get("/v1/cases/demonstration/none-such").status_code == 404


def test_links_gives_the_note_with_its_allergies(client: TestClient) -> None:
    answer = client.post("/v1/links", json={"text": NOTE})
    assert {"note", "allergies"} <= set(answer.json())
    linked = LinkedNote.model_validate(answer.json())
    assert [item.text for item in linked.allergies.items] == ["penicillin"]
    assert all(NOTE[m.start_char : m.end_char] == m.text for m in linked.note.mentions)


def test_drafts_stream_the_stages_in_order_then_the_text_then_the_whole(client: TestClient) -> None:
    answer = client.post("/v1/drafts", json={"text": NOTE})
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    names = [event.stage for event in found]
    assert names[:7] == STAGES
    assert names[-1] == "draft"
    tokens = [i for i, name in enumerate(names) if name == "token"]
    assert tokens
    assert tokens == list(range(len(STAGES), len(STAGES) + len(tokens)))
    draft = Draft.model_validate(found[-1].data)
    assert [found[i].data["text"] for i in tokens] == [s.text for s in draft.sentences]
    assert all(event.ms >= 0 for event in found)


def test_drafts_are_one_answer_where_json_is_asked_for(client: TestClient) -> None:
    answer = client.post("/v1/drafts", json={"text": NOTE, "seed": 7}, headers=JSON)
    draft = Draft.model_validate(answer.json())
    assert (draft.seed, draft.system, draft.status) == (7, "leapnote", "complete")
    for key in ("id", "versions", "generator", "note", "allergies", "conditions", "plan", "evidence", "text"):
        assert key in answer.json()
    for key in ("sentences", "removed_citations", "flags", "checks", "readability", "stages", "timings_ms"):
        assert key in answer.json()


def test_the_stages_of_a_draft_are_listed_in_their_order_with_words_to_read(client: TestClient) -> None:
    listed = client.get("/v1/systems").json()["stages"]
    assert len({stage["label"] for stage in listed}) == len(listed)
    ran = [stage["name"] for stage in client.post("/v1/drafts", json={"text": NOTE}, headers=JSON).json()["stages"]]
    assert ran == [stage["name"] for stage in listed if not stage["optional"] or stage["name"] in ran]


def test_evidence_has_everything_but_a_text(client: TestClient) -> None:
    found = events(client.post("/v1/evidence", json={"text": NOTE}).text)
    assert [event.stage for event in found] == [*STAGES, "evidence"]
    draft = Draft.model_validate(found[-1].data)
    assert draft.evidence.passages
    assert draft.evidence.paths
    assert (draft.text, draft.sentences) == ("", ())


def test_a_question_with_options_is_answered(client: TestClient) -> None:
    body = {
        "question": "Which test shows pneumonia?",
        "options": ["chest x-ray", "knee x-ray"],
        "document": "clinical_answer",
    }
    answer = client.post("/v1/drafts", json=body, headers=JSON).json()
    assert answer["answer"] == "A"


def test_a_question_alone_is_answered_and_not_made_into_instructions(client: TestClient) -> None:
    alone = client.post("/v1/drafts", json={"question": "What is gout?"}, headers=JSON).json()
    assert alone["document"] == "clinical_answer"
    beside = {"question": "What should she avoid?", "text": NOTE}
    assert client.post("/v1/drafts", json=beside, headers=JSON).json()["document"] == "discharge_instructions"


def test_one_option_is_refused(client: TestClient) -> None:
    answer = client.post("/v1/drafts", json={"question": "Which test?", "options": ["chest x-ray"]}, headers=JSON)
    assert answer.status_code == 422
    assert "two to ten" in answer.json()["error"]["message"]


@pytest.mark.parametrize("field", ["confirmed_conditions", "ruled_out_conditions"])
@pytest.mark.parametrize("route", ["drafts", "evidence"])
def test_a_condition_that_the_graph_lacks_is_refused_and_not_passed_over(
    client: TestClient, route: str, field: str
) -> None:
    answer = client.post(f"/v1/{route}", json={"text": NOTE, field: ["LN:pneumonia", "LN:pneumoniaa"]}, headers=JSON)
    assert answer.status_code == 422
    assert "'LN:pneumoniaa'" in answer.json()["error"]["message"]


def test_what_no_route_takes_is_refused_in_the_same_form(client: TestClient) -> None:
    for method, address, status, words in (
        ("GET", "/v1/draft", 404, "/openapi.json"),
        ("GET", "/v1/drafts", 405, "does not take GET"),
    ):
        answer = client.request(method, address)
        assert answer.status_code == status
        assert words in answer.json()["error"]["message"]
    assert client.get("/v1/drafts").headers["allow"] == "POST"
    broken = client.post("/v1/links", content=b"\xff\xfe{", headers={"content-type": "application/json"})
    assert broken.status_code == 400
    assert "UTF-8" in broken.json()["error"]["message"]


def test_the_page_s_path_to_the_graph(client: TestClient) -> None:
    first, *_ = client.get("/v1/concepts", params={"q": "heart failure"}).json()
    assert first["concept_id"] == "LN:heart-failure"
    near = client.get("/v1/concepts/LN:heart-failure/neighbours").json()
    assert near["concept"]["name"] == "heart failure"
    assert {"relation", "qualifier", "concept"} == set(near["neighbours"][0])
    path = client.get("/v1/paths", params={"from": "LN:orthopnea", "to": "LN:heart-failure"}).json()["steps"]
    assert [step["concept"]["concept_id"] for step in path] == ["LN:orthopnea", "LN:heart-failure"]
    assert path[0]["relation"] == ""
    same = client.get("/v1/paths", params={"from": "LN:orthopnea", "to": "LN:orthopnea"}).json()["steps"]
    assert len(same) == 1


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/concepts/LN:none-such/neighbours", 404),
        ("/v1/paths?from=LN:none-such&to=LN:heart-failure", 404),
        ("/v1/concepts", 422),
        ("/v1/concepts?q=", 422),
        ("/v1/concepts?q=a&limit=0", 422),
        ("/v1/none-such", 404),
    ],
)
def test_what_does_not_exist_is_said_so(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status


@pytest.mark.parametrize("route", ["/v1/links", "/v1/evidence", "/v1/drafts"])
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 422),
        (" \n\t ", 422),
        (f"{SECRET} " * 100_000, 413),
        (f"{SECRET}\x00 fever", 422),
        (f"{SECRET}" + "\x01\x02\x03\x04" * 50, 422),
        (f"{SECRET}" + "\ufffd" * 200, 422),
    ],
)
def test_a_text_that_cannot_be_taken_is_refused_without_repeating_it(
    client: TestClient, route: str, text: str, status: int
) -> None:
    answer = client.post(route, json={"text": text})
    assert answer.status_code == status
    assert SECRET not in answer.text
    assert len(answer.json()["error"]["message"]) > 20


@pytest.mark.parametrize("route", ["/v1/links", "/v1/drafts"])
def test_lone_surrogates_are_refused(client: TestClient, route: str) -> None:
    body = '{"text": "' + SECRET + ' \\ud800 fever"}'
    answer = client.post(route, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert SECRET not in answer.text


@pytest.mark.parametrize(
    "body",
    [
        {"text": SECRET, "document": "poem"},
        {"text": SECRET, "style": SECRET},
        {"text": SECRET, "extra": 1},
        {"text": SECRET, "seed": SECRET},
        {"text": SECRET, "options": [SECRET] * 11},
        {"text": {"a": SECRET}},
        [SECRET],
        {"text": SECRET, "patient_notes": [{"text": ""}]},
        {"text": "ok", "hospital_course": f"{SECRET}\x00"},
        {"text": "ok", "discharge_medicines": [f"{SECRET}\x00"]},
    ],
)
def test_a_request_of_another_shape_is_refused_without_repeating_it(client: TestClient, body: Any) -> None:
    answer = client.post("/v1/drafts", json=body)
    assert answer.status_code == 422
    assert SECRET not in answer.text
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("text", "{}", "The note has"),
        ("question", "{}", "The question has"),
        ("hospital_course", "{}", "The hospital course has"),
        ("discharge_medicines", ["aspirin", "{}"], "The discharge medicine 2 has"),
        ("patient_notes", [{"text": "{}"}], "The earlier note 1 has"),
        ("patient_notes", [{"text": " "}], "The earlier note 1 is empty. Fill it in."),
    ],
)
def test_a_field_that_is_too_long_or_empty_is_named(client: TestClient, field: str, value: Any, named: str) -> None:
    body = {"text": NOTE} | {field: json.loads(json.dumps(value).replace("{}", f"{SECRET} " * 10_000))}
    answer = client.post("/v1/drafts", json=body)
    assert answer.status_code in (413, 422)
    assert answer.json()["error"]["message"].startswith(named)
    assert SECRET not in answer.text


def test_no_json_at_all_is_refused(client: TestClient) -> None:
    answer = client.post("/v1/drafts", content=f"{SECRET} {{", headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert SECRET not in answer.text


def test_an_unknown_system_or_generator_names_those_there_are(client: TestClient) -> None:
    answer = client.post("/v1/drafts", json={"text": NOTE, "system": "magic"})
    assert answer.status_code == 404
    assert "random1hop" in answer.json()["error"]["message"]
    answer = client.post("/v1/drafts", json={"text": NOTE, "generator": "magic"})
    assert answer.status_code == 422
    assert "composer" in answer.json()["error"]["message"]


def test_a_body_beyond_the_limit_is_refused_before_it_is_read(client: TestClient) -> None:
    answer = client.post("/v1/links", content=b"{}", headers={"content-length": str(LARGEST_BODY + 1)})
    assert answer.status_code == 413
    assert f"{LARGEST_BODY:,}" in answer.json()["error"]["message"]


def test_a_token_is_demanded_where_one_is_set_but_for_health(client_with: Callable[..., TestClient]) -> None:
    client = client_with(api_token=SECRET)
    assert client.get("/v1/health").status_code == 200
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": SECRET}):
        answer = client.get("/v1/systems", headers=headers)
        assert answer.status_code == 401
        assert SECRET not in answer.text
    assert client.get("/v1/systems", headers={"authorization": f"Bearer {SECRET}"}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "hospital.example"])
def test_an_address_beyond_this_machine_is_refused_without_a_token(client_with: Any, host: str) -> None:
    with pytest.raises(InputError, match="LEAPNOTE_API_TOKEN"):
        client_with(host=host)
    assert client_with(host=host, api_token=SECRET)


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("127.9.9.9", True), ("10.0.0.1", False)],
)
def test_loopback_is_told_by_address(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_a_defect_is_reported_by_kind_alone(container: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str, corrections: object = ()) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(container.linker, "read", fail)
    client = TestClient(
        create_app(container.settings, container), raise_server_exceptions=False, base_url="http://127.0.0.1"
    )
    answer = client.post("/v1/links", json={"text": NOTE})
    assert answer.status_code == 500
    assert "RuntimeError" in answer.json()["error"]["message"]
    assert SECRET not in answer.text
    stream = client.post("/v1/drafts", json={"text": NOTE}).text
    draft = events(stream)[-1].data
    assert (draft["status"], draft["allergies"]["status"]) == ("partial", "unreadable")
    assert "RuntimeError" in stream
    assert SECRET not in stream


def test_openapi_describes_every_route(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/v1/health", "/v1/systems", "/v1/settings", "/v1/knowledge", "/v1/links", "/v1/evidence"} <= set(paths)
    assert {"/v1/drafts", "/v1/concepts", "/v1/concepts/{concept_id}/neighbours", "/v1/paths"} <= set(paths)
