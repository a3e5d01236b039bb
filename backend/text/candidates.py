"""Every place of a note that may be a section header, with how and where it is written.

Takes the text, gives candidates in order of place. It does not decide which of them open a section: that needs the
whole note's style (backend.text.sections). Time is linear in the text: each colon and each line is looked at once,
and never more than a header's length back.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from backend.schemas.vocabulary import SectionCategory
from backend.text.headers import (
    MAX_HEADER_CHARS,
    MAX_HEADER_WORDS,
    Header,
    Kind,
    known_header,
    likely_header,
    may_end_header,
)


class Case(StrEnum):
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


def candidates(text: str) -> list[Candidate]:
    """All candidates, ordered by start, without overlap."""
    capitals = _mostly_capitals(text)
    found: list[Candidate] = []
    start = 0
    before = ""
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        heading = _heading(text, start, end, before)
        if heading:
            found.append(heading)
        else:
            found.extend(_in_line(text, start, end, before, capitals))
        if text[start:end].strip() or not before.strip():
            before = text[start:end] if end - start < _SHORT_LINE else text[end - _SHORT_LINE : end]
        else:
            before = ""
        start = end + 1
    return found


def _heading(text: str, start: int, end: int, before: str) -> Candidate | None:
    """The line as a header on its own, colon or not."""
    if end - start > MAX_HEADER_CHARS + 20 or not (lead := _LEAD.match(text, start, end)):
        return None
    title_start = lead.end()
    tail = _TAIL.search(text, title_start, end)
    title_end = tail.start() if tail else end
    title = text[title_start:title_end]
    marked = bool(lead["hashes"] or lead["bold"])
    colon = ":" in text[title_end:end]
    if not title or title_end - title_start > MAX_HEADER_CHARS or (not title[0].isalpha() and title[0] not in "_["):
        return None
    if title.endswith((".", ",", ";", "?")) or ":" in title or _DASH.search(title):
        return None
    case = _case(title)
    header = known_header(title)
    if header is None and (colon or marked or case is Case.UPPER):
        header = likely_header(title)
    level = len(lead["hashes"] or "")
    if header is None and level:
        return _made(text, start, title_start, title_end, _after(text, end, end), None, case, Place.HEADING, level)
    if header is None and case is Case.UPPER and colon and _unknown_words(title):
        return _made(text, start, title_start, title_end, _after(text, end, end), None, case, Place.HEADING, level)
    if header is None:
        return None
    if not marked:
        if lead["bullet"] and not (colon and header.kind is Kind.MAIN):
            return None
        if not colon and not _stands_alone(title, case, header, before):
            return None
        if colon and case is Case.LOWER and not _finished(before):
            return None
    return _made(text, start, title_start, title_end, _after(text, end, end), header, case, Place.HEADING, level)


def _in_line(text: str, start: int, end: int, before: str, capitals: bool) -> Iterator[Candidate]:
    """Headers that share their line with text: before a colon, before a dash, or in capitals without either."""
    lead = _LEAD.match(text, start, end)
    first = lead.end() if lead else start
    bulleted = bool(lead and lead["bullet"])
    done = start
    passed = start
    for mark in _MARK.finditer(text, start, end):
        at = mark.start()
        if mark["capitals"] is not None:
            if at >= done and not capitals and (bare := _bare(text, at, first, start, end)):
                yield bare
                done = bare.body
            continue
        if mark["dash"] and at - first > MAX_HEADER_CHARS:
            continue
        found = _before_mark(text, at, mark.end(), max(done, passed), first, start, before, capitals, bulleted)
        passed = mark.end() if mark["colon"] else passed
        if found:
            yield found
            done = max(found.body, mark.end())


def _before_mark(
    text: str, at: int, after: int, done: int, first: int, line: int, before: str, capitals: bool, bulleted: bool
) -> Candidate | None:
    title_end = len(text[max(done, at - 8) : at].rstrip(" *\t")) + max(done, at - 8)
    floor = max(done, title_end - MAX_HEADER_CHARS)
    window = text[floor:title_end]
    last = _LAST_WORD.search(window)
    if not last:
        return None
    dash = text[at] in "-–—"
    all_upper = last[0].isupper() and len(last[0]) > 1
    if not (all_upper or may_end_header(last[0].rstrip(")]"))):
        return None
    stops = [m.end() for m in _STOP.finditer(window)]
    base = stops[-1] if stops else 0
    words = [m.start() for m in _HEADER_WORD.finditer(window, base)][-MAX_HEADER_WORDS:]
    for word in words:
        start = floor + word
        if dash and start > first:
            return None
        header = known_header(window[word:])
        if header is None or (window[word:].partition(" ")[0].lower() in _POINTING and not all_upper):
            continue
        place = _place(text, start, first, done, line, header, _case(window[word:]), capitals)
        if place is Place.LINE and (bulleted and header.kind is not Kind.MAIN):
            place = Place.INSIDE
        if place is Place.LINE and text[max(line, start - 2) : start] in ("**", "__"):
            place = Place.HEADING
        case = _case(window[word:])
        if place is Place.LINE and case is Case.LOWER and not _finished(before):
            place = Place.INSIDE
        if place is not Place.INSIDE:
            opened = start if place is Place.SENTENCE else line
            return _made(text, opened, start, title_end, _after(text, after, len(text)), header, case, place)
    if not all_upper or capitals or dash:
        return None
    return _by_nouns(text, floor, window, after, done, first, line)


def _by_nouns(text: str, floor: int, window: str, after: int, done: int, first: int, line: int) -> Candidate | None:
    """A run of capitals before a colon that the table does not hold."""
    run = _CAPITALS_END.search(window)
    if not run:
        return None
    start = floor + run.start()
    title = run[0]
    place = _place(text, start, first, done, line, None, Case.UPPER, False)
    if place is Place.INSIDE:
        return None
    header = likely_header(title)
    if header is None and not _unknown_words(title):
        return None
    opened = line if place is Place.LINE else start
    body = _after(text, after, len(text))
    return _made(text, opened, start, floor + len(window), body, header, Case.UPPER, place)


def _bare(text: str, at: int, first: int, line: int, end: int) -> Candidate | None:
    """The longest known header that a run of capitals starts with, where text follows without a colon."""
    if at > first and not _ENDED.search(text, max(line, at - 4), at):
        return None
    run = _CAPITAL_RUN.match(text, at, min(end, at + MAX_HEADER_CHARS))
    words = [m.end() for m in _CAPITAL_WORD.finditer(text, at, run.end())][:MAX_HEADER_WORDS] if run else []
    for count in range(len(words), 0, -1):
        title_end = words[count - 1]
        header = known_header(text[at:title_end])
        if header is None or header.kind is not Kind.MAIN:
            continue
        following = _FOLLOWS.match(text, title_end, end)
        stopped = following is not None and following[0].strip() != ""
        if following is None or not (count > 1 or at == first or stopped):
            return None
        place = Place.LINE if at == first else Place.SENTENCE
        return _made(text, line if at == first else at, at, title_end, following.end(), header, Case.UPPER, place)
    return None


def _place(
    text: str, start: int, first: int, done: int, line: int, header: Header | None, case: Case, capitals: bool
) -> Place:
    """Where a title before a colon stands, and INSIDE when that is no place for a header written so."""
    if start <= first:
        return Place.LINE
    lead = text[max(line, start - 6) : start]
    ended = bool(_ENDED.search(lead)) or start <= _after(text, done, len(text)) or bool(_COMMA_JOIN.search(lead))
    if case is Case.LOWER:
        ended = ended and bool(header and header.kind is Kind.MAIN)
    if ended:
        return Place.SENTENCE
    if case is Case.UPPER and not capitals and header is not None and header.kind is Kind.MAIN:
        word = _WORD_BEFORE.search(text, max(line, start - 20), start)
        long = " " in header.key or len(header.key) > _SHORT_HEADER
        if long and not (word and (word[1].isupper() or word[1].lower() in _ARTICLES)):
            return Place.SENTENCE
    return Place.INSIDE


def _made(
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
    category = header.category if header else SectionCategory.OTHER
    colon = ":" in text[title_end:body]
    kind = header.kind if header else None
    return Candidate(start, title_start, title_end, body, category, kind, case, place, colon, level)


def _stands_alone(title: str, case: Case, header: Header, before: str) -> bool:
    """Whether a line without a colon is a heading, and not the last words of a wrapped sentence."""
    if case is Case.LOWER:
        return header.kind is Kind.MAIN and not before.strip()
    return _finished(before) and header.kind is not Kind.LETTER


def _finished(before: str) -> bool:
    """Whether the line before ends its sentence; a short one without a full stop is a list's."""
    bare = before.rstrip()
    return not bare or bare[-1] in ".:;!?)]*_|" or (len(bare) < _WRAPPED and bare[-1] != ",")


