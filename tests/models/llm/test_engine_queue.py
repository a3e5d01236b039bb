"""The line before a language model."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import BusyError, FullError
from models.llm.engine_queue import RequestQueue


def until(found: object, what: str) -> None:
    """Waits until the function found() is true; a few milliseconds in these tests."""
    deadline = time.monotonic() + 20
    while not found():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.002)


def waiting(queue: RequestQueue, name: str, order: list[str], places: int = 1) -> threading.Thread:
    """A thread that enters, writes its name down and stays; it is in line when this returns."""
    before = queue.length
    thread = threading.Thread(target=lambda: order.append(name) if queue.enter(places) else None, daemon=True)
    thread.start()
    until(lambda: queue.length == before + 1, f"{name} does not wait")
    return thread


def test_whoever_came_first_is_called_first() -> None:
    queue, order = RequestQueue(1, 5), []
    assert queue.enter() == 1
    threads = [waiting(queue, name, order) for name in "abc"]
    for number, thread in enumerate(threads, start=1):
        queue.leave(1)
        thread.join(5)
        assert order == list("abc")[:number]
    assert (queue.busy, queue.length) == (1, 0)


def test_a_full_line_refuses_at_once_and_says_how_many_wait() -> None:
    queue, order = RequestQueue(2, 1), []
    assert queue.enter() + queue.enter() == 2
    thread = waiting(queue, "a", order)
    with pytest.raises(BusyError, match="2 requests are being answered and 1 wait") as refused:
        queue.enter()
    assert (refused.value.http_status, queue.length) == (429, 1)
    queue.leave(1)
    thread.join(5)
    assert order == ["a"]


def test_without_a_line_the_next_one_is_refused() -> None:
    queue = RequestQueue(1, 0)
    assert queue.enter() == 1
    with pytest.raises(BusyError):
        queue.enter()
    queue.leave(1)
    assert queue.enter() == 1


def test_cancelling_while_waiting_gives_the_turn_to_the_next() -> None:
    queue, order, gone = RequestQueue(1, 5), [], threading.Event()
    assert queue.enter() == 1
    left: list[int] = []
    first = threading.Thread(target=lambda: left.append(queue.enter(1, gone.is_set)), daemon=True)
    first.start()
    until(lambda: queue.length == 1, "the first does not wait")
    second = waiting(queue, "b", order)
    gone.set()
    first.join(5)
    assert (left, queue.length) == ([0], 1)
    queue.leave(1)
    second.join(5)
    assert (order, queue.busy) == (["b"], 1)


def test_nobody_overtakes_a_request_for_several_places() -> None:
    queue, order = RequestQueue(2, 5), []
    assert queue.enter() == 1
    both = waiting(queue, "both", order, places=2)
    one = waiting(queue, "one", order)  # a place is free, yet it came later
    assert order == []
    queue.leave(1)
    both.join(5)
    assert (order, queue.busy) == (["both"], 2)
    queue.leave(2)
    one.join(5)
    assert order == ["both", "one"]


def test_cancelling_a_large_request_lets_the_small_one_behind_it_in() -> None:
    queue, order, gone = RequestQueue(2, 5), [], threading.Event()
    assert queue.enter() == 1
    large = threading.Thread(target=lambda: queue.enter(2, gone.is_set), daemon=True)
    large.start()
    until(lambda: queue.length == 1, "the large one does not wait")
    small = waiting(queue, "small", order)
    gone.set()
    for thread in (large, small):
        thread.join(5)
    assert (order, queue.busy, queue.length) == (["small"], 2, 0)


def test_more_places_than_there_are_means_all_of_them() -> None:
    queue = RequestQueue(3, 0)
    assert queue.enter(8) == 3
    assert queue.busy == 3


@settings(max_examples=25, deadline=None)
@given(
    concurrent=st.integers(1, 4),
    asked=st.lists(st.tuples(st.integers(1, 6), st.booleans()), min_size=1, max_size=12),
)
def test_never_too_many_at_a_time_and_all_places_come_back(concurrent: int, asked: list[tuple[int, bool]]) -> None:
    """Threads of all sizes, some cancelled at once: the sum of taken places never passes the limit, and ends at 0."""
    queue, guard = RequestQueue(concurrent, len(asked)), threading.Lock()
    taken, most, served = 0, 0, 0

    def work(places: int, cancelled: bool) -> None:
        nonlocal taken, most, served
        got = queue.enter(places, lambda: cancelled)
        if not got:
            return
        with guard:
            taken, served = taken + got, served + 1
            most = max(most, taken)
        time.sleep(0.001)
        with guard:
            taken -= got
        queue.leave(got)

    threads = [threading.Thread(target=work, args=one, daemon=True) for one in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert most <= concurrent
    assert served >= sum(not cancelled for _, cancelled in asked)
    assert (queue.busy, queue.length) == (0, 0)


def test_a_look_at_the_line_takes_no_place_and_refuses_only_where_entering_would() -> None:
    queue = RequestQueue(1, 0)
    for _ in range(3):
        queue.check()
    assert queue.enter() == 1
    with pytest.raises(FullError, match="1 requests are being answered and 0 wait"):
        queue.check()
    queue.leave(1)
    queue.check()
