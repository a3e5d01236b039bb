"""The words of allergy statements: what is a reaction, what is no entry, and allergy or intolerance.

Takes words, gives verdicts; the vocabulary is assets/rules/allergy_phrases.tsv. It does not know the note.
"""

import re
from enum import StrEnum
from functools import lru_cache

from backend.nlp.rules import RULES, words_by_kind
from backend.schemas.vocabulary import AllergyKind


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
    ELSEWHERE = "elsewhere"
    NOISE = "noise"
    WEAK = "weak"
    ALONE = "alone"
    THING = "thing"
    SURROUNDINGS = "surroundings"
    OUTSIDE_NAME = "outside_name"
    EMPTY = "empty"
    LOOSE = "loose"
    FILLER = "filler"
    TABLE_HEAD = "table_head"


def words(phrase: str) -> list[str]:
    """The lower-case words of a phrase; hyphens and slashes stay inside words."""
    return [word.strip("-/'") for word in _WORD.findall(phrase.lower().replace("\u2019", "'"))]


def is_reaction(phrase: str) -> bool:
    """Whether a phrase only tells a reaction, and names nothing that causes one."""
    found = words(phrase)
    table = allergy_words()
    told = table[WordKind.ALLERGIC] | table[WordKind.INTOLERANT]
    parts = [part for word in found for part in (word.split("/") if word not in told else [word])]
    if not parts or is_compound(phrase):
        return False
    known = told | table[WordKind.ABOUT]
    return all(part in known or not part or part.isdigit() for part in parts) and any(
        part in told or part in table[WordKind.ALONE] for part in parts
    )


def is_compound(phrase: str) -> bool:
    """Whether a phrase holds a word for a reaction only as part of another name ("hay fever", "red dye")."""
    return bool(_HAY.search(phrase))


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
    if told & (table[WordKind.SEVERE] | (table[WordKind.ALLERGIC] - table[WordKind.WEAK])) or _SEVERE.search(said):
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
        or (bool(found) and (only(WordKind.TABLE_HEAD, phrase) or only(WordKind.FILLER, phrase)))
        or bool(_REVIEWED.match(plain))
        or bool(_ASIDE.match(plain))
    )


@lru_cache(maxsize=1)
def allergy_words() -> dict[WordKind, frozenset[str]]:
    """The shipped vocabulary, read once. Raises KnowledgeError when the file is malformed."""
    return words_by_kind(RULES / "allergy_phrases.tsv", WordKind)


_PART = re.compile(r"(?:,|;|/|\band\b|\bor\b)|(?:(?!,|;|/|\band\b|\bor\b).)+", re.IGNORECASE | re.DOTALL)
_SEPARATES = re.compile(r"\s*(?:,|;|/|and|or)?\s*", re.IGNORECASE)
_FIRST = re.compile(
    r"\s*(?:she|he|patient|pt|they|gets?|got|had|has|have|develop(?:s|ed)?|experienced?s?|a|an|the|some|breaks? out in|broke out in|to|and|of|in"
    r"|reported|reports|with|that|which|it|is|was|feel|him|her)\b\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'/-]*")
_HAY = re.compile(r"\bhay\s+fever\b|\bred\s+dye|\bred\s+meat|\bgas\b(?=.)", re.IGNORECASE)
_SEVERE = re.compile(r"anaphyla|angio-?edema", re.IGNORECASE)
_INTOLERANCE = re.compile(
    r"intoleran|side[\s-]?effect|adverse effect|(?:cannot|can't|can not|could not|couldn't|unable to|not able to|did not|does not"
    r"|didn't|doesn't|poorly|not)\s+(?:\w+\s+)?(?:take|tolerat|handle)",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:from |since |at )?age \d{1,2}|\d+(?:[/-]\d+)*[/-]?|(?:in |since )?(?:19|20)\d\d")
_ASIDE = re.compile(
    r"(?:his |her |the |all )?(?:immuni[sz]ations?|vaccin\w+|shots) (?:are|is|were|have been) "
    r"|(?:(?:s?he|and|patient) )?(?:carr(?:y|ies)|has|uses|wears|keeps) (?:an? |her |his )?(?:epi|auvi|medic)[ -]?\w*$"
    r"|(?:although|though|however|but)$"
    r"|(?:(?:the )?(?:patient|pt|family|wife|husband|daughter|son|sister|mother|father|parents?|partner|gp) )?(?:agrees|confirms"
    r"|(?:asks|asked|requests|wants|wishes|prefers)(?: us| that| it)?,? not (?:to )?(?:be )?(?:use|used|give|given|have|take|taken)(?: (?:it|them|this|these|those|either|to|for|him|her|ever|again|in future))*)$"
    r"|(?:(?:he|she|and|was|had to (?:go|be)|ended up|(?:nearly|almost) died) )*(?:went|go|sent|taken|rushed|brought|admitted|driven|ended up|in|intubated|hospitali[sz]ed|called|died)?(?: (?:to|in|at))?"
    r"(?: (?:the|a|an))? ?(?:er|ed|a&e|icu|hospital|emergency(?: room| department)?|urgent care|911|999|ambulance|intensive care|ventilator)(?: (?:twice|once|by ambulance|overnight|that (?:night|day)|for \w+(?: \w+)?|in (?:19|20)\d\d))*$"
    r"|(?:was )?(?:intubated|hospitali[sz]ed|admitted)$"
    r"|(?:(?:needs|requires|please|can be|should be) )?(?:pre-?medicat\w+|pre-?treat\w*|premed\w*) with (?:(?!(?:for|before|prior|if|when) ).)*$"
)
_REVIEWED = re.compile(
    r"(?:were |was |have been )?(?:reviewed|verified|updated|reconciled|last reviewed|confirmed (?:with|by)) |(?:as )?per |according to "
)
