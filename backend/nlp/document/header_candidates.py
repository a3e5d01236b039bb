"""Every place of a note that may be a section header, with how and where it is written.

Takes the text, gives candidates in order of place. It does not decide which of them open a section: that needs the
whole note's style (backend.nlp.document.sections). Time is linear in the text: each colon and each line is looked at once,
and never more than a header's length back.
"""

import re
from string import ascii_lowercase, ascii_uppercase

from backend.nlp.document.header_candidate import (
    LEAD,
    Candidate,
    Case,
    Place,
    after_mark_up,
    case_of,
    finished,
    looks_like_header,
    made,
)
from backend.nlp.document.headers import (
    MAX_HEADER_CHARS,
    Header,
    Kind,
    header_key,
    heads_reactions,
    likely_header,
    line_header,
)
from backend.nlp.document.inline_headers import inline_headers
from backend.schemas.vocabulary import SectionCategory


def candidates(text: str) -> list[Candidate]:
    """All candidates, ordered by start, without overlap."""
    capitals = _mostly_capitals(text)
    found: list[Candidate] = []
    start = 0
    before = ""
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        heading = _heading(text, start, end, before) or _columns(text, start, end)
        if heading:
            found.append(heading)
        else:
            found.extend(inline_headers(text, start, end, before, capitals))
        if text[start:end].strip() or not before.strip():
            before = text[start:end] if end - start < _SHORT_LINE else text[end - _SHORT_LINE : end]
        else:
            before = ""
        start = end + 1
    return found


def _heading(text: str, start: int, end: int, before: str) -> Candidate | None:
    """The line as a header on its own, colon or not."""
    if end - start > MAX_HEADER_CHARS + 20 or not (lead := LEAD.match(text, start, end)):
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
    case = case_of(title)
    header = line_header(title)
    listed = case is Case.TITLE and not before.strip() and _LISTED.match(text, end) is not None
    if header is None and (colon or marked or listed or case is Case.UPPER):
        header = likely_header(title)
    level = len(lead["hashes"] or "")
    if header is None and level:
        return made(
            text, start, title_start, title_end, after_mark_up(text, end, end), None, case, Place.HEADING, level
        )
    if header is None and case is Case.UPPER and colon and looks_like_header(title):
        return made(
            text, start, title_start, title_end, after_mark_up(text, end, end), None, case, Place.HEADING, level
        )
    if header is None:
        return None
    if not marked:
        if lead["bullet"] and not (colon and header.kind is Kind.MAIN):
            return None
        if not (colon or listed) and not _stands_alone(title, case, header, before):
            return None
        if colon and case is Case.LOWER and not finished(before):
            return None
    return made(text, start, title_start, title_end, after_mark_up(text, end, end), header, case, Place.HEADING, level)


def _columns(text: str, start: int, end: int) -> Candidate | None:
    """The line as the head of a table of allergies."""
    if end - start > MAX_HEADER_CHARS or not heads_reactions(text[start:end].strip(" |\t")):
        return None
    header = Header(SectionCategory.ALLERGIES, Kind.LABEL, header_key(text[start:end]))
    return made(text, start, start, end, min(end + 1, len(text)), header, Case.TITLE, Place.HEADING)


def _stands_alone(title: str, case: Case, header: Header, before: str) -> bool:
    """Whether a line without a colon is a heading, and not the last words of a wrapped sentence."""
    if header.category in _DECIDES and header.key == header_key(title) and (case is Case.TITLE or "/" in title):
        return True  # "Plan" or "a/p" alone on its line, whatever the line before it ends with
    if case is Case.LOWER:
        return header.kind is Kind.MAIN and not before.strip() and header.key == header_key(title)
    # "Current Medications at Home" is a heading; "Follow up in a week" and "Allergies to latex" are text.
    capitals = all(word[:1].isupper() or len(word) <= _SMALL_WORD for word in title.split())
    if case is Case.TITLE and header.key != header_key(title) and not (capitals and header.kind is Kind.MAIN):
        return False
    return finished(before) and header.kind is not Kind.LETTER


def _mostly_capitals(text: str) -> bool:
    sample = text[:20_000].encode("ascii", "ignore")
    upper, lower = (len(sample) - len(sample.translate(None, letters)) for letters in (_UPPER, _LOWER))
    return upper > 3 * lower


_UPPER, _LOWER = ascii_uppercase.encode(), ascii_lowercase.encode()


_DECIDES = frozenset((SectionCategory.PLAN, SectionCategory.ASSESSMENT))
_SMALL_WORD = 3
_SHORT_LINE = 200
_DASH = re.compile(r"\s[-–—]+\s")
_LISTED = re.compile(r"\n[^\S\n]*(?:[-*•·●▪◦|][^\S\n]*|1[.)][^\S\n]+)\w")
"""The first item of a list right under a line."""
_TAIL = re.compile(r"(?:[\s:*\]=]|\.(?=\s*:)|__(?!_)|[^\S\n][-–—]|</?(?:b|strong|h\d)>|#)+$")
