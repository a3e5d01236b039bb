"""Whether a telegram of a note is read whole: all its words but small ones are names that the record holds, a time, a person or a place.

Only such a telegram can be told to somebody who was not there ("TSH in 8 weeks"); of any other a part is not understood, and that
part may turn the sense ("not within 4 hours of Synthroid", "until proven otherwise").
"""

import re
from enum import StrEnum
from functools import lru_cache

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.story_selection import Unit
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import MedicationCategory, MedicationStatement, PatientRecord, PlanStatement

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MARKS = re.compile(r"[?<>=→@#]|->|\bvs\b", re.IGNORECASE)
"""Marks of the clinic's own shorthand."""
_CONDITION = re.compile(r"/|\b(?:if|unless|when|while)\b", re.IGNORECASE)
"""A choice or a condition, which a telegram puts without saying between what."""


class Reading(StrEnum):
    """How far a telegram is read."""

    WHOLE = "whole"
    NAMED = "named"  # it names what it is about, and says more of it
    PART = "part"


class Coverage:
    """What a record holds of a note's text."""

    def __init__(self, record: PatientRecord) -> None:
        self._named = [
            (span.start_char, span.end_char)
            for one in record.statements
            if not isinstance(one, PlanStatement | MedicationStatement) and one.id not in ("person", "encounter")
            for span in one.spans
            if not span.note_id
        ]
        named = {word for one in record.medications for word in (one.name, *(span.text for span in one.spans))}
        longest = "|".join(map(re.escape, sorted(named, key=len, reverse=True)))
        self._medicines = re.compile(rf"\b(?:{longest})\b", re.IGNORECASE) if named else None
        self._of_here = {
            word.lower()
            for one in record.medications
            if one.category is MedicationCategory.INPATIENT
            for word in (one.name, *(span.text for span in one.spans))
        }

    def reading(self, unit: Unit) -> Reading:
        """How far a telegram is read."""
        medicines = list(self._medicines.finditer(unit.text)) if self._medicines else []
        named = [(s - unit.start, e - unit.start) for s, e in self._named if s < unit.end and unit.start < e]
        left = list(unit.text)
        for start, end in (*named, *(match.span() for match in medicines)):
            for i in range(max(0, start), min(len(left), end)):
                left[i] = " "
        rest = "".join(left)
        if _is_unsure(rest):
            return Reading.PART
        if medicines and not named and _words(rest) <= _small() | word_lists("letter/words_decisions")["order"]:
            return Reading.WHOLE
        plans = [one for one in unit.statements if isinstance(one, PlanStatement)]
        for said in (words for one in plans for words in (one.whom, one.when) if words):
            rest = rest.replace(said, " ", 1)
        tested = not _words(rest).isdisjoint(lists()["tests"])
        if not (named or medicines or tested or any(one.whom or one.when for one in plans)):
            return Reading.PART
        if _words(rest) <= _small():
            return Reading.WHOLE
        return Reading.PART if any(match[0].lower() in self._of_here for match in medicines) else Reading.NAMED


def has_marks(text: str) -> bool:
    """Whether a text has marks that stand for words: "PhosLo -> Renvela", "?flare"."""
    return _MARKS.search(text) is not None


def _is_unsure(text: str) -> bool:
    return has_marks(text) or _CONDITION.search(text) is not None


def _words(text: str) -> set[str]:
    return {match[0].lower() for match in _WORD.finditer(text)}


@lru_cache(maxsize=1)
def _small() -> frozenset[str]:
    own = lists()
    names = ("prepositions", "joins", "determiners", "negations", "adverbs", "doubts", "times", "tests", "telegram")
    return frozenset().union(*(own[name] for name in names))
