"""The document of a cited passage over HTTP: every passage that is held of it, in order, and nothing of another one."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from backend.api.app import _map_errors
from backend.api.routers.routes_documents import router
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.collections import MemoryCollection
from backend.stores.passages.passage_index import PassageRow
from backend.stores.passages.stored_sources import StoredSource


def row(document: str, title: str, section: str, text: str, start: int) -> PassageRow:
    return PassageRow(
        "", Source.BOOK, document, title, text, start, start + len(text), licence="made up", section=section
    )


ONE = (
    row("a", "Kiwi sign: What it is", "What it is", "It is green.", 0),
    row("b", "Plum sign", "", "It is blue.", 0),
    row("a", "Kiwi sign: Tests", "Tests", "Look at it.", 13),
)
OTHER = (row("a", "Another page", "", "The same id, another collection.", 0),)


def collection(rows: tuple[PassageRow, ...]) -> MemoryCollection:
    return MemoryCollection(rows, Bm25Index([one.text for one in rows]), np.eye(len(rows), 3, dtype=np.float32))


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    book = StoredSource(Source.BOOK, [collection(ONE), collection(OTHER)])
    app.state.container = SimpleNamespace(sources={Source.BOOK: book})
    app.include_router(router, prefix="/v1")
    _map_errors(app)
    return TestClient(app, base_url="http://127.0.0.1")


def found(client: TestClient, **query: str) -> Any:
    return client.get("/v1/documents", params=query).json()


def test_a_document_has_its_passages_in_order_and_each_collection_has_its_own(client: TestClient) -> None:
    kiwi, other = found(client, source="book", document_id="a")
    assert (kiwi["title"], kiwi["licence"]) == ("Kiwi sign", "made up")
    assert kiwi["passages"] == [
        {"section": "What it is", "text": "It is green.", "start_char": 0, "end_char": 12},
        {"section": "Tests", "text": "Look at it.", "start_char": 13, "end_char": 24},
    ]
    assert other["title"] == "Another page"


def test_what_no_source_holds_is_found_nowhere_and_a_source_that_is_none_is_refused(client: TestClient) -> None:
    assert found(client, source="book", document_id="c") == []
    assert found(client, source="wiki", document_id="a") == []
    assert client.get("/v1/documents", params={"source": "x", "document_id": "a"}).status_code == 422
