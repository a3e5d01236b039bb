"""Cuts a patient's note into chunks for retrieval: by header first, then by length with overlap (CLI-RAG).

What is no text of the note (rules, page marks, signatures) is left out before; de-identification marks stay in the text
and are left out of what is searched. Every chunk is an exact slice of its note. The paper's character threshold and
overlap are not given: the defaults are ours (docs/retrieval.md).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from backend.nlp.document.headers import known_header
from backend.nlp.document.sections import sections
from backend.nlp.document.sentences import passages, sentences
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory

UNLABELED = "Unlabeled"


@dataclass(frozen=True)
class ChunkSettings:
    """How notes are cut.

    Attributes:
        chars: the most code points of a chunk.
        overlap: the most that two neighbours under one header share, in whole sentences.
        headers: False cuts by length alone (the flat ablation).
    """

    chars: int = 500
    overlap: int = 100
    headers: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.chars:
            raise ValueError(f"overlap is {self.overlap}, chars is {self.chars}; overlap must be at least 0 and less.")


class NoteChunk(NamedTuple):
    """One chunk of a note.

    header_name is the normalised header, "Unlabeled" without one; chunk_id_in_header counts from 1 under each header name of
    the note. text is note[start_char:end_char]; searched is what is encoded and matched.
    """

    header_name: str
    category: SectionCategory
    chunk_id_in_header: int
    text: str
    searched: str
    start_char: int
    end_char: int


def note_chunks(text: str, settings: ChunkSettings) -> list[NoteChunk]:
    """The chunks of a note in order; none for a note of white space and noise."""
    parts = sections(text) if settings.headers else _whole(text)
    counted: Counter[str] = Counter()
    found = []
    for section in parts:
        name = header_name(section)
        for start, end in _section_spans(text, section, settings):
            counted[name] += 1
            searched = denoised(text[start:end])
            if name != UNLABELED:
                searched = f"{name}. {searched}"
            chunk = NoteChunk(name, section.category, counted[name], text[start:end], searched, start, end)
            found.append(chunk)
    return found


def header_name(section: Section) -> str:
    """One name for each kind of header: "HPI", "History of Present Illness:" give "History of present illness"."""
    if section.category is SectionCategory.UNLABELED or not section.title.strip():
        return UNLABELED
    if section.category is not SectionCategory.OTHER:
        return category_name(section.category)
    title = " ".join(denoised(section.title).split()).strip(" :*#_-=[]")
    return (title[:1].upper() + title[1:].lower()) if title else UNLABELED


def category_name(category: SectionCategory) -> str:
    """The header name of a kind of section."""
    return UNLABELED if category is SectionCategory.UNLABELED else category.value.replace("_", " ").capitalize()


def category_of(name: str) -> SectionCategory:
    """The kind of section a header name stands for; `other` for one that is no known kind."""
    return _CATEGORIES.get(name, SectionCategory.OTHER)


def denoised(text: str) -> str:
    """The text without de-identification marks, rules of signs and spare white space; for searching, never for quoting."""
    return " ".join(_RULE.sub(" ", _MARK.sub(" ", text)).split())


def _whole(text: str) -> tuple[Section, ...]:
    kind = SectionCategory.UNLABELED
    return (Section(category=kind, title="", start_char=0, body_char=0, end_char=len(text)),) if text else ()


def _section_spans(text: str, section: Section, settings: ChunkSettings) -> Iterator[tuple[int, int]]:
    begin = section.body_char
    titled = bool(section.title) and known_header(section.title) is None
    if titled and section.category is not SectionCategory.OTHER:
        begin = section.start_char  # words that only look like a header may tell something; its name would not
    spans = list(_spans(text, begin, section.end_char, settings))
    if titled and not spans:
        spans = list(_spans(text, section.start_char, section.end_char, settings))
    yield from spans


def _spans(text: str, start: int, end: int, settings: ChunkSettings) -> Iterator[tuple[int, int]]:
    for first, last in _runs(text, start, end):
        yield from _packed(list(_sentences(text, first, last, settings.chars)), settings)


def _runs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches between lines of noise."""
    first = start
    for line in _LINE.finditer(text, start, end):
        if _NOISE.fullmatch(line[0].strip()):
            if first < line.start():
                yield first, line.start()
            first = line.end()
    if first < end:
        yield first, end


def _sentences(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Sentences with something in them to search; one longer than the limit is cut at white space."""
    for left, right in sentences(text, start, end):
        if not any(character.isalnum() for character in denoised(text[left:right])):
            continue
        if right - left <= limit:
            yield left, right
        else:
            for first, last in passages(text[left:right], limit):
                yield left + first, left + last


def _packed(spans: list[tuple[int, int]], settings: ChunkSettings) -> Iterator[tuple[int, int]]:
    """As many sentences as fit; the next chunk takes up the last ones again as far as the overlap allows."""
    at = 0
    while at < len(spans):
        stop = at + 1
        while stop < len(spans) and spans[stop][1] - spans[at][0] <= settings.chars:
            stop += 1
        yield spans[at][0], spans[stop - 1][1]
        if stop == len(spans):
            return
        end, back = spans[stop - 1][1], stop
        # the shared sentences must leave room for the next one, or the same chunk would come again
        while (
            back - 1 > at
            and end - spans[back - 1][0] <= settings.overlap
            and spans[stop][1] - spans[back - 1][0] <= settings.chars
        ):
            back -= 1
        at = back


_CATEGORIES = {category_name(category): category for category in SectionCategory}
_LINE = re.compile(r"[^\n]*(?:\n|$)")
_MARK = re.compile(r"\[\*\*.{0,80}?\*\*\]|_{3,}")
_RULE = re.compile(r"[-=_*#~.]{4,}")
# Whole lines only, and nothing that a clinical line can begin with: "T: 38.2" and "Verified by X-ray" are text.
_NOISE = re.compile(
    r"[-=_*#~.\s]{3,}"
    r"|\(?(?:over|cont(?:inued|'d|d)?)\)?\.?"
    r"|page \d+(?: of \d+)?"
    r"|final report"
    r"|(?:electronically|digitally) signed (?:by|on)\b.*"
    r"|(?:dictated|transcribed|reviewed|edited|approved|verified) (?:by|on)\s*:.*"
    r"|(?:job|document|dictation)\s?(?:#|no\.|number|id)\s?:?\s*[\w-]*\d[\w-]*"
    r"|(?:(?:d|t|dd|dt|td|tr)\s*:\s*(?:\[\*\*[\d-]+\*\*\]|\d{1,4}[-/]\d{1,2}[-/]\d{2,4})[\s\d:]*)+"
    r"|\[?end of (?:note|report|document)\]?\.?",
    re.IGNORECASE,
)
