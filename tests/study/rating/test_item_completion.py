from datetime import timedelta

import pytest

from backend.schemas.studies.study_rating import Stamp
from backend.study.clock import IDLE_S, elapsed_s
from backend.study.rating.item_completion import Action, least_seconds, times_on_items
from tests.study.sample import START


def stamp(tick_s: float, wall_s: float | None = None, process: str = "p1") -> Stamp:
    return Stamp(at=START + timedelta(seconds=tick_s if wall_s is None else wall_s), process=process, tick_s=tick_s)


def test_time_goes_to_the_item_that_opened_the_gap() -> None:
    # opened a at 0, answered at 30, opened b at 40: 40 s on a; answered b at 100: 60 s on b
    done = [Action("a", stamp(0)), Action("a", stamp(30)), Action("b", stamp(40)), Action("b", stamp(100))]
    found = times_on_items(done)
    assert (found["a"].seconds, found["b"].seconds) == (40, 60)


def test_a_pause_counts_for_nothing() -> None:
    done = [Action("a", stamp(0)), Action("", stamp(10)), Action("a", stamp(400)), Action("a", stamp(420))]
    assert times_on_items(done)["a"].seconds == 30  # 10 before the pause, 20 after


@pytest.mark.parametrize("jump_s", [-86_400.0, 86_400.0])
def test_a_jump_of_the_wall_clock_changes_no_time(jump_s: float) -> None:
    done = [Action("a", stamp(0)), Action("a", stamp(30, 30 + jump_s)), Action("a", stamp(50, 50 + jump_s))]
    assert times_on_items(done)["a"].seconds == 50


def test_across_a_restart_the_wall_clock_is_left_and_a_step_back_is_unknown() -> None:
    before, after = stamp(5_000, 0), stamp(2, 20, "p2")
    assert elapsed_s(before, after) == 20
    assert elapsed_s(before, stamp(2, -3_600, "p2")) is None
    found = times_on_items(
        [Action("a", before), Action("a", stamp(2, -3_600, "p2")), Action("a", stamp(9, -3_593, "p2"))]
    )
    assert (found["a"].seconds, found["a"].unknown) == (7, 1)


def test_a_long_silence_counts_as_the_idle_time() -> None:
    assert elapsed_s(stamp(0), stamp(50_000)) == IDLE_S


def test_visible_time_can_only_shorten() -> None:
    # 60 s passed; the page was visible for 20, or says 900
    shorter = times_on_items([Action("a", stamp(0)), Action("a", stamp(60), 20_000)])["a"]
    longer = times_on_items([Action("a", stamp(0)), Action("a", stamp(60), 900_000)])["a"]
    assert (shorter.seconds, longer.seconds) == (20, 60)


def test_the_least_time_is_words_over_the_fastest_reading() -> None:
    assert least_seconds(300, 600) == 30  # 300 words at 600 a minute
