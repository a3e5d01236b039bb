"""The application over HTTP, on the session's house."""

import copy
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.assembly import House


@pytest.fixture(scope="package")
def client(house: House) -> Iterator[TestClient]:
    with TestClient(create_app(house.settings, house), base_url="http://127.0.0.1") as opened:
        yield opened


@pytest.fixture
def client_with(house: House) -> Callable[..., TestClient]:
    """A client of an application with other settings."""

    def make(**changed: object) -> TestClient:
        same = copy.copy(house)  # what is loaded is shared
        same.settings = house.settings.model_copy(update=changed)
        return TestClient(create_app(same.settings, same), base_url="http://127.0.0.1")

    return make
