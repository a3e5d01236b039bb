"""An API over HTTP that answers from memory, for drafts that hold what a real server gives only by chance."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_model import ModelApi


class MemoryApi:
    """api: who answers. app: its routes, as many as the write screen needs."""

    def __init__(self, api: ModelApi) -> None:
        self.app = FastAPI()

        def drafts(body: DraftRequest) -> StreamingResponse:
            return StreamingResponse(events(api, body), media_type="text/event-stream")

        def cases() -> list[dict[str, Any]]:
            return [case.model_dump(mode="json") for case in api.cases()]

        self.app.get("/v1/systems")(api.systems)
        self.app.get("/v1/knowledge")(api.knowledge)
        self.app.get("/v1/settings")(api.settings)
        self.app.get("/v1/prompts")(api.prompts)
        self.app.get("/v1/cases/demonstration")(cases)
        self.app.post("/v1/drafts")(drafts)


def events(api: ModelApi, request: DraftRequest) -> Iterator[str]:
    for event in api.drafts(request):
        yield f"event: {event.stage}\ndata: {event.model_dump_json()}\n\n"
