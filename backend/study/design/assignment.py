"""Who rates what: every item by `overlap` different raters, loads that differ by one at most, by seed.

Where it comes out even, all items of a case go to the same raters, so that arms are compared within raters; the rest is
dealt item by item.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import gcd

from backend.errors import InputError
from backend.schemas.canonical_json import order_key


def assigned(items: Mapping[str, str], raters: Sequence[str], overlap: int, seed: int) -> dict[str, tuple[str, ...]]:
    """The raters of each item. items: item id to case id.

    Raises InputError when there are fewer raters than the overlap asks for.

    Dealing goes round a ring of raters, `overlap` at a time, so a full round gives each rater the same. A round is
    overlap / gcd(raters, overlap) turns of the ring; each round has a ring of its own, so that everybody meets everybody.
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
    turn = count // gcd(count, overlap)  # cases in a round
    given: dict[str, tuple[str, ...]] = {}
    left: list[str] = []
    for size in sorted(by_size):
        whole = len(by_size[size]) // turn * turn
        for place, case in enumerate(by_size[size][:whole]):
            ring = _ring(raters, seed, size, place // turn)
            given |= {item: _hand(ring, place % turn * overlap, overlap) for item in cases[case]}
        left += [item for case in by_size[size][whole:] for item in cases[case]]
    for place, item in enumerate(left):
        # one ring for all that is left: rings of their own could add one to the same rater each time
        given[item] = _hand(_ring(raters, seed, 0, 0), place * overlap, overlap)
    return given


def loads(given: Mapping[str, Sequence[str]], raters: Sequence[str]) -> dict[str, int]:
    """How many items each rater has."""
    return {rater: sum(rater in hand for hand in given.values()) for rater in raters}


def _ring(raters: Sequence[str], seed: int, size: int, turn: int) -> list[str]:
    return sorted(raters, key=lambda rater: order_key(seed, "ring", size, turn, rater))


def _hand(ring: Sequence[str], start: int, overlap: int) -> tuple[str, ...]:
    return tuple(sorted(ring[(start + i) % len(ring)] for i in range(overlap)))
