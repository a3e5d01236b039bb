"""Whether a turned sentence still says what the note says: its numbers, its negations, its doubts, and nobody's pronoun left."""

import re
from collections import Counter

from backend.generation.letter.letter_words import lists
from backend.generation.letter.second_person import FEMALE, MALE, Addressee

_NUMBER = re.compile(r"\d+(?:[.,/:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LEFT = {MALE: frozenset(("he", "him", "himself")), FEMALE: frozenset(("she", "herself"))}


def is_faithful(said: str, turned: str, patient: Addressee) -> bool:
    """Whether numbers, negations and doubts are those of the source, and no pronoun of the patient is left.

    Args:
        said: the source, in plain words.
        turned: what the patient would read.
        patient: who is addressed.
    """
    if not set(_NUMBER.findall(turned)) <= set(_NUMBER.findall(said)):
        return False
    before, after = _words(said), _words(turned)
    if _negations(before) != _negations(after) or _doubts(before) != _doubts(after):
        return False
    if patient.child or patient.sex is None:
        return True
    return not any(word in _LEFT[patient.sex] for word in _unquoted(turned))


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
