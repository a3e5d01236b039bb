"""One place of a note that may be a section header: the value, and what every way of finding one needs."""

import re
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.document.headers import Header, Kind, what_about
from backend.schemas.vocabulary import SectionCategory


class Case(StrEnum):
    """How the letters of a title are written."""

    UPPER = "upper"
    TITLE = "title"
    LOWER = "lower"


class Place(StrEnum):
    """Where a candidate stands: alone on its line, first on its line, after the end of a sentence, or inside one."""

    HEADING = "heading"
    LINE = "line"
    SENTENCE = "sentence"
    INSIDE = "inside"


class Candidate(NamedTuple):
    """A possible header. start includes its mark-up; body is where its text begins; level is its Markdown depth."""

    start: int
    title_start: int
    title_end: int
    body: int
    category: SectionCategory
    kind: Kind | None
    case: Case
    place: Place
    colon: bool
    level: int = 0


def made(
    text: str,
    start: int,
    title_start: int,
    title_end: int,
    body: int,
    header: Header | None,
    case: Case,
    place: Place,
    level: int = 0,
) -> Candidate:
    """A candidate of the text, with all that is told by where and how it is written; what an allergy is to is of its body."""
    category = header.category if header else SectionCategory.OTHER
    colon = ":" in text[title_end:body]
    if category is SectionCategory.ALLERGIES and (about := what_about(text[title_start:title_end])):
        title_end, body = title_start + about.start(), title_start + about.end()
    kind = header.kind if header else None
    return Candidate(start, title_start, title_end, body, category, kind, case, place, colon, level)


def finished(before: str) -> bool:
    """Whether the line before ends its sentence; a short one without a full stop is a list's."""
    bare = before.rstrip()
    return not bare or bare[-1] in ".:;!?)]*_|" or (len(bare) < _WRAPPED and bare[-1] != ",")


def after_mark_up(text: str, start: int, end: int) -> int:
    """Where the text after a header begins: past mark-up, white space and the commas that dictation leaves."""
    match = _SKIP.match(text, start)
    return match.end() if match else start


def case_of(title: str) -> Case:
    """How the letters of a title are written."""
    if title.isupper():
        letters = [c for c in title if c.isalpha()]
        if len(letters) > 1 and all(c.isupper() for c in letters):
            return Case.UPPER
    capital = title[:1].isupper() or title[:1] in "_[("
    return Case.TITLE if capital else Case.LOWER


def looks_like_header(title: str) -> bool:
    """Capitals set like a header that no table holds: two to six words, so that no drug or organ passes for one."""
    words = title.split()
    return 2 <= len(words) <= 6 and sum(c.isalpha() for c in title) >= SHORT_HEADER + 2


SHORT_HEADER = 5
_WRAPPED = 55
LEAD = re.compile(
    r"[^\S\n]*(?:(?P<hashes>\#{1,6})(?:[^\S\n]+|(?=[^a-z\s]))|(?P<bullet>[-*•·●▪◦>][^\S\n]+|\d{1,2}[.)][^\S\n]+)|[IVX]{1,4}\.[^\S\n]+"
    r"|[A-H]\.[^\S\n]+)?(?P<bold>\*\*|__(?!_)|\[(?!\*)|={2,}[^\S\n]*|<(?:b|strong|h\d)>)?"
)
_SKIP = re.compile(r"(?:\*\*|__(?!_)|</(?:b|strong|h\d)>|[ \t]*(?:--|[:–—-])(?=\s))?[\s,]*")
