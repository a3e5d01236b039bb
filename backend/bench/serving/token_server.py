"""A chat server of fixed times, for measuring what Leapnote adds to a server's own: one reply, a word a token, to whoever asks.

Run as `python -m backend.bench.serving.token_server FIRST_S BETWEEN_S`, in a process of its own; it prints its base url and ends with
its standard input.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from backend.errors import MissingError

MODEL = "fixed-times"
CONTEXT = 32_768
BYTES_A_TOKEN = 4
_SENTENCES = (
    "Drink enough water over the day and weigh yourself every morning before breakfast [P1].",
    "Call your doctor if you gain weight fast, if your legs swell, or if you get short of breath [P2].",
    "Walk a little every day, and rest when you are tired [P1].",
    "Bring a list of your medicines to the next visit [P3].",
)
REPLY = "\n".join(("Activity", *_SENTENCES * 2, "")).split(" ")
TOKENS = len(REPLY)


@contextmanager
def token_server(first_s: float, between_s: float) -> Iterator[str]:
    """The base url of such a process. Raises MissingError where it does not start."""
    command = [sys.executable, "-m", "backend.bench.serving.token_server", str(first_s), str(between_s)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = process.stdout.readline().strip() if process.stdout else ""
            if not url:
                raise MissingError("The server of fixed times did not start.")
            yield url
        finally:
            process.kill()


class _Server:
    def __init__(self, first_s: float, between_s: float) -> None:
        self._first_s = first_s
        self._between_s = between_s

    async def run(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
        await asyncio.to_thread(sys.stdin.read)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
                length = next((line.split(":")[1] for line in head if line.startswith("content-length:")), "0")
                body = await reader.readexactly(int(length))
                path = head[0].split(" ")[1]
                if path.endswith("/chat/completions"):
                    await self._stream(writer)
                elif path.endswith("/models"):
                    await _whole(writer, {"data": [{"id": MODEL, "max_model_len": CONTEXT}]})
                else:
                    await _whole(writer, {"count": len(body) // BYTES_A_TOKEN + 1, "max_model_len": CONTEXT})
        writer.close()

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        due = loop.time() + self._first_s
        for place, word in enumerate(REPLY):
            # by the clock, not by pauses: a token that is late does not put off those after it
            await asyncio.sleep(max(0.0, due - loop.time()))
            due += self._between_s
            last = place == len(REPLY) - 1
            text = word if last else f"{word} "
            choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop" if last else None}
            await _chunk(writer, f"data: {json.dumps({'choices': [choice]})}\n\n")
        usage = {"prompt_tokens": 1, "completion_tokens": TOKENS}
        await _chunk(writer, f"data: {json.dumps({'choices': [], 'usage': usage})}\n\ndata: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _whole(writer: asyncio.StreamWriter, value: object) -> None:
    data = json.dumps(value).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()


async def _chunk(writer: asyncio.StreamWriter, text: str) -> None:
    data = text.encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


if __name__ == "__main__":
    asyncio.run(_Server(float(sys.argv[1]), float(sys.argv[2])).run())
