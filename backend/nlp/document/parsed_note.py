"""A note parsed once: its words, sections, sentences, clauses and trigger phrases, which all statements are read from."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from backend.nlp.document.clauses import JOINTS, clause_borders
from backend.nlp.document.sections import sections
from backend.nlp.document.sentences import sentences
from backend.nlp.document.tokens import Tokens, WordTest, tested, tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.drafts.note import Mention, Section
from backend.schemas.record import RecordSpan
from backend.stores.compiled import compiled

Derived = TypeVar("Derived")
FAMILIES: tuple[str, ...] = (
    "allergies/events",
    "attributes/attribute",
    "findings/problem",
    "findings/course",
    "findings/grade",
    "findings/onset",
    "findings/series",
    "measures/timing",
    "measures/route",
    "medications/course",
    "medications/medication",
    "medications/medicine_name",
    "medications/open_plan",
    "medications/transition",
    "people/age",
    "people/habit",
    "people/informant",
    "people/leaving",
    "people/pregnancy",
    "people/reason",
    "people/setting",
    "people/sex",
    "people/social",
    "people/title",
    "plan/plan",
    "plan/when",
    "procedures/after",
    "procedures/before",
    "procedures/list",
    "procedures/measure",
    "procedures/time",
)
"""The families of trigger phrases; each is a file of assets/rules named `<family>_triggers.tsv`."""
_NOT_READ: Any = object()
_LONGEST_SENTENCE = 1000
"""Code points: what has no full stop for so long is no sentence, and scopes over it would cost the square of its length."""


class Sentence(NamedTuple):
    """A sentence: half-open code points, half-open token numbers, and the number of its section."""

    start_char: int
    end_char: int
    first: int
    last: int
    section: int


class Clause(NamedTuple):
    """A clause of a sentence: half-open code points, half-open token numbers, and the number of its sentence."""

    start_char: int
    end_char: int
    first: int
    last: int
    sentence: int


class _Starts(NamedTuple):
    """The first code points of sections, sentences and clauses, and the first tokens of triggers by family."""

    sections: list[int]
    sentences: list[int]
    clauses: list[int]
    triggers: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class ParsedNote:
    """A note's structure. Everything is in the order of the text; sentences and clauses cover no headers.

    Attributes:
        words: the tokens' normal forms, hyphens and apostrophes written one way.
        passed: where words that pass a test stand.
        triggers: found trigger phrases by family.
    """

    text: str
    tokens: Tokens
    words: Sequence[str]
    passed: Mapping[WordTest, Sequence[int]]
    sections: tuple[Section, ...]
    sentences: tuple[Sentence, ...]
    clauses: tuple[Clause, ...]
    triggers: Mapping[str, Sequence[FoundTrigger]]
    _known: dict[Callable[["ParsedNote"], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _starts: "_Starts" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Where everything begins is looked up thousands of times a note."""
        starts = _Starts(
            [one.start_char for one in self.sections],
            [one.start_char for one in self.sentences],
            [one.start_char for one in self.clauses],
            {family: [one.first for one in found] for family, found in self.triggers.items()},
        )
        object.__setattr__(self, "_starts", starts)

    def once(self, read: "Callable[[ParsedNote], Derived]") -> Derived:
        """What a function reads from this note, computed when it is first asked for."""
        derived: Derived = self._known.get(read, _NOT_READ)
        if derived is _NOT_READ:
            derived = self._known[read] = read(self)
        return derived

    def where(self, test: WordTest) -> Sequence[int]:
        """The tokens whose words pass a test, in order."""
        return self.passed.get(test, ())

    def where_within(self, test: WordTest, first: int, last: int) -> Sequence[int]:
        """The tokens first to last, last left out, whose words pass a test, in order."""
        places = self.passed.get(test)
        return places[bisect_left(places, first) : bisect_left(places, last)] if places else ()

    def shapes(self, pattern: re.Pattern[str], test: WordTest) -> Iterator[re.Match[str]]:
        """The matches of a pattern in order, without overlap; each begins at a word that passes the test."""
        if not self.text.isascii():
            yield from pattern.finditer(self.text)  # a token may begin with what nobody sees
            return
        starts, done = self.tokens.starts, 0
        for i in self.where(test):
            match = pattern.match(self.text, starts[i]) if starts[i] >= done else None
            if match is not None:
                yield match
                done = match.end()

    def token_range(self, start_char: int, end_char: int) -> tuple[int, int]:
        """The half-open numbers of the tokens that begin within a stretch."""
        return bisect_left(self.tokens.starts, start_char), bisect_left(self.tokens.starts, end_char)

    def tokens_of(self, mentions: Iterable[Mention]) -> Iterator[int]:
        """The numbers of the tokens that begin within mentions."""
        starts = self.tokens.starts
        for one in mentions:
            yield from range(bisect_left(starts, one.start_char), bisect_left(starts, one.end_char))

    def sentence_at(self, char: int) -> int | None:
        """The number of the sentence that holds a code point, or None between sentences and in headers."""
        at = bisect_right(self._starts.sentences, char) - 1
        return at if at >= 0 and char < self.sentences[at].end_char else None

    def clause_at(self, char: int) -> int | None:
        """The number of the clause that holds a code point, or None."""
        at = bisect_right(self._starts.clauses, char) - 1
        return at if at >= 0 and char < self.clauses[at].end_char else None

    def section_at(self, char: int) -> Section | None:
        """The section that holds a code point, its header included."""
        at = bisect_right(self._starts.sections, char) - 1
        return self.sections[at] if at >= 0 else None

    def triggers_within(self, family: str, first: int, last: int) -> list[FoundTrigger]:
        """The triggers of a family that lie within tokens first to last, last left out."""
        found = self.triggers[family]
        if not found:
            return []
        firsts = self._starts.triggers[family]
        begin = bisect_left(firsts, first)
        end = bisect_left(firsts, last, begin)
        if begin < end and found[end - 1].last > last:
            end -= 1  # those of one family do not overlap, so that only the last may go on behind
        return list(found[begin:end])

    def written(self, first: int, last: int) -> str:
        """The text of tokens first to last, last left out; empty for none."""
        return self.text[self.tokens.starts[first] : self.tokens.ends[last - 1]] if first < last else ""

    def trigger_span(self, found: FoundTrigger) -> tuple[int, int]:
        """The code points of a trigger."""
        return self.tokens.starts[found.first], self.tokens.ends[found.last - 1]

    def record_spans(self, *spans: tuple[int, int]) -> tuple[RecordSpan, ...]:
        """Stretches of the note as a statement holds them, each once."""
        return tuple(
            RecordSpan(start_char=start, end_char=end, text=self.text[start:end]) for start, end in dict.fromkeys(spans)
        )


