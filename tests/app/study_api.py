"""The API of studies in this process, over a small database and a writer that needs no model; it can fall silent."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
from fastapi.testclient import TestClient
from pydantic import SecretStr

from app.clients.study_client import StudyClient
from backend.api.app import create_app
from backend.container import Container
from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.vocabulary import Document
from backend.settings import Settings
from backend.stores.database.database import Database
from backend.study.design.study_cases import demonstration
from backend.study.study_context import StudyContext
from tests.review.sample import Ticking
from tests.study.sample import GENERATOR, OTHER, SYSTEM, StudyWorld, write


class Silenced(httpx.BaseTransport):
    """The way to the API: open, or cut so that nothing answers. Keeps every byte that came back."""

    def __init__(self, inner: httpx.BaseTransport) -> None:
        self.inner = inner
        self.cut = False
        self.lose_replies = 0
        self.seen: list[bytes] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.cut:
            raise httpx.ConnectError("nothing answers")
        answer = self.inner.handle_request(request)
        content = answer.read()
        self.seen.append(content)
        if self.lose_replies:
            self.lose_replies -= 1
            raise httpx.ReadError("the reply was lost")
        return httpx.Response(answer.status_code, headers=answer.headers, content=content)


class Client(StudyClient):
    """The page's client, with the names of the systems and the demonstration cases from memory."""

    def systems(self) -> dict[str, Any]:
        self.studies()  # so that it fails when the API is silent
        names = (SYSTEM, OTHER, "leapnote", "no-retrieval")
        return {
            "systems": [{"name": name, "what": "", "origin": ""} for name in names],
            "documents": [one.value for one in Document],
        }

    def cases(self) -> tuple[DemonstrationCase, ...]:
        return tuple(
            DemonstrationCase(name=case.id, label=case.label, about="", text=case.text) for case in demonstration()
        )


class StudyServer(StudyWorld):
    """Studies behind the real routes, in a file of the folder or at the url. client: the page's own, over `way`."""

    def __init__(self, folder: Path, url: str = "") -> None:
        place = SecretStr(url or f"sqlite:///{folder / 'study.sqlite'}")
        self.settings = Settings(_env_file=None, data=folder, database_url=place)
        app = create_app(
            self.settings, cast(Container, SimpleNamespace(settings=self.settings, warm=dict, live=None, close=dict))
        )
        self.study_world = StudyContext(Database.of(self.settings), write)
        app.state.study_context = self.study_world
        self.cases = Cases(self.study_world.studies.database, Checkers(DocumentLayout()), Ticking())
        app.state.cases = self.cases
        self.app = app
        self.database, self.studies, self.ratings = (
            self.study_world.studies.database,
            self.study_world.studies,
            self.study_world.ratings,
        )
        self.way = Silenced(TestClient(app)._transport)
        self.client = Client(self.settings, self.way)


__all__ = ["GENERATOR", "OTHER", "SYSTEM", "Client", "StudyServer"]
