"""What a note says of a span: present, negated, uncertain, historical, hypothetical, or of the family.

Takes a text, any spans of it and its sections; gives for each span the assertion that comes first in precedence and
the words that decided it. Cues stand in assets/rules/assertion_cues.tsv. A scope never leaves its sentence, except
into the list under a line that ends with a colon ("Denies:"), and from the answer to a question ("Fever? No.").
It does not know concepts.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp import document as reading
from backend.nlp.attributes.cues import cue_matcher, plain_marks
from backend.nlp.attributes.implied import implied
from backend.nlp.attributes.scope import Scope
from backend.nlp.attributes.scopes import scopes
from backend.nlp.attributes.trailing_cues import is_consent, refusal
from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.people.family import own_again
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import Assertion, SectionCategory

_PRECEDENCE = {assertion: rank for rank, assertion in enumerate(Assertion)}
_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})
_CURRENT = re.compile(r"\b(?:active|current|currently|ongoing|presently|now|today|acute)\b", re.I)
# A run-on note tells today's story under the header of the history: "PMH: gout. Here for cough x3d."
_BROUGHT = re.compile(
    r"\b(?:here (?:for|with)|presents|presenting with|complain(?:s|ing) of|c/o|yesterday|this morning|last night|"
    r"(?:for|x) ?(?:the )?(?:past |last )?(?:\d+|one|two|three|four|five|few|several) ?(?:h|hrs?|hours?|d|days?|wks?|weeks?))\b",
    re.I,
)
_BEFORE = re.compile(r"\b(?:(?:19|20)\d\d|ago|hospitali[sz]ed|admitted|admission|treated)\b", re.I)
_SIGNS = frozenset("+-")
_PROBLEMS = re.compile(r"(?:patient |medical )?problems?(?: list)?", re.I)
_BARE_QUESTION = 6
"""Characters that may stand around the phrase of a question that is no more than it: "new MI?"."""
_LONGEST_SENTENCE = 1000
_LONGEST_ANSWER = 40
_LONGEST_LIST = 40
_LONGEST_ITEM = 120


class Assessment(NamedTuple):
    """What is said of a span. cue: the words that decided it, empty for the default; holds: all that applies to it."""

    assertion: Assertion
    cue: str
    holds: frozenset[Assertion]

    @property
    def also(self) -> tuple[Assertion, ...]:
        """What applies besides, in the order of precedence."""
        return tuple(one for one in Assertion if one in self.holds and one is not self.assertion)


class _Sentence(NamedTuple):
    start: int
    end: int
    section: Section | None


def assert_spans(
    text: str, spans: Sequence[tuple[int, int]], sections: Sequence[Section] | None = None
) -> list[tuple[Assertion, str]]:
    """The assertion of each span and the words that decided it, in the order of the spans.

    spans: half-open code-point offsets of the text. sections: as backend.nlp.document gives them; found here where None.
    """
    return [(found.assertion, found.cue) for found in assess_spans(text, spans, sections)]


def assess_spans(
    text: str,
    spans: Sequence[tuple[int, int]],
    sections: Sequence[Section] | None = None,
    found: Tokens | None = None,
    cut: Sequence[Sequence[tuple[int, int]]] | None = None,
) -> list[Assessment]:
    """As assert_spans, with everything that applies to each span and not only what comes first.

    found, cut: the text's tokens, and the sentences of each section's body, where they are known already.
    """
    if not spans:
        return []
    parts = reading.sections(text) if sections is None else sections
    if cut is None:
        cut = [reading.sentences(text, section.body_char, section.end_char) for section in parts]
    return _Reader(text, spans, parts, found or tokens(text), cut).assess()


class _Reader:
    """One text being read: its words, its sentences, and the scopes of those sentences that hold spans."""

    def __init__(
        self,
        text: str,
        spans: Sequence[tuple[int, int]],
        sections: Sequence[Section],
        found: Tokens,
        cut: Sequence[Sequence[tuple[int, int]]],
    ) -> None:
        self._text = text
        self._spans = spans
        self._tokens = found
        self._words = plain_marks(self._tokens.words)
        self._sentences: list[_Sentence] = []
        for section, own in zip(sections, cut, strict=True):
            for start, end in own:
                # what has no full stop for a thousand characters is no sentence, and costs the square of its length
                for piece in range(start, end, _LONGEST_SENTENCE):
                    self._sentences.append(_Sentence(piece, min(piece + _LONGEST_SENTENCE, end), section))
        self._starts = [sentence.start for sentence in self._sentences]
        self._scopes: dict[int, list[Scope]] = {}
        self._around: dict[int, list[tuple[Assertion, str]]] = {}

    def assess(self) -> list[Assessment]:
        return [self._span(start, end) for start, end in self._spans]

    def _span(self, start: int, end: int) -> Assessment:
        at = bisect_right(self._starts, start) - 1
        if at < 0 or start >= self._sentences[at].end:
            return Assessment(Assertion.PRESENT, "", frozenset())
        held: dict[Assertion, str] = {}
        for scope in self._sentence_scopes(at):
            if self._covers(scope, start, end):
                cue = self._said(scope.cue_first, scope.cue_last)
                held.setdefault(scope.assertion, cue)
                besides = self._besides(scope, cue, at, self._text[start:end])
                if besides is not None:
                    held.setdefault(besides, cue)
        if at not in self._around:
            self._around[at] = [
                *self._inherited(at),
                *self._answered(at),
                *_by_section(self._text, self._sentences[at]),
            ]
        for assertion, cue in self._around[at]:
            held.setdefault(assertion, cue)
        if not held and self._asked(at, start, end):
            return Assessment(Assertion.UNCERTAIN, "?", frozenset((Assertion.UNCERTAIN,)))
        if not held:
            return Assessment(Assertion.PRESENT, "", frozenset())
        first = min(held, key=_PRECEDENCE.__getitem__)
        return Assessment(first, held[first], frozenset(held))

    def _besides(self, scope: Scope, cue: str, at: int, phrase: str) -> Assertion | None:
        if scope.assertion not in (Assertion.NEGATED, Assertion.FAMILY):
            return None
        following = self._words[scope.cue_last] if scope.cue_last < len(self._words) else ""
        sentence = self._text[self._sentences[at].start : self._sentences[at].end]
        return implied(scope.assertion, cue, following, phrase, sentence)

    def _covers(self, scope: Scope, start: int, end: int) -> bool:
        said_first, said_last = self._tokens.starts[scope.cue_first], self._tokens.ends[scope.cue_last - 1]
        if start <= said_first and said_last <= end:
            return False  # a cue that is part of the name says nothing of it
        if said_first < end and start < said_last:
            return True  # the name is part of the cue: "not palpable"
        if scope.first >= scope.last:
            return False
        begins, ends = self._tokens.starts[scope.first], self._tokens.ends[scope.last - 1]
        return begins <= start < ends if said_first < begins else begins < end <= ends

    def _sentence_scopes(self, at: int) -> list[Scope]:
        if at not in self._scopes:
            first, last = self._range(at)
            cues = cue_matcher().find(self._words, first, last)
            self._scopes[at] = scopes(self._words, first, last, cues, self._signs(first, last))
        return self._scopes[at]

    def _signs(self, first: int, last: int) -> list[int]:
        """Where a plus or minus is set to the word after it and apart from the one before ("-fever")."""
        starts, ends = self._tokens.starts, self._tokens.ends
        if _SIGNS.isdisjoint(self._words[first:last]):
            return []
        return [
            i
            for i in range(first, last - 1)
            if self._words[i] in ("+", "-")
            and starts[i + 1] == ends[i]
            and self._words[i + 1][:1].isalpha()
            and (starts[i] == 0 or self._text[starts[i] - 1] in " \"'\t(")
        ]

    def _range(self, at: int) -> tuple[int, int]:
        starts = self._tokens.starts
        return bisect_left(starts, self._sentences[at].start), bisect_left(starts, self._sentences[at].end)

    def _inherited(self, at: int) -> list[tuple[Assertion, str]]:
        """What a line that ends with a colon says of the list under it."""
        for before in range(at, max(at - _LONGEST_LIST, 0), -1):
            sentence, above = self._sentences[before], self._sentences[before - 1]
            between = self._text[above.end : sentence.start]
            if sentence.end - sentence.start > _LONGEST_ITEM or between.count("\n") != 1:
                return []
            if self._text[above.start : above.end].rstrip().endswith(":"):
                end = self._range(before - 1)[1]
                return [
                    (scope.assertion, self._said(scope.cue_first, scope.cue_last))
                    for scope in self._sentence_scopes(before - 1)
                    if scope.last == end
                ]
        return []

    def _answered(self, at: int) -> list[tuple[Assertion, str]]:
        """What an answer after a question says, as in "Fever? No.", of a mention."""
        sentence = self._sentences[at]
        if self._text[sentence.end - 1] != "?" or at + 1 >= len(self._sentences):
            return []
        following = self._sentences[at + 1]
        reply = refusal(self._text, following.start, following.end)
        return [(Assertion.NEGATED, reply[:_LONGEST_ANSWER])] if reply else []

    def _asked(self, at: int, start: int, end: int) -> bool:
        """Whether a phrase is a question by itself, and no yes follows: "PE? DVT?"."""
        sentence = self._sentences[at]
        if self._text[sentence.end - 1] != "?" or start - sentence.start + sentence.end - end > _BARE_QUESTION:
            return False
        following = self._sentences[at + 1 : at + 2]
        return not (following and is_consent(self._text, following[0].start, following[0].end))

    def _said(self, first: int, last: int) -> str:
        return self._text[self._tokens.starts[first] : self._tokens.ends[last - 1]]


def _by_section(text: str, sentence: _Sentence) -> list[tuple[Assertion, str]]:
    section = sentence.section
    if section is None:
        return []
    if section.category is SectionCategory.FAMILY_HISTORY:
        since = max(section.body_char, sentence.start - _LONGEST_SENTENCE)
        own = own_again(text[since : sentence.end], sentence.start - since)
        return [] if own else [(Assertion.FAMILY, section.title)]
    if section.category not in _HISTORIES:
        return []
    current = (
        _CURRENT.search(section.title)
        or _PROBLEMS.fullmatch(section.title.strip())
        or _CURRENT.search(text, sentence.start, sentence.end)
        or (
            _BROUGHT.search(text, sentence.start, sentence.end)
            and not _BEFORE.search(text, sentence.start, sentence.end)
        )
    )
    return [] if current else [(Assertion.HISTORICAL, section.title)]
