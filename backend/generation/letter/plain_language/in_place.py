"""Whether plain words can stand where a term stands; where they cannot, the term stays and they follow it in brackets.

A word put for another has to fit its neighbours: it repeats none of them ("general malaise" is no "general general ill feeling"), a phrase
does not stand before a noun ("migratory (moving around) joint pains"), and "a" needs one of something.
"""

import re

from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_past, third_kind
from backend.nlp.lexicon.variants import stem

_BEFORE = re.compile(r"([^\W\d_]+)\s+$")
_AFTER = re.compile(r"\s+([^\W\d_]+)")
_ONE = frozenset(("a", "an", "one", "another"))
_GRADES = frozenset(("more", "most", "very", "less", "quite", "so", "too"))
_NO_ATTRIBUTE = frozenset(("not", "no", "without", "around", "up", "down", "out", "off", "back", "over"))


def placed(text: str, begin: int, end: int, said: str) -> str:
    """What stands for the term at begin to end: the plain words, without a word that a neighbour says, or the term with them in brackets.

    Args:
        text: with the term.
        begin: where it begins.
        end: where it ends.
        said: its plain words.
    """
    before, after = _BEFORE.search(text, max(0, begin - 40), begin), _AFTER.match(text, end)
    left = before[1].lower() if before else ""
    right = after[1].lower() if after else ""
    words = said.split()
    if len(words) > 1 and (stem(words[0].lower()) == stem(left) or (words[0] == "very" and left in _GRADES)):
        words = words[1:]
    if len(words) > 1 and right and stem(words[-1].lower()) == stem(right):
        words = words[:-1]
    found = text[begin:end]
    if len(words) == 1 and stem(words[0].lower()) in (stem(left), stem(right)):
        return found
    if left in _ONE and _is_no_one(found, words) and not _is_noun(right):
        return f"{found} ({said})"
    if " " not in found and len(words) > 1 and _is_noun(right) and _is_phrase(words):
        return f"{found} ({said})"
    return " ".join(words)


def _is_no_one(found: str, words: list[str]) -> bool:
    """Whether plain words name no single thing, as a term does: "fainting" for "syncopal episode", "feelings"."""
    own = lists()
    head = next((i for i, word in enumerate(words) if word.lower() in own["prepositions"]), len(words)) - 1
    word = words[head].lower() if head >= 0 else ""
    return (word.endswith("ing") and " " in found and len(words) == 1) or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _is_phrase(words: list[str]) -> bool:
    small = lists()["prepositions"] | _NO_ATTRIBUTE
    return any(word.lower() in small for word in words) or words[0].lower().endswith("ing")


def _is_noun(word: str) -> bool:
    """Whether the word behind a term may be the noun that the term describes: no small word, and no verb."""
    own = lists()
    small = own["prepositions"] | own["joins"] | own["openers"] | own["modals"] | own["adverbs"] | own["negations"]
    if not word or word in small | own["determiners"] | own["subjects"] or is_adverb(word) or is_auxiliary(word):
        return False
    return not is_past(word) and third_kind(word) is None
