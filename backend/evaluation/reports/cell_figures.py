"""Figures of cells from rows that hold a number a measure: means, differences to the baseline, costs, fallbacks, failures.

Evaluations of plans, of progress notes and of judges end here. A cell is a system, perhaps with one setting varied.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from backend.evaluation.metrics.bootstrap import RESAMPLES, Resampler
from backend.evaluation.reports.cell_use import COSTS, SAME_TEXTS, USE, WROTE_ALIKE, baseline_of, captions, same_texts
from backend.evaluation.reports.failed_items import FAILED
from backend.schemas.evaluation_results import Difference, Figure, NotAvailable

Row = Mapping[str, Mapping[str, Any]]
"""By cell: measures with a number or None, perhaps with the cell's use; or {"failed": kind}."""


class CellSettings(NamedTuple):
    """How cells are compared.

    Attributes:
        baseline: a cell, empty for no differences but those of varied cells to the same cell unvaried.
        resamples: of the bootstrap.
        seed: of the bootstrap and of whatever a cell draws.
        alike: how a caption says that cells gave the same.
    """

    baseline: str = ""
    resamples: int = RESAMPLES
    seed: int = 0
    alike: str = WROTE_ALIKE


class CellFigures(NamedTuple):
    """The figures and differences of the cells, with what could not be measured, and what a reader must know of the cells."""

    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    not_available: tuple[NotAvailable, ...]
    captions: tuple[str, ...] = ()


def cell_figures(rows: Sequence[Row], names: Sequence[str], settings: CellSettings) -> CellFigures:
    """Means with intervals of every measure that any row has, paired differences to the baseline, and what failed.

    Cells that gave the same in every row are not compared, but in their costs; captions name them, and every fallback.
    """
    resampler = Resampler(len(rows), settings.seed, settings.resamples)
    uses = {name: [row.get(name, {}).get(USE) for row in rows] for name in names}
    figures, differences = list[Figure](), list[Difference]()
    for measure in _measures(rows, names):
        columns = {name: np.array([_number(row.get(name, {}), measure) for row in rows]) for name in names}
        for name, values in columns.items():
            interval = resampler.figure(values)
            reason = "" if interval.value is not None else "there was nothing to measure it on"
            n = int(np.isfinite(values).sum())
            figures.append(Figure(system=name, measure=measure, n=n, reason=reason, **interval._asdict()))
        differences += compared(measure, columns, settings.baseline, uses, resampler)
    told = tuple(captions(uses, settings.alike))
    return CellFigures(tuple(figures), tuple(differences), _failed(rows, names), told)


def compared(
    measure: str,
    columns: Mapping[str, np.ndarray],
    baseline: str,
    uses: Mapping[str, Sequence[Mapping[str, Any] | None]],
    resampler: Resampler,
) -> Iterator[Difference]:
    """The paired differences of one measure of each cell to its baseline.

    Args:
        measure: its name.
        columns: by cell, (n,) values, not finite where there is none.
        baseline: a cell, empty for none but a varied cell's own.
        uses: by cell, how each row's text came about; cells that gave the same are compared in their costs alone.
        resampler: draws the intervals.

    Yields:
        One a cell that has another baseline than itself and anything to compare.
    """
    for name in columns:
        other = baseline_of(name, baseline)
        if other == name or other not in columns:
            continue
        gap = resampler.difference(columns[name], columns[other])
        if gap.value is None:
            continue
        if measure not in COSTS and same_texts(uses, name, other):
            yield Difference(system=name, baseline=other, measure=measure, reason=SAME_TEXTS)
            continue
        n = int((np.isfinite(columns[name]) & np.isfinite(columns[other])).sum())
        yield Difference(system=name, baseline=other, measure=measure, n=n, **gap._asdict())


def _measures(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    cells = [row.get(name, {}) for row in rows for name in names]
    own = list(dict.fromkeys(measure for cell in cells for measure in cell if measure not in (FAILED, USE)))
    return own + (list(COSTS) if any(cell.get(USE) for cell in cells) else [])


def _number(cell: Mapping[str, Any], measure: str) -> float:
    value = (cell.get(USE) or {}).get(measure) if measure in COSTS else cell.get(measure)
    return float("nan") if value is None else float(value)


def _failed(rows: Sequence[Row], names: Sequence[str]) -> tuple[NotAvailable, ...]:
    found = []
    for name in names:
        kinds = [row[name][FAILED] for row in rows if FAILED in row.get(name, {})]
        if kinds:
            summary = ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))
            reason = f"{len(kinds)} of {len(rows)} failed ({summary}); they are left out"
            found.append(NotAvailable(name=name, reason=reason))
    return tuple(found)
