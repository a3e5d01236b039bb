"""What a coordinator gets of a study once people rate: figures under codes, files only once it is unlocked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from fastapi.testclient import TestClient

from backend.api.routers.studies import routes_study_results
from backend.study.design.studies import Studies
from backend.study.reporting.report import Analysed, analysed
from tests.app.study_api import OTHER, SYSTEM, StudyServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def client(server: StudyServer) -> TestClient:
    return TestClient(server.app, raise_server_exceptions=False, base_url="http://127.0.0.1")


def rate(server: StudyServer, token: str) -> None:
    """The item for practice, which counts in no figure, and the first that counts."""
    for number in (1, 2):
        server.rate(token, number)


def score(case: str, **changed: Any) -> dict[str, Any]:
    return {"question": "reinrag-statements/reading_comprehension", "case": case, "arm": SYSTEM, "value": 3} | changed


def test_the_analysis_of_a_blind_study_names_no_arm(client: TestClient, server: StudyServer) -> None:
    study_id = server.frozen(3)
    rate(server, server.invite(study_id))
    answer = client.get(f"/v1/studies/{study_id}/analysis")
    assert answer.status_code == 200 and answer.json()["blind"] and answer.json()["ratings"] > 0
    assert SYSTEM not in answer.text and OTHER not in answer.text


def test_the_analysis_is_computed_anew_only_when_somebody_has_rated(
    client: TestClient, server: StudyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[str] = []

    def counted(studies: Studies, study_id: str) -> Analysed:
        computed.append(study_id)
        return analysed(studies, study_id)

    monkeypatch.setattr(routes_study_results, "analysed", counted)
    study_id = server.frozen(3)
    token = server.invite(study_id)
    path = f"/v1/studies/{study_id}/analysis"
    first = client.get(path).json()
    assert client.get(f"{path}/charts").status_code == 200
    assert computed == [study_id]
    rate(server, token)
    assert client.get(path).json()["ratings"] > first["ratings"]
    assert computed == [study_id, study_id]


def test_only_the_design_is_taken_of_a_study_that_is_still_blind(client: TestClient, server: StudyServer) -> None:
    study_id = server.frozen(3)
    design = client.get(f"/v1/studies/{study_id}/exports/design")
    assert design.status_code == 200
    assert design.headers["content-disposition"].startswith(f'attachment; filename="study-{study_id}.')
    assert (design.headers["cache-control"], design.headers["x-content-type-options"]) == ("no-store", "nosniff")
    for path in ("exports/csv", "exports/jsonl", "reports/html"):
        answer = client.get(f"/v1/studies/{study_id}/{path}")
        assert answer.status_code == 409 and SYSTEM not in answer.text
    assert client.get(f"/v1/studies/{study_id}/exports/xls").status_code == 422


def test_a_judges_scores_are_kept_whole_or_not_at_all(client: TestClient, server: StudyServer) -> None:
    study_id = server.frozen(4)
    case = server.study(study_id).cases[-1].id
    path = f"/v1/studies/{study_id}/judges"
    wrong = client.post(path, json={"judge": "m", "scores": [score(case), score("c99")], "author": "Ada"})
    assert wrong.status_code == 422 and "Score 2" in wrong.json()["error"]["message"]
    assert client.get(path).json() == []
    kept = client.post(path, json={"judge": "m", "scores": [score(case)], "author": "Ada"})
    assert kept.status_code == 201, kept.text
    assert [(row["judge"], row["scores"]) for row in client.get(path).json()] == [("m", 1)]


@pytest.mark.parametrize("query", ["difference=nan&sd=1", "difference=1&sd=inf", "difference=1", "difference=0&sd=1"])
def test_a_size_that_cannot_be_reckoned_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/v1/study-power?{query}").status_code == 422


def test_the_size_of_a_study_grows_with_the_spread(client: TestClient) -> None:
    few, many = (client.get(f"/v1/study-power?difference=1&sd={sd}").json()["t_cases"] for sd in (1, 2))
    assert 5 < few < many


def test_a_study_that_is_not_there_is_404(client: TestClient) -> None:
    for tail in ("analysis", "analysis/charts", "judges", "exports/design", "reports/html", "audit"):
        assert client.get(f"/v1/studies/{uuid4()}/{tail}").status_code == 404, tail
