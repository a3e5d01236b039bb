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
_MOST_DEAD_ENDS = 20_000
"""Words kept as leading nowhere, per state; beyond it they are looked up anew, so that no text can fill the memory."""


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
        KnowledgeError: the brackets of a phrase do not pair, or two rows of one family match the same words.
    """

    def __init__(self, rows: Iterable[TriggerRow]) -> None:
        self._words: list[dict[str, list[int]]] = [{}]
        self._free: list[list[int]] = [[]]
        self._rows: list[TriggerRow | None] = [None]
        self._states: dict[frozenset[int], _State] = {}
        self._families: list[str] = []
        for row in rows:
            pieces = _PIECE.findall(row.phrase)
            end, used = self._choice(pieces, 0, 0)
            if used != len(pieces) or not pieces:
                raise KnowledgeError(f"{row.rule_id}: the brackets of '{row.phrase}' do not pair.")
            self._rows[end] = row
            if row.family not in self._families:
                self._families.append(row.family)
        self._start = self._state(self._closed([0]))

    def find(self, words: Sequence[str], borders: Sequence[int] = ()) -> Mapping[str, list[FoundTrigger]]:
        """The triggers among a text's words by family, in order; every family has an entry.

        Args:
            words: normal forms, as plain_marks gives them; line breaks among them are passed over within a phrase.
            borders: in order, the words that open or follow a sentence: no phrase goes over one.
        """
        found: dict[str, list[FoundTrigger]] = {family: [] for family in self._families}
        free = dict.fromkeys(self._families, 0)
        start = self._start
        ends = iter((*borders, len(words)))
        last = 0
        begins = start.next.get
        opened = [(i, state) for i, word in enumerate(words) if (state := begins(word, _UNSEEN)) is not None]
        for i, first in opened:
            while i >= last:
                last = next(ends)
            state = self._follow(start, words[i]) if first is _UNSEEN else first
            longest: dict[str, tuple[int, TriggerRow]] = {}
            j = i + 1
            while state is not None:
                for row in state.rows:
                    longest[row.family] = (j, row)
                while j < last and words[j] == "\n":
                    j += 1
                if j >= last:
                    break
                following = state.next.get(words[j], _UNSEEN)
                state = self._follow(state, words[j]) if following is _UNSEEN else following
                j += 1
            for family, (end, row) in longest.items():
                if i >= free[family]:
                    found[family].append(_made((i, end, row)))
                    free[family] = end
        return found

    def explore(self) -> int:
        """Make every state that a text can reach, and give their number; refuses two rows of one family for the same words."""
        seen, waiting = {self._start.nodes}, [self._start]
        while waiting:
            state = waiting.pop()
            ways = {word for node in state.nodes for word in self._words[node]}
            for word in ways:
                following = self._follow(state, {NUMBER: "7", YEAR: "2000", ANY: "word"}.get(word, word))
                if following is not None and following.nodes not in seen:
                    seen.add(following.nodes)
                    waiting.append(following)
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
                    raise KnowledgeError(
                        f"{rows[row.family].rule_id} and {row.rule_id} match the same words. Make them one row."
                    )
                rows[row.family] = row
            state = self._states[nodes] = _State(nodes, tuple(rows.values()))
        return state

    def _follow(self, state: "_State", word: str) -> "_State | None":
        ways = [word, ANY] if word[:1].isalnum() else [word]
        if word.isdigit():
            ways += [YEAR, NUMBER] if _YEAR.fullmatch(word) else [NUMBER]
        elif word in _NUMBERS:
            ways.append(NUMBER)
        targets = [there for node in state.nodes for way in ways for there in self._words[node].get(way, ())]
        following = self._state(self._closed(targets)) if targets else None
        if following is not None or len(state.next) < _MOST_DEAD_ENDS:
            state.next[word] = following
        return following


class _State:
    __slots__ = ("next", "nodes", "rows")

    def __init__(self, nodes: frozenset[int], rows: tuple[TriggerRow, ...]) -> None:
        self.nodes = nodes
        self.rows = rows
        self.next: dict[str, _State | None] = {}


_UNSEEN = _State(frozenset(), ())


def plain_marks(words: list[str]) -> list[str]:
    """Words with all hyphens and apostrophes written one way, as the phrases have them."""
    return words if _ODD_MARKS.isdisjoint(words) else [_MARKS.get(word, word) for word in words]
