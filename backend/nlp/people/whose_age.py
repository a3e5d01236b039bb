"""Whose an age is: a person's who stands before it or whose field it fills, another's beside whom it stands, or of another time.

Takes a parsed note and the tokens of an age; the words are rows of assets/rules/people/words_age.tsv.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from backend.nlp.attributes.family import person_words
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import APOSTROPHES
from backend.nlp.rules import RULES, words_by_kind

BACK, NAME = 5, 3
"""Words before an age in which another may stand; words of a name."""
_FIELD = re.compile(r"(?:(?<=\s\s)|(?<=[\t|]))A(?:ge|GE|ged)\b|A(?:ge|GE)\s*[:=]")
"""The label of a field that gives the age, in a line of fields or before a colon."""


class Kind(StrEnum):
    """What a word beside an age does; the file words_age.tsv explains each."""

    OPENS = "opens"
    CLAUSE = "clause"
    ENDS = "ends"
    NOT_AFTER = "not_after"
    OF = "of"
    FEMALE = "female"
    MALE = "male"
    PERSON = "person"
    OWNER = "owner"


def is_a_persons(note: ParsedNote, first: int) -> bool:
    """Whether an age told behind what it belongs to is a person's: "woman aged 45", "Jaden, age 4" in the first sentence, "Age: 7"."""
    words, i = note.words, first
    if _FIELD.match(note.text, note.tokens.starts[first]):
        return True
    while i and words[i - 1] in age_words()[Kind.ENDS] | {"("}:
        i -= 1
    if i == 0 or words[i - 1] in ("\n", "."):
        return True
    named = frozenset[str]().union(*(age_words()[kind] for kind in (Kind.FEMALE, Kind.MALE, Kind.PERSON)))
    if words[i - 1] in named | person_words().own:
        return True
    at = note.sentence_at(note.tokens.starts[i - 1])
    name = range(note.sentences[0].first, i)
    return at == 0 and i < first and len(name) <= NAME and all(note.text[note.tokens.starts[k]].isupper() for k in name)


def is_anothers(note: ParsedNote, first: int, last: int, then: set[int]) -> bool:
    """Whether a relative stands beside an age, or a word for another time shortly before it; then: ends of such words."""
    words = note.words
    persons = person_words()
    if _is_owned(note, first):
        return True
    for k in range(last, min(len(words), last + 4)):
        if words[k] == ",":
            break
        relative = words[k] in persons.others and words[k] not in persons.workers and words[k + 1 : k + 2] != ["of"]
        if relative or (words[k] in persons.own and words[max(0, first - 2)] in ("has", "have", "her", "his")):
            return True
        if words[k] in age_words()[Kind.CLAUSE]:
            break
    joined = False
    for k in range(first - 1, max(-1, first - 1 - BACK), -1):
        word = words[k]
        if word in (".", ";", "\n", ":"):
            return False
        if k + 1 in then and not joined:
            return True
        joined |= word == ","  # "born at 39 weeks, day of life 3"
        if word in ("patient", "pt", "this", "he", "she", "i"):
            return False
        if word in persons.others and not _of_patient(words[k + 1 : k + 3]):
            return True
        if word == "s" and words[k - 1] in APOSTROPHES and words[k - 2] in ("patient", "pt"):
            return any(w in persons.others for w in words[k:first])
    return False


def _is_owned(note: ParsedNote, first: int) -> bool:
    """Whether the one whose age it is belongs to another: "her 6-week-old", "has a 5 year old"; a parent's child is the patient."""
    owner = first - 1 - (note.words[max(0, first - 1)] in ("a", "an"))
    if owner < 0 or note.words[owner] not in age_words()[Kind.OWNER]:
        return False
    at = note.sentence_at(note.tokens.starts[first])
    begin = note.sentences[at].first if at is not None else 0
    return person_words().parents.isdisjoint(note.words[begin:owner])


def _of_patient(following: Sequence[str]) -> bool:
    """Whether a person's word is no subject of the age: "mother of this 3-year-old", "son reports 86-year-old"."""
    return not age_words()[Kind.OF].isdisjoint(following)


@lru_cache(maxsize=1)
def age_words() -> dict[Kind, frozenset[str]]:
    """The words beside an age, by what they say of it."""
    return words_by_kind(RULES / "people" / "words_age.tsv", Kind)
