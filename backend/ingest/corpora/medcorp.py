"""JSONL with id, title and content, as MedCorp and MedRAG have their corpora: one line a document or a piece of one.

Also taken: `text` or `contents` for content, `section` for its heading, `sections` (a list of objects with `section` and
`text`) for a document in parts, `synonyms` (a list) for what the title is also called,
`url`, `licence`, `date`. Report units: lines.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backend.ingest.documents.file_opening import json_files, json_lines, text_of
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source


@corpus_importer(
    "jsonl",
    label="JSON lines",
    source=Source.BOOK,
    about="JSONL with id, title and content (MedCorp, MedRAG), a file or a folder",
    parts=json_files,
    order=5,
)
def read_jsonl(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """All lines with an id and a content, in file order.

    Raises InputError for a file that cannot be read.

    Yields:
        SourceDocument: one at a time.
    """
    for number, row in json_lines(path, reading):
        key = one_line(text_of(row, "id", "_id", "doc_id", "docid"))
        parts = _sections(row)
        text = parts[0].text if parts else ""
        if not key:
            reading.report.skip("no id", number)
        elif not text:
            reading.report.skip("no content", number)
        else:
            reading.report.keep()
            title = one_line(text_of(row, "title"))
            # MedRAG's `contents` repeats the title before the text
            if title and text.startswith(f"{title}. ") and len(text) > len(title) + 2:
                parts[0] = parts[0]._replace(text=text[len(title) + 2 :])
            listed = row.get("synonyms")
            yield SourceDocument(
                key,
                title or key,
                tuple(parts),
                text_of(row, "url", "link"),
                one_line(text_of(row, "licence", "license")),
                one_line(text_of(row, "date"))[:10],
                tuple(one_line(name) for name in listed if isinstance(name, str)) if isinstance(listed, list) else (),
            )


def _sections(row: dict[str, Any]) -> list[Section]:
    """The parts that hold a text; where none are listed, the whole as one."""
    listed = row.get("sections")
    rows = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    parts = [
        Section(
            one_line(text_of(one, "section", "heading")), clean(text_of(one, "content", "text", "contents", "body"))
        )
        for one in rows or [row]
    ]
    return [part for part in parts if part.text]