def parse_note(text: str) -> ParsedNote:
    """Parse a note: one pass for words, one for sections and sentences, one for the triggers of every family."""
    found = tokens(text)
    words = plain_marks(found.words)
    passed = tested(words)
    joints = passed.get(JOINTS, ())
    parts = sections(text)
    all_sentences: list[Sentence] = []
    clauses: list[Clause] = []
    for number, part in enumerate(parts):
        for start, end in sentences(text, part.body_char, part.end_char):
            for begin in range(start, end, _LONGEST_SENTENCE):
                stop = min(begin + _LONGEST_SENTENCE, end)
                first, last = bisect_left(found.starts, begin), bisect_left(found.starts, stop)
                if first >= last:
                    continue
                inner = joints[bisect_left(joints, first + 1) : bisect_left(joints, last)]
                borders = [first, *clause_borders(words, first, last, inner), last]
                for left, right in pairwise(borders):
                    if left < right:
                        clauses.append(
                            Clause(found.starts[left], found.ends[right - 1], left, right, len(all_sentences))
                        )
                all_sentences.append(Sentence(begin, stop, first, last, number))
    borders = sorted({border for one in all_sentences for border in (one.first, one.last)})
    triggers = all_triggers().find(words, borders)
    return ParsedNote(text, found, words, passed, parts, tuple(all_sentences), tuple(clauses), triggers)


@lru_cache(maxsize=1)
def all_triggers() -> TriggerAutomaton:
    """The triggers of every family, read once."""
    return compiled("triggers", (), lambda: TriggerAutomaton(row for one in FAMILIES for row in trigger_rows(one)))
