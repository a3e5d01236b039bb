"""All trigger phrases of all families as one automaton over words; its states are made when a text first reaches them.

A phrase is a small pattern over words: (a|b) is a choice, {a} may be missing, # is a number in digits or words, % is a
year, <word> is any one word, and a backslash before a bracket means the bracket itself. Of one family the longest phrase at a place counts and
phrases do not overlap; families do not disturb one another.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import APOSTROPHES, HYPHENS, tokens
from backend.nlp.rules.trigger_rows import TriggerRow

NUMBER, YEAR, ANY = "#", "%", "<word>"
_NUMBERS = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "fifteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "several",
        "few",
    ]
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PIECE = re.compile(r"\\.|[(){}|]|[^\s(){}|\\]+")
_MARKS = dict.fromkeys(HYPHENS, "-") | dict.fromkeys(APOSTROPHES, "'")
_ODD_MARKS = frozenset(_MARKS) - {"-", "'"}
_A_NUMBER, _A_YEAR, _A_MARK = "\0number", "\0year", "\0mark"
_KINDS = {ANY: [ANY], _A_NUMBER: [ANY, NUMBER], _A_YEAR: [ANY, YEAR, NUMBER], _A_MARK: []}
"""Kinds of words that no phrase has, and what they stand for in phrases: all words of a kind lead the same way."""
_MOST_WORDS = 50_000
"""Words kept with their symbols; beyond it they are looked up anew, so that no text can fill the memory."""


class FoundTrigger(NamedTuple):
    """A trigger phrase in a text, over tokens first to last, last left out."""

    first: int
    last: int
    row: TriggerRow


_made = partial(tuple.__new__, FoundTrigger)
"""A FoundTrigger of its three fields, at half the cost of calling it: a note has hundreds."""


class TriggerAutomaton:
    """Finds every trigger of its rows. Safe to share between threads: states are only ever added.

    Args:
        rows: of any number of families.

    Raises:
        KnowledgeError: the brackets of a phrase do not pair.
    """

    def __init__(self, rows: Iterable[TriggerRow]) -> None:
        self._words: list[dict[str, list[int]]] = [{}]
        self._free: list[list[int]] = [[]]
        self._rows: list[TriggerRow | None] = [None]
        self._states: dict[frozenset[int], _State] = {}
        self._families: list[str] = []
        self._clash = ""
        for row in rows:
            pieces = _PIECE.findall(row.phrase)
            end, used = self._choice(pieces, 0, 0)
            if used != len(pieces) or not pieces:
                raise KnowledgeError(f"{row.rule_id}: the brackets of '{row.phrase}' do not pair.")
            self._rows[end] = row
            if row.family not in self._families:
                self._families.append(row.family)
        self._vocabulary = _NUMBERS.union(*self._words)
        self._symbols: dict[str, str] = {}
        self._start = self._state(self._closed([0]))
        self._firsts = _Firsts(self)

    def find(self, words: Sequence[str], borders: Sequence[int] = ()) -> Mapping[str, list[FoundTrigger]]:
        """The triggers among a text's words by family, in order; every family has an entry.

        Args:
            words: normal forms, as plain_marks gives them; line breaks among them are passed over within a phrase.
            borders: in order, the words that open or follow a sentence: no phrase goes over one.
        """
        found: dict[str, list[FoundTrigger]] = {family: [] for family in self._families}
        free = dict.fromkeys(self._families, 0)
        ends = iter((*borders, len(words)))
        last = 0
        known, symbol_of = self._symbols, self._symbol
        entries = [(i, first) for i, first in enumerate(map(self._firsts.__getitem__, words)) if first is not None]
        count = len(words)
        for i, first in entries:
            j = i + 1
            if (
                j < count
                and not first.rows
                and (after := words[j]) != "\n"
                and first.next.get(known.get(after) or symbol_of(after), _UNSEEN) is None
            ):
                continue  # most words begin a phrase that the next word does not go on with
            while i >= last:
                last = next(ends)
            state: _State | None = first
            longest: dict[str, tuple[int, TriggerRow]] = {}
            while state is not None:
                for row in state.rows:
                    longest[row.family] = (j, row)
                while j < last and words[j] == "\n":
                    j += 1
                if j >= last:
                    break
                symbol = known.get(words[j]) or symbol_of(words[j])
                following = state.next.get(symbol, _UNSEEN)
                state = self._follow(state, symbol) if following is _UNSEEN else following
                j += 1
            for family, (end, row) in longest.items():
                if i >= free[family]:
                    found[family].append(_made((i, end, row)))
                    free[family] = end
        return found

    def first(self, word: str) -> "_State | None":
        """The state that a word at the start of a phrase leads to; None where no phrase begins with it."""
        return self._follow(self._start, self._symbol(word))

    def explore(self) -> int:
        """Make every state that a text can reach, and give their number.

        Raises:
            KnowledgeError: two rows of one family match the same words; in a note the earlier one counts.
        """
        seen, waiting = {self._start.nodes}, [self._start]
        while waiting:
            state = waiting.pop()
            for word in state.ways:
                following = self._follow(state, {NUMBER: _A_NUMBER, YEAR: _A_YEAR}.get(word, word))
                if following is not None and following.nodes not in seen:
                    seen.add(following.nodes)
                    waiting.append(following)
        if self._clash:
            raise KnowledgeError(self._clash)
        return len(seen)

    def _choice(self, pieces: Sequence[str], i: int, begin: int) -> tuple[int, int]:
        """Read alternatives up to a closing bracket; give the node they meet in and where reading stopped."""
        meeting = self._node()
        while True:
            node = begin
            while i < len(pieces) and pieces[i] not in ")}|":
                piece = pieces[i]
                if piece in "({":
                    inner, i = self._choice(pieces, i + 1, node)
                    if i >= len(pieces) or pieces[i] != {"(": ")", "{": "}"}[piece]:
                        return meeting, -1
                    if piece == "{":
                        self._free[node].append(inner)
                    node = inner
                else:
                    for word in [ANY] if piece == ANY else plain_marks(tokens(piece.removeprefix("\\")).words):
                        target = self._node()
                        self._words[node].setdefault(word, []).append(target)
                        node = target
                i += 1
            self._free[node].append(meeting)
            if i >= len(pieces) or pieces[i] != "|":
                return meeting, i
            i += 1

    def _node(self) -> int:
        self._words.append({})
        self._free.append([])
        self._rows.append(None)
        return len(self._words) - 1

    def _closed(self, nodes: Iterable[int]) -> frozenset[int]:
        seen: set[int] = set()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += self._free[node]
        return frozenset(seen)

    def _state(self, nodes: frozenset[int]) -> "_State":
        state = self._states.get(nodes)
        if state is None:
            rows: dict[str, TriggerRow] = {}
            for node in sorted(nodes):
                row = self._rows[node]
                if row is None:
                    continue
                if row.family in rows:
                    self._clash = (
                        f"{rows[row.family].rule_id} and {row.rule_id} match the same words. Make them one row."
                    )
                    continue
                rows[row.family] = row
            ways: dict[str, list[int]] = {}
            for node in nodes:
                for word, there in self._words[node].items():
                    ways.setdefault(word, []).extend(there)
            state = self._states[nodes] = _State(nodes, tuple(rows.values()), ways)
        return state

    def _symbol(self, word: str) -> str:
        """A word of a phrase itself, else the kind of word that it is."""
        if len(self._symbols) >= _MOST_WORDS:
            self._symbols.clear()
        symbol = word
        if word not in self._vocabulary:
            symbol = ANY if word[:1].isalnum() else _A_MARK
            if word.isdigit():
                symbol = _A_YEAR if _YEAR.fullmatch(word) else _A_NUMBER
        self._symbols[word] = symbol
        return symbol

    def _follow(self, state: "_State", symbol: str) -> "_State | None":
        ways = _KINDS.get(symbol)
        if ways is None:
            ways = [symbol, ANY] if symbol[:1].isalnum() else [symbol]
            if symbol.isdigit():
                ways += [YEAR, NUMBER] if _YEAR.fullmatch(symbol) else [NUMBER]
            elif symbol in _NUMBERS:
                ways.append(NUMBER)
        targets = [there for way in ways for there in state.ways.get(way, ())]
        following = state.next[symbol] = self._state(self._closed(targets)) if targets else None
        return following


class _Firsts(dict[str, "_State | None"]):
    """The state that a word at the start of a phrase leads to, None where no phrase begins with it, remembered by word."""

    def __init__(self, automaton: TriggerAutomaton) -> None:
        self.automaton = automaton

    def __reduce__(self) -> "tuple[type[_Firsts], tuple[TriggerAutomaton]]":
        return _Firsts, (self.automaton,)

    def __missing__(self, word: str) -> "_State | None":
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = first = self.automaton.first(word)
        return first


class _State:
    __slots__ = ("next", "nodes", "rows", "ways")

    def __init__(self, nodes: frozenset[int], rows: tuple[TriggerRow, ...], ways: dict[str, list[int]]) -> None:
        self.nodes = nodes
        self.rows = rows
        self.ways = ways
        self.next: dict[str, _State | None] = {}


_UNSEEN = _State(frozenset(), (), {})


def plain_marks(words: list[str]) -> list[str]:
    """Words with all hyphens and apostrophes written one way, as the phrases have them."""
    return words if _ODD_MARKS.isdisjoint(words) else [_MARKS.get(word, word) for word in words]
