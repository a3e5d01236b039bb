"""Everyday names of problems that the lexicon has no concept for: "nasal drainage", "quit smoking", "mood swings".

Takes a parsed note; gives where assets/rules/findings/problem_names.tsv names a problem, by the stems of its words. It does
not know the lexicon, nor whether a problem is denied, past or somebody else's.
"""

from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest, word_list
from backend.nlp.lexicon.variants import near_forms, stem
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import Category


class Where(StrEnum):
    """Where a name counts: everywhere, only where it is denied or reviewed, or only where habits are stated."""

    EVERYWHERE = ""
    DENIED_OR_REVIEWED = "told"
    SOCIAL = "social"


class NamedProblem(NamedTuple):
    """A name in a note, over tokens first to last, last left out; denied and over are read from the name itself."""

    first: int
    last: int
    name: str
    category: Category
    where: Where = Where.EVERYWHERE
    denied: bool = False
    over: bool = False


class _Entry(NamedTuple):
    words: tuple[str, ...]
    named: NamedProblem


class _Node(dict[str, "_Node"]):
    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: list[_Entry] = []


def named_problems(note: ParsedNote) -> list[NamedProblem]:
    """The longest names of problems in a note, in order, without overlap; none crosses a mark or a sentence."""
    root = _names()
    found: list[NamedProblem] = []
    words, is_word = note.words, note.tokens.word
    done = 0
    for i in note.where(_OPENS):
        at = note.sentence_at(note.tokens.starts[i]) if i >= done and is_word[i] else None
        if at is None:
            continue
        last = note.sentences[at].last
        node = root.get(stem(words[i]))
        best, j, said = None, i, []
        while node is not None:
            said.append(words[j])
            for entry in node.entries:
                if all(map(near_forms, entry.words, said)):
                    best = entry.named._replace(first=i, last=j + 1)
                    break
            j += 1
            while j < last and (words[j] in _WITHIN or (words[j] == "s" and words[j - 1] == "'")):
                j += 1
            node = node.get(stem(words[j])) if j < last and is_word[j] else None
        if best is not None:
            found.append(best)
            done = best.last
    return found


_WITHIN = frozenset("-'\n")
_MARKS = {"!": "denied", "<": "over"}


@lru_cache(maxsize=1)
def _names(path: Path = RULES / "findings" / "problem_names.tsv") -> _Node:
    """The names as a tree of stems.

    Raises:
        KnowledgeError: a category or a place is none, or a name stands twice.
    """
    root = _Node()
    seen: dict[tuple[str, ...], str] = {}
    for name, category, where, written in rule_rows(path, 4):
        try:
            named = NamedProblem(0, 0, name, Category(category), Where(where))
        except ValueError as error:
            raise KnowledgeError(f"{path.name}, '{name}': {error}. The file's head explains its columns.") from error
        for one in dict.fromkeys((name, *written.split("|"))):
            sign = _MARKS.get(one[:1], "")
            words = tuple(word_list(one[1:] if sign else one))
            if seen.setdefault(words, name) != name:
                raise KnowledgeError(f"{path.name}: '{one}' stands at '{seen[words]}' and at '{name}'. Keep one.")
            node = root
            for word in words:
                node = node.setdefault(stem(word), _Node())
            node.entries.append(_Entry(words, named._replace(denied=sign == "denied", over=sign == "over")))
    return root


_OPENS = WordTest(lambda word: stem(word) in _names())
