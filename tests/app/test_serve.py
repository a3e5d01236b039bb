"""The real page, on a free port: under a name that is not its own it answers nothing, over HTTP and websocket."""

import http.client
import os
import socket
import subprocess
import time
from collections.abc import Iterator

import pytest

from backend.cli.operations.up import page_command
from backend.serving.process import ended_with_us
from backend.settings import ROOT, Settings

START_S = 60.0
STREAM = "/_stcore/stream"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The page as `up` starts it, known to a proxy as leapnote.example.org."""
    found = free_port()
    stated = {"page_port": found, "api_port": free_port(), "allowed_hosts": "leapnote.example.org"}
    folder = tmp_path_factory.mktemp("page")
    command = page_command(Settings(_env_file=None, data=folder, **stated))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LEAPNOTE_DATA": str(folder)}
    environment |= {f"LEAPNOTE_{name.upper()}": str(value) for name, value in stated.items()}
    with (folder / "page.log").open("wb") as log:
        running = subprocess.Popen(ended_with_us(command), cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + START_S
        while answered(found, "/_stcore/health", f"127.0.0.1:{found}") != 200:
            assert running.poll() is None and time.monotonic() < until, (folder / "page.log").read_text()
            time.sleep(0.1)
        yield found
    finally:
        running.terminate()
        running.wait(timeout=20)


def answered(port: int, path: str, host: str, **headers: str) -> int:
    """The status of a GET with exactly these headers; 0 where nobody listens."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        asked.putrequest("GET", path, skip_host=True)
        asked.putheader("Host", host)
        for name, value in headers.items():
            asked.putheader(name.replace("_", "-"), value)
        asked.endheaders()
        return asked.getresponse().status
    except ConnectionError:
        return 0
    finally:
        asked.close()


def shaken(port: int, host: str, origin: str | None) -> int:
    """The status of a websocket handshake: 101 when it is taken."""
    own = {"Origin": origin} if origin else {}
    return answered(
        port,
        STREAM,
        host,
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        **own,
    )


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config", "/static/x.js", "/login-cookie"])
def test_a_foreign_host_gets_nothing_of_the_page(port: int, path: str) -> None:
    assert answered(port, path, f"evil.example:{port}") == 421


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config"])
def test_a_foreign_origin_gets_nothing_of_the_page(port: int, path: str) -> None:
    assert answered(port, path, f"127.0.0.1:{port}", Origin="http://evil.example") == 403
    assert answered(port, path, f"127.0.0.1:{port}", Origin="null") == 403


def test_a_rebound_name_opens_no_websocket(port: int) -> None:
    # what a browser sends after DNS rebinding: Host and Origin agree
    assert shaken(port, f"evil.example:{port}", f"http://evil.example:{port}") == 421
    assert shaken(port, f"evil.example:{port}", None) == 421


def test_another_site_opens_no_websocket(port: int) -> None:
    for origin in ("http://evil.example", "null", "http://localhost:3000"):
        assert shaken(port, f"127.0.0.1:{port}", origin) == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_under_its_own_names_the_page_works(port: int, name: str) -> None:
    assert answered(port, "/", f"{name}:{port}") == 200
    assert answered(port, "/", f"{name}:{port}", Origin=f"http://{name}:{port}") == 200
    assert shaken(port, f"{name}:{port}", f"http://{name}:{port}") == 101
    assert shaken(port, f"{name}:{port}", None) == 101


@pytest.mark.parametrize("host", ["leapnote.example.org", "127.0.0.1"])
def test_behind_a_proxy_the_public_name_works(port: int, host: str) -> None:
    """host: as the browser sent it, or as a proxy writes it that names the machine it asks."""
    origin = "https://leapnote.example.org"
    assert answered(port, "/", host, Origin=origin) == 200
    assert shaken(port, host, origin) == 101


def test_the_way_to_the_api_is_the_pages_alone(port: int) -> None:
    own = f"127.0.0.1:{port}"
    assert answered(port, "/leapnote/v1/cases", own, X_Leapnote="page") == 503  # no API is started here
    assert answered(port, "/leapnote/v1/settings", own, X_Leapnote="page") == 404
    assert answered(port, "/leapnote/v1/cases", own) == 403
    assert answered(port, "/leapnote/v1/cases", f"evil.example:{port}", X_Leapnote="page") == 421
    assert answered(port, "/leapnote/v1/cases", own, X_Leapnote="page", Origin="http://evil.example") == 403
