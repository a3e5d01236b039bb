"""The plain-language sentences of a letter in another language, by a language model alone.

Nothing is taken on trust: a translation that lacks a number of its sentence, has one more, or is the English again is left out with its
reason, and the English stands alone. Nobody has read what is left.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.citations import defused
from backend.prompts.draft_prompts import TRANSLATION
from backend.schemas.base import Frozen
from backend.schemas.drafts.gaps import GAP
from backend.schemas.patients.translation import LetterLanguage

AT_ONCE = 20
"""Sentences of one request to the model."""
_LONGEST = 4
"""How many times as long as its sentence, with room for a short one, a translation may be."""
_ROOM = 80
_SAME_FROM = 3
"""Words from which a translation that is the English again is none."""
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
LEFT_OPEN = "left open for the team"
OTHER_NUMBERS = "the model's sentence has other numbers"
STILL_ENGLISH = "the model left it in English"
MISSING = "the model gave no translation"
TOO_LONG = "the model wrote more than the sentence says"


class Translated(Frozen):
    """One sentence by its number."""

    number: int
    text: str = ""


class Translations(Frozen):
    """What the model is asked for."""

    sentences: tuple[Translated, ...]


def translations(
    model: LanguageModel, sentences: Sequence[str], language: LetterLanguage, seed: int = 0
) -> list[tuple[str, str]]:
    """Each sentence in another language.

    Args:
        model: translates.
        sentences: in English, in the order of the letter.
        language: to translate to.
        seed: of the model's replies.

    Returns:
        For each sentence the translation and an empty reason, or an empty text and why there is none.
    """
    asker = Asker(model, seed)
    asked = [(place, text) for place, text in enumerate(sentences) if not GAP.search(text)]
    found: dict[int, tuple[str, str]] = {}
    for first in range(0, len(asked), AT_ONCE):
        found |= dict(_asked(asker, asked[first : first + AT_ONCE], language))
    return [found.get(place, ("", LEFT_OPEN)) for place in range(len(sentences))]


def _asked(
    asker: Asker, some: Sequence[tuple[int, str]], language: LetterLanguage
) -> Iterator[tuple[int, tuple[str, str]]]:
    lines = "\n".join(f"{number}. {defused(text)}" for number, (_, text) in enumerate(some, start=1))
    reply = asker.shaped(TRANSLATION, Translations, {"sentences": lines}, language=language.name.capitalize())
    given = {one.number: " ".join(one.text.split()) for one in reply.value.sentences} if reply.value else {}
    for number, (place, text) in enumerate(some, start=1):
        said = given.get(number, "")
        fault = _fault(text, said) if reply.value else reply.reason
        yield place, ("", fault) if fault else (said, "")


def _fault(english: str, said: str) -> str:
    """Why a translation may not be shown; empty for nothing."""
    if not said:
        return MISSING
    if said.casefold() == english.casefold() and len(english.split()) >= _SAME_FROM:
        return STILL_ENGLISH
    if _numbers(said) != _numbers(english):
        return OTHER_NUMBERS
    return TOO_LONG if len(said) > _LONGEST * len(english) + _ROOM else ""


def _numbers(text: str) -> Counter[str]:
    """The numbers of a text, however a language writes their fractions and thousands."""
    return Counter(re.sub(r"\D", ".", number) for number in _NUMBER.findall(text))
