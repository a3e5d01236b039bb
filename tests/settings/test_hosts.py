"""The API answers under its own names alone, whatever a web page of another site makes its own name lead to."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr, ValidationError

from backend.api.app import create_app
from backend.container import Container
from backend.schemas.patients.saved_case import SaveRequest
from backend.settings import Settings
from backend.settings.hosts import Hosts
from tests.review.sample import sample


def client_of(folder: Path, **changed: Any) -> TestClient:
    known: dict[str, Any] = {"data": folder, "database_url": SecretStr("")}
    settings = Settings(_env_file=None, **(known | changed))
    container = SimpleNamespace(
        settings=settings,
        safety=None,
        linker=None,
        checks=SimpleNamespace(verifier=lambda judge: None, fit=None),
        warm=dict,
        close=dict,
    )
    return TestClient(
        create_app(settings, cast(Container, container)), base_url=f"http://127.0.0.1:{settings.api_port}"
    )


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return client_of(tmp_path)


@pytest.fixture
def case_id(client: TestClient) -> str:
    body = SaveRequest(label="Heart failure, 80 F", draft=sample(), author="Dr Ames")
    answer = client.post("/v1/cases", json=body.model_dump(mode="json"))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


FOREIGN_HOSTS = (
    "evil.example", "evil.example:8600", "127.0.0.1.evil.example", "localhost.evil.example:8600", "testserver",
    "127.0.0.1@evil.example", "evil.example#127.0.0.1", "10.0.0.7:8600", "[::2]:8600", "", "localhost:x",
)  # fmt: skip
OWN_HOSTS = ("127.0.0.1:8600", "localhost:8600", "LOCALHOST:8600", "[::1]:8600", "localhost", "localhost.:8600")
FOREIGN_ORIGINS = (
    "http://evil.example", "https://evil.example:8600", "null", "http://localhost:3000", "http://127.0.0.1.evil.example",
    "http://user@127.0.0.1:8600", "file://",
)  # fmt: skip
OWN_ORIGINS = ("http://127.0.0.1:8501", "http://localhost:8501", "http://127.0.0.1:8600", "http://[::1]:8501")


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_neither_reads_nor_deletes_a_case(client: TestClient, case_id: str, host: str) -> None:
    path = f"/v1/cases/{case_id}"
    for method in ("GET", "DELETE"):
        answer = client.request(method, path, headers={"Host": host})
        assert (answer.status_code, answer.json()["error"]["kind"]) == (421, "host")
        assert "LEAPNOTE_ALLOWED_HOSTS" in answer.text and "Heart failure" not in answer.text
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_neither_reads_nor_deletes_a_case(client: TestClient, case_id: str, origin: str) -> None:
    path = f"/v1/cases/{case_id}"
    for method in ("GET", "DELETE"):
        answer = client.request(method, path, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "origin")
    assert client.get(path).status_code == 200


def test_health_is_no_way_round_the_host(client: TestClient) -> None:
    assert client.get("/v1/health", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/openapi.json", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("host", OWN_HOSTS)
def test_every_own_name_is_answered(client: TestClient, case_id: str, host: str) -> None:
    assert client.get(f"/v1/cases/{case_id}", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", OWN_ORIGINS)
def test_the_page_and_the_api_are_own_origins(client: TestClient, case_id: str, origin: str) -> None:
    assert client.get(f"/v1/cases/{case_id}", headers={"Origin": origin}).status_code == 200


def test_a_forwarded_port_is_the_same_origin(client: TestClient, case_id: str) -> None:
    headers = {"Host": "localhost:9000", "Origin": "http://localhost:9000"}
    assert client.get(f"/v1/cases/{case_id}", headers=headers).status_code == 200


def test_an_institution_names_its_public_host(tmp_path: Path) -> None:
    behind = client_of(tmp_path, allowed_hosts="leapnote.example.org notes.example.org")
    for host in ("leapnote.example.org", "Notes.Example.org:443", "127.0.0.1:8600"):
        headers = {"Host": host, "Origin": "https://leapnote.example.org"}
        assert behind.get("/v1/cases", headers=headers).status_code == 200
    assert behind.get("/v1/cases", headers={"Host": "other.example.org"}).status_code == 421
    assert behind.get("/v1/cases", headers={"Origin": "https://other.example.org"}).status_code == 403


def scope_of(host: str, server: str) -> dict[str, Any]:
    return {
        "type": "http",
        "scheme": "http",
        "server": (server, 8600),
        "headers": [(b"host", host.encode())],
    }


def test_bound_to_every_address_the_machine_s_own_number_is_a_name() -> None:
    hosts = Hosts(Settings(_env_file=None, host="0.0.0.0", api_token="x"))
    assert hosts.refusal(scope_of("10.1.2.3:8600", "10.1.2.3")) is None
    assert hosts.refusal(scope_of("10.1.2.4:8600", "10.1.2.3")) is not None
    assert hosts.refusal(scope_of("evil.example:8600", "10.1.2.3")) is not None
    assert hosts.refusal(scope_of("0.0.0.0:8600", "127.0.0.1")) is not None


def test_two_host_headers_are_refused() -> None:
    scope = scope_of("127.0.0.1:8600", "127.0.0.1")
    scope["headers"] = [*scope["headers"], (b"host", b"evil.example")]
    refused = Hosts(Settings(_env_file=None)).refusal(scope)
    assert refused is not None and refused.status == 421


@pytest.mark.parametrize(
    "wrong", ["https://leapnote.example.org", "a.example,b.example", "*", "*.example.org", "a:443"]
)
def test_what_is_no_name_is_no_setting(wrong: str) -> None:
    with pytest.raises(ValidationError):
        Settings(_env_file=None, allowed_hosts=wrong)
