"""The words that statements about allergies are read by: one index of phrases by kind, and a note's words put right.

The vocabulary is assets/rules/allergies/words_*.tsv; this module knows no word.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import tokens
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows

FAMILY = "allergies/events"
_FOLDER = RULES / "allergies"
_CAPITALS = "DRESS"


class Mark(NamedTuple):
    """A phrase of the vocabulary over tokens first to last, last left out, and the kinds it is of."""

    first: int
    last: int
    kinds: frozenset[str]


class PhraseIndex:
    """Phrases of words by their first word; the longest at a place counts."""

    def __init__(self, rows: Sequence[tuple[str, str]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], set[str]]]] = {}
        held: dict[tuple[str, ...], set[str]] = {}
        for phrase, kind in rows:
            parts = tuple(plain_marks(tokens(phrase).words))
            if parts not in held:
                held[parts] = set()
                self._by_first.setdefault(parts[0], []).append((parts, held[parts]))
            held[parts].add(kind)
        self._kinds = {parts: frozenset(kinds) for parts, kinds in held.items()}
        for phrases in self._by_first.values():
            phrases.sort(key=lambda one: -len(one[0]))

    def of(self, word: str) -> frozenset[str]:
        """The kinds of one word."""
        return self._kinds.get((word,), frozenset())

    def words_of(self, kind: str) -> tuple[str, ...]:
        """The single words of a kind."""
        return tuple(parts[0] for parts, kinds in self._kinds.items() if len(parts) == 1 and kind in kinds)

    def found(self, words: Sequence[str], first: int, last: int) -> list[Mark]:
        """The phrases within tokens first to last, in order, the longest at each place, without overlap."""
        marks: list[Mark] = []
        i = first
        while i < last:
            step = 1
            for parts, _ in self._by_first.get(words[i], ()):
                if len(parts) <= last - i and all(words[i + k] == part for k, part in enumerate(parts)):
                    marks.append(Mark(i, i + len(parts), self._kinds[parts]))
                    step = len(parts)
                    break
            i += step
        return marks


class Wording(NamedTuple):
    """A note's words with misspelt words of allergies put right, and its triggers of allergies."""

    words: Sequence[str]
    triggers: Sequence[FoundTrigger]


def wording(note: ParsedNote) -> Wording:
    """The words and triggers of a note; offsets stay those of the text as written."""
    spelt = spellings()
    if spelt.keys().isdisjoint(note.words) and _CAPITALS not in note.text:
        return Wording(note.words, note.triggers[FAMILY])
    words = [spelt.get(word, word) for word in note.words]
    for i, word in enumerate(words):
        # the reaction is told from what is put on a wound by its capitals alone
        if word == _CAPITALS.lower() and note.written(i, i + 1) == _CAPITALS and not _shouted(note, i):
            words[i] = "dihs"
    return Wording(words, _events().find(words)[FAMILY])


def _shouted(note: ParsedNote, i: int) -> bool:
    """Whether the words round a token are all in capitals."""
    near = note.written(max(0, i - 3), min(len(note.words), i + 4))
    return near.isupper()


@lru_cache(maxsize=1)
def spellings() -> dict[str, str]:
    """Misspelt words and what they are read as."""
    return {row[0]: row[1] for row in rule_rows(_FOLDER / "words_spellings.tsv", 2)}


@lru_cache(maxsize=1)
def members() -> tuple[tuple[str, ...], ...]:
    """Medicines, and the allergies that their being taken without harm takes back."""
    return tuple(rule_rows(_FOLDER / "words_members.tsv", 2))


@lru_cache(maxsize=8)
def phrases(name: str) -> PhraseIndex:
    """The phrases of words_<name>.tsv by kind. Raises KnowledgeError when the file is malformed."""
    return PhraseIndex([(row[0], row[1]) for row in rule_rows(_FOLDER / f"words_{name}.tsv", 2)])


@lru_cache(maxsize=1)
def _events() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
