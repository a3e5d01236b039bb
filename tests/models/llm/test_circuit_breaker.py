"""The breaker, by a clock that is turned by hand."""

from models.llm.engine_openai import Breaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def open_breaker(clock: Clock) -> Breaker:
    breaker = Breaker(2, 10.0, clock)
    for _ in range(2):
        assert breaker.wait_s() == 0
        breaker.failed()
    return breaker


def test_it_opens_after_so_many_failures_in_a_row_and_not_before() -> None:
    breaker = Breaker(2, 10.0, Clock())
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.wait_s() == 0  # two failures, but not one after the other
    breaker.failed()
    assert (breaker.wait_s(), breaker.failures) == (10.0, 2)


def test_after_the_rest_one_may_try_and_the_others_wait_for_it() -> None:
    clock = Clock()
    breaker = open_breaker(clock)
    clock.now += 9.5
    assert breaker.wait_s() == 1.0  # half a second is told as a whole one
    clock.now += 0.5
    assert breaker.wait_s() == 0
    assert breaker.wait_s() == 1.0
    breaker.succeeded()
    assert breaker.wait_s() == breaker.wait_s() == 0


def test_a_failed_try_opens_it_for_as_long_again() -> None:
    clock = Clock()
    breaker = open_breaker(clock)
    clock.now += 10
    assert breaker.wait_s() == 0
    breaker.failed()
    assert breaker.wait_s() == 10.0
    clock.now += 10
    assert breaker.wait_s() == 0


def test_a_cancelled_try_leaves_the_next_one_to_try() -> None:
    clock = Clock()
    breaker = open_breaker(clock)
    clock.now += 10
    assert breaker.wait_s() == 0
    breaker.unknown()
    assert breaker.wait_s() == 0
