"""GET /v1/results."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from backend.api.routers.routes_results import router
from backend.evaluation.reports.result_folders import RESULT, write_result
from backend.schemas.evaluation_results import Result, ResultKind


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    app = FastAPI()
    app.state.container = SimpleNamespace(settings=SimpleNamespace(data=tmp_path))
    app.include_router(router, prefix="/v1")
    return TestClient(app, base_url="http://127.0.0.1")


def test_results_come_newest_first_and_whole(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/v1/results").json() == []
    made = [
        Result(id=f"paths-2026-01-0{day}-00000000", kind=ResultKind.PATHS, date=f"2026-01-0{day}") for day in (1, 2, 3)
    ]
    for result in made:
        write_result(tmp_path / "results" / result.id, result)
    found = [Result.model_validate(row) for row in client.get("/v1/results").json()]
    assert found == made[::-1]
    assert len(client.get("/v1/results", params={"limit": 1}).json()) == 1
    assert client.get("/v1/results", params={"limit": 0}).status_code == 422


def test_a_broken_file_is_told_and_hides_no_other(client: TestClient, tmp_path: Path) -> None:
    write_result(tmp_path / "results" / "a", Result(id="a", date="2026-01-01"))
    (tmp_path / "results" / "b").mkdir()
    (tmp_path / "results" / "b" / RESULT).write_text("{")
    found = [Result.model_validate(row) for row in client.get("/v1/results").json()]
    assert [(result.id, bool(result.problem)) for result in found] == [("a", False), ("b", True)]