def _after(text: str, start: int, end: int) -> int:
    """Where the text after a header begins: past mark-up, white space and the commas that dictation leaves."""
    match = _SKIP.match(text, start)
    return match.end() if match else start


def _case(title: str) -> Case:
    letters = [c for c in title if c.isalpha()]
    if letters and all(c.isupper() for c in letters) and len(letters) > 1:
        return Case.UPPER
    capital = title[:1].isupper() or title[:1] in "_[("
    return Case.TITLE if capital else Case.LOWER


def _unknown_words(title: str) -> bool:
    """Capitals set like a header that no table holds: two to six words, so that no drug or organ passes for one."""
    words = title.split()
    return 2 <= len(words) <= 6 and sum(c.isalpha() for c in title) >= _SHORT_HEADER + 2


def _mostly_capitals(text: str) -> bool:
    sample = text[:20_000]
    upper = sum(map(str.isupper, sample))
    return upper > 3 * sum(map(str.islower, sample))


_SHORT_LINE = 200
_SHORT_HEADER = 5
_WRAPPED = 55
_POINTING = frozenset(["the", "this", "his", "her", "their", "my", "your", "our", "a", "an", "patient's", "pt's"])
_DASH = re.compile(r"\s[-–—]+\s")
_ARTICLES = frozenset(
    ["the", "her", "his", "their", "a", "an", "and", "or", "of", "no", "with", "for", "to", "in", "my"]
)
_LEAD = re.compile(
    r"[^\S\n]*(?:(?P<hashes>\#{1,6})[^\S\n]*|(?P<bullet>[-*•·●▪◦>][^\S\n]+|\d{1,2}[.)][^\S\n]+)|[IVX]{1,4}\.[^\S\n]+"
    r"|[A-H]\.[^\S\n]+)?(?P<bold>\*\*|__(?!_)|\[(?!\*)|={2,}[^\S\n]*|<(?:b|strong|h\d)>)?"
)
_TAIL = re.compile(r"(?:[\s:*\]=]|__(?!_)|[^\S\n][-–—]|</?(?:b|strong|h\d)>|#)+$")
_MARK = re.compile(
    r"(?P<colon>:)|(?P<dash>(?<=[\w)])[^\S\n]+[-–—](?=\s))"
    r"|(?P<capitals>(?<![\w'/&-])[A-Z]{2,}(?=[ /&,'-]))"
)
_LAST_WORD = re.compile(r"[A-Za-z'_]+[\])]*$")
_STOP = re.compile(r"[.;:!?](?=[\s,]|$)\W*|\s{3,}|\t")
_HEADER_WORD = re.compile(r"(?<![\w'/&(\[-])(?:[A-Za-z_(\[])")
_CAPITALS_END = re.compile(r"(?<![\w'/&-])[A-Z][A-Z'/&-]*(?: +[A-Z/&][A-Z'/&-]*)*(?: +\([A-Z .]+\))?$")
_CAPITAL_RUN = re.compile(r"[A-Z][A-Z'/&-]*(?:,? [A-Z/&][A-Z'/&-]*)*")
_CAPITAL_WORD = re.compile(r"[A-Z/&][A-Z'/&-]*")
_FOLLOWS = re.compile(r"(?:[^\S\n]*[,–—-]+[^\S\n]*|[^\S\n]+)(?=[A-Z0-9_\"(])|,[^\S\n]*(?=\S)")
_ENDED = re.compile(r"(?:[.;!?|)\]]\s*,?\s*|\t\s*|\s{2,}|[.;]\*\*\s*)(?:\*\*|__(?!_)|\d{1,2}[.)]\s+)?$")
_COMMA_JOIN = re.compile(r"[^\s,],$|:\s*,?\s*$")
_WORD_BEFORE = re.compile(r"([\w'-]+)\s*$")
_SKIP = re.compile(r"(?:\*\*|__(?!_)|</(?:b|strong|h\d)>|[ \t]*[:–—-](?=\s))?[\s,]*")
