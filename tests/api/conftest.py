"""The application over HTTP, on the session's container."""

import copy
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.container import Container


@pytest.fixture(scope="package")
def client(container: Container) -> Iterator[TestClient]:
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def client_with(container: Container) -> Callable[..., TestClient]:
    """A client of an application with other settings."""

    def make(**changed: object) -> TestClient:
        same = copy.copy(container)  # what is loaded is shared
        same.settings = container.settings.model_copy(update=changed)
        return TestClient(create_app(same.settings, same), base_url="http://127.0.0.1")

    return make
