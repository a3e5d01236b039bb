"""Holm's correction for several tests (1979)."""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Adjusted p in the same order. A test without a p stays None and does not count as one.

    The i-th smallest of m is multiplied by m - i + 1; no adjusted p is below one before it or above 1.
    """
    places = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(places):
        least = max(least, min(1.0, p * (len(places) - rank)))
        adjusted[place] = least
    return tuple(adjusted)
