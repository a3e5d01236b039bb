"""English verb forms, by a table (assets/rules/letter/verbs.tsv) and the rules of regular verbs."""

import re
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.generation.letter.plain_language.letter_words import lists
from backend.nlp.lexicon.variants import english_words
from backend.nlp.rules import RULES, rule_rows

SURE, EITHER = "sure", "either"
_PLURAL_BE = {"is": "are", "was": "were", "has": "have", "does": "do", "am": "are"}
_SINGULAR_BE = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_SOON = re.compile(r"\bin (?:an?|\w+)(?:[- ]to[- ]\w+)? (?:days?|weeks?|months?)\b(?! of)", re.IGNORECASE)
_NOT = re.compile(r"n['’]t$")


class Verb(NamedTuple):
    """The forms of a verb. kind: sure, or either where the form in -s may be a noun ("visits")."""

    base: str
    third: str
    past: str
    participle: str
    kind: str


def with_you(word: str) -> str:
    """The form that goes with "you" for one that goes with "he": "has" gives "have", "wasn't" gives "weren't", "takes" gives "take".

    A form that is the same for both (a past, a modal) is given back as it is.
    """
    stem, ending = _without_not(word)
    if stem in _PLURAL_BE:
        return _PLURAL_BE[stem] + ending
    verb = _by_third().get(word)
    if verb is not None:
        return verb.base
    if not word.endswith("s") or word.endswith(("ss", "us", "is")) or is_past(word):
        return word
    return _regular_base(word)


def with_it(word: str) -> str:
    """The form that goes with "he" or "the team" for one that goes with "I": "have" gives "has", "recommend" gives "recommends"."""
    stem, ending = _without_not(word)
    if stem in _SINGULAR_BE:
        return _SINGULAR_BE[stem] + ending
    verb = verbs().get(word)
    return verb.third if verb is not None else word


def is_auxiliary(word: str) -> bool:
    """Whether a word is a form of be, have or do."""
    stem, _ = _without_not(word)
    return stem in _PLURAL_BE or stem in _SINGULAR_BE or stem in ("had", "did")


def is_narrated(text: str) -> bool:
    """Whether a clause tells what happened and nothing that is to be done: "was sent to Dr. X", not "is to see Dr. X in 2 weeks"."""
    words = re.findall(r"[a-z']+", text.lower())
    happened = any(word in ("was", "were", "been", "had") or is_past(word) for word in words)
    to_come = lists()["modals"] | lists()["to_come"]
    return happened and to_come.isdisjoint(words) and not _SOON.search(text)


def is_past(word: str) -> bool:
    """Whether a word may be a past form, regular or of the table."""
    return word in _pasts() or (word.endswith("ed") and len(word) > 4 and not word.endswith("eed"))


def is_participle(word: str) -> bool:
    """Whether a word may be a past participle."""
    if word in _only_pasts():
        return False
    return word in _participles() or (word.endswith("ed") and len(word) > 4 and not word.endswith("eed"))


def participle_of(past: str) -> str:
    """The participle of the verb of the table that has this past; any other word as it is."""
    return _by_past().get(past, past)


def third_kind(word: str) -> str | None:
    """Of a form in -s its verb's kind; None where no verb of the table has it."""
    verb = _by_third().get(word)
    return verb.kind if verb is not None else None


@lru_cache(maxsize=1)
def verbs() -> dict[str, Verb]:
    """The verbs of the table by base form.

    Raises:
        KnowledgeError: a verb is of no known kind or stands there twice.
    """
    found: dict[str, Verb] = {}
    for base, third, past, participle, kind in rule_rows(RULES / "letter" / "verbs.tsv", 5):
        if kind not in (SURE, EITHER) or base in found:
            raise KnowledgeError(f"verbs.tsv: '{base}' is there twice, or '{kind}' is none of {SURE} and {EITHER}.")
        found[base] = Verb(base, third, past, participle, kind)
    return found


@lru_cache(maxsize=1)
def _by_past() -> dict[str, str]:
    return {verb.past: verb.participle for verb in verbs().values() if verb.past != "got"}  # "has got worse" is right


@lru_cache(maxsize=1)
def _by_third() -> dict[str, Verb]:
    return {verb.third: verb for verb in verbs().values()}


@lru_cache(maxsize=1)
def _pasts() -> frozenset[str]:
    return frozenset(verb.past for verb in verbs().values()) | {"had", "did"}


@lru_cache(maxsize=1)
def _only_pasts() -> frozenset[str]:
    return frozenset(verb.past for verb in verbs().values()) - _participles()


@lru_cache(maxsize=1)
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in verbs().values())


def _without_not(word: str) -> tuple[str, str]:
    match = _NOT.search(word)
    return (word[: match.start()], match[0]) if match else (word, "")


def _regular_base(third: str) -> str:
    """The base of a regular form in -s that the table lacks: the first spelling that is an English word."""
    guesses = [third[:-1]]
    if third.endswith("ies"):
        guesses.insert(0, f"{third[:-3]}y")
    if third.endswith("es"):
        guesses.append(third[:-2])
    known = english_words()
    return next((guess for guess in guesses if guess in known), guesses[0])
