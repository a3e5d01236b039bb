"""The words that statements about allergies are read by: one index of phrases by kind, and a note's words put right.

The vocabulary is assets/rules/allergies/words_*.tsv; this module knows no word.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest, tested, tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.lexicon.variants import british_forms, english_words
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.stores.compiled import compiled

FAMILY = "allergies/events"
_FOLDER = RULES / "allergies"
_PERSONS = frozenset(("parent", "child", "spouse", "sibling", "other"))
_CALLED = frozenset(("called",))
_INFLECTED = frozenset(("allergic", "side", "change", "eased"))
_NO_KINDS: frozenset[str] = frozenset()


class Mark(NamedTuple):
    """A phrase of the vocabulary over tokens first to last, last left out, and the kinds it is of."""

    first: int
    last: int
    kinds: frozenset[str]


_made = partial(tuple.__new__, Mark)
"""A Mark of its three fields, at half the cost of calling it: a note has hundreds."""
_Phrase = tuple[list[str], int, frozenset[str]]


class PhraseIndex:
    """Phrases of words by their first word, then by their second; the longest at a place counts."""

    def __init__(self, rows: Sequence[tuple[str, str]]) -> None:
        held: dict[tuple[str, ...], set[str]] = {}
        for phrase, kind in rows:
            for form in (phrase, *british_forms(phrase)):
                held.setdefault(tuple(plain_marks(tokens(form).words)), set()).add(kind)
            if kind in _INFLECTED and phrase.isalpha():
                for form in _forms(phrase):
                    held.setdefault((form,), set()).add(kind)
        self._kinds = {parts: frozenset(kinds) for parts, kinds in held.items()}
        self._of = {parts[0]: kinds for parts, kinds in self._kinds.items() if len(parts) == 1}
        self._begins: dict[str, dict[str, list[_Phrase]]] = {parts[0]: {} for parts in held}
        for parts, kinds in sorted(self._kinds.items(), key=lambda one: -len(one[0])):
            if len(parts) > 1:
                self._begins[parts[0]].setdefault(parts[1], []).append((list(parts), len(parts), kinds))
        self._all: dict[frozenset[str], frozenset[str]] = {}

    def of(self, word: str) -> frozenset[str]:
        """The kinds of one word."""
        return self._of.get(word, _NO_KINDS)

    def all_of(self, kinds: frozenset[str]) -> frozenset[str]:
        """The single words of any of the kinds."""
        if kinds not in self._all:
            self._all[kinds] = frozenset(word for word, held in self._of.items() if held & kinds)
        return self._all[kinds]

    def words_of(self, kind: str) -> tuple[str, ...]:
        """The single words of a kind."""
        return tuple(parts[0] for parts, kinds in self._kinds.items() if len(parts) == 1 and kind in kinds)

    def begins(self, word: str) -> bool:
        """Whether a phrase begins with a word."""
        return word in self._begins

    def found(self, words: list[str], first: int, last: int, places: Sequence[int] | None = None) -> list[Mark]:
        """The phrases within tokens first to last, in order, the longest at each place, without overlap.

        Args:
            words: of the note.
            first: the first token.
            last: the token behind the last.
            places: the tokens among them that a phrase begins with, where they are known.
        """
        marks: list[Mark] = []
        free = first
        begins, single = self._begins, self._of
        for i in [i for i in range(first, last) if words[i] in begins] if places is None else places:
            if i < free:
                continue
            word = words[i]
            following = begins[word].get(words[i + 1]) if i + 1 < last else None
            for parts, length, kinds in following or ():
                if i + length <= last and words[i : i + length] == parts:
                    marks.append(_made((i, i + length, kinds)))
                    free = i + length
                    break
            else:
                if word in single:
                    marks.append(_made((i, i + 1, single[word])))
        return marks


class Marks:
    """The marks of one vocabulary in a note, found once."""

    def __init__(self, index: PhraseIndex, words: list[str], places: Sequence[int]) -> None:
        self._marks = index.found(words, 0, len(words), places)
        self._firsts = [one.first for one in self._marks]
        self.held = _NO_KINDS.union(*(one.kinds for one in self._marks))

    def within(self, first: int, last: int) -> list[Mark]:
        """The marks within tokens first to last, in order."""
        begin, end = bisect_left(self._firsts, first), bisect_left(self._firsts, last)
        if begin < end and self._marks[end - 1].last > last:
            end -= 1
        return self._marks[begin:end]

    def kinds(self, first: int, last: int) -> frozenset[str]:
        """All kinds of the marks within tokens first to last."""
        found = self.within(first, last) if first < last else ()
        return found[0].kinds if len(found) == 1 else _NO_KINDS.union(*[one.kinds for one in found])


class Places:
    """Where any of some words stands in a note: at which tokens, in order."""

    def __init__(self, at: Sequence[int]) -> None:
        self._at = at

    def within(self, first: int, last: int) -> bool:
        """Whether one stands within tokens first to last."""
        place = bisect_left(self._at, first)
        return place < len(self._at) and self._at[place] < last


# Dots behind a blank, or more than the three of an unfinished sentence; "sure... maybe" has no leader.
_LEADER = re.compile(
    r"(?:(?<=[^\W_])|(?<=[)\]]))(?:[^\S\n]+(?:\.[^\S\n]?){3,}|(?:\.[^\S\n]?){4,}|[^\S\n]*(?:_[^\S\n]?){3,}|[^\S\n]+\u2026+)(?=[^\S\n]*\S)"
)


class Wording(NamedTuple):
    """A note's words with misspelt words of allergies put right, its triggers, its marks of effects and relations.

    persons, called: where a person or a pet is named, and a word for allergies. as_written: no word was put right.
    """

    words: list[str]
    triggers: Sequence[FoundTrigger]
    effects: Marks
    relations: Marks
    persons: Places
    called: Places
    as_written: bool


def wording(note: ParsedNote) -> Wording:
    """The words and triggers of a note; offsets stay those of the text as written. A leader ("aspirin ..... rash") is a dash."""
    spelt = spellings()
    short = [word for word in _capitals() if word in note.text]
    plain = _without_leaders(note)
    if spelt.keys().isdisjoint(note.words) and not short:
        return _marked(plain, note.triggers[FAMILY], note.where, True)
    words = [spelt.get(word, word) for word in plain]
    for name in short:
        # a reaction is told from another word by its capitals alone: DRESS, HIT
        for i in (i for i, word in enumerate(note.words) if word == name.lower()):
            if note.written(i, i + 1) == name and not _shouted(note, i):
                words[i] = spelt[name]
    return _marked(words, _events().find(words)[FAMILY], tested(words).get, False)


def _without_leaders(note: ParsedNote) -> list[str]:
    """The words of a note, those of dots or lines that lead from a name to what is told of it, as in a printed list, as dashes."""
    words = list(note.words)
    for run in _LEADER.finditer(note.text):
        first, last = note.token_range(run.start(), run.end())
        words[first:last] = ["-"] * (last - first)
    return words


def _marked(
    words: list[str],
    triggers: Sequence[FoundTrigger],
    where: Callable[[WordTest], Sequence[int] | None],
    as_written: bool,
) -> Wording:
    effects = Marks(phrases("effects"), words, where(_EFFECTS) or ())
    relations = Marks(phrases("relations"), words, where(_RELATIONS) or ())
    persons, called = Places(where(_NAMES_PERSON) or ()), Places(where(_CALLS) or ())
    return Wording(words, triggers, effects, relations, persons, called, as_written)


def _forms(word: str) -> list[str]:
    """The inflected forms of a word that are words of the language: "faint" is also "faints", "fainted", "fainting"."""
    bare = word[:-1] if word.endswith("e") else word
    forms = (f"{word}s", f"{bare}es", f"{bare}ed", f"{bare}ing", f"{bare}{bare[-1]}ed", f"{bare}{bare[-1]}ing")
    return [form for form in forms if form in english_words()]


def _shouted(note: ParsedNote, i: int) -> bool:
    """Whether the words round a token are all in capitals."""
    near = note.written(max(0, i - 3), min(len(note.words), i + 4))
    return near.isupper()


@lru_cache(maxsize=1)
def spellings() -> dict[str, str]:
    """Misspelt words and what they are read as."""
    return {row[0]: row[1] for row in rule_rows(_FOLDER / "words_spellings.tsv", 2)}


@lru_cache(maxsize=1)
def _capitals() -> tuple[str, ...]:
    """The short forms that are read as a reaction in capitals alone."""
    return tuple(written for written in spellings() if written.isupper())


@lru_cache(maxsize=1)
def members() -> tuple[tuple[str, ...], ...]:
    """Medicines, and the allergies that their being taken without harm takes back."""
    return tuple(rule_rows(_FOLDER / "words_members.tsv", 2))


@lru_cache(maxsize=1)
def clipped_names() -> dict[str, str]:
    """Words that name a medicine only where allergies are told, and what they are read as."""
    return {row[0]: row[1] for row in rule_rows(_FOLDER / "words_clipped.tsv", 2)}


@lru_cache(maxsize=8)
def phrases(name: str) -> PhraseIndex:
    """The phrases of words_<name>.tsv by kind. Raises KnowledgeError when the file is malformed."""
    rows = rule_rows(_FOLDER / f"words_{name}.tsv", 2)
    return compiled(f"allergy-{name}", (), lambda: PhraseIndex([(row[0], row[1]) for row in rows]))


@lru_cache(maxsize=1)
def _events() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))


_EFFECTS = WordTest(lambda word: phrases("effects").begins(word))
_RELATIONS = WordTest(lambda word: phrases("relations").begins(word))
_NAMES_PERSON = WordTest(lambda word: word in phrases("persons").all_of(_PERSONS))
_CALLS = WordTest(lambda word: word in phrases("lists").all_of(_CALLED))


def forbids(rule_id: str) -> bool:
    """Whether what read an allergy is a row that tells of something not to be given, and of no intolerance."""
    return any(row.rule_id == rule_id and row.event == "FORBIDDEN" for row in trigger_rows(FAMILY))
