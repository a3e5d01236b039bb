"""The paired bootstrap over notes.

Every figure is a ratio of sums over notes: a mean has 1 in the denominator, a recall by group has how many there were to
find. All figures of a run share the same resamples, so a difference of two systems is paired.
"""

import math
from typing import NamedTuple

import numpy as np

RESAMPLES = 2_000
LEVEL = 0.95


class Interval(NamedTuple):
    """value with the bounds of its 95 % percentile interval. All None when no note counts."""

    value: float | None
    low: float | None
    high: float | None


NONE = Interval(None, None, None)


class Resampler:
    """resamples draws of n notes with replacement; the same seed and n give the same draws."""

    def __init__(self, n: int, seed: int, resamples: int = RESAMPLES) -> None:
        drawn = np.random.default_rng(seed).integers(0, n, size=(resamples, n)) if n else np.zeros((0, 0), np.int64)
        self.n = n
        self._weights = np.zeros((len(drawn), n), dtype=np.float32)  # how often each note is in each draw
        rows = np.repeat(np.arange(len(drawn)), n)
        np.add.at(self._weights, (rows, drawn.ravel()), 1.0)

    def figure(self, numerator: np.ndarray, denominator: np.ndarray | None = None) -> Interval:
        """sum(numerator) / sum(denominator). Both (n,); without a denominator the mean. NaN notes are left out."""
        top, bottom = _counted(numerator, denominator)
        if not bottom.sum() > 0:
            return NONE
        return _interval(float(top.sum() / bottom.sum()), self._ratio(top, bottom))

    def difference(
        self,
        ours: np.ndarray,
        theirs: np.ndarray,
        our_denominator: np.ndarray | None = None,
        their_denominator: np.ndarray | None = None,
    ) -> Interval:
        """Ours minus theirs on the same notes; a note that is NaN for one is left out for both."""
        both = ~(np.isnan(ours) | np.isnan(theirs))
        ours, theirs = np.where(both, ours, np.nan), np.where(both, theirs, np.nan)
        top, bottom = _counted(ours, our_denominator)
        their_top, their_bottom = _counted(theirs, their_denominator)
        if not (bottom.sum() > 0 and their_bottom.sum() > 0):
            return NONE
        value = float(top.sum() / bottom.sum() - their_top.sum() / their_bottom.sum())
        return _interval(value, self._ratio(top, bottom) - self._ratio(their_top, their_bottom))

    def two_level(self, columns: np.ndarray, denominator: np.ndarray | None = None) -> Interval:
        """The mean over groups and notes, both drawn with replacement in each draw.

        Args:
            columns: (groups, n); a group is a training seed. A note that is NaN for one group is left out for all.
            denominator: (n,), as for a figure; without one the mean.
        """
        groups, notes = columns.shape
        if not groups or not notes:
            return NONE
        whole = ~np.isnan(columns).any(axis=0)
        top = np.where(whole, columns, 0.0)
        bottom = np.where(whole, np.ones(notes) if denominator is None else denominator, 0.0)
        if not bottom.sum() > 0:
            return NONE
        drawn_bottom = self._weights @ bottom.astype(np.float32)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = (self._weights @ top.T.astype(np.float32)) / drawn_bottom[:, None]
        drawn = np.random.default_rng(groups).integers(0, groups, size=means.shape)
        draws = np.take_along_axis(means, drawn, axis=1).mean(axis=1).astype(np.float64)
        return _interval(float(top.sum() / (groups * bottom.sum())), draws)

    def two_level_curve(self, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The mean curve over groups and notes, and that of each draw, which takes the groups and notes that two_level takes.

        Args:
            columns: (groups, n, places), without NaN.

        Returns:
            (places,) and (resamples, places).
        """
        groups, notes, _ = columns.shape
        drawn = np.random.default_rng(groups).integers(0, groups, size=(len(self._weights), groups))
        often = np.stack([(drawn == group).sum(axis=1) for group in range(groups)], axis=1) / groups
        means = np.stack([self._weights @ one.astype(np.float32) for one in columns]) / notes
        return columns.mean(axis=(0, 1)), np.einsum("rg,grp->rp", often, means)

    def _ratio(self, top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
        sums = self._weights @ np.stack([top, bottom], axis=1).astype(np.float32)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1], dtype=np.float64)


def _counted(numerator: np.ndarray, denominator: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Both with zeros where a note does not count."""
    counts = ~np.isnan(numerator)
    bottom = np.ones(len(numerator)) if denominator is None else denominator
    return np.where(counts, numerator, 0.0), np.where(counts, bottom, 0.0)


def _interval(value: float, draws: np.ndarray) -> Interval:
    """Draws without a denominator are left out; where they are more than a twentieth there is no honest interval."""
    usable = draws[np.isfinite(draws)]
    if len(usable) < 2 or len(usable) < LEVEL * len(draws):
        return Interval(value, None, None)
    low, high = np.quantile(usable, [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2])
    return Interval(value, *(round(float(bound), 12) if math.isfinite(bound) else None for bound in (low, high)))
