"""A language model's server that writes one draft slowly, on a port that it keeps: it can be killed and started again."""

import asyncio
from contextlib import suppress
from typing import Any

from backend.prompts.draft_prompts import RULES
from tests.models.engine_server import Answer, FakeServer

NO_FORM = Answer(pieces=("no",))  # what it says to plans and thoughts: nothing that can be read


class SlowServer(FakeServer):
    """draft: how it answers who asks for a document. drafted: how many asked for one. translation: how it answers who asks for one."""

    translation = NO_FORM

    def __init__(self, port: int, draft: Answer) -> None:
        super().__init__()
        self.port, self.draft = port, draft
        self.drafted = 0
        self.models = [{"id": "small", "max_model_len": 8192}]

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", self.port)
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._ready.set()
        await self._ended.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*self._tasks, return_exceptions=True), 5)

    async def _answered(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: dict[str, Any], answer: Answer
    ) -> bool:
        if body["messages"][0]["content"].startswith("Translate"):
            return await super()._answered(reader, writer, body, self.translation)
        if not body["messages"][0]["content"].startswith(RULES):
            return await super()._answered(reader, writer, body, NO_FORM)
        self.drafted += 1
        return await super()._answered(reader, writer, body, self.draft)
