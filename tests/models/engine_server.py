"""A chat server that does as it is told, well or badly: raw HTTP, so that every byte and every pause can be chosen."""

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

MODEL = "small"
PROMPT_TOKENS = 7
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests", 503: "Busy"}


@dataclass(frozen=True)
class Answer:
    """One answer to a chat request. Times in seconds.

    pieces: None says the seed back, or follows the schema. cut_after: pieces after which the connection is closed; stall_after: after which
    nothing more comes. said: raw bytes of the stream, in place of pieces. raw: raw bytes of the whole answer.
    """

    pieces: tuple[str, ...] | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "no"
    first_s: float = 0.0
    between_s: float = 0.0
    cut_after: int | None = None
    stall_after: int | None = None
    finish: str | None = "stop"
    usage: bool = True
    cached: int = 0
    said: bytes | None = None
    raw: bytes | None = None
    reset: bool = False


class FakeServer:
    """requests: the bodies of the chat requests, in order. given_up: streams that the client closed before their end."""

    def __init__(self, answers: Sequence[Answer] = (Answer(),)) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.context = 2048
        self.models: list[dict[str, Any]] = [{"id": MODEL, "max_model_len": self.context}]
        self.key = ""
        self.schemas, self.scores, self.counts = True, True, True
        self.refuses_scores = False
        self.given_up = 0
        self.writing = 0
        self.most_writing = 0
        self.url = ""
        self.port = 0
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(5)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(5)
        self._loop.close()

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._ended.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        path = head[0].split(" ")[1]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        self.headers.append(headers)
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return await _plain(writer, 401, {"error": {"message": "no"}})
        if path == "/v1/models":
            return await _plain(writer, 200, {"data": self.models})
        if path == "/tokenize" and self.counts:
            words = sum(len(message["content"].split()) + 2 for message in body["messages"])
            return await _plain(writer, 200, {"count": words + 1, "max_model_len": self.context, "tokens": []})
        if path != "/v1/chat/completions":
            return await _plain(writer, 404, {"detail": "Not Found"})
        self.requests.append(body)
        if body["model"] not in {one["id"] for one in self.models}:
            return await _plain(writer, 404, {"error": {"message": f"{body['model']} does not exist", "code": 404}})
        if self.refuses_scores and body.get("logprobs"):
            return await _plain(writer, 400, {"error": {"message": "logprobs is not supported"}})
        probe = "probe-" in json.dumps(body.get("response_format", {}))
        answer = Answer() if probe else self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return await self._answered(reader, writer, body, answer)

    async def _answered(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: dict[str, Any], answer: Answer
    ) -> bool:
        if answer.reset:
            return False
        if answer.raw is not None:
            writer.write(answer.raw)
            await writer.drain()
            return False
        if answer.status != 200:
            return await _plain(writer, answer.status, {"error": {"message": answer.error}}, answer.headers)
        self.writing += 1
        self.most_writing = max(self.most_writing, self.writing)
        stream = asyncio.ensure_future(self._stream(writer, body, answer))
        gone = asyncio.ensure_future(reader.read(1))  # a client sends nothing more: it can only leave
        try:
            await asyncio.wait({stream, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not stream.done():
                self.given_up += 1
                return False
            return stream.result()
        finally:
            self.writing -= 1
            for task in (stream, gone):
                task.cancel()
            await asyncio.gather(stream, gone, return_exceptions=True)

    async def _stream(self, writer: asyncio.StreamWriter, body: dict[str, Any], answer: Answer) -> bool:
        """Whether the answer was whole, so that the connection may be used again."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        if answer.said is not None:
            await _chunk(writer, answer.said)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            return False
        await _event(writer, {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})
        pieces = answer.pieces if answer.pieces is not None else self._own(body)
        for number, piece in enumerate(pieces):
            await asyncio.sleep(answer.between_s if number else answer.first_s)
            if answer.cut_after == number:
                return False
            if answer.stall_after == number:
                await asyncio.sleep(3600)
            choice: dict[str, Any] = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
            if body.get("logprobs") and self.scores:
                choice["logprobs"] = {"content": [{"token": piece, "logprob": -0.5, "bytes": None, "top_logprobs": []}]}
            await _event(writer, {"choices": [choice]})
        if answer.cut_after == len(pieces):
            return False
        if answer.finish:
            await _event(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]})
        if answer.usage:
            usage: dict[str, Any] = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": len(pieces)}
            usage |= {
                "total_tokens": PROMPT_TOKENS + len(pieces),
                "prompt_tokens_details": {"cached_tokens": answer.cached},
            }
            await _event(writer, {"choices": [], "usage": usage})
        await _chunk(writer, b"data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _own(self, body: dict[str, Any]) -> tuple[str, ...]:
        form = body.get("response_format")
        if form and self.schemas:
            word = form["json_schema"]["schema"]["properties"]["answer"]["enum"][0]
            return ('{"answer": ', json.dumps(word), "}")
        return ("seed ", str(body["seed"])) if body["temperature"] else ("Hello ", "there")


async def _plain(
    writer: asyncio.StreamWriter, status: int, body: object, headers: Mapping[str, str] | None = None
) -> bool:
    data = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Other')}", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(data)}", *(f"{name}: {value}" for name, value in (headers or {}).items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    await writer.drain()
    return True


async def _event(writer: asyncio.StreamWriter, event: dict[str, Any]) -> None:
    whole = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": MODEL} | event
    await _chunk(writer, b"data: " + json.dumps(whole).encode() + b"\n\n")


async def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


@contextmanager
def fake_server(*answers: Answer) -> Iterator[FakeServer]:
    server = FakeServer(answers or (Answer(),))
    server.start()
    try:
        yield server
    finally:
        server.close()
