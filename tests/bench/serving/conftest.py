"""An API of this process, which answers drafts at once, in place of one that is started."""

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest

GOOD = ("event: passages", "event: piece", "event: token", "event: done")


class StubApi:
    """answered: the requests of drafts. fails: every draft fails. process: what stands for the process started."""

    def __init__(self, port: int) -> None:
        self.port, self.fails, self.answered = port, False, list[dict[str, Any]]()
        self.started: list[dict[str, str]] = []
        self.stopped: list[int] = []

    def process(self, command: list[str], **given: Any) -> Any:
        """In place of subprocess.Popen."""
        self.started.append(given["env"])
        return SimpleNamespace(
            pid=os.getpid(), poll=lambda: None, send_signal=self.stopped.append, wait=lambda timeout: 0
        )


@pytest.fixture
def api() -> Iterator[StubApi]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.answer(b"{}")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            stub.answered.append(body)
            if "json" in self.headers.get("accept", ""):
                self.answer(json.dumps({"status": "failed" if stub.fails else "complete"}).encode())
            else:
                lines = ("event: passages", "event: error") if stub.fails else GOOD
                self.answer("".join(f"{line}\n" for line in lines).encode())

        def answer(self, content: bytes) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *given: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub = StubApi(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield stub
    server.shutdown()
    server.server_close()
