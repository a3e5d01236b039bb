"""Medians, percentiles and memory as the rows report them."""

import os
from threading import Event

from backend.bench.measuring import machine, median, p95, rss_mb, timed


def test_the_95th_percentile_is_the_smallest_time_that_covers_95_of_100() -> None:
    assert p95([float(i) for i in range(1, 101)]) == 95.0
    # 95 % of three is 2.85, so all three must be covered
    assert p95([3.0, 1.0, 2.0]) == 3.0
    assert p95([7.0]) == 7.0


def test_the_median_of_an_even_number_lies_between_the_middle_two() -> None:
    assert median([1.0, 2.0, 4.0, 9.0]) == 3.0


def test_each_input_is_timed_once_in_order() -> None:
    seen: list[int] = []
    times = timed(seen.append, [1, 2, 3])
    assert seen == [1, 2, 3]
    assert len(times.wall) == len(times.cpu) == 3 and min(times.wall) >= 0


def test_sleeping_counts_on_the_clock_and_not_on_the_processor() -> None:
    times = timed(Event().wait, [0.05])
    assert times.wall[0] >= 50 > times.cpu[0] + 25


def test_memory_of_a_process_that_is_not_there_is_not_told() -> None:
    assert rss_mb(2**30) is None
    own = rss_mb(os.getpid())
    assert own is None or own > 5


def test_the_machine_is_described_without_its_name() -> None:
    described = machine()
    assert "cores" in described and "Python 3" in described
    assert os.uname().nodename not in described
