"""The cue words of assets/rules/assertion_cues.tsv, read once and ready to be found among tokens.

Takes the rules file; gives a matcher that finds, at each token, the longest cue. All cues are followed at once, as one
automaton whose states are made the first time a text reaches them. The file's own head explains its columns. It does
not know scopes: assertions does.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.tokens import APOSTROPHES, HYPHENS, tokens, word_set
from backend.nlp.lexicon.variants import RULES
from backend.schemas.vocabulary import Assertion

ASSERTED = frozenset(Assertion) - {Assertion.PRESENT}
OTHERS = frozenset({"pseudo", "stop"})
DIRECTIONS = frozenset({"forward", "backward", "both"})
FAR = 10_000
NUMBER, YEAR = "#", "%"

_NUMBERS = word_set(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty several few"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PIECE = re.compile(r"\\.|[(){}|]|[^\s(){}|\\]+")
_MARKS = dict.fromkeys(HYPHENS, "-") | dict.fromkeys(APOSTROPHES, "'")
_ODD_MARKS = frozenset(_MARKS) - {"-", "'"}


class Cue(NamedTuple):
    """What a cue says and where it says it.

    kind: the assertion it makes, or one of OTHERS. reach is in words. ends: the assertions whose scope a stop ends.
    """

    kind: str
    forward: bool
    backward: bool
    reach: int
    ends: frozenset[Assertion]


class FoundCue(NamedTuple):
    """A cue in a text, over tokens first to last, last left out."""

    first: int
    last: int
    cue: Cue


class CueMatcher:
    """All cues as one automaton over words."""

    def __init__(self) -> None:
        self._words: list[dict[str, list[int]]] = [{}]
        self._free: list[list[int]] = [[]]
        self._cues: list[Cue | None] = [None]
        self._states: dict[frozenset[int], _State] = {}
        self._start: _State | None = None

    def add(self, pattern: str, cue: Cue) -> None:
        """Add a cue. Raises ValueError where brackets do not pair."""
        pieces = _PIECE.findall(pattern)
        end, used = self._choice(pieces, 0, 0)
        if used != len(pieces) or not pieces:
            raise ValueError(f"the brackets of {pattern!r} do not pair")
        self._cues[end] = cue
        self._states, self._start = {}, None

    def find(self, words: Sequence[str], first: int, last: int) -> list[FoundCue]:
        """The longest cue at each place among words[first:last], left to right, without overlap.

        words: as plain_marks gives them; line breaks among them are passed over.
        """
        found = []
        i = first
        start = self._start or self._begin()
        while i < last:
            state = start.next.get(words[i], _UNSEEN)
            if state is None:
                i += 1
                continue
            end, cue = i, None
            state, j = start, i
            while j < last:
                word = words[j]
                if word == "\n" and j > i:
                    j += 1
                    continue
                following = state.next.get(word, _UNSEEN)
                if following is _UNSEEN:
                    following = self._follow(state, word)
                if following is None:
                    break
                state = following
                j += 1
                if state.cue is not None:
                    end, cue = j, state.cue
            if cue is None:
                i += 1
            else:
                found.append(FoundCue(i, end, cue))
                i = end
        return found

    def _begin(self) -> "_State":
        self._start = self._state(self._closed([0]))
        return self._start

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
                        raise ValueError(f"the brackets of {' '.join(pieces)!r} do not pair")
                    if piece == "{":
                        self._free[node].append(inner)
                    node = inner
                else:
                    for word in plain_marks(tokens(piece.removeprefix("\\")).words):
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
        self._cues.append(None)
        return len(self._words) - 1

    def _closed(self, nodes: Iterable[int]) -> frozenset[int]:
        seen: set[int] = set()
        open_ = list(nodes)
        while open_:
            node = open_.pop()
            if node not in seen:
                seen.add(node)
                open_ += self._free[node]
        return frozenset(seen)

    def _state(self, nodes: frozenset[int]) -> "_State":
        if nodes not in self._states:
            ends = [node for node in sorted(nodes) if self._cues[node] is not None]
            self._states[nodes] = _State(nodes, self._of(ends) if ends else None)
        return self._states[nodes]

    def _of(self, ends: Sequence[int]) -> Cue | None:
        """The later of cues that are equal; of stops that are equal, one that ends what each of them ends."""
        last = self._cues[ends[-1]]
        if last is None or last.kind != "stop":
            return last
        stops = [cue.ends for cue in map(self._cues.__getitem__, ends) if cue is not None and cue.kind == "stop"]
        return last._replace(ends=frozenset[Assertion]().union(*stops))

    def _follow(self, state: "_State", word: str) -> "_State | None":
        ways = [word]
        if word.isdigit():
            ways += [YEAR, NUMBER] if _YEAR.fullmatch(word) else [NUMBER]
        elif word in _NUMBERS:
            ways.append(NUMBER)
        if state.ways is None:
            state.ways = {}
            for node in state.nodes:
                for way, there in self._words[node].items():
                    state.ways.setdefault(way, []).extend(there)
        targets = [t for way in ways for t in state.ways.get(way, ())]
        following = self._state(self._closed(targets)) if targets else None
        if following is not None or len(state.next) < _MOST_DEAD_ENDS:
            state.next[word] = following
        return following


class _State:
    __slots__ = ("cue", "next", "nodes", "ways")

    def __init__(self, nodes: frozenset[int], cue: Cue | None) -> None:
        self.nodes = nodes
        self.cue = cue
        self.next: dict[str, _State | None] = {}
        self.ways: dict[str, list[int]] | None = None


_UNSEEN = _State(frozenset(), None)
_MOST_DEAD_ENDS = 20_000
"""Words kept as leading nowhere, per state; beyond it they are looked up anew, so that no text can fill the memory."""


def plain_marks(words: list[str]) -> list[str]:
    """Words with all hyphens and apostrophes written one way, as the cues have them."""
    return words if _ODD_MARKS.isdisjoint(words) else [_MARKS.get(word, word) for word in words]


@lru_cache(maxsize=1)
def cue_matcher(path: Path = RULES / "assertion_cues.tsv") -> CueMatcher:
    """The cues of the rules file; of two that are equal the later counts (of stops, both). Raises KnowledgeError naming a bad line."""
    matcher = CueMatcher()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith(("# ", "cue\t")):
            continue
        cells = line.split("\t")
        try:
            matcher.add(cells[0], _cue(cells))
        except ValueError as error:
            raise KnowledgeError(f"{path.name}:{number}: {error}. The file's head explains its columns.") from error
    return matcher


def _cue(cells: Sequence[str]) -> Cue:
    if len(cells) not in (3, 4):
        raise ValueError(f"{len(cells)} cells, not 3 or 4")
    kind, direction = cells[1], cells[2]
    reach = int(cells[3]) if len(cells) > 3 and cells[3] else FAR
    if kind == "stop":
        ends = ASSERTED if direction == "all" else frozenset(Assertion(name) for name in direction.split("+"))
        return Cue(kind, False, False, 0, ends)
    if kind not in ASSERTED | OTHERS or direction not in DIRECTIONS:
        raise ValueError(f"kind {kind!r} with direction {direction!r} is unknown")
    return Cue(kind, direction != "backward", direction != "forward", reach, frozenset())
