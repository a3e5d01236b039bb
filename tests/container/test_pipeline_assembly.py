"""Pipelines are kept by what they were built for, built once under threads, and let go when the sources change."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from backend.container import Container
from backend.container.pipeline_assembly import PipelineCache
from backend.knowledge.review.decisions import Verdict
from backend.settings import Settings

THREADS = 8


def test_threads_that_ask_at_once_get_one_pipeline_that_was_built_once() -> None:
    cache, built, start = PipelineCache(), [], threading.Barrier(THREADS)

    def build() -> Any:
        built.append(threading.get_ident())
        time.sleep(0.05)
        return object()

    def ask(number: int) -> Any:
        start.wait()
        return cache.get(f"system {number % 2}", "state", build)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, range(THREADS)))
    assert len(built) == 2
    assert {id(one) for one in found[::2]} == {id(found[0])}
    assert found[0] is not found[1]


def test_a_pipeline_that_is_there_does_not_wait_for_one_that_is_built() -> None:
    cache, inside, release = PipelineCache(), threading.Event(), threading.Event()
    there: Any = object()
    cache.get("quick", 0, lambda: there)

    def slow() -> Any:
        inside.set()
        assert release.wait(10)
        return object()

    thread = threading.Thread(target=lambda: cache.get("slow", 0, slow))
    thread.start()
    assert inside.wait(10)
    assert cache.get("quick", 0, slow) is there
    release.set()
    thread.join(10)


def test_pipelines_of_another_state_and_the_oldest_of_too_many_are_let_go() -> None:
    cache, built = PipelineCache(most=2), []

    def get(key: str, state: int = 0) -> None:
        cache.get(key, state, lambda: built.append((key, state)) or object())  # type: ignore[func-returns-value, arg-type, return-value]

    for key in ("a", "b", "a", "c", "b", "a"):  # a is gone once c has come
        get(key)
    assert built == [("a", 0), ("b", 0), ("c", 0), ("a", 0)]
    get("c", 1)
    get("c")
    assert built[4:] == [("c", 1), ("c", 0)]


def test_a_build_that_fails_is_tried_again() -> None:
    cache, there = PipelineCache(), object()
    answers: list[Any] = [ValueError("not yet"), there]

    def build() -> Any:
        answer = answers.pop(0)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    with pytest.raises(ValueError, match="not yet"):
        cache.get("a", 0, build)
    assert cache.get("a", 0, build) is there


def test_a_container_builds_one_pipeline_for_threads_that_ask_at_once(container: Container) -> None:
    own, start = container.changed(passages=7), threading.Barrier(THREADS)

    def ask(_: int) -> object:
        start.wait()
        return own.pipeline("leapnote", "composer")

    with ThreadPoolExecutor(THREADS) as pool:
        assert len({id(pipeline) for pipeline in pool.map(ask, range(THREADS))}) == 1


def test_a_changed_container_shares_what_does_not_depend_on_the_change(container: Container, tmp_path: Any) -> None:
    swept = container.changed(passages=7)
    assert (swept.graph, swept.linker, swept.search) == (container.graph, container.linker, container.search)
    assert swept.pipeline("no-retrieval", "composer") is not container.pipeline("no-retrieval", "composer")
    elsewhere = container.changed(data=tmp_path)
    assert elsewhere.graph is container.graph and elsewhere.sources is not container.sources
    container.changed(data=tmp_path).review.decide("chapter/gout", Verdict.ACCEPTED, "Dr Okafor")
    reviewed = container.changed(data=tmp_path)
    assert reviewed.shipped is not container.shipped and reviewed.shipped.review_words.startswith("1 of ")
    ranked = container.changed(conditions=1)
    assert ranked.linker is container.linker and ranked.ranker is not container.ranker
    vectors = container.concept_vectors
    walked = container.changed(policies=tmp_path)  # other policies walk the same graph, and nothing is loaded again
    assert (walked.graph, walked.linker, walked.search) == (container.graph, container.linker, container.search)
    assert walked.concept_vectors is vectors and walked.loaded is not container.loaded
    assert walked.policy_name == "none" != container.policy_name
    alone = Container(Settings(_env_file=None, data=tmp_path))  # type: ignore[call-arg]
    assert alone.shipped is not container.shipped
