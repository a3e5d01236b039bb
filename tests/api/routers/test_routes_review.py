"""The review of the knowledge over HTTP."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.container import Container
from backend.knowledge.review.knowledge_review import KnowledgeReview

AT = "/v1/knowledge/review"


@pytest.fixture(autouse=True)
def review(container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal of the test's own."""
    monkeypatch.setattr(container, "review", KnowledgeReview(container.settings.knowledge, tmp_path))


def decide(client: TestClient, **body: str) -> dict[str, str]:
    found: dict[str, str] = client.post(f"{AT}/decisions", json={"reviewer": "Dr Okafor", **body}).json()
    return found


def test_items_are_listed_by_kind_state_and_words(client: TestClient) -> None:
    page = client.get(f"{AT}/items", params={"kind": "chapter", "q": "gout colchicine", "limit": 1}).json()
    assert page["total"] >= 1
    assert set(page["items"][0]) == {"id", "kind", "title", "state", "reviewer", "date", "version", "sources"}
    assert client.get(f"{AT}/items", params={"state": "refused"}).json() == {"total": 0, "items": []}
    assert client.get(f"{AT}/items", params={"kind": "table"}).status_code == 422


def test_a_decision_is_kept_with_its_reviewer(client: TestClient) -> None:
    assert decide(client, item="chapter/gout", verdict="accepted", reason="read")["reviewer"] == "Dr Okafor"
    shown = client.get(f"{AT}/item", params={"id": "chapter/gout"}).json()
    assert (shown["state"], shown["reason"], len(shown["history"])) == ("accepted", "read", 1)
    assert client.get(AT).json()["kinds"]["chapter"]["accepted"] == 1


def test_what_the_reviewer_consulted_is_kept_shown_and_empty_where_nobody_says(client: TestClient) -> None:
    decide(client, item="chapter/gout", verdict="accepted", sources="NICE NG219, 2022")
    decide(client, item="chapter/asthma", verdict="accepted")
    shown = {one["id"]: one["sources"] for one in client.get(f"{AT}/items", params={"kind": "chapter"}).json()["items"]}
    told = [client.get(f"{AT}/item", params={"id": f"chapter/{name}"}).json() for name in ("gout", "asthma")]
    assert [one["sources"] for one in told] == ["NICE NG219, 2022", ""] and set(shown.values()) <= {
        "NICE NG219, 2022",
        "",
    }
    assert [one["sources"] for one in client.get(f"{AT}/journal").json()["decisions"]] == ["", "NICE NG219, 2022"]


def test_a_refusal_is_in_the_difference(client: TestClient) -> None:
    assert client.get(f"{AT}/difference").text == ""
    decide(client, item="chapter/gout", verdict="refused")
    assert "-# gout" in client.get(f"{AT}/difference").text


def test_what_makes_no_sense_is_answered_with_the_reason(client: TestClient) -> None:
    body = {"item": "chapter/gout", "verdict": "changed", "reviewer": "Dr Okafor"}
    answer = client.post(f"{AT}/decisions", json=body)
    assert (answer.status_code, "needs the new text" in answer.text) == (422, True)
    assert client.get(f"{AT}/item", params={"id": "chapter/none"}).status_code == 404
