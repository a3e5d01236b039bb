"""In which order a rater meets the items, and which draft stands left.

The order is that of SHA-256 over seed, rater and item: the same on every return, different for each rater. Items of one
case are kept apart by moving an item back where it would come too soon.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.schemas.canonical_json import order_key


class Ordered(NamedTuple):
    """spacing: the least distance of two items of one case; None when each case comes once."""

    items: tuple[str, ...]
    spacing: int | None


def ordered(items: Mapping[str, str], rater: str, seed: int, spacing: int, first: Sequence[str] = ()) -> Ordered:
    """All items in one rater's order. items: item id to case id; first: those that come first, as they stand.

    Where the wanted spacing cannot be kept (few cases), the greatest that was found is.
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
            block, turn = divmod(place, len(arms))
            base = sorted(arms, key=lambda arm: order_key(seed, "block", rater, "/".join(arms), block, arm))
            shown[item] = tuple(base[turn:] + base[:turn])
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
