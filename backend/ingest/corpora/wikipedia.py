"""Wikipedia as JSONL: id, title, text and url a line, as its extractors write it. Report units: lines.

Headings within a text (`== Treatment ==`, or a short line of its own between blank lines) become sections. What follows
"See also", "References", "External links" and the like is left out, as are redirects and disambiguation pages.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from backend.ingest.documents.file_opening import json_files, json_lines, text_of
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "CC BY-SA 4.0 (Wikipedia)"
BACK_MATTER = frozenset(
    [
        "see also",
        "references",
        "external links",
        "further reading",
        "notes",
        "footnotes",
        "citations",
        "bibliography",
        "sources",
        "works cited",
        "gallery",
    ]
)


@corpus_importer(
    "wikipedia",
    label="Wikipedia",
    source=Source.WIKI,
    about="Wikipedia as JSONL: id, title, text, url; a file or a folder",
    parts=json_files,
    order=6,
)
def read_wikipedia(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """All articles with a text, in file order.

    Raises InputError for a file that cannot be read.

    Yields:
        SourceDocument: one at a time.
    """
    for number, row in json_lines(path, reading):
        title = one_line(text_of(row, "title"))
        text = text_of(row, "text", "content", "contents")
        if not title or not text.strip():
            reading.report.skip("no title or no text", number)
        elif _REDIRECT.match(text):
            reading.report.skip("a redirect", number)
        elif "(disambiguation)" in title or _DISAMBIGUATION.match(text[:400]):
            reading.report.skip("a disambiguation page", number)
        else:
            sections = tuple(wiki_sections(text, title))
            if not sections:
                reading.report.skip("no text before its references", number)
                continue
            reading.report.keep()
            key = text_of(row, "id", "pageid") or title
            url = text_of(row, "url") or "https://en.wikipedia.org/wiki/" + title.replace(" ", "_")
            yield SourceDocument(
                f"wikipedia/{key}", title, sections, url, LICENCE, text_of(row, "date", "timestamp")[:10]
            )


def wiki_sections(text: str, title: str) -> Iterator[Section]:
    """The headed parts of an article's text; back matter left out.

    Yields:
        Section: one at a time.
    """
    header, lines, ended = "", [], False
    for line in [*text.splitlines(), "== end =="]:
        heading = _HEADING.match(line.strip())
        if not heading:
            lines.append(line)
            continue
        body = clean("\n".join(lines))
        if body and not ended and body != title:
            yield Section(header, body)
        header, lines = one_line(heading[1]), []
        level = len(line) - len(line.lstrip("="))
        # a sub-heading of the references is still back matter
        ended = header.lower() in BACK_MATTER or (ended and level > 2)


_HEADING = re.compile(r"={2,6}\s*([^=].*?)\s*={2,6}$")
_REDIRECT = re.compile(r"\s*#REDIRECT", re.IGNORECASE)
_DISAMBIGUATION = re.compile(r"[^.\n]{0,200} may (?:also )?refer to\s*:", re.IGNORECASE)
