"""Section headers that share their line with text: before a colon, before a dash, or in capitals without either.

Takes one line of a note, gives the candidates in it. What stands inside a sentence is none, however it looks.
"""

import re
from collections.abc import Iterator

from backend.nlp.document.header_candidate import (
    LEAD,
    SHORT_HEADER,
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
    MAX_HEADER_WORDS,
    Header,
    Kind,
    known_header,
    likely_header,
    may_end_header,
    tells_source,
)


def inline_headers(text: str, start: int, end: int, before: str, capitals: bool) -> Iterator[Candidate]:
    """Headers that share their line with text: before a colon, before a dash, or in capitals without either."""
    lead = LEAD.match(text, start, end)
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
    dotted = _DOTTED.search(window)
    if dotted and (header := known_header(dotted[0].replace(".", "").replace(" ", ""))):
        start = floor + dotted.start()
        place = _place(text, start, first, done, line, header, Case.UPPER, capitals)
        if place is not Place.INSIDE:
            section_start = start if place is Place.SENTENCE else line
            body = after_mark_up(text, after, len(text))
            return made(text, section_start, start, title_end, body, header, Case.UPPER, place)
    if window.endswith(".") and text[at] == ":":  # "Allerg.: penicillin"
        title_end -= 1
        window = window[:-1]
    stops = [m.end() for m in _STOP.finditer(window)]
    base = stops[-1] if stops else 0
    sourced = floor + base <= first and tells_source(window[base:])
    last = _LAST_WORD.search(window)
    if not last and not sourced:
        return None
    dash = text[at] in "-–—"
    all_upper = last is not None and last[0].isupper() and len(last[0]) > 1
    if not (all_upper or sourced or (last is not None and may_end_header(last[0].rstrip(")]")))):
        return None
    words = [m.start() for m in _HEADER_WORD.finditer(window, base)][-MAX_HEADER_WORDS:]
    for word in words:
        start = floor + word
        if dash and start > first:
            return None
        header = known_header(window[word:])
        if header is None or (not all_upper and " " in window[word:] and window[word:].split()[0].lower() in _POINTING):
            continue
        place = _place(text, start, first, done, line, header, case_of(window[word:]), capitals)
        if place is Place.LINE and header.key == _AMBIGUOUS and text[line:start].lstrip().startswith("#"):
            place = Place.INSIDE  # "# PE: on heparin" is a problem, not the examination
        if place is Place.LINE and (bulleted and header.kind is not Kind.MAIN):
            place = Place.INSIDE
        if place is Place.LINE and text[max(line, start - 2) : start] in ("**", "__"):
            place = Place.HEADING
        case = case_of(window[word:])
        if place is Place.LINE and case is Case.LOWER and not finished(before):
            place = Place.INSIDE
        if place is not Place.INSIDE:
            section_start = start if place is Place.SENTENCE else line
            return made(
                text, section_start, start, title_end, after_mark_up(text, after, len(text)), header, case, place
            )
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
    if header is None and not looks_like_header(title):
        return None
    section_start = line if place is Place.LINE else start
    body = after_mark_up(text, after, len(text))
    return made(text, section_start, start, floor + len(window), body, header, Case.UPPER, place)


def _bare(text: str, at: int, first: int, line: int, end: int) -> Candidate | None:
    """The longest known header that a run of capitals starts with, where text follows without a colon."""
    if at > first and not _ENDED.search(text, max(line, at - 4), at):
        return None
    run = _CAPITAL_RUN.match(text, at, min(end, at + MAX_HEADER_CHARS))
    if run and text[run.end() : run.end() + 1] == ":" and (known_header(run[0]) or likely_header(run[0])):
        return None
    words = [m.end() for m in _CAPITAL_WORD.finditer(text, at, run.end())][:MAX_HEADER_WORDS] if run else []
    for count in range(len(words), 0, -1):
        title_end = words[count - 1]
        header = known_header(text[at:title_end])
        # One word in capitals needs more: "PLAN Biopsy." is a header, "PE Protocol CT" and "EKG Normal" are text.
        alone = count == 1 and _ALONE.match(text, at, end) is not None
        if header is None or not (header.kind is Kind.MAIN or (header.kind is Kind.LABEL and alone)):
            continue
        following = _FOLLOWS.match(text, title_end, end)
        stopped = following is not None and following[0].strip() != ""
        if following is None or not (count > 1 or at == first or stopped or alone):
            return None
        place = Place.LINE if at == first else Place.SENTENCE
        return made(text, line if at == first else at, at, title_end, following.end(), header, Case.UPPER, place)
    return None


