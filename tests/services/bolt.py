"""Bolt servers for the tests: one that the test starts, and a real Neo4j where LEAPNOTE_TEST_NEO4J_URI names one.

LEAPNOTE_TEST_NEO4J_USER, _PASSWORD and _DATABASE go with it. The tests write graphs of their own names there and remove
them again.
"""

import os
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import SecretStr

from backend.stores.neo4j.connection import Neo4jAddress
from tests.services.bolt_server import READY, USER

NEO4J = "LEAPNOTE_TEST_NEO4J_URI"
DATABASE = "leapnote"


class BoltServer(NamedTuple):
    """A server that the test started."""

    address: Neo4jAddress
    process: "subprocess.Popen[str]"

    def stop(self) -> None:
        """Ends it at once, as a crash would."""
        self.process.kill()
        self.process.wait(timeout=30)


def servers() -> tuple[str, ...]:
    """The kinds of server to test with."""
    return ("arcadedb", "neo4j") if os.environ.get(NEO4J) else ("arcadedb",)


@contextmanager
def served(kind: str, folder: Path) -> Iterator[Neo4jAddress]:
    """The address of a server of a kind; the test is skipped, with the reason, where its package is missing."""
    pytest.importorskip("neo4j", reason="the driver is not installed: pip install -r requirements-services.txt")
    if kind == "neo4j":
        yield Neo4jAddress(
            os.environ[NEO4J],
            os.environ.get(NEO4J.replace("URI", "USER"), "neo4j"),
            SecretStr(os.environ.get(NEO4J.replace("URI", "PASSWORD"), "")),
            os.environ.get(NEO4J.replace("URI", "DATABASE"), "neo4j"),
        )
        return
    pytest.importorskip("arcadedb_embedded", reason="no Bolt server: pip install -r requirements-services.txt")
    with bolt_server(folder) as running:
        yield running.address


@contextmanager
def bolt_server(folder: Path) -> Iterator[BoltServer]:
    """A running server with one empty database. Raises RuntimeError with its last words if it does not start."""
    password = secrets.token_hex(12)
    http, bolt = _free_ports(2)
    program = Path(__file__).with_name("bolt_server.py").resolve()
    log = folder / "server.log"
    with (
        log.open("w") as sink,
        subprocess.Popen(
            [sys.executable, str(program), str(folder), str(http), str(bolt), DATABASE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sink,
            text=True,
            cwd=folder,  # it writes a log folder where it stands
            env=os.environ | {"BOLT_SERVER_PASSWORD": password},
        ) as process,
    ):
        try:
            assert process.stdout is not None
            for line in process.stdout:  # it ends when the process does, so this cannot hang on a dead server
                if line.strip() == READY:
                    break
            else:
                raise RuntimeError(f"The Bolt server did not start: {log.read_text()[-2000:]}")
            address = Neo4jAddress(f"bolt://127.0.0.1:{bolt}", USER, SecretStr(password), DATABASE, retry_s=2.0)
            yield BoltServer(address, process)
        finally:
            process.kill()


def _free_ports(count: int) -> list[int]:
    """Ports that were free a moment ago, all different."""
    held = [socket.socket() for _ in range(count)]
    try:
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in held]
    finally:
        for one in held:
            one.close()
