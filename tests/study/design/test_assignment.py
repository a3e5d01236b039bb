from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import InputError
from backend.study.design.assignment import assigned, least_distance, loads, ordered, sides


def grid(cases: int, arms: int) -> dict[str, str]:
    return {f"I{c:03}-{a}": f"C{c:03}" for c in range(cases) for a in range(arms)}


@settings(max_examples=150, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=30),
    raters=st.integers(1, 9),
    overlap=st.integers(1, 9),
    seed=st.integers(0, 1000),
)
def test_every_item_has_its_raters_and_loads_differ_by_one_at_most(
    sizes: list[int], raters: int, overlap: int, seed: int
) -> None:
    overlap = min(overlap, raters)
    items = {f"I{c}-{a}": f"C{c}" for c, size in enumerate(sizes) for a in range(size)}
    names = [f"R{n}" for n in range(raters)]
    found = assigned(items, names, overlap, seed)
    assert set(found) == set(items)
    assert all(len(hand) == len(set(hand)) == overlap for hand in found.values())
    counts = loads(found, names).values()
    assert sum(counts) == len(items) * overlap
    assert max(counts) - min(counts) <= 1


def test_a_case_stays_with_its_raters_where_it_comes_out_even() -> None:
    # 10 cases of 2 arms, 5 raters, 2 each: 10 * 2 / 5 = 4 cases a rater, so every case can stay whole
    found = assigned(grid(10, 2), [f"R{n}" for n in range(5)], 2, 3)
    assert all(found[f"I{c:03}-0"] == found[f"I{c:03}-1"] for c in range(10))
    assert set(loads(found, [f"R{n}" for n in range(5)]).values()) == {8}


def test_more_overlap_than_raters_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match="needs 3 raters, but there are 2"):
        assigned(grid(2, 2), ["R1", "R2"], 3, 0)


def test_the_same_seed_gives_the_same_raters_and_another_seed_others() -> None:
    names = [f"R{n}" for n in range(6)]
    assert assigned(grid(12, 2), names, 2, 1) == assigned(grid(12, 2), names, 2, 1)
    assert assigned(grid(12, 2), names, 2, 1) != assigned(grid(12, 2), names, 2, 2)


@settings(max_examples=60, deadline=None)
@given(cases=st.integers(5, 25), arms=st.integers(1, 4), seed=st.integers(0, 500))
def test_arms_of_a_case_are_five_apart_where_there_are_five_cases(cases: int, arms: int, seed: int) -> None:
    items = grid(cases, arms)
    found = ordered(items, "R01", seed, 5)
    assert sorted(found.items) == sorted(items)
    assert found.spacing == least_distance([items[i] for i in found.items])
    assert found.spacing is None if arms == 1 else (found.spacing or 0) >= 5


def test_with_three_cases_the_distance_is_the_three_that_are_possible() -> None:
    # 3 cases of 2 arms: two items of one case can be at most 3 places apart when every case is to keep that distance
    assert ordered(grid(3, 2), "R01", 0, 5).spacing == 3


def test_calibration_items_stay_first_and_count_for_the_distance() -> None:
    items = grid(8, 2)
    found = ordered(items, "R01", 4, 5, first=["I003-1", "I005-0"])
    assert found.items[:2] == ("I003-1", "I005-0")
    assert found.items.index("I003-0") >= 5
    assert found.items.index("I005-1") >= 6


def test_the_order_is_the_same_on_return_and_another_for_each_rater() -> None:
    items = grid(20, 2)
    assert ordered(items, "R01", 4, 5) == ordered(dict(reversed(items.items())), "R01", 4, 5)
    assert ordered(items, "R01", 4, 5).items != ordered(items, "R02", 4, 5).items


def test_the_order_is_pinned_so_that_no_version_or_machine_changes_it() -> None:
    # sha256("7\x1fR01\x1f" + item) in hex: c -> 0…, and so on; with one item a case nothing is moved
    import hashlib

    def key(item: str) -> str:
        return hashlib.sha256(f"7\x1fR01\x1f{item}".encode()).hexdigest()

    assert list(ordered({i: i for i in "abcdef"}, "R01", 7, 5).items) == sorted("abcdef", key=key)


@given(items=st.integers(1, 40), seed=st.integers(0, 50))
def test_left_and_right_come_out_even(items: int, seed: int) -> None:
    shown = sides({f"I{n}": ("a", "b") for n in range(items)}, "R01", seed)
    left = sum(arms[0] == "a" for arms in shown.values())
    assert abs(left - (items - left)) <= 1


def test_each_arm_of_a_ranking_stands_in_each_place_as_often() -> None:
    shown = sides({f"I{n}": ("a", "b", "c") for n in range(12)}, "R02", 1)
    for place in range(3):
        assert [sum(arms[place] == arm for arms in shown.values()) for arm in "abc"] == [4, 4, 4]


def test_sides_do_not_simply_take_turns_in_the_order_shown() -> None:
    items = {f"I{n}": ("a", "b") for n in range(40)}
    shown = sides(items, "R01", 1)
    seen = [shown[item][0] for item in ordered({i: i for i in items}, "R01", 1, 5).items]
    assert any(one == two for one, two in pairwise(seen))
