"""Reads the lists of an allergies section, and the names that its sentences enumerate.

Takes a text, what the graph knows and the mentions of things one can react to; gives entries with exact offsets. Which
stretch is a list and which a sentence, allergies decides.
"""

import re
from collections.abc import Sequence

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import has_reaction, is_noise, is_reaction
from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.allergies.lists.allergy_pieces import pieces
from backend.nlp.allergies.lists.allergy_tables import table_row
from backend.nlp.allergies.possible.allergy_causes import CALENDAR
from backend.nlp.allergies.statements.allergy_prose import prose_entries
from backend.nlp.lexicon.variants import english_words, stem
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion


class ListReader:
    """The lists of one text."""

    def __init__(self, text: str, allergens: Allergens, mentions: Sequence[Mention]) -> None:
        self._text = text
        self._allergens = allergens
        self._mentions = mentions

    def listed(self, start: int, end: int, found: list[Entry]) -> list[Entry]:
        """A list, some parts of which may be told in words ("PCN allergy, statin intolerance")."""
        if _CELLS.search(self._text, start, end) and table_row(self._text, start, end):
            before, last = (found[:-1], found[-1]) if found else ([], None)
            return [*before, *entries(self._text, start, end, self._allergens.known, last)]
        told: list[tuple[int, int, list[Entry]]] = []
        for left, right in pieces(self._text, start, end, self._allergens.known):
            in_words = prose_entries(self._text, left, right, self._allergens.known, in_section=True)
            if in_words and (self._names_one(in_words) or not self.enumerated(left, right)):
                told.append((left, right, [*in_words, *self.beside(left, right, in_words)]))
        at = start
        for left, right, in_words in [*told, (end, end, [])]:
            if self._text[at:left].strip(" ,;.\n"):
                before, last = (found[:-1], found[-1]) if found else ([], None)
                found = [*before, *entries(self._text, at, left, self._allergens.known, last)]
            found = [*found, *in_words]
            at = right
        return found

    def beside(self, start: int, end: int, told: Sequence[Entry]) -> list[Entry]:
        """Names of a part of a list that no entry of it holds: the last of "PCN hives sulfa rash latex", or of a word nobody knows."""
        found = []
        strange = [
            one
            for word in _STRANGE.finditer(self._text, start, end)
            if word[1].lower() not in CALENDAR
            for one in self._named(word)
        ]
        spans = [*self._allergens.inside(self._text, start, end), *((one.start, one.end) for one in strange)]
        for left, right in sorted(set(spans)):
            name = self._text[left:right].lower()
            held = any(one.start <= left < one.end or name in one.reaction.lower() for one in told)
            before = max((one.end for one in told if one.end <= left), default=start)
            if not held and not _HARMLESS.search(self._text, before, left):
                found.append(Entry(left, right))
        return found

    def leading(self, left: int, told: Sequence[Entry]) -> list[Entry]:
        """Names that a sentence lists before it begins to tell: "Sulfa drugs and she is sensitive to caffeine"."""
        begins = _TELLING.search(self._text, left, min(one.start for one in told))
        if not begins:
            return []
        listed = entries(self._text, left, begins.start(), self._allergens.known)
        return [one for one in listed if self._allergens.known(self._text[one.start : one.end])]

    def with_neighbours(self, told: Sequence[Entry], start: int, end: int) -> list[Entry]:
        """What a sentence names, and words nobody knows beside it: of "codeine and Xylazol, both upset her" the second, too."""
        found = list(told)
        for one in told:
            left, right = one.start, one.end
            while after := _NEXT.match(self._text, right, end):
                right = after.end()
                found.extend(self._named(after))
            while before := _LAST.search(self._text, max(start, left - _NEAR), left):
                left = before.start(1)
                found.extend(self._named(before))
        held = sorted((one.start, one.end) for one in told)
        return [
            *told,
            *(one for one in dict.fromkeys(found[len(told) :]) if not any(a <= one.start < b for a, b in held)),
        ]

    def harmful(self, start: int, end: int) -> list[Entry]:
        """Names nobody knows after which something happened: "was hospitalized after Xylazol", "nearly died with Xylazol"."""
        text = self._text
        told = list(_ACTING_NAME.finditer(text, start, end))
        if _HARM.search(text, start, end) or has_reaction(text[start:end]):
            told += _TAKEN_NAME.finditer(text, start, end)
        names = (name for name in told if name[1].lower() not in CALENDAR)
        return [one for name in names for one in self._named(name)]

    def _named(self, beside: re.Match[str]) -> list[Entry]:
        """The word beside a name, if it names something one can react to, or may: it is no word of the language."""
        word = beside[1].lower()
        if self._allergens.known(word):
            return [] if _TAKEN.match(self._text, beside.end(1)) else [Entry(beside.start(1), beside.end(1))]
        ordinary = word in english_words() or is_reaction(word) or is_noise(word) or self._allergens.other(word)
        return [] if ordinary or stem(word) in english_words() else [Entry(beside.start(1), beside.end(1))]

    def _names_one(self, found: Sequence[Entry]) -> bool:
        return any(self._allergens.known(self._text[e.start : e.end]) for e in found)

    def enumerated(self, start: int, end: int) -> list[Entry]:
        """The names of a list within a sentence, given that at least one of them is known."""
        listed = entries(self._text, start, end, self._allergens.known)
        named = [e for e in listed if self._allergens.known(self._text[e.start : e.end])]
        return (
            [e for e in listed if e in named or len(self._text[e.start : e.end].split()) < _SENTENCE] if named else []
        )

    def mentioned(self, start: int, end: int) -> list[Entry]:
        """Medicines that a sentence of an allergies section names in a way no pattern knows."""
        return [
            Entry(m.start_char, m.end_char, said=self._text[start:end])
            for m in self._mentions
            if start <= m.start_char and m.end_char <= end and m.assertion not in (Assertion.NEGATED, Assertion.FAMILY)
        ]


