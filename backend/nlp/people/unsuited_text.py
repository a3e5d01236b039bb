"""Whether a text can be read as one patient's note at all: another language, several patients, no patient.

Takes the linked note; gives problems, the severest first. A draft is written all the same, and flags of these problems stand above it. Languages
are told by their commonest small words; what has none of them ("71M fever cough") is taken for English.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from backend.nlp.document.tokens import word_set
from backend.nlp.lexicon.variants import english_words
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Severity


class TextProblem(NamedTuple):
    """What speaks against reading a text as one patient's note in English, in words."""

    severity: Severity
    message: str


FEWEST, TIMES = 4, 2  # small words of another language, and how many times as many as English ones
ENGLISH = word_set("the of and with for was is has on to in his her she he at from since by who had are not")
SMALL_WORDS = {
    "Spanish": word_set("el los las del que con por una desde hace sin su al y"),
    "French": word_set("le les des du et avec pour une depuis sans sa au est dans"),
    "German": word_set("der das und mit seit ohne ein eine ist bei von im zu nicht keine"),
    "Portuguese": word_set("os do da com uma um desde sem na dos das ao"),
    "Italian": word_set("il lo gli di del con una da senza nel dal che"),
}


def unsuited_text(linked: LinkedNote) -> Iterable[TextProblem]:
    """What speaks against reading the text as one patient's note in English; nothing for most notes."""
    text = linked.note.text
    if language := other_language(text):
        message = f"The note reads as {language}; only English is read. Allergies and findings may be missing or wrong."
        yield TextProblem(Severity.SEVERE, message)
    elif len(people := patients(text)) > 1:
        message = f"The note speaks of more than one patient ({', '.join(people)}); the draft may mix them. Paste one patient's note."
        yield TextProblem(Severity.SEVERE, message)
    elif linked.patient.age is None and linked.patient.sex is None and not _SOMEBODY.search(text):
        message = "The text speaks of no patient: no age, no sex, no he or she. Check that it is a note."
        yield TextProblem(Severity.WARNING, message)


def other_language(text: str) -> str:
    """The language that a text seems to be in; empty for English and for what says too little."""
    said = Counter(_WORD.findall(text.lower()))
    english = sum(said[word] for word in ENGLISH)
    counts = {name: sum(said[word] for word in words) for name, words in SMALL_WORDS.items()}
    name = max(counts, key=lambda one: counts[one])
    return name if counts[name] >= max(FEWEST, TIMES * english) else ""


def is_english(text: str) -> bool:
    """Whether a note can be taken for English, the one language that documents are written in; a few words always can."""
    words = _LONG_WORD.findall(text.lower())
    known = english_words()
    return len(words) < _LEAST_WORDS or sum(word in known for word in words) >= _LEAST_ENGLISH * len(words)


def patients(text: str) -> list[str]:
    """The different patients that lines of a text begin with ("Bed 12: 71M"), as written; a relative inside a line is none."""
    found = {(m["age"], m["sex"][0].lower()): f"{m['age']} {m['sex']}" for m in _OPENING.finditer(text)}
    kinds = {(age, "f" if sex in "fw" else "m"): words for (age, sex), words in found.items()}
    return list(kinds.values())


_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_LEAST_WORDS = 12
_LEAST_ENGLISH = 0.27
"""Share of ordinary English words among those of four letters or more; shorter ones may be short forms of any language."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = re.compile(
    r"^[^\S\n]*(?:[\w#.]+[^\S\n]+){0,3}?(?:[\w#]+[:.)][^\S\n]*)?(?P<age>\d{2,3})[ -]?(?:y/?o\.?|yrs?\.?|year[- ]old|years[- ]old)?[ -]?"
    r"(?P<sex>M|F|male|female|man|woman)\b",
    re.MULTILINE,
)
_SOMEBODY = re.compile(
    r"\b(?:patient|pt|he|she|his|her|him|i|my|me|mr|mrs|ms|miss|lady|gentleman|man|woman|male|female|m|f|daughter|son|wife|husband|mother|father|mum|mom|lives|denies|resident|yo|y/o|presents|came)\b",
    re.IGNORECASE,
)
