"""Advice of one chapter that advice of another contradicts: the same sentence with another number, its opposite, or a denial.

Chapters share much of their advice word for word; where one is changed and the other forgotten, a patient with both conditions is told both.
A sentence that names its own chapter speaks of that condition alone and is compared with none.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.applicability_check import ADVICE
from backend.knowledge.advice.red_flags import WARNING_SIGNS
from backend.knowledge.starter import HandbookSection, Line, Starter
from backend.nlp.document import sentences
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.rules import RULES, rule_rows

FILE = RULES / "fit" / "opposites.tsv"
COMPARED = ADVICE | {WARNING_SIGNS}
_NOTHING, _ANY = "-", "|"
_NUMBER = "#"
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+(?:['’-][a-z]+)*")
_SHOWN = 80


class _Told(NamedTuple):
    turns: tuple[str, ...]
    section: HandbookSection
    text: str


def contradictions(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Every sentence of advice that a sentence of another chapter contradicts.

    Yields:
        Where its section begins, and both sentences.
    """
    told: dict[tuple[str, ...], _Told] = {}
    for section in starter.handbook:
        if section.title not in COMPARED:
            continue
        for a, b in sentences(section.text):
            text = section.text[a:b]
            if section.condition.lower() in text.lower():
                continue
            kept, turns = _apart(text)
            first = told.setdefault(kept, _Told(turns, section, text))
            if first.turns != turns and first.section.condition != section.condition:
                yield (
                    section.where,
                    f"{section.condition}: {text[:_SHOWN]!r} contradicts {first.section.condition}: {first.text[:_SHOWN]!r}",
                )


def _apart(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What two sentences must share to speak of the same, and the words and numbers in which they may then not differ."""
    kept: list[str] = []
    turns: list[str] = []
    phrases, axes = _opposites()
    for word in _WORDS.findall(phrases.sub(lambda found: found[0].replace(" ", "-"), text.lower())):
        number = word if word[0].isdigit() else NUMBER_WORDS.get(word)
        if number is not None:
            kept.append(_NUMBER)
            turns.append(str(number).replace(",", ""))
        elif word in axes:
            axis, side = axes[word]
            kept += [axis] if axis else []
            turns.append(side)
        else:
            kept.append(word.rstrip("s"))
    return tuple(kept), tuple(turns)


@lru_cache(maxsize=1)
def _opposites() -> tuple[re.Pattern[str], dict[str, tuple[str, str]]]:
    """A pattern of all words, and by word its axis, empty for one whose opposite is nothing, with its side of it."""
    axes: dict[str, tuple[str, str]] = {}
    for number, (one, other) in enumerate(rule_rows(FILE, 2)):
        for side, cell in ((f"{number}a", one), (f"{number}b", other)):
            for word in cell.split(_ANY):
                if word == _NOTHING:
                    continue
                key = word.replace(" ", "-")
                if key in axes:
                    raise KnowledgeError(f"{FILE.name}: {word!r} stands twice. Keep one.")
                axes[key] = ("" if _NOTHING in (one, *other.split(_ANY)) else f"~{number}", side)
    longest = sorted((key.replace("-", " ") for key in axes), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b"), axes
