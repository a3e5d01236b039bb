"""What a letter says beside its sentences, by locale: labels of its head, dates in words, the number for emergencies."""

import datetime
import tomllib
from functools import lru_cache
from typing import Any

from backend.review.exports.copies import Paper
from backend.schemas.base import Frozen
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.vocabulary import Locale
from backend.settings import ROOT

FILE = ROOT / "assets" / "letters" / "words.toml"
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip


class LetterWords(Frozen):
    """One locale's words. date: how a day is written; emergency: the first line of the box of warning signs."""

    language: str
    paper: Paper
    date: str
    emergency: str
    patient_name: str
    date_of_birth: str
    record_number: str
    ward: str
    admitted: str
    discharged: str
    clinician: str
    hospital: str
    phone: str

    def day(self, at: datetime.date) -> str:
        """A day in words: 3 May 2026, or May 3, 2026."""
        return self.date.format(month=MONTHS[at.month - 1], day=at.day, year=at.year)

    def minute(self, at: datetime.datetime) -> str:
        """A day with the time, in UTC."""
        return f"{self.day(at)}, {at:%H:%M} UTC"

    def head(self, details: LetterDetails) -> tuple[tuple[str, str], ...]:
        """The details that are known, each with its label, in the order of a letter's head."""
        shown: list[tuple[str, str]] = []
        for name in LetterDetails.model_fields:
            value = getattr(details, name)
            if value:
                shown.append((getattr(self, name), self.day(value) if isinstance(value, datetime.date) else value))
        return tuple(shown)


@lru_cache
def letter_words(locale: Locale) -> LetterWords:
    """The words of a locale."""
    held: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return LetterWords.model_validate(held[locale.value])
