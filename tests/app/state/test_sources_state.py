"""The sources' part of a tab: what is imported, and what a refusal leaves behind."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from app.clients.api_errors import ApiError
from app.clients.sources_client import JobEvent
from app.jobs.event_run import Phase
from app.state import sources_state


class Sources:
    """The API's sources, which hold one collection."""

    def __init__(self) -> None:
        self.held = ["fruit"]
        self.imports: list[dict[str, str]] = []
        self.asked = 0

    def kinds(self) -> list[dict[str, str]]:
        self.asked += 1
        return [{"name": "jsonl", "what": "lines", "source": "own-book"}]

    def import_collection(self, typed: Mapping[str, str]) -> Iterator[JobEvent]:
        self.imports.append(dict(typed))
        yield JobEvent("done", {"text": "3 documents"})

    def encode_collection(self, name: str) -> Iterator[JobEvent]:
        yield JobEvent("error", {"message": f"{name} cannot be encoded"})

    def remove_collection(self, name: str) -> None:
        if name not in self.held:
            raise ApiError(f"There is no collection {name}.")
        self.held.remove(name)


@pytest.fixture
def sources(tab: dict[str, Any]) -> Sources:
    made = Sources()
    tab["sources_client"] = made
    return made


def ended() -> str:
    run = sources_state.run()
    assert run is not None
    run.wait(30)
    return run.progress().phase


def test_nothing_is_imported_without_a_path(tab: dict[str, Any], sources: Sources) -> None:
    tab[sources_state.field("path")] = "   "
    sources_state.start()
    assert sources_state.message() == sources_state.NO_PATH
    assert sources_state.run() is None and sources.imports == []


def test_an_import_sends_what_was_typed_and_is_called_by_its_path_where_it_has_no_name(
    tab: dict[str, Any], sources: Sources
) -> None:
    tab |= {sources_state.field("path"): " /books ", sources_state.field("kind"): "jsonl"}
    sources_state.start()
    assert ended() == Phase.DONE
    assert sources.imports == [{"kind": "jsonl", "path": "/books", "name": "", "source": "", "licence": ""}]
    run = sources_state.run()
    assert run is not None and run.name == "/books" and sources_state.message() == ""


def test_encoding_that_is_refused_says_so_in_its_run(tab: dict[str, Any], sources: Sources) -> None:
    tab["import_message"] = "of before"
    sources_state.encode("fruit")
    assert ended() == Phase.FAILED
    run = sources_state.run()
    assert run is not None and run.progress().message == "fruit cannot be encoded"
    assert sources_state.message() == ""


def test_a_collection_is_removed_and_one_that_is_not_there_is_told(sources: Sources) -> None:
    sources_state.remove("fruit")
    assert (sources.held, sources_state.message()) == ([], "fruit is removed.")
    sources_state.remove("fruit")
    assert sources_state.message() == "There is no collection fruit."


def test_a_collection_s_values_go_into_the_form_but_for_its_path(tab: dict[str, Any]) -> None:
    tab[sources_state.field("path")] = "/typed"
    sources_state.fill({"kind": "jsonl", "name": "fruit", "source": "own-book", "licence": "made up", "bytes": 3})
    assert [tab[sources_state.field(name)] for name in sources_state.FIELDS] == [
        "jsonl", "/typed", "fruit", "own-book", "made up",
    ]  # fmt: skip


def test_the_kinds_are_asked_for_once_and_stopping_before_any_import_does_nothing(sources: Sources) -> None:
    assert sources_state.kinds() == sources_state.kinds()
    assert sources.asked == 1
    sources_state.stop()
    assert sources_state.run() is None
