"""The hospital's own tables over HTTP."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.routers import routes_hospital
from backend.container import Container
from backend.knowledge.hospital.hospital_tables import HospitalTables
from backend.knowledge.hospital.tables import KnownNames
from backend.knowledge.review.knowledge_review import KnowledgeReview

AT = "/v1/knowledge/hospital/formulary"
TEXT = "medicine\tstatus\tinstead\tcondition\tnote\nLipitor\toff\t-\t-\t-\nzzz\toff\t-\t-\t-\n"


@pytest.fixture(autouse=True)
def data(container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    tables = HospitalTables(tmp_path, lambda: KnownNames(container.starter_graph.concepts))
    monkeypatch.setattr(routes_hospital, "_tables", lambda request: tables)
    monkeypatch.setattr(container, "review", KnowledgeReview(container.settings.knowledge, tmp_path))


def test_a_table_is_checked_installed_shown_and_removed_and_the_journal_tells_it(client: TestClient) -> None:
    assert client.get(AT).json()["installed"] is False
    checked = client.post(f"{AT}/check", json={"text": TEXT}).json()
    assert (len(checked["rows"]), checked["faults"], checked["unknown"]) == (2, [], ["zzz"])
    assert client.get(AT).json()["installed"] is False
    made = client.put(AT, json={"text": TEXT, "reviewer": "Dr Okafor"}).json()
    assert made["decision"]["reviewer"] == "Dr Okafor"
    shown = client.get(AT).json()
    assert (shown["by"], shown["text"], shown["rows"][0]["says"]) == (
        "Dr Okafor", TEXT, "Lipitor is not on the hospital's formulary",
    )  # fmt: skip
    assert client.delete(AT, params={"reviewer": "Dr Rao"}).json()["verdict"] == "removed"
    assert client.delete(AT, params={"reviewer": "Dr Rao"}).status_code == 404
    journal = client.get("/v1/knowledge/review/journal", params={"limit": 1}).json()
    assert (journal["total"], [one["reviewer"] for one in journal["decisions"]]) == (2, ["Dr Rao"])


def test_a_table_that_was_replaced_is_listed_and_brought_back(client: TestClient) -> None:
    client.put(AT, json={"text": TEXT, "reviewer": "Dr Okafor"})
    client.put(AT, json={"text": TEXT.replace("zzz", "yyy"), "reviewer": "Dr Rao"})
    (before,) = client.get(AT).json()["replaced"]
    assert (before["by"], before["rows"]) == ("Dr Okafor", 2)
    body = {"digest": before["digest"], "reviewer": "Sister Mary"}
    assert client.post(f"{AT}/restore", json=body).json()["decision"]["reviewer"] == "Sister Mary"
    shown = client.get(AT).json()
    assert (shown["text"], shown["by"], [one["by"] for one in shown["replaced"]]) == (TEXT, "Sister Mary", ["Dr Rao"])
    assert client.post(f"{AT}/restore", json=body | {"digest": "../x"}).status_code == 404


def test_a_fault_installs_nothing_and_is_answered_with_its_place(client: TestClient) -> None:
    bad = {"text": TEXT.replace("off", "gone"), "name": "ours.tsv", "reviewer": "Dr Okafor"}
    assert client.post(f"{AT}/check", json=bad | {"reviewer": ""}).json()["faults"][1].startswith("ours.tsv:3: ")
    answer = client.put(AT, json=bad)
    assert (answer.status_code, "ours.tsv:2: the status 'gone'" in answer.text) == (422, True)
    assert client.get(AT).json()["installed"] is False
    assert client.put(AT, json={"text": TEXT}).status_code == 422  # nobody answers for it
    assert client.get("/v1/knowledge/hospital/menu").status_code == 422


def test_undo_is_a_decision(client: TestClient) -> None:
    for verdict in ("accepted", "refused", "undone"):
        body = {"item": "chapter/gout", "verdict": verdict, "reviewer": "Dr Okafor"}
        assert client.post("/v1/knowledge/review/decisions", json=body).status_code == 200
    assert client.get("/v1/knowledge/review/item", params={"id": "chapter/gout"}).json()["state"] == "accepted"
