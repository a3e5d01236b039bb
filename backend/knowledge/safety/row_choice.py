"""Which of the dose rows that hold are compared with a dosage: the narrowest, and those of how often it is taken.

A row replaces another where it holds only for some of those the other holds for: `eGFR<15` replaces `eGFR<60`, and both the general row. What
then is left bounds together: of what a medicine is given for, the widest use counts; of age, kidneys, liver and other medicines, the strictest.
It asks no patient anything: `clause_truth` does.
"""

from collections.abc import Iterable, Sequence

from backend.knowledge.safety.rows.clauses import Clause, DoseUnit, HeldClause, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow

RARELY = frozenset({Period.WEEK, Period.MONTH})
OF_TIME = frozenset({Period.MINUTE, Period.HOUR, Period.COURSE})
"""Periods of rates and of lengths of treatment, whatever the timing."""
_SELDOM = 0.5
"""Times a day below which a medicine is taken by the week or the month; every other day is still by the day."""


def chosen(rows: Sequence[DoseRow], times: float | None, *, once: bool = False) -> tuple[DoseRow, ...]:
    """The rows to compare with, of those that hold for a patient.

    Args:
        rows: those that hold, of all routes that count.
        times: how often a day it is taken; a seventh for once a week; None where nobody tells.
        once: whether it is given a single time, so that amounts of a day say nothing of it where those of a dose do.

    Returns:
        Them in their order. Where nobody tells how often, a week's amount counts as one dose too ("alendronate 70 mg"), unless a row tells of one.
    """
    timed: list[DoseRow] = []
    for route in dict.fromkeys(row.route for row in rows):
        timed += _of_timing([row for row in rows if row.route == route], times, once=once)
    found: list[DoseRow] = []
    for key in dict.fromkeys(map(_compared, timed)):
        found += _together(_narrowest([row for row in timed if _compared(row) == key]))
    return tuple(found)


def seldom(times: float | None) -> bool:
    """Whether something is taken by the week or the month."""
    return times is not None and times < _SELDOM


def implies(one: DoseRow, other: DoseRow) -> bool:
    """Whether each patient of whom one row holds is a patient of whom the other does."""
    same_use = not other.indication or one.indication == other.indication
    return same_use and all(any(_within(own, clause) for own in one.when) for clause in other.when)


def _compared(row: DoseRow) -> tuple[str, Period, bool]:
    """What rows bound the same thing: amounts by one route in one period, or how often it is taken."""
    return row.route, row.period, row.unit is DoseUnit.TIMES


def _of_timing(rows: Sequence[DoseRow], times: float | None, *, once: bool) -> list[DoseRow]:
    """The rows of one route whose period fits how often a medicine is taken."""
    lengths = [row for row in rows if row.period in OF_TIME]
    return [*lengths, *_of_amounts([row for row in rows if row.period not in OF_TIME], times, once=once)]


def _of_amounts(rows: Sequence[DoseRow], times: float | None, *, once: bool) -> list[DoseRow]:
    periods = {row.period for row in rows}
    if once and Period.DOSE in periods:
        return [row for row in rows if row.period is not Period.DAY]
    rare = [row for row in rows if row.period in RARELY]
    if not rare or len(rare) == len(rows):
        return list(rows)
    if times is None:
        own = [row for row in rows if row.period not in RARELY]
        if any(row.period is Period.DOSE and row.unit is not DoseUnit.TIMES for row in own):
            return own
        return [*own, *(row._replace(period=Period.DOSE) for row in rare)]
    if seldom(times):
        return rare
    wanted = {Period.DOSE, Period.DAY} if Period.DAY in periods else {Period.DOSE, Period.WEEK}
    return [row for row in rows if row.period in wanted]


def _narrowest(rows: Sequence[DoseRow]) -> list[DoseRow]:
    """The rows that no narrower one replaces."""
    return [row for row in rows if not any(implies(other, row) and not implies(row, other) for other in rows)]


def _together(rows: Sequence[DoseRow]) -> Iterable[DoseRow]:
    """What bounds together, by unit: the widest of several uses, unless the strictest of other conditions is stricter."""
    for unit in dict.fromkeys(row.unit for row in rows):
        own = [row for row in rows if row.unit is unit]
        uses = [row for row in own if row.indication]
        caps = sorted((row for row in own if not row.indication), key=_maximum)
        widest = max(
            (_strictest(row for row in uses if row.indication == one) for one in {row.indication for row in uses}),
            default=None,
        )
        if caps and (widest is None or caps[0].maximum <= widest):
            yield from (row for row in caps if row.maximum == caps[0].maximum)
        else:
            yield from (row for row in uses if row.maximum == widest)


def _strictest(rows: Iterable[DoseRow]) -> float:
    return min(row.maximum for row in rows)


def _maximum(row: DoseRow) -> float:
    return row.maximum


def _within(one: Clause, other: Clause) -> bool:
    """Whether a clause holds only where the other does."""
    if one == other:
        return True
    if isinstance(one, HeldClause) and isinstance(other, HeldClause):
        return one.how is other.how and set(one.concept_ids) <= set(other.concept_ids)
    if not isinstance(one, ValueClause) or not isinstance(other, ValueClause):
        return False
    if one.value != other.value or one.sign[0] != other.sign[0]:
        return False
    if one.limit == other.limit:
        return len(one.sign) <= len(other.sign)
    return one.limit < other.limit if one.sign[0] == "<" else one.limit > other.limit
