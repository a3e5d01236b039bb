"""A line between driver and server that counts round trips, keeps what was sent, and can be cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from backend.stores.neo4j.connection import Neo4jAddress

COMMIT = bytes([0xB0, 0x12])  # a Bolt structure without fields: the message that commits


class BoltProxy:
    """turns: how often the client spoke after the server had spoken. sent: all that the client sent."""

    def __init__(self, address: Neo4jAddress) -> None:
        parts = urlsplit(address.uri)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 7687)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = address._replace(uri=f"bolt://127.0.0.1:{self._listener.getsockname()[1]}")
        self.turns = 0
        self.sent = b""
        self.lose_answer_to = b""
        self._client_spoke = False
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def drop(self) -> None:
        """Cuts what is connected; a new connection is taken."""
        with self._lock:
            held, self._open = self._open, []
        for one in held:
            _shut(one)

    def close(self) -> None:
        """Cuts everything for good."""
        _shut(self._listener)
        self.drop()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
            except OSError:
                return
            with self._lock:
                self._open += [client, server]
            for source, sink, up in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._carry, args=(source, sink, up), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, up: bool) -> None:
        try:
            while data := source.recv(65_536):
                with self._lock:
                    if up:
                        self.turns += not self._client_spoke
                        self.sent += data
                    self._client_spoke = up
                    lost = not up and self.lose_answer_to and self.lose_answer_to in self.sent
                if lost:  # the server has done it, and the client will not hear of it
                    self.lose_answer_to = b""
                    break
                sink.sendall(data)
        except OSError:
            pass
        _shut(source)
        _shut(sink)


@contextmanager
def proxied(address: Neo4jAddress) -> Iterator[BoltProxy]:
    proxy = BoltProxy(address)
    try:
        yield proxy
    finally:
        proxy.close()


def _shut(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
