"""The queue before the evidence: in order, few at a time, and nobody is held up for long or for nothing."""

import threading

import pytest

from backend.errors import CancelledError
from backend.pipeline.evidence_queue import EvidenceQueue
from backend.schemas.chat import never


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_begins_at_once_and_the_others_in_their_order() -> None:
    queue = EvidenceQueue(clock=Clock())
    first, second, third = (queue.slot(never) for _ in range(3))
    assert [slot.join() for slot in (first, second, third)] == [0, 1, 2]
    first.leave()
    assert (second.called.is_set(), third.called.is_set()) == (True, False)
    second.leave()
    third.wait()  # called: it does not wait
    third.leave()
    assert queue.slot(never).join() == 0


def test_as_many_work_at_a_time_as_there_are_places() -> None:
    queue = EvidenceQueue(places=2, clock=Clock())
    assert [queue.slot(never).join() for _ in range(4)] == [0, 0, 2, 3]


def test_a_long_turn_lets_the_next_begin_beside_it_and_no_more() -> None:
    clock = Clock()
    queue = EvidenceQueue(turn_s=0.5, clock=clock)
    long, next_one, last = (queue.slot(never) for _ in range(3))
    for slot in (long, next_one, last):
        slot.join()
    clock.now = 0.4
    queue.start_next()
    assert not next_one.called.is_set()
    clock.now = 0.6
    queue.start_next()
    assert (next_one.called.is_set(), last.called.is_set()) == (True, False)
    long.leave()  # its place was given on already
    assert not last.called.is_set()
    next_one.leave()
    assert last.called.is_set()


def test_who_cancels_while_waiting_gives_up_the_place() -> None:
    queue = EvidenceQueue(clock=Clock())
    first, gone, last = queue.slot(never), queue.slot(lambda: True), queue.slot(never)
    for slot in (first, gone, last):
        slot.join()
    with pytest.raises(CancelledError, match="waited for its turn"):
        gone.wait()
    first.leave()
    assert last.called.is_set()


def test_leaving_twice_or_without_a_place_takes_nobody_s_turn() -> None:
    queue = EvidenceQueue(clock=Clock())
    first, second, third = (queue.slot(never) for _ in range(3))
    queue.slot(never).leave()
    for slot in (first, second, third):
        slot.join()
    first.leave()
    first.leave()
    assert (second.called.is_set(), third.called.is_set()) == (True, False)


def test_who_waits_for_a_model_lets_others_work_and_enters_the_queue_again() -> None:
    queue = EvidenceQueue(clock=Clock())
    asking, other = queue.slot(never), queue.slot(never)
    assert (asking.join(), other.join()) == (0, 1)
    back = threading.Event()

    def ask() -> None:
        with asking.paused():
            assert other.called.is_set()
        back.set()

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    other.wait()
    other.leave()
    assert back.wait(10.0)
    thread.join()
    assert queue.slot(never).join() == 1  # the one that asked is at work again


def test_a_model_that_fails_does_not_cost_the_turn() -> None:
    queue = EvidenceQueue(clock=Clock())
    slot = queue.slot(never)
    slot.join()
    with pytest.raises(ValueError, match="broke off"), slot.paused():
        raise ValueError("broke off")
    assert queue.slot(never).join() == 1
