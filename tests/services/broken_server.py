"""A bad line between a client and a real language model server: a process that drops, delays, cuts, garbles, stalls and refuses.

Run as `python -m tests.services.broken_server HOST:PORT` it prints its own port, and takes faults from standard input, a
JSON object a line; it answers each with a line. Only chat requests are spoilt; all else passes.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

CHAT = b"POST /v1/chat/completions"
EVENT = b"data: "
KINDS = ("none", "refuse", "drop", "truncate", "corrupt", "stall", "delay", "status")


class Bad(NamedTuple):
    """kind: one of KINDS. after: events of the stream that pass first. seconds: of a delay. times: requests it spoils.

    status, retry_after: what is answered in place of the server.
    """

    kind: str = "none"
    after: int = 0
    seconds: float = 0.0
    times: int = 1_000_000
    status: int = 503
    retry_after: str = ""


class BrokenServer:
    """The process, as the tests hold it. url: ends in /v1."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.url = f"http://127.0.0.1:{int(self._line())}/v1"

    def do(self, kind: str, **more: Any) -> None:
        """From now on this happens."""
        assert kind in KINDS
        self._say(Bad(kind, **more)._asdict())

    @property
    def asked(self) -> int:
        """Chat requests seen since this was asked last."""
        return int(self._say({"kind": "asked"}))

    def _say(self, what: dict[str, Any]) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the broken server has ended"
        return line.strip()


@contextmanager
def broken_server(url: str) -> Iterator[BrokenServer]:
    """Between a client and the server at url."""
    command = [sys.executable, "-m", "tests.services.broken_server", urlsplit(url).netloc]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield BrokenServer(process)
        finally:
            process.kill()


class _Proxy:
    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._bad = Bad()
        self._left = 0
        self._asked = 0

    async def run(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            what = json.loads(line)
            if what["kind"] == "asked":
                print(self._asked, flush=True)
                self._asked = 0
                continue
            self._bad = Bad(**what)
            self._left = self._bad.times
            print("ok", flush=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            lines = [line for line in head.split(b"\r\n") if line]
            named = dict(line.lower().split(b": ", 1) for line in lines[1:])
            body = await reader.readexactly(int(named.get(b"content-length", b"0")))
            bad = self._next() if head.startswith(CHAT) else Bad()
            # one request a connection: where it ends is then where the connection ends
            kept = [line for line in lines if not line.lower().startswith(b"connection:")]
            request = b"\r\n".join([*kept, b"Connection: close", b"", b""]) + body
            await self._exchange(request, reader, writer, bad)
        writer.close()

    def _next(self) -> Bad:
        self._asked += 1
        if self._left <= 0:
            return Bad()
        self._left -= 1
        return self._bad

    async def _exchange(
        self, request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bad: Bad
    ) -> None:
        if bad.kind == "refuse":
            writer.transport.abort()
            return
        if bad.kind == "status":
            more = f"Retry-After: {bad.retry_after}\r\n" if bad.retry_after else ""
            writer.write(
                f"HTTP/1.1 {bad.status} No\r\nContent-Length: 2\r\nConnection: close\r\n{more}\r\n{{}}".encode()
            )
            await writer.drain()
            return
        from_server, to_server = await asyncio.open_connection(*self._target)
        to_server.write(request)
        carrying = asyncio.ensure_future(self._carry(from_server, writer, bad))
        leaving = asyncio.ensure_future(reader.read(1))  # a client sends nothing more: it can only leave
        await asyncio.wait({carrying, leaving}, return_when=asyncio.FIRST_COMPLETED)
        for task in (carrying, leaving):
            task.cancel()
        await asyncio.gather(carrying, leaving, return_exceptions=True)
        to_server.transport.abort()  # so that the server, too, learns that the client has left

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bad: Bad) -> None:
        if bad.kind == "delay":
            await asyncio.sleep(bad.seconds)
        seen = 0
        while data := await reader.read(65_536):
            places = [place for place in range(len(data)) if data.startswith(EVENT, place)]
            if bad.kind not in ("none", "delay") and seen + len(places) > bad.after:
                place = places[max(0, bad.after - seen)]
                await self._spoil(data, place + len(EVENT) + 4, writer, bad)  # in the middle of the event
                return
            seen += len(places)
            writer.write(data)
            await writer.drain()

    async def _spoil(self, data: bytes, place: int, writer: asyncio.StreamWriter, bad: Bad) -> None:
        if bad.kind == "corrupt":
            writer.write(data[:place] + bytes(byte ^ 0x8B for byte in data[place:]))
        else:
            writer.write(data[:place])
        await writer.drain()
        if bad.kind == "stall":
            await asyncio.sleep(3600)
        if bad.kind == "drop":
            writer.transport.abort()


if __name__ == "__main__":
    asyncio.run(_Proxy(sys.argv[1]).run())
