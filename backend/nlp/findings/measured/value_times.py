"""Which values of one measure are newer, by what the note says of when each was taken: "last week" is newer than "2019".

Takes the dates of observations as written; gives keys that order them. Words of time are rows of assets/rules/findings/words_times.tsv.
"""

import re
from collections.abc import Sequence

from backend.nlp.measures.dates import FoundDate, day_of
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.rules.word_lists import word_lists

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WORD = re.compile(r"[a-z]+|\d+")
_DAYS = {"day": 1, "week": 7, "month": 30, "season": 90, "year": 365}
_FAR = 365
"""Days from which on words of time are set among dates, not before them."""
_UNDATED, _EARLIER, _DATED, _NEAR, _NOW = range(5)

Newness = tuple[int, float]
"""The larger, the newer: by the kind of date, then in days."""


def newness(dates: Sequence[str]) -> list[Newness]:
    """For each date of one measure how new it is; nothing written is now, what is only called earlier the oldest.

    Args:
        dates: as the record has them: "", "last week", "2019", "03/2021", "earlier".
    """
    written = [_written(said) for said in dates]
    latest = max((day for day in written if day is not None), default=0)
    return [_key(said, day, latest) for said, day in zip(dates, written, strict=True)]


def long_ago(said: str, year: str) -> bool:
    """Whether words put something a year ago or more, or in a year before a given one.

    Args:
        said: words of the note around it.
        year: of the encounter; empty where nobody tells.
    """
    words = _WORD.findall(said.lower())
    past = "ago" in words and not word_lists("findings/words_times")["year"].isdisjoint(words)
    return past or any(year and found < year for found in _YEAR.findall(said))


def _key(said: str, day: int | None, latest: int) -> Newness:
    if not said:
        return _NOW, 0.0
    if day is not None:
        return _DATED, day
    ago = _ago(said)
    if ago is None:
        return _EARLIER, 0.0
    return (_NEAR, -ago) if ago < _FAR else (_DATED, latest - ago)


def _written(said: str) -> int | None:
    """The number of the day of a written date with a year; None for words."""
    day = day_of(FoundDate(0, len(said), said))
    if day is not None:
        return day.toordinal()
    year = _YEAR.search(said)
    return int(year[0]) * 365 + int(year[0]) // 4 if year is not None else None


def _ago(said: str) -> float | None:
    """How many days ago words put a value: "two weeks ago" 14, "last month" 30; None where no word tells."""
    words, listed = _WORD.findall(said.lower()), word_lists("findings/words_times")
    many = next((float(w) for w in words if w.isdigit()), None) or next(
        (float(NUMBER_WORDS[w]) for w in words if w in NUMBER_WORDS), 1.0
    )
    return next((many * days for name, days in _DAYS.items() if not listed[name].isdisjoint(words)), None)
