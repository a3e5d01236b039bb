"""Which measures of a sentence its cited text does not state, or states of something else.

A number must be there with its unit; where the cited text gives another number in that unit for the same word ("furosemide 40 mg"
beside "furosemide 80 mg"), it does not help that the number stands elsewhere. Bare numbers support a sentence's number with a
unit only where the unit is no dose.
"""

from collections.abc import Iterable, Iterator, Sequence

from backend.nlp.measures.measures import Measure, Measures
from backend.nlp.measures.units import DOSED

_LONGEST_ROOT = 7


def unmatched(
    claimed: Measures, cited: Sequence[Measures], nearest: Measures | None = None
) -> tuple[list[str], list[str]]:
    """What differs, in words: numbers, dates and days that the cited texts do not state so; and often, route and code.

    cited: of each sentence of the cited texts. nearest: of the one that the sentence retells, where there is one. The first list is of what can never stand, the second of what is in doubt.
    """
    numbers = list(_numbers(claimed.numbers, cited, nearest))
    whole = _together(cited)
    dates = [day for day in claimed.dates if not _dated(day, whole)]
    days = claimed.days - whole.days
    wrong = [f"numbers not in the cited text: {', '.join(dict.fromkeys(numbers))}"] if numbers else []
    if dates:
        wrong.append(f"date or time not in the cited text: {', '.join(sorted(dates))}")
    if days:
        wrong.append(f"day not in the cited text: {', '.join(sorted(days))}day")
    doubtful: list[str] = []
    for what, said, there in (
        ("how often", claimed.often, whole.often),
        ("route", claimed.routes, whole.routes),
    ):
        if said - there:
            (wrong if there else doubtful).append(f"{what} not in the cited text: {', '.join(sorted(said - there))}")
    codes = [
        f"{name.upper()}{number}" for name, number in claimed.codes - whole.codes if name in {c[0] for c in whole.codes}
    ]
    if codes:
        doubtful.append(f"not in the cited text: {', '.join(sorted(codes))}")
    return wrong, doubtful


def _numbers(claimed: Iterable[Measure], cited: Sequence[Measures], nearest: Measures | None) -> Iterator[str]:
    there = [m for one in cited for m in one.numbers]
    years = {day[:4] for one in cited for day in one.dates}
    for said in claimed:
        if not any(_same(said, other) for other in there):
            if said.value not in years or said.unit:
                yield said.shown
            continue
        # the same word, the same kind of number, and another value every time: it stands there of something else
        if any(_bound_otherwise(said, numbers) for numbers in (there, nearest.numbers if nearest else ())):
            yield f"{said.shown} ({said.said_of})"


def _bound_otherwise(said: Measure, there: Sequence[Measure]) -> bool:
    bound = [other for other in there if said.said_of and _root(other.said_of) == _root(said.said_of)]
    alike = [other for other in bound if other.unit == said.unit and ("/" in other.value) == ("/" in said.value)]
    return bool(alike) and not any(_same(said, other) for other in bound)


def _same(said: Measure, there: Measure) -> bool:
    if said.value != there.value:
        return said.unit == "age" and there.unit == "months" and f"{float(said.value) * 12:.6g}" == there.value
    if said.unit == there.unit or not said.unit:
        return True
    return not there.unit and said.unit.split("/")[0] not in DOSED


def _dated(day: str, whole: Measures) -> bool:
    """Whether a date is stated, as far as both have it: March 2024 is stated by 2024-03-05, not the other way round."""
    if ":" in day:
        return day in whole.dates
    parts = day.split("-")
    return any(
        all(a in ("?", b) for a, b in zip(parts, other.split("-"), strict=True))
        for other in whole.dates
        if ":" not in other
    )


def _together(cited: Sequence[Measures]) -> Measures:
    return Measures(
        tuple(m for one in cited for m in one.numbers),
        frozenset().union(*(one.dates for one in cited)),
        frozenset().union(*(one.days for one in cited)),
        frozenset().union(*(one.often for one in cited)),
        frozenset().union(*(one.routes for one in cited)),
        frozenset().union(*(one.codes for one in cited)),
    )


def _root(word: str) -> str:
    return word.rstrip("s")[:_LONGEST_ROOT]
