"""A part is built once, whichever thread asks first, and a build that failed is tried again."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from backend.container.lazy_part import is_built, lazy_part

THREADS = 8


class Slow:
    """Counts its builds; each takes long enough for all threads to ask meanwhile."""

    def __init__(self) -> None:
        self.built: list[str] = []
        self.failures = 0

    @lazy_part
    def graph(self) -> object:
        """The graph."""
        self.built.append("graph")
        time.sleep(0.05)
        return object()

    @lazy_part
    def linker(self) -> tuple[object]:
        self.built.append("linker")
        return (self.graph,)

    @lazy_part
    def failing(self) -> str:
        self.built.append("failing")
        time.sleep(0.01)
        if self.failures:
            self.failures -= 1
            raise ValueError("not yet")
        return "built"


def at_once(ask: Callable[[], object]) -> list[object]:
    """What each of several threads gets that ask at the same moment; an exception is what it gets too."""
    start = threading.Barrier(THREADS)

    def one(_: int) -> object:
        start.wait()
        try:
            return ask()
        except ValueError as error:
            return error

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


def test_threads_that_ask_at_once_get_one_part_that_was_built_once() -> None:
    slow = Slow()
    found = at_once(lambda: slow.linker)
    assert len({id(part) for part in found}) == 1
    assert sorted(slow.built) == ["graph", "linker"]


class Meeting:
    """Each build waits for another that is under way."""

    def __init__(self, met: threading.Barrier) -> None:
        self._met = met

    @lazy_part
    def one(self) -> int:
        return self._met.wait()

    @lazy_part
    def other(self) -> int:
        return self._met.wait()


def test_two_instances_build_the_same_part_side_by_side() -> None:
    met = threading.Barrier(2, timeout=10)
    first, second = Meeting(met), Meeting(met)
    with ThreadPoolExecutor(2) as pool:  # one lock for both instances would break the barrier
        assert sorted(pool.map(lambda each: each.one, (first, second))) == [0, 1]


def test_parts_of_one_instance_are_built_side_by_side() -> None:
    two = Meeting(threading.Barrier(2, timeout=10))
    with ThreadPoolExecutor(2) as pool:  # one lock for both parts would break the barrier
        assert sorted(pool.map(lambda name: getattr(two, name), ("one", "other"))) == [0, 1]


def test_a_build_that_fails_leaves_nothing_and_is_tried_again() -> None:
    slow = Slow()
    slow.failures = 1
    with pytest.raises(ValueError, match="not yet"):
        _ = slow.failing
    assert not is_built(slow, "failing")
    assert slow.failing == "built"
    assert slow.built == ["failing", "failing"]


def test_of_threads_that_ask_at_once_the_next_tries_again_after_a_failure() -> None:
    slow = Slow()
    slow.failures = 1
    found = at_once(lambda: slow.failing)
    assert sum(isinstance(one, ValueError) for one in found) == 1
    assert found.count("built") == THREADS - 1
    assert len(slow.built) == 2


def test_a_class_shows_the_part_itself_with_its_words() -> None:
    assert Slow.graph.__doc__ == "The graph."
    assert not is_built(Slow(), "graph")
