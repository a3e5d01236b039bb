"""The words of allergy statements: what is a reaction, what is no entry, and allergy or intolerance.

Takes words, gives verdicts; the vocabulary is assets/rules/allergy_phrases.tsv. It does not know the note.
"""

import re
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import AllergyKind
from backend.settings import ROOT

RULES = ROOT / "assets" / "rules" / "allergy_phrases.tsv"


class WordKind(StrEnum):
    """What a phrase of the rules file means; the file explains each."""

    ALLERGIC = "allergic"
    SEVERE = "severe"
    INTOLERANT = "intolerant"
    ABOUT = "about"
    GENERAL = "general"
    VAGUE = "vague"
    BODY = "body"
    UNREADABLE = "unreadable"
    UNREADABLE_WHOLE = "unreadable_whole"
    NOISE = "noise"


def words(phrase: str) -> list[str]:
    """The lower-case words of a phrase; hyphens and slashes stay inside words."""
    return [word.strip("-/'") for word in _WORD.findall(phrase.lower().replace("\u2019", "'"))]


def is_reaction(phrase: str) -> bool:
    """Whether a phrase only tells a reaction, and names nothing that causes one."""
    found = words(phrase)
    table = allergy_words()
    told = table[WordKind.ALLERGIC] | table[WordKind.INTOLERANT]
    parts = [part for word in found for part in (word.split("/") if word not in told else [word])]
    if not parts or _HAY.search(phrase):
        return False
    known = told | table[WordKind.ABOUT]
    return all(part in known or not part or part.isdigit() for part in parts) and any(
        part in told or part in _STANDS_FOR_ONE for part in parts
    )


def has_reaction(phrase: str) -> bool:
    """Whether a phrase holds a word for an allergic reaction or a side effect."""
    told = allergy_words()[WordKind.ALLERGIC] | allergy_words()[WordKind.INTOLERANT]
    return any(word in told or any(part in told for part in word.split("/")) for word in words(phrase))


def has_allergic_reaction(phrase: str) -> bool:
    """Whether a phrase holds a word for an allergic reaction."""
    return any(word in allergy_words()[WordKind.ALLERGIC] for word in words(phrase))


def reaction_part(phrase: str) -> tuple[str, int]:
    """The reactions that a phrase starts with, and how much of it they take: "hives, and codeine" gives "hives", 5.

    Words before the first reaction ("she gets", "a") are left out of the first value but counted in the second.
    """
    end = 0
    for part in _PART.finditer(phrase):
        if not _SEPARATES.fullmatch(part[0]):
            if not has_reaction(part[0]) and not is_reaction(part[0]):
                break
            end = part.end()
    told = phrase[:end]
    while (first := _FIRST.match(told)) and first.end() < len(told):
        told = told[first.end() :]
    return told.strip(" ,;-"), end


def reaction_kind(said: str, reaction: str) -> AllergyKind:
    """Allergy, unless the words (`said`) or the reaction speak of an intolerance and of no allergic reaction.

    A severe reaction is an allergy whatever else is said.
    """
    told = {part for word in words(reaction) for part in (word, *word.split("/"))}
    table = allergy_words()
    if told & (table[WordKind.SEVERE] | (table[WordKind.ALLERGIC] - _WEAK)) or _SEVERE.search(said):
        return AllergyKind.ALLERGY
    if told & table[WordKind.INTOLERANT] or _INTOLERANCE.search(said) or _INTOLERANCE.search(reaction):
        return AllergyKind.INTOLERANCE
    return AllergyKind.ALLERGY


def only(kind: WordKind, phrase: str) -> bool:
    """Whether every word of a phrase is of this kind; true for an empty phrase."""
    return all(word in allergy_words()[kind] for word in words(phrase) if word)


def any_of(kind: WordKind, phrase: str) -> bool:
    """Whether a word of a phrase is of this kind."""
    return any(word in allergy_words()[kind] for word in words(phrase))


def is_noise(phrase: str) -> bool:
    """Whether a phrase in a list of allergies is no entry: "reviewed with patient", a date, a blank."""
    plain = " ".join(words(phrase))
    found = words(phrase)
    return (
        not any(c.isalnum() for c in phrase)
        or plain in allergy_words()[WordKind.NOISE]
        or bool(_DATE.fullmatch(plain))
        or (bool(found) and (all(word in _TABLE_HEAD for word in found) or all(word in _FILLERS for word in found)))
        or bool(_REVIEWED.match(plain))
    )


@lru_cache(maxsize=1)
def allergy_words() -> dict[WordKind, frozenset[str]]:
    """The shipped vocabulary, read once. Raises KnowledgeError with the line when the file is malformed."""
    return read_allergy_words(RULES)


def read_allergy_words(path: Path) -> dict[WordKind, frozenset[str]]:
    """Phrases by kind. Raises KnowledgeError naming the line whose kind is not in the closed list."""
    found: dict[WordKind, set[str]] = {kind: set() for kind in WordKind}
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in [(n, line) for n, line in enumerate(lines, 1) if line and not line.startswith("#")][1:]:
        try:
            phrase, kind = line.split("\t")
            found[WordKind(kind)].add(phrase)
        except ValueError as error:
            raise KnowledgeError(f"{path.name}, line {number}: {error}. Write: phrase, kind.") from error
    return {kind: frozenset(phrases) for kind, phrases in found.items()}


_PART = re.compile(r"(?:,|;|/|\band\b|\bor\b)|(?:(?!,|;|/|\band\b|\bor\b).)+", re.IGNORECASE | re.DOTALL)
_SEPARATES = re.compile(r"\s*(?:,|;|/|and|or)?\s*", re.IGNORECASE)
_FIRST = re.compile(
    r"\s*(?:she|he|patient|pt|they|gets?|got|had|has|have|develop(?:s|ed)?|experienced?s?|a|an|the|some|breaks? out in|broke out in|to|and|of|in"
    r"|reported|reports|with|that|which|it|is|was|feel|him|her)\b\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'/-]*")
_HAY = re.compile(r"\bhay\s+fever\b|\bred\s+dye|\bred\s+meat|\bgas\b(?=.)", re.IGNORECASE)
_STANDS_FOR_ONE = frozenset(("unknown", "unspecified", "reaction", "reactions", "unsure", "remember", "recall", "distress"))
_WEAK = frozenset(("fever", "hypotension", "syncope", "breath", "syndrome", "red", "sickness", "allergic", "flushing", "edema"))
_SEVERE = re.compile(r"anaphyla|angio-?edema", re.IGNORECASE)
_INTOLERANCE = re.compile(
    r"intoleran|side[\s-]?effect|adverse effect|(?:cannot|can't|can not|could not|couldn't|unable to|not able to|did not|does not"
    r"|didn't|doesn't|poorly|not)\s+(?:\w+\s+)?(?:take|tolerat|handle)",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:\d{1,4}[/-]?)+|(?:in |since )?(?:19|20)\d\d")
_TABLE_HEAD = frozenset(
    "allergen allergens allergy allergies reaction reactions severity type noted date comments comment status substance drug "
    "medication onset criticality of name agent category active recorded verified and".split()
)
_FILLERS = frozenset(
    "he she patient pt the a an his her this that there has have had having is are was were be been being recorded as listed reported reports "
    "states stated says claims with to at of in on and or but otherwise currently also currently known per by for it they him them i we who "
    "documented noted time present to-date said endorses mentions s patient's chart allergies allergy allergic drug other any".split()
)
_REVIEWED = re.compile(r"(?:were |was |have been )?(?:reviewed|verified|updated|reconciled|last reviewed|confirmed (?:with|by)) ")
