"""Whether the capitals of a text allow a name: "ALL" is a leukaemia and "Wells" a score, "all" and "well" are words.

Takes what the text says, the name and its concept's group. It does not know the words around.
"""

import re

from backend.nlp.lexicon.variants import english_words

_ACRONYM = 6
_INITIALS = re.compile(
    r"\b(?P<initials>[A-Z]{2,3})(?:,| is| was) an? (?=[^.\n]{0,30}?\b(?:\d{1,3}|[a-z]+)[ -](?:years?|yrs?|months?|weeks?|days?|y)\b)"
    r"(?=[^.\n]{0,100}?\b(?:man|woman|male|female|gentleman|lady|boy|girl|child|infant|baby|patient|person|[MF])\b)"
)
"""How a note introduces its patient by initials: "AF is a 50-year-old man"."""


def initials(text: str) -> frozenset[str]:
    """The initials by which a text introduces its patient; they name nothing in it, whatever else they stand for."""
    return frozenset(match["initials"] for match in _INITIALS.finditer(text))


def written_so(said: str, name: str, group: str, shouted: bool) -> bool:
    """Whether a name may be meant. shouted: the text stands in a line of capitals, where they tell nothing."""
    if name.islower():
        return True
    if group == "GENE" and len(name) <= _ACRONYM:
        return said == name and not shouted
    heard, written = said.split(), name.split()
    if len(heard) != len(written):
        return True
    return all(_capitals(one, other, shouted) for one, other in zip(heard, written, strict=True))


def _capitals(said: str, name: str, shouted: bool) -> bool:
    """The same for one word: what has capitals in the name and is ordinary English without must have them here too."""
    if name.isupper() and len(name) <= _ACRONYM and said.lower().removesuffix("s") != name.lower().removesuffix("s"):
        return not said.lower().startswith(name.lower())  # another form or order; "dressing" is no form of "DRESS"
    if name.isupper() and 1 < len(name) <= _ACRONYM and name.lower().endswith("s") and not said.lower().endswith("s"):
        return False  # "pre" is no singular of "PRES"
    if not name[:1].isupper() or len(name) > _ACRONYM or said == name:
        return not shouted or not name.isupper() or name.lower() not in english_words()
    ordinary = said.lower() in english_words() or len(name) <= 2
    if not ordinary:
        return True
    if name.isupper():
        return not shouted and said[: len(name)].isupper()
    return said[:1].isupper() and said.lower() == name.lower()