_SENTENCE = 4
_NEAR = 40
_JOINED = r"\s*(?:[,;:]\s*(?:and|or)?|/|&|\band\b|\bor\b)\s*"
_NEXT = re.compile(_JOINED + r"([A-Za-z][\w-]{3,})", re.IGNORECASE)
_TAKEN = re.compile(r"\s*(?:\d|is\b|was\b|ok\b|okay|fine|daily|without|tolerat|has been|for\b)", re.IGNORECASE)
_HARM = re.compile(
    r"\b(?:hospitali[sz]ed|admitted|intubated|resuscitated|collapsed|fainted|arrested|died|killed|shock|icu|intensive care|emergency|er|ambulance"
    r"|sick|ill|bad|badly|terrible|awful|trouble|problems?|poorly)\b",
    re.IGNORECASE,
)
_TAKEN_NAME = re.compile(
    r"\b(?:with|after|from|given|took|taking|had)\s+(?:(?:an?|one|the|his|her|first|second|single|dose|doses|tablets?|course|of|some)\s+)*(?-i:([A-Z][a-z]{3,}))\b",
    re.IGNORECASE,
)
_ACTING_NAME = re.compile(
    r"\b(?<!Dr )(?<!Dr\. )([A-Z][a-z]{3,})\s+[\"\u201c]?(?:gave|gives|made|makes|caused|causes|upsets?|hurts?|burn(?:ed|t|s)|messe[ds]|nearly|almost|knocked|put|sent)\s+(?:up\s+)?(?:her|him|his|them|me|my|killed)\b"
)
_STRANGE = re.compile(r"(?<![\w-])([A-Z][a-z]{4,})(?![\w-])")
_LAST = re.compile(r"(?<![\w-])([A-Za-z][\w-]{3,})" + _JOINED + "$", re.IGNORECASE)
_CELLS = re.compile(r"\S(?: {2,}|\t+)\S")
_HARMLESS = re.compile(
    r"\b(?:ok|okay|fine|well|tolerat\w+|can|but|not?|never|without|treated|given|takes?|took|taking|instead|with|by|for|after|from|to|than|like|as|if|in)\b",
    re.IGNORECASE,
)
_TELLING = re.compile(r"\b(?:she|he|they|the patient|patient|pt)\b", re.IGNORECASE)
