"""Cuts a source document into passages, and tells whether an input is the one that was being imported before."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from backend.ingest.documents.source_documents import SourceDocument
from backend.nlp.document import passages
from backend.stores.passages.passage_table import Cut

LIMIT = 1000  # code points of a passage at most (Omni-RAG, section 3.1)
VERSION = 2  # raise it when importers or cutting change, so that a half-made import of before is not gone on with


def cut(document: SourceDocument, limit: int = LIMIT) -> list[Cut]:
    """A document's passages: within one section each, at most `limit` code points, on sentence borders."""
    cuts: list[Cut] = []
    offset = 0
    for section in document.sections:
        cuts.extend(
            Cut(section.header, section.text[start:end], offset + start, offset + end)
            for start, end in passages(section.text, limit)
        )
        offset += len(section.text) + 2  # a blank line between sections
    return cuts


def input_key(path: Path) -> str:
    """64 hexadecimal digits that change with the names, sizes and times of what is imported, and with VERSION."""
    files: Sequence[Path] = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    seen = [[file.relative_to(path).as_posix(), file.stat().st_size, file.stat().st_mtime_ns] for file in files]
    return hashlib.sha256(json.dumps([VERSION, seen]).encode()).hexdigest()
