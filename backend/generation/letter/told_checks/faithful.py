"""Whether a turned sentence still says what the note says: its numbers, its negations, its doubts, and nobody's pronoun left."""

import re
from collections import Counter

from backend.generation.letter.plain_language.clause_subjects import FEMALE, MALE, Addressee
from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.openings import opening_of

_NUMBER = re.compile(r"\d+(?:[.,/:]\d+)*")
_WITHIN = re.compile(r"(?<=[^\W\d_])\d(?=[^\W\d_])")
"""A digit inside a short form, which its words may not have: "F2f"."""
_PERIOD = re.compile(r"(?<=^[1-9])/(?:7|12|52)$|(?<=^1\d)/(?:7|12|52)$")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LEFT = {MALE: frozenset(("he", "him", "himself")), FEMALE: frozenset(("she", "herself"))}


def is_faithful(source: str, said: str, turned: str, patient: Addressee) -> bool:
    """Whether numbers, negations and doubts are those of the note, and no pronoun of the patient is left.

    Args:
        source: the note's own words.
        said: the same in plain words.
        turned: what the patient would read.
        patient: who is addressed.
    """
    given, stated = _numbers(source), _numbers(turned)
    opening = opening_of(source)
    kept = _numbers(_WITHIN.sub(" ", source))
    if not stated <= given or not kept - stated <= (_numbers(opening) if opening else set()):
        return False
    before, after = _words(said), _words(turned)
    if _negations(before) != _negations(after) or _doubts(before) != _doubts(after):
        return False
    if not _negated(source) <= _negated(turned):
        return False
    if patient.child or patient.sex is None:
        return True
    return not any(word in _LEFT[patient.sex] for word in _unquoted(turned))


def _numbers(text: str) -> set[str]:
    """The numbers of a text; a British duration ("2/52", "5/7") is its number of weeks or days."""
    return {_PERIOD.sub("", number) for number in _NUMBER.findall(text)}


def _negated(text: str) -> bool:
    own = lists()
    return any(word in own["negations"] | own["denials"] or word.endswith("n't") for word in _words(text))


def _words(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _unquoted(text: str) -> list[str]:
    return _words(re.sub(r"[\"“][^\"“”]*[\"”]", " ", text))


def _negations(words: list[str]) -> int:
    own = lists()
    return sum(1 for word in words if word in own["negations"] | own["denials"] or word.endswith("n't"))


def _doubts(words: list[str]) -> Counter[str]:
    same = {"appears": "appear", "seems": "seem", "suspects": "suspect"}
    return Counter(same.get(word, word) for word in words if word in lists()["doubts"])
