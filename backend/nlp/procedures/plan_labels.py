"""The labels that head the lines of a plan: "Medical Reasoning:", "Additional testing:", "Rationale:".

A plan lists problems, each with lines, and each line is of one kind. A label is told by its words (assets/rules/plan/words_labels.tsv),
or by standing at the head of more than one line. It is no text of the line, and says what its sentences are.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory

_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS))
_MARKS = r"(?:[-*#+\u2022\u00b7\u25cf\u25aa\u25e6>]\s*|\(?\d{1,2}[.)]\s+|\(?[a-z][.)]\s+)"
_LABEL = re.compile(
    rf"(?:(?:^|(?<=\n))[ \t]*{_MARKS}*|(?<=[.;])\s+[-\u2022\u2013]\s+)\**(?P<label>[A-Z][\w'\u2019-]*(?:(?: & | ?/ ?|, | )[\w'\u2019-]+){{0,5}})\**[ \t]*:\**(?=\s)"
)
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_LINE_END = re.compile(rf"\n(?=[ \t]*(?:\n|{_MARKS}|[A-Z]))")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_REPEATED, _LONG = 2, 2
"""Lines that a label heads, and words that it has, from which it is one whatever its words."""


class LineKind(StrEnum):
    """What the sentences of a line are."""

    REASONING = "reasoning"
    TREATMENT = "treatment"
    TEST = "test"
    REFERRAL = "referral"
    EDUCATION = "education"
    AGREEMENT = "agreement"
    OTHER = "other"


class LabelledLine(NamedTuple):
    """A line of a plan. start: of its label; body: of its text; end: of the line."""

    start: int
    body: int
    end: int
    kind: LineKind


class LabelledLines:
    """The labelled lines of one note.

    Args:
        text: the note.
        parts: its sections.
    """

    def __init__(self, text: str, parts: Sequence[Section]) -> None:
        self._lines = [
            line for part in parts if part.category in _PLANS for line in _lines(text, part.body_char, part.end_char)
        ]
        self._starts = [line.start for line in self._lines]

    def at(self, place: int) -> LabelledLine | None:
        """The line that holds a place of the note, be it in its label; None for none."""
        i = bisect_right(self._starts, place) - 1
        return self._lines[i] if i >= 0 and place < self._lines[i].end else None


def _lines(text: str, start: int, end: int) -> list[LabelledLine]:
    matches = list(_LABEL.finditer(text, start, end))
    counts = Counter(match["label"].lower() for match in matches)
    kinds = ((match, _kind(match["label"], counts[match["label"].lower()])) for match in matches)
    found = [(match, kind) for match, kind in kinds if kind is not None]
    made: list[LabelledLine] = []
    for place, (match, kind) in enumerate(found):
        body = end - len(text[match.end() : end].lstrip())
        over = (_PARAGRAPH if "\n" in text[match.end() : body] else _LINE_END).search(text, body, end)
        last = found[place + 1][0].start() if place + 1 < len(found) else end
        made.append(LabelledLine(match.start("label"), body, min(last, over.start() if over else end), kind))
    return made


def _kind(label: str, lines: int) -> LineKind | None:
    """The kind of a label; None for words before a colon that are no label of a plan."""
    words = [match[0].lower().replace("\u2019", "'") for match in _WORD.finditer(label)]
    own = word_lists("plan/words_labels")
    rests = [word for word in words if word not in own["qualifiers"]]
    for kind in LineKind:
        heads = own.get(kind.value, frozenset())
        if not heads.isdisjoint(rests) and all(any(word in own[one.value] for one in _WORDED) for word in rests):
            return kind
    return LineKind.OTHER if lines >= _REPEATED and len(words) >= _LONG else None


_WORDED = tuple(kind for kind in LineKind if kind is not LineKind.OTHER)
