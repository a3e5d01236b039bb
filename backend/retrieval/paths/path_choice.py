"""Which of a note's reasoning paths are shown, in which order, and which finding each starts from.

Takes paths as drawn, with what each is worth to the note. It looks up nothing and words nothing.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from backend.retrieval.paths.path_text import NO_LINK
from backend.stores.graph.graph import Edge

GROUP_COST = 0.5
"""What a path costs for each better one that ends in the same group, in standard deviations of the paths' scores."""


class Drawn(NamedTuple):
    """A path as walked: concepts, the edge to each but the first (None: a leap), and what it is worth to the note.

    leap_words: what is said of a leap. starts: edges of other findings that may stand in place of the first, and that itself.
    """

    concepts: list[int]
    edges: list[Edge | None]
    worth: float
    leap_words: str = NO_LINK
    starts: Sequence[Edge] = ()


def best_spread(drawn: Sequence[Drawn], groups: np.ndarray, most: int) -> list[Drawn]:
    """The `most` best of the paths, spread over the groups (n,) they end in; of paths with one end, the best alone."""
    ends: dict[int, Drawn] = {}
    for path in sorted(drawn, key=lambda d: (-d.worth, d.concepts)):
        ends.setdefault(path.concepts[-1], path)
    left = list(ends.values())
    spread = float(np.std([d.worth for d in left])) if len(left) > 1 else 0.0
    ended: Counter[int] = Counter()
    chosen: list[Drawn] = []
    while left and len(chosen) < most:
        best = max(left, key=lambda d: d.worth - GROUP_COST * spread * ended[int(groups[d.concepts[-1]])])
        left.remove(best)
        chosen.append(best)
        ended[int(groups[best.concepts[-1]])] += 1
    return chosen


def started(chosen: Sequence[Drawn]) -> list[Drawn]:
    """The same paths, each from the finding that has started fewest so far: together they show what speaks for their ends."""
    used: Counter[int] = Counter()
    changed = []
    for path in chosen:
        if path.starts:
            first = min(
                (edge for edge in path.starts if edge.head not in path.concepts[1:]), key=lambda e: used[e.head]
            )
            path = path._replace(concepts=[first.head, *path.concepts[1:]], edges=[first, *path.edges[1:]])
        used[path.concepts[0]] += 1
        changed.append(path)
    return changed
