"""The labelled lines over a note ("Name: Ada Byron   MRN: 7741903"): what they give for the head of the letter.

A value is taken where its form leaves no doubt, and where all lines of its label agree; a day that could be read in two ways is
left to the clinician. The labels are rows of assets/rules/head_labels.tsv.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.schemas.patients.letter_details import LetterDetails

LINES = 20
"""Lines with words, from the top, among which the head of a note is."""
LABELS = RULES / "head_labels.tsv"
_GAP = re.compile(r"\s{2,}|[\t|;]")
_PARTICLE = 3
_NAME = re.compile(r"[^\W\d_]+(?:['\u2019.\-][^\W\d_]*)*")
_NUMBER = re.compile(r"(?=.*\d)[A-Z]{0,4}[-/ ]?\d[\dA-Z]*(?:[-/ ]\d[\dA-Z]*){0,4}", re.IGNORECASE)
_NUMERIC = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_WRITTEN = ("%Y-%m-%d", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y")
_WARD_WORDS = 3


def details_of(text: str) -> LetterDetails:
    """What the lines over a note give for the head of a letter; a field that they do not give, or give twice unlike, is empty."""
    found: dict[str, set[Any]] = {}
    for field, value in _labelled(text):
        if value:
            found.setdefault(field, set()).add(value)
    sure = {field: values.pop() for field, values in found.items() if len(values) == 1}
    try:
        return LetterDetails.model_validate(sure)
    except ValidationError:
        return LetterDetails()


def filled(given: LetterDetails, more: LetterDetails) -> LetterDetails:
    """The details, each empty one as the other has it."""
    known = {name: value for name, value in given if value}
    return LetterDetails.model_validate({**more.model_dump(), **known})


def _labelled(text: str) -> Iterator[tuple[str, Any]]:
    """The field of each label of the first lines, with its value. A label stands at the beginning, behind a gap, or behind the value of another."""
    for line in [one.strip() for one in text.splitlines() if one.strip()][:LINES]:
        labels = list(_label_pattern().finditer(line))
        value: Any = None
        for place, label in enumerate(labels):
            end = labels[place + 1].start() if place + 1 < len(labels) else len(line)
            if value or label["gap"] is not None:
                field = _fields()[" ".join(label["label"].lower().split())]
                value = _VALUES[field](_GAP.split(line[label.end() : end].strip())[0])
                yield field, value


@lru_cache(maxsize=1)
def _fields() -> Mapping[str, str]:
    return {label: field for label, field, _, _ in rule_rows(LABELS, 4)}


@lru_cache(maxsize=1)
def _label_pattern() -> re.Pattern[str]:
    longest = sorted(_fields(), key=len, reverse=True)
    words = "|".join(re.escape(one).replace(r"\ ", r"\s") for one in longest)
    return re.compile(
        rf"(?:(?P<gap>^|[\t|;,]\s*|\s{{2,}})|(?<=\s))(?P<label>{words})\.?\s?(?:[:#=]+|(?=\s?[A-Z]*\d))\s*",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _no_names() -> frozenset[str]:
    return frozenset(rule_names(RULES / "not_names.txt"))


def _name(words: str) -> str:
    """A person's name as one writes it, the family name last; empty where the words may be anything else."""
    first, *more = [" ".join(part.split()) for part in words.split(",")]
    if len(more) == 1 and _is_name(more[0]) and _is_name(first):
        first = f"{more[0]} {first}"
    parts = first.split()
    if not 2 <= len(parts) <= 6 or not _is_name(first):
        return ""
    return " ".join(one.title() if one.isupper() and len(one) > 2 else one for one in parts)


def _is_name(words: str) -> bool:
    """Whether each word is one of a name: with a capital, or a short one inside ("van", "de la")."""
    parts = words.split()
    shaped = all(_NAME.fullmatch(one) and (one[0].isupper() or len(one) <= _PARTICLE) for one in parts)
    plain = (one.lower().rstrip(".") for one in parts)
    return shaped and any(one[0].isupper() for one in parts) and not any(one in _no_names() for one in plain)


def _number(words: str) -> str:
    found = _NUMBER.match(words.strip())
    number = found[0].strip() if found else ""
    return number if sum(map(str.isdigit, number)) > 3 else ""


def _day(words: str) -> date | None:
    """A day that can be read in one way."""
    told = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b|[,.](?=\s)", "", words.strip())
    if numeric := _NUMERIC.match(told):
        one, two, year = map(int, numeric.groups())
        pairs = {(one, two), (two, one)} if max(one, two) <= 12 else {(min(one, two), max(one, two))}
        days = {_calendar(f"{year}-{month:02}-{day:02}", "%Y-%m-%d") for month, day in pairs}
        return days.pop() if len(days) == 1 else None
    parts = " ".join(told.replace("-", " ").split()[:3]) if not re.match(r"\d{4}-", told) else told[:10]
    return next((day for form in _WRITTEN if (day := _calendar(parts, form))), None)


def _calendar(words: str, form: str) -> date | None:
    try:
        return datetime.strptime(words, form).date()
    except ValueError:
        return None


def _ward(words: str) -> str:
    return words if 0 < len(words.split()) <= _WARD_WORDS and words[0].isalnum() else ""


_VALUES = {
    "patient_name": _name,
    "record_number": _number,
    "date_of_birth": _day,
    "admitted": _day,
    "discharged": _day,
    "ward": _ward,
}
