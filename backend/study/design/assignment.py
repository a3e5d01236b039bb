"""Who rates what, in which order, and which draft stands left: all by seed, the same on every return.

Every item is rated by `overlap` different raters, with loads that differ by one at most. Where it comes out even, all items
of a case go to the same raters, so that arms are compared within raters. The order is that of SHA-256 over seed, rater and
item, so each rater has another; items of one case are kept apart by moving an item back where it would come too soon.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import gcd
from typing import NamedTuple

from backend.errors import InputError
from backend.schemas.canonical_json import order_key
from backend.schemas.studies.study_frozen import Slot, StudyItem


def assigned(items: Mapping[str, str], raters: Sequence[str], overlap: int, seed: int) -> dict[str, tuple[str, ...]]:
    """The raters of each item.

    Dealing goes round a ring of raters, `overlap` at a time, so a full round gives each rater the same. A round is
    overlap / gcd(raters, overlap) times round the ring; each round has a ring of its own, so that everybody meets
    everybody.

    Args:
        items: item id to case id.
        raters: their ids.
        overlap: how many raters an item has.
        seed: of the study.

    Raises:
        InputError: there are fewer raters than the overlap asks for.
    """
    count = len(raters)
    if not 1 <= overlap <= count:
        raise InputError(f"Each item needs {overlap} raters, but there are {count}. Lower the overlap or add raters.")
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for item in sorted(items):
        cases[items[item]].append(item)
    by_size: defaultdict[int, list[str]] = defaultdict(list)
    for case in sorted(cases, key=lambda name: order_key(seed, "case", name)):
        by_size[len(cases[case])].append(case)
    round_size = count // gcd(count, overlap)  # cases in a round
    given: dict[str, tuple[str, ...]] = {}
    left: list[str] = []
    for size in sorted(by_size):
        whole = len(by_size[size]) // round_size * round_size
        for place, case in enumerate(by_size[size][:whole]):
            ring = _ring(raters, seed, size, place // round_size)
            given |= {item: _next_raters(ring, place % round_size * overlap, overlap) for item in cases[case]}
        left += [item for case in by_size[size][whole:] for item in cases[case]]
    for place, item in enumerate(left):
        # one ring for all that is left: rings of their own could add one to the same rater each time
        given[item] = _next_raters(_ring(raters, seed, 0, 0), place * overlap, overlap)
    return given


def loads(given: Mapping[str, Sequence[str]], raters: Sequence[str]) -> dict[str, int]:
    """How many items each rater has."""
    return {rater: sum(rater in dealt for dealt in given.values()) for rater in raters}


def _ring(raters: Sequence[str], seed: int, size: int, number: int) -> list[str]:
    return sorted(raters, key=lambda rater: order_key(seed, "ring", size, number, rater))


def _next_raters(ring: Sequence[str], start: int, overlap: int) -> tuple[str, ...]:
    return tuple(sorted(ring[(start + i) % len(ring)] for i in range(overlap)))


class Ordered(NamedTuple):
    """spacing: the least distance of two items of one case; None when each case comes once."""

    items: tuple[str, ...]
    spacing: int | None


def ordered(items: Mapping[str, str], rater: str, seed: int, spacing: int, first: Sequence[str] = ()) -> Ordered:
    """All items in one rater's order.

    Where the wanted spacing cannot be kept (few cases), the greatest that was found is.

    Args:
        items: item id to case id.
        rater: their id.
        seed: of the study.
        spacing: the least distance of two items of one case.
        first: those that come first, as they stand.

    Raises:
        AssertionError: never: a spacing of 0 always fits.
    """
    rest = sorted((i for i in items if i not in set(first)), key=lambda item: order_key(seed, rater, item))
    for gap in range(spacing, -1, -1):
        for by_deadline in (False, True):
            found = _spaced(rest, items, list(first), gap, by_deadline)
            if found is not None:
                return Ordered(tuple(found), least_distance([items[i] for i in found]))
    raise AssertionError("a gap of 0 always fits")  # pragma: no cover


def least_distance(cases: Sequence[str]) -> int | None:
    """The least distance between two places that hold the same case; None when none repeats."""
    last: dict[str, int] = {}
    found: list[int] = []
    for place, case in enumerate(cases):
        if case in last:
            found.append(place - last[case])
        last[case] = place
    return min(found, default=None)


def sides(items: Mapping[str, Sequence[str]], rater: str, seed: int) -> dict[str, tuple[str, ...]]:
    """The arms of each item in the order shown. items: item id to its arms.

    Items that compare the same arms are taken in blocks as long as there are arms; within a block each arm stands once in
    each place. So no side is favoured, and no rule can be seen.
    """
    alike: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for item in sorted(items, key=lambda name: order_key(seed, "side", rater, name)):
        alike[tuple(sorted(items[item]))].append(item)
    shown: dict[str, tuple[str, ...]] = {}
    for arms, group in alike.items():
        for place, item in enumerate(group):
            block, rotation = divmod(place, len(arms))
            base = sorted(arms, key=lambda arm: order_key(seed, "block", rater, "/".join(arms), block, arm))
            shown[item] = tuple(base[rotation:] + base[:rotation])
    return shown


def _spaced(
    rest: Sequence[str], case_of: Mapping[str, str], placed: list[str], gap: int, by_deadline: bool
) -> list[str] | None:
    """Place the lowest key that may come now, unless a case with several items left would then run out of room.

    The k-th last item of a case must stand gap * (k - 1) places before the end; when as many cases share such a
    deadline as there are places before it, one of them must come now. None when a place cannot be filled.
    """
    waiting = list(rest)
    left: defaultdict[str, int] = defaultdict(int)
    for item in waiting:
        left[case_of[item]] += 1
    last = {case_of[item]: place for place, item in enumerate(placed)}
    end = len(placed) + len(waiting)
    for now in range(len(placed), end):
        deadlines = {case: end - 1 - gap * (count - 1) for case, count in left.items() if count}
        urgent = _urgent(deadlines, left, now, gap, end)
        may = [i for i in waiting if case_of[i] not in last or now - last[case_of[i]] >= gap]
        pressed = [i for i in may if deadlines[case_of[i]] <= urgent] if urgent is not None else may
        if not pressed:
            return None
        item = min(pressed, key=lambda i: deadlines[case_of[i]]) if by_deadline else pressed[0]
        waiting.remove(item)
        placed.append(item)
        last[case_of[item]] = now
        left[case_of[item]] -= 1
    return placed


def _urgent(deadlines: Mapping[str, int], left: Mapping[str, int], now: int, gap: int, end: int) -> int | None:
    """The deadline that leaves no place free, if there is one. Each case counts for every item due by it."""
    for deadline in sorted(set(deadlines.values())):
        due = sum(_due(left[case], deadline, gap, end) for case in deadlines)
        if due >= deadline - now + 1:
            return deadline
    return None


def _due(count: int, deadline: int, gap: int, end: int) -> int:
    """How many of a case's items must stand at the deadline or before it."""
    return sum(end - 1 - gap * (k - 1) <= deadline for k in range(1, count + 1))


def toward_second(value: float, slot: Slot, item: StudyItem) -> float:
    """A preference, positive when the item's second arm was preferred, whichever side it stood on."""
    return value if slot.shown[1] == item.arms[1] else -value
