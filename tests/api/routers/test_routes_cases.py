import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import docx
import pytest
from fastapi.testclient import TestClient
from httpx import Response
from pydantic import SecretStr
from pypdf import PdfReader

from backend.api.app import create_app
from backend.container import Container
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import Draft
from backend.settings import Settings
from backend.stores.database.database import FILE
from backend.stores.graph.graph import Graph
from backend.verification.safety.safety import GraphSafetyCheck
from tests.review.sample import HEART_FAILURE, MEDICINES, NOT_RECOGNISED, TEXT, sample

NOBODY = "00000000-0000-4000-8000-000000000000"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
Json = dict[str, Any]


def no_work() -> None:
    """The small container is warm as it is."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, data=tmp_path, database_url=SecretStr(""), retention_days=0)


@pytest.fixture
def client(
    settings: Settings, tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker
) -> Iterator[TestClient]:
    """The API over the smallest container in which cases can live: a graph of thirty concepts, no encoder."""
    small = container_of(settings, tiny_graph, tiny_reach, tiny_linker)
    with TestClient(create_app(settings, small), base_url="http://127.0.0.1") as client:
        yield client


def container_of(settings: Settings, graph: Graph, reach: AllergyReach, linker: DictionaryLinker) -> Container:
    small = SimpleNamespace(
        settings=settings,
        graph=graph,
        reach=reach,
        linker=linker,
        safety=GraphSafetyCheck(graph, reach, (), linker),
        checks=SimpleNamespace(verifier=lambda judge: None, fit=None),
        warm=no_work,
        close=no_work,
    )
    return cast(Container, small)


def save(client: TestClient, draft: Draft | None = None, label: str = "Heart failure, 80 F") -> Json:
    body = {"label": label, "draft": (draft or sample()).model_dump(mode="json"), "author": "Dr Ames"}
    answer = client.post("/v1/cases", json=body)
    assert answer.status_code == 201, answer.text
    return cast(Json, answer.json())


def edit(client: TestClient, case: Json, *edits: Json, **more: Any) -> Response:
    made = [{"author": "Dr Brand", **one} for one in edits]
    body = {"version": case["version"], "edits": made, **more}
    return client.post(f"/v1/cases/{case['id']}/edits", json=body)


def complete(client: TestClient, case: Json) -> Json:
    answer = edit(
        client,
        case,
        {"kind": "replace", "sentence": 2, "text": "Your heart was weak."},
        {"kind": "replace", "sentence": 3, "text": "Take what your list says."},
        {"kind": "confirm_condition", "concept_id": HEART_FAILURE},
    )
    assert answer.status_code == 200, answer.text
    return cast(Json, answer.json())


def sign(client: TestClient, case: Json) -> Response:
    severe = [f["id"] for f in case["flags"] if f["severity"] == "severe"]
    acknowledged = [{"flag": flag, "code": "asked", "reason": "asked the patient"} for flag in severe]
    body = {"version": case["version"], "name": "Dr Brand", "role": "attending", "acknowledgements": acknowledged}
    return client.post(f"/v1/cases/{case['id']}/signature", json=body)


def export(client: TestClient, case: Json, file_format: str, **query: str | int) -> Response:
    return client.get(f"/v1/cases/{case['id']}/exports/{file_format}", params=query)


def refused(answer: Response, status: int) -> Json:
    assert answer.status_code == status, answer.text
    return cast(Json, answer.json()["error"])


def test_a_draft_is_saved_found_and_listed(client: TestClient) -> None:
    case = save(client)
    assert (case["version"], case["state"]) == (1, "draft")
    assert client.get(f"/v1/cases/{case['id']}").json() == case
    listed = client.get("/v1/cases").json()
    assert (listed["total"], [c["id"] for c in listed["cases"]]) == (1, [case["id"]])
    assert set(listed["cases"][0]) == {
        "id", "label", "patient_name", "record_number", "state", "version", "created_at", "updated_at",
    }  # fmt: skip
    assert Draft.model_validate(case["draft"]) == sample()


def test_the_demonstration_cases_stay_where_they_were(client: TestClient) -> None:
    assert client.get("/v1/cases/demonstration").status_code == 200
    assert refused(client.get("/v1/cases/demonstration/nothing"), 404)["kind"] == "NotFoundError"


def test_edits_make_a_version_and_say_who_wrote_what(client: TestClient) -> None:
    after = complete(client, save(client))
    assert (after["version"], after["state"]) == (2, "in_review")
    assert after["sentences"][2]["written_by"]["name"] == "Dr Brand"
    assert after["sentences"][2]["earlier"][0]["text"] == "[team to complete: what was found]"
    assert after["draft"]["sentences"][2]["support"] == "not_scored"
    assert after["draft"]["sentences"][2]["reason"] == "the clinician's own words"
    assert after["gaps"] == []
    assert client.get(f"/v1/cases/{after['id']}", params={"version": 1}).json()["draft"]["text"] == TEXT


def test_a_stale_edit_gets_409_with_what_changed(client: TestClient) -> None:
    case = save(client)
    complete(client, case)
    error = refused(edit(client, case, {"kind": "delete", "sentence": 0}), 409)
    assert (error["kind"], error["newest"]) == ("StaleVersionError", 2)
    assert [(c["version"], c["sentence"], c["text"]) for c in error["changed"]] == [
        (2, "S3", "Your heart was weak."),
        (2, "S4", "Take what your list says."),
        (2, None, ""),
    ]
    assert (error["view"]["version"], error["view"]["id"]) == (2, case["id"])


def test_a_medicine_typed_against_an_allergy_raises_a_severe_flag_at_once(client: TestClient) -> None:
    allergic = sample().allergies.items[0].model_copy(update={"concept_id": "T:lisinopril"})
    allergies = sample().allergies.model_copy(update={"items": (allergic,)})
    case = save(client, sample(allergies=allergies, flags=()))
    # enalapril and lisinopril are both ACE inhibitors in the small graph
    after = edit(client, case, {"kind": "replace", "sentence": 3, "text": "Take enalapril 5 mg each morning."}).json()
    found = [(f["kind"], f["severity"]) for f in after["flags"] if f["kind"] == "allergy_conflict"]
    assert ("allergy_conflict", "severe") in found
    error = refused(sign(client, {**after, "flags": []}), 409)
    assert "allergy_conflict" in [f["kind"] for f in error["flags"]]


def test_a_signature_is_refused_with_the_flags_and_gaps_that_stand_against_it(client: TestClient) -> None:
    case = save(client)
    body = {"version": 1, "name": "Dr Brand", "role": "attending"}
    error = refused(client.post(f"/v1/cases/{case['id']}/signature", json=body), 409)
    assert [f["message"] for f in error["flags"]] == [NOT_RECOGNISED.message]
    assert [(g["section"], g["prompt"]) for g in error["gaps"]] == [(MEDICINES, "which medicines to take")]
    assert [(b["kind"], b["id"]) for b in error["blocks"]] == [
        ("severe", error["flags"][0]["id"]),
        ("gap", "GAP2"),
        ("unconfirmed", HEART_FAILURE),
    ]


def test_from_draft_to_signature_to_the_patients_copy_to_a_correction(client: TestClient) -> None:
    full = complete(client, save(client))
    assert refused(export(client, full, "txt", copy="patient"), 409)["message"].startswith(
        "A patient's copy exists only"
    )
    signed = sign(client, full)
    assert (signed.status_code, signed.json()["state"]) == (200, "signed")
    assert "You came because" in export(client, full, "txt", copy="patient").text
    gone = {"kind": "delete", "sentence": 5}
    assert refused(edit(client, full, gone), 409)["kind"] == "signed"
    corrected = edit(client, full, gone, reopen=True).json()
    assert [v["state"] for v in corrected["versions"]] == ["superseded", "superseded", "in_review"]
    assert refused(export(client, full, "pdf", copy="patient"), 409)


@pytest.mark.parametrize(
    ("file_format", "kind", "ending", "start"),
    [
        ("txt", "text/plain; charset=utf-8", "txt", b"DRAFT, NOT SIGNED"),
        ("docx", DOCX, "docx", b"PK"),
        ("pdf", "application/pdf", "pdf", b"%PDF"),
        ("fhir", "application/fhir+json", "json", b"{"),
    ],
)
def test_each_export_is_a_file_named_without_id_or_person(
    client: TestClient, file_format: str, kind: str, ending: str, start: bytes
) -> None:
    case = save(client, label="Zebra")
    answer = export(client, case, file_format)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    named = (
        r'attachment; filename="Discharge instructions \d{4}-\d\d-\d\d for the clinician DRAFT version 1\.'
        + ending
        + '"'
    )
    assert re.fullmatch(named, answer.headers["content-disposition"])
    assert answer.headers["cache-control"] == "no-store"
    assert answer.content.startswith(start)


def test_an_earlier_version_is_exported_as_superseded(client: TestClient) -> None:
    case = complete(client, save(client))
    assert "REPLACED BY VERSION 2" in export(client, case, "txt", version=1).text
    assert refused(export(client, case, "txt", version=9), 404)


def test_the_audit_trail_tells_what_happened_and_outlives_the_case(client: TestClient) -> None:
    case = complete(client, save(client))
    export(client, case, "txt", author="Dr Cole")
    assert client.delete(f"/v1/cases/{case['id']}", params={"author": "Dr Ames"}).status_code == 204
    assert refused(client.get(f"/v1/cases/{case['id']}"), 404)
    trail = client.get(f"/v1/cases/{case['id']}/audit").json()
    assert [(e["action"], e["actor"], e["version"]) for e in trail] == [
        ("create", "Dr Ames", 1),
        ("replace", "Dr Brand", 2),
        ("replace", "Dr Brand", 2),
        ("confirm_condition", "Dr Brand", 2),
        ("export_clinician", "Dr Cole", 2),
        ("delete_case", "Dr Ames", 2),
    ]
    assert set(trail[0]) == {"id", "at", "actor", "action", "case_id", "version"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/v1/cases/{NOBODY}"),
        ("DELETE", f"/v1/cases/{NOBODY}"),
        ("GET", f"/v1/cases/{NOBODY}/exports/pdf"),
        ("GET", f"/v1/cases/{NOBODY}/audit"),
    ],
)
def test_a_case_that_does_not_exist_is_404(client: TestClient, method: str, path: str) -> None:
    assert refused(client.request(method, path), 404)["kind"] == "NotFoundError"


@pytest.mark.parametrize(
    "broken",
    [
        {"author": "   "},
        {"label": "x" * 201},
        {"label": "null \x00 byte"},
        {"author": "lone \ud800 surrogate"},
        {"draft": {"text": "zebra"}},
        {"unknown": 1},
    ],
)
def test_a_body_that_cannot_be_taken_is_422_and_not_repeated(client: TestClient, broken: Json) -> None:
    body = {"label": "x", "author": "Dr Ames", "draft": sample().model_dump(mode="json"), **broken}
    answer = client.post("/v1/cases", content=json.dumps(body), headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "zebra" not in answer.text
    assert client.get("/v1/cases").json()["total"] == 0


@pytest.mark.parametrize(
    "broken",
    [
        {"kind": "replace", "sentence": 99, "text": "zebra"},
        {"kind": "replace", "sentence": -1, "text": "zebra"},
        {"kind": "replace", "sentence": "T1", "text": "zebra"},
        {"kind": "replace", "sentence": 0, "text": "zebra\x00"},
        {"kind": "replace", "sentence": 0, "text": "zebra" * 1001},
        {"kind": "explode", "sentence": 0, "text": "zebra"},
        {"kind": "restore", "to_version": 10**30},
    ],
)
def test_an_edit_that_cannot_be_made_is_422_and_not_repeated(client: TestClient, broken: Json) -> None:
    case = save(client)
    answer = edit(client, case, broken)
    assert answer.status_code == 422
    assert "zebra" not in answer.text
    assert client.get(f"/v1/cases/{case['id']}").json()["version"] == 1


def test_no_word_of_a_note_reaches_a_log(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        case = complete(client, save(client))
        export(client, case, "pdf")
        edit(client, {**case, "version": 1}, {"kind": "replace", "sentence": 0, "text": "zebra"})
        client.delete(f"/v1/cases/{case['id']}")
    logged = caplog.text
    for words in ("short of breath", "zorblax", "Your heart was weak", "zebra", "Heart failure, 80 F"):
        assert words not in logged


def test_a_damaged_database_is_503_in_words(client: TestClient, settings: Settings) -> None:
    (settings.data / FILE).write_text("This is a shopping list, not a database. " * 50)
    assert "no SQLite database" in refused(client.get("/v1/cases"), 503)["message"]
    (settings.data / FILE).unlink()
    assert client.get("/v1/cases").status_code == 200  # mended without a restart


def test_a_case_saved_by_another_version_is_told_without_its_text(
    client: TestClient,
    settings: Settings,
    tiny_graph: Graph,
    tiny_reach: AllergyReach,
    tiny_linker: DictionaryLinker,
) -> None:
    case = save(client)
    with sqlite3.connect(settings.data / FILE) as connection:
        connection.execute("UPDATE cases SET draft = replace(draft, '\"system\"', '\"zebra\"')")
    # the program that saved it holds what it read; another one reads it anew
    other = TestClient(
        create_app(settings, container_of(settings, tiny_graph, tiny_reach, tiny_linker)), base_url="http://127.0.0.1"
    )
    error = refused(other.get(f"/v1/cases/{case['id']}"), 503)
    assert "cannot be read by this version" in error["message"]
    assert "zebra" not in error["message"]


def test_a_page_of_cases_is_cut_where_asked(client: TestClient) -> None:
    for i in range(3):
        save(client, label=f"Case {i}")
    page = client.get("/v1/cases", params={"limit": 2, "offset": 2}).json()
    assert (page["total"], [c["label"] for c in page["cases"]]) == (3, ["Case 0"])
    assert client.get("/v1/cases", params={"limit": 0}).status_code == 422
    assert client.get("/v1/cases", params={"state": "signed"}).json()["total"] == 0


@pytest.fixture
def shown(client: TestClient) -> Callable[[], Json]:
    return lambda: cast(Json, client.get("/openapi.json").json())


def test_the_routes_are_in_the_contract(shown: Callable[[], Json]) -> None:
    paths = shown()["paths"]
    for path in ("", "/{case_id}", "/{case_id}/edits", "/{case_id}/signature", "/{case_id}/exports/{file_format}"):
        assert f"/v1/cases{path}" in paths


def test_an_export_takes_paper_large_type_and_unwrapped_text(client: TestClient) -> None:
    case = save(client)
    for paper, width in (("a4", 595), ("letter", 612)):
        page = PdfReader(BytesIO(export(client, case, "pdf", paper=paper, large="true").content)).pages[0]
        assert round(page.mediabox.width) == width
    wrapped, whole = (export(client, case, "txt", wrap=wrap).text for wrap in ("true", "false"))
    assert max(map(len, wrapped.splitlines())) <= 75 < max(map(len, whole.splitlines()))
    assert refused(export(client, case, "pdf", paper="a5"), 422)


def test_an_export_follows_the_hospitals_template(client: TestClient, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("OUR HOSPITAL")
    document.add_paragraph("{{letter}}")
    document.save(str(tmp_path / "ours.docx"))
    container = client.app.state.container  # type: ignore[attr-defined]
    case = save(client)
    container.settings = container.settings.model_copy(update={"docx_template": str(tmp_path / "ours.docx")})
    made = docx.Document(BytesIO(export(client, case, "docx").content))
    assert made.paragraphs[0].text == "OUR HOSPITAL"
    container.settings = container.settings.model_copy(update={"docx_template": str(tmp_path / "gone.docx")})
    assert "'gone.docx'" in refused(export(client, case, "docx"), 503)["message"]