def _place(
    text: str, start: int, first: int, done: int, line: int, header: Header | None, case: Case, capitals: bool
) -> Place:
    """Where a title before a colon stands, and INSIDE when that is no place for a header written so."""
    if start <= first:
        return Place.LINE
    lead = text[max(line, start - 6) : start]
    ended = bool(_ENDED.search(lead)) or start <= after_mark_up(text, done, len(text)) or bool(_COMMA_JOIN.search(lead))
    if case is Case.LOWER:
        ended = ended and bool(header and header.kind is Kind.MAIN)
    if ended:
        return Place.SENTENCE
    if case is Case.UPPER and not capitals and header is not None and header.kind is Kind.MAIN:
        word = _WORD_BEFORE.search(text, max(line, start - 20), start)
        long = " " in header.key or len(header.key) > SHORT_HEADER
        if long and not (word and (word[1].isupper() or word[1].lower() in _ARTICLES)):
            return Place.SENTENCE
    return Place.INSIDE


_AMBIGUOUS = "pe"
_POINTING = frozenset(["the", "this", "his", "her", "their", "my", "your", "our", "a", "an", "patient's", "pt's"])
_ARTICLES = frozenset(
    ["the", "her", "his", "their", "a", "an", "and", "or", "of", "no", "with", "for", "to", "in", "my"]
)
_MARK = re.compile(
    r"(?P<colon>:)|(?P<dash>(?<=[\w)])[^\S\n]*(?:--|[-–—])(?=\s))"
    r"|(?P<capitals>(?<![\w'/&-])[A-Z]{2,}(?=[ /&,'-]))"
)
_LAST_WORD = re.compile(r"[A-Za-z'_]+[\])]*$")
_DOTTED = re.compile(r"(?<![\w.])(?:[A-Z]\. ?){2,4}$")
_STOP = re.compile(r"[.;:!?](?=[\s,]|$)\W*|\s{3,}|\t")
_HEADER_WORD = re.compile(r"(?<![\w'/&(\[-])(?:[A-Za-z_(\[])")
_CAPITALS_END = re.compile(r"(?<![\w'/&-])[A-Z][A-Z'/&-]*(?: +[A-Z/&][A-Z'/&-]*)*(?: +\([A-Z .]+\))?$")
_CAPITAL_RUN = re.compile(r"[A-Z][A-Z'/&-]*(?:,? [A-Z/&][A-Z'/&-]*)*")
_CAPITAL_WORD = re.compile(r"[A-Z/&][A-Z'/&-]*")
_FOLLOWS = re.compile(r"(?:[^\S\n]*[,–—-]+[^\S\n]*|[^\S\n]+)(?=[A-Z0-9_\"(])|,[^\S\n]*(?=\S)")
_ALONE = re.compile(
    r"(?:HPI|ROS|PMH|PSH|[A-Z]{4,})(?:[^\S\n]+(?=[A-Z](?:[a-z]|\s)|\d|[\"(]|[A-Z]{2,}[.,;]|NO\b|NONE\b)|,(?=\d+\.|[A-Z][a-z]))"
)
_ENDED = re.compile(r"(?:[.;!?|)\]]\s*,?\s*|\t\s*|\s{2,}|[.;]\*\*\s*)(?:\*\*|__(?!_)|\d{1,2}[.)]\s+)?$")
_COMMA_JOIN = re.compile(r"[^\s,],$|:\s*,?\s*$")
_WORD_BEFORE = re.compile(r"([\w'-]+)\s*$")
