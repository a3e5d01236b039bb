"""The sources on the settings page: imported, updated, removed, stopped, over the real API in this process."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from app.clients.sources_client import JobEvent, SourcesClient
from app.jobs.sources_run import SourceRun
from backend.api.app import create_app
from backend.container import Container
from tests.app.conftest import Open, Page
from tests.app.screens.clinical.test_visits import Through

SETTINGS: Any = SimpleNamespace(host="127.0.0.1", api_port=1, api_token="", timeout_s=30.0)
ROWS = [{"id": "a", "title": "Kiwi sign", "content": "The kiwi sign is made up."}]


@pytest.fixture
def page(container: Container, open_page: Open, tmp_path: Path) -> Iterator[Page]:
    """The settings screen over an API that keeps the sources of a folder of its own."""
    own = Container(container.settings.model_copy(update={"data": tmp_path / "data"}), "the API", beside=container)
    found = open_page()
    with TestClient(create_app(own.settings, own), base_url="http://127.0.0.1") as inner:
        found.test.session_state["client"] = ApiClient(SETTINGS, transport=Through(inner))
        found.test.session_state["sources_client"] = SourcesClient(SETTINGS, transport=Through(inner))
        yield found.go("settings")
    own.sources.close()


def imported(page: Page, path: Path, name: str = "fruit") -> Page:
    page.test.selectbox(key="import_kind").select("jsonl")
    for field, text in (("path", str(path)), ("name", name), ("licence", "made up")):
        page.test.text_input(key=f"import_{field}").set_value(text)
    page.press("import_start")
    held = cast(SourceRun, page.test.session_state["import_run"])
    held.wait(30)
    return page.run()


def said(page: Page) -> str:
    return "\n".join([page.said().replace("\\", ""), *(str(code.value) for code in page.test.get("code"))])


def test_a_collection_is_imported_listed_updated_and_removed(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(map(json.dumps, [*ROWS, {"id": "b"}])))
    stated = said(imported(page, path))
    assert "fruit is imported" in stated and "kept 1" in stated and "skipped 1" in stated
    assert "fruit**: book; 1 documents, 1 passages" in stated and "made up" in stated
    page.press("update_fruit")
    assert page.test.text_input(key="import_name").value == "fruit"
    assert page.test.selectbox(key="import_kind").value == "jsonl"
    path.write_text("\n".join(map(json.dumps, [*ROWS, {"id": "c", "title": "Plum", "content": "Plums are blue."}])))
    assert "fruit**: book; 2 documents, 2 passages" in said(imported(page, path))
    page.press("remove_fruit")
    assert "fruit is removed" in said(page) and "fruit**: book" not in said(page)


def test_the_form_offers_the_text_sources_of_the_api(page: Page) -> None:
    known = page.test.session_state["client"].knowledge()
    offered = page.test.selectbox(key="import_source").options
    assert offered == ["as the kind says", *(row["source"] for row in known["sources"])]


def test_what_cannot_be_imported_says_why_and_leaves_the_form(page: Page, tmp_path: Path) -> None:
    assert "Give the file or folder" in said(page.press("import_start"))
    stated = said(imported(page, tmp_path / "none.jsonl"))
    assert "There is no file or folder" in stated
    assert page.test.text_input(key="import_path").value == str(tmp_path / "none.jsonl")
    assert "cannot name a collection" in said(imported(page, tmp_path, name="No Name!"))


def test_an_import_at_work_shows_how_far_it_is_and_can_be_stopped(page: Page) -> None:
    go_on = threading.Event()
    left = threading.Event()

    def events() -> Iterator[JobEvent]:
        try:
            yield JobEvent("progress", {"done": 256, "total": 1024, "what": "passages encoded"})
            assert go_on.wait(30)
            yield JobEvent("waiting", {})
        finally:
            left.set()

    run = SourceRun("fruit", events)
    while not run.progress().total:
        pass
    page.test.session_state["import_run"] = run
    page.run()
    assert page.test.button(key="import_start").disabled
    shown = [str(bar.proto.text) for bar in page.test.get("progress")]
    assert any("256 of 1,024 passages encoded" in text.replace("\\", "") for text in shown), shown
    page.press("import_stop")
    go_on.set()
    run.wait(30)
    assert left.is_set()
    assert "stopped. The same import goes on where it was" in said(page.run())
    assert not page.test.button(key="import_start").disabled


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([JobEvent("error", {"message": "no licence"})], "no licence"),
        ([], "without a result"),
        ([JobEvent("progress", {})], "KeyError"),
    ],
)
def test_an_import_that_ends_badly_says_how(events: list[JobEvent], says: str) -> None:
    run = SourceRun("fruit", lambda: iter(events))
    run.wait(30)
    assert run.progress().phase == "failed" and says in run.progress().message


def test_a_way_that_is_cut_is_said(page: Page) -> None:
    client = cast(SourcesClient, page.test.session_state["sources_client"])
    cast(Any, client)._http._transport.cut = True
    with pytest.raises(ApiError, match="does not answer"):
        list(client.import_collection({"kind": "jsonl", "path": "x"}))
