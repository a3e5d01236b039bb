"""What a tab held comes back after a reload: once, to the same person, and not for ever."""

from app.state.access.tab_state import LIFETIME_S, MOST, TabStore

HELD = {"note": "made up"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_a_tab_held_is_given_back_once() -> None:
    tabs = TabStore()
    tabs.save("a", "", HELD)
    assert tabs.take("a", "") == HELD
    assert tabs.take("a", "") == {}


def test_another_person_gets_nothing_and_the_owner_still_does() -> None:
    tabs = TabStore()
    tabs.save("a", "Ada", HELD)
    assert tabs.take("a", "Ben") == {}
    assert tabs.take("a", "") == {}
    assert tabs.take("a", "Ada") == HELD


def test_it_is_forgotten_when_asked_to_and_after_its_time() -> None:
    clock = Clock()
    tabs = TabStore(clock)
    tabs.save("a", "", HELD)
    tabs.forget("a")
    assert tabs.take("a", "") == {}
    tabs.save("b", "", HELD)
    clock.now = LIFETIME_S - 1
    tabs.save("c", "", HELD)
    clock.now = LIFETIME_S + 1
    assert (tabs.take("b", ""), tabs.take("c", "")) == ({}, HELD)


def test_of_too_many_tabs_the_one_drawn_longest_ago_goes() -> None:
    tabs = TabStore()
    for number in range(MOST):
        tabs.save(str(number), "", HELD)
    tabs.save("0", "", HELD)
    tabs.save("last", "", HELD)
    assert (tabs.take("0", ""), tabs.take("1", ""), tabs.take("last", "")) == (HELD, {}, HELD)
