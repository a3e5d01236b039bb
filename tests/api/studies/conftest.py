"""The routes of studies over a small database, and the study context that writes into it."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr

from backend.api.app import create_app
from backend.api.routers.studies import routes_ratings, routes_studies
from backend.container import Container
from backend.settings import Settings
from backend.stores.database.database import Database
from backend.study.study_context import StudyContext
from tests.study.sample import StudyWorld, write


def no_work() -> None:
    """The small service is warm as it is."""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(_env_file=None, data=tmp_path, database_url=SecretStr(f"sqlite:///{tmp_path / 'study.sqlite'}"))


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    app = create_app(
        settings, cast(Container, SimpleNamespace(settings=settings, warm=no_work, live=None, close=no_work))
    )
    known = set(app.openapi()["paths"])
    app.openapi_schema = None
    for module in (routes_studies, routes_ratings):
        if not any(f"/v1{route.path}" in known for route in module.router.routes if hasattr(route, "path")):
            app.include_router(module.router, prefix="/v1")
    app.state.study_context = StudyContext(Database.of(settings), write)
    with TestClient(app, raise_server_exceptions=False, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def study_world(tmp_path: Path) -> Iterator[StudyWorld]:
    made = StudyWorld(tmp_path)
    yield made
    made.database.close()
