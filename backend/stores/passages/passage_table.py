"""The passages of one collection in a SQLite file: rows numbered from 0, as its BM25 index and its vectors number them.

The same text is kept once: a document, or a passage, whose title and text equal an earlier one's but for case, spacing and
punctuation is left out and counted. The title counts, since "It is inherited in a recessive pattern" says another thing
on another disease's page.
"""

import hashlib
import json
import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, url TEXT NOT NULL,
    licence TEXT NOT NULL, date TEXT NOT NULL, topic TEXT NOT NULL, digest BLOB NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES documents, section TEXT NOT NULL, title_key TEXT NOT NULL,
    text TEXT NOT NULL, start_char INTEGER NOT NULL, end_char INTEGER NOT NULL, digest BLOB NOT NULL UNIQUE);
CREATE INDEX IF NOT EXISTS by_title ON passages (title_key, id);
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_ROW = """SELECT p.id, p.text, p.section, p.start_char, p.end_char, d.document_id, d.title, d.url, d.licence, d.date
    FROM passages p JOIN documents d ON d.id = p.document """

NO_TOPIC = -1
LONGEST_TOPIC = 200  # code points; more names would blur the vector of the first


class DocumentRow(NamedTuple):
    """A source document without its text.

    date: ISO, or as far as it is known; empty when it is not. topic: its title and synonyms, by which its topic is searched.
    """

    document_id: str
    title: str
    url: str = ""
    licence: str = ""
    date: str = ""
    topic: str = ""


class Cut(NamedTuple):
    """A passage cut from its document: the section it lies in, its text, and its half-open offsets in the document."""

    section: str
    text: str
    start_char: int
    end_char: int


class Added(NamedTuple):
    """What became of a document: why it was left out (else empty), passages kept, passages left out as equal."""

    refused: str
    kept: int
    equal: int


class TableWriter:
    """Fills the file. What was added since the last `save` is forgotten when the program ends."""

    def __init__(self, path: Path) -> None:
        self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._base.execute("PRAGMA synchronous=NORMAL")
        self._base.executescript(_SCHEMA)
        self._next = int(self._base.execute("SELECT COALESCE(MAX(id) + 1, 0) FROM passages").fetchone()[0])
        self._base.execute("BEGIN")

    def add(self, document: DocumentRow, cuts: Sequence[Cut]) -> Added:
        """Take in a document with its passages."""
        key = text_digest(document.title, *(cut.text for cut in cuts))
        if self._base.execute("SELECT 1 FROM documents WHERE document_id = ?", (document.document_id,)).fetchone():
            return Added("an id that came before", 0, 0)
        if self._base.execute("SELECT 1 FROM documents WHERE digest = ?", (key,)).fetchone():
            return Added("the same title and text as a document before", 0, 0)
        entered = self._base.execute(
            "INSERT INTO documents (document_id, title, url, licence, date, topic, digest) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*document, key),
        )
        kept = 0
        for cut in cuts:
            title_key = shown_title(document.title, cut.section).lower()
            taken = self._base.execute(
                "INSERT OR IGNORE INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._next,
                    entered.lastrowid,
                    cut.section,
                    title_key,
                    cut.text,
                    cut.start_char,
                    cut.end_char,
                    text_digest(document.title, cut.text),
                ),
            ).rowcount
            kept += taken
            self._next += taken
        if not kept:
            self._base.execute("DELETE FROM documents WHERE id = ?", (entered.lastrowid,))
            return Added("every passage is the same as one before", 0, len(cuts))
        return Added("", kept, len(cuts) - kept)

    def save(self, state: dict[str, object]) -> None:
        """Commit what was added, together with what the caller wants to find again."""
        self._base.execute("INSERT OR REPLACE INTO state VALUES ('state', ?)", (json.dumps(state),))
        self._base.execute("COMMIT")
        self._base.execute("BEGIN")

    def state(self) -> dict[str, object]:
        """What the last `save` was given; empty before the first."""
        row = self._base.execute("SELECT value FROM state WHERE key = 'state'").fetchone()
        return dict(json.loads(row[0])) if row else {}

    def close(self) -> None:
        """Forget what was not saved, and close the file."""
        self._base.execute("ROLLBACK")
        self._base.close()


class PassageTable:
    """The passages of a finished file, by row number. Safe to use from several threads."""

    def __init__(self, path: Path, source: Source, collection: str) -> None:
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )
        self._lock = threading.Lock()
        self._source, self._collection = source, collection
        try:
            self.size, self.documents = (
                int(self._one(f"SELECT COUNT(*) FROM {table}")) for table in ("passages", "documents")
            )
        except sqlite3.Error as error:
            raise KnowledgeError(
                f"The passages of the collection {collection!r} cannot be read: {path.name} is damaged. Import the "
                "collection again with: python -m backend knowledge add"
            ) from error

    def __len__(self) -> int:
        return self.size

    def topics(self) -> tuple[list[str], np.ndarray]:
        """The distinct topics of the documents, and (size,) int32: which of them each row is about, -1 for none.

        A table of an earlier version keeps no topics; its documents' titles are taken.
        """
        with self._lock:
            columns = {str(row[1]) for row in self._base.execute("PRAGMA table_info(documents)")}
            named = "d.topic" if "topic" in columns else "d.title"
            rows = self._base.execute(
                f"SELECT p.id, {named} FROM passages p JOIN documents d ON d.id = p.document ORDER BY p.id"
            ).fetchall()
        numbers: dict[str, int] = {}
        places = np.full(self.size, NO_TOPIC, dtype=np.int32)
        for row, topic in rows:
            if topic:
                places[row] = numbers.setdefault(topic, len(numbers))
        return list(numbers), places

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        found: dict[int, PassageRow] = {}
        distinct = list(dict.fromkeys(numbers))
        for start in range(0, len(distinct), 500):
            part = distinct[start : start + 500]
            marks = ",".join("?" * len(part))
            with self._lock:
                rows = self._base.execute(f"{_ROW} WHERE p.id IN ({marks})", part).fetchall()
            found.update((row[0], self._passage(row)) for row in rows)
        return [found[number] for number in numbers]

    def titled(self, title: str) -> int | None:
        """The first passage of exactly this title, case aside."""
        with self._lock:
            row = self._base.execute("SELECT MIN(id) FROM passages WHERE title_key = ?", (title.lower(),)).fetchone()
        return None if row[0] is None else int(row[0])

    def indexed_texts(self, start: int = 0, end: int | None = None) -> Iterator[str]:
        """What is searched and encoded, of the rows start to end: title, section and text.

        Yields:
            str: one at a time.
        """
        stop = self.size if end is None else min(end, self.size)
        for first in range(start, stop, 1000):
            with self._lock:
                rows = self._base.execute(
                    "SELECT d.title, p.section, p.text FROM passages p JOIN documents d ON d.id = p.document "
                    "WHERE p.id >= ? AND p.id < ? ORDER BY p.id",
                    (first, min(first + 1000, stop)),
                ).fetchall()
            for title, section, text in rows:
                head = shown_title(title, section)
                yield f"{head}. {text}" if head else text

    def of_document(self, document_id: str) -> list[PassageRow]:
        """All passages of a document, in order; none for an id that is not here."""
        with self._lock:
            rows = self._base.execute(f"{_ROW} WHERE d.document_id = ? ORDER BY p.id", (document_id,)).fetchall()
        return [self._passage(row) for row in rows]

    def licences(self) -> tuple[str, ...]:
        """The documents' licences, the commonest first; those without one are left out."""
        with self._lock:
            rows = self._base.execute(
                "SELECT licence FROM documents WHERE licence <> '' GROUP BY licence ORDER BY COUNT(*) DESC, licence"
            ).fetchall()
        return tuple(row[0] for row in rows)

    def digest(self) -> str:
        """The sha256 over all rows, in order."""
        summed = hashlib.sha256()
        with self._lock:
            for row in self._base.execute(f"{_ROW} ORDER BY p.id"):
                summed.update(repr(row).encode())
        return summed.hexdigest()

    def close(self) -> None:
        """Close the file; the table cannot be used any more."""
        with self._lock:
            self._base.close()

    def _one(self, query: str) -> int:
        return int(self._base.execute(query).fetchone()[0])

    def _passage(self, row: tuple[int, str, str, int, int, str, str, str, str, str]) -> PassageRow:
        number, text, section, start, end, document_id, title, url, licence, date = row
        return PassageRow(
            key=f"{self._collection}/{number}",
            source=self._source,
            document_id=document_id,
            title=shown_title(title, section) or document_id,
            text=text,
            start_char=start,
            end_char=end,
            url=url,
            licence=licence,
            section=section,
            date=date,
        )


def topic_text(title: str, synonyms: Sequence[str] = ()) -> str:
    """What a document is about, as it is encoded: its title and as many synonyms as fit."""
    text = title
    for name in synonyms:
        if text and len(text) + len(name) + 2 <= LONGEST_TOPIC:
            text = f"{text}; {name}"
    return text


def shown_title(title: str, section: str) -> str:
    """A passage's title: the document's, with the section's header where there is one that says something else."""
    if not title or not section or section.lower() in title.lower():
        return title or section
    return f"{title}: {section}"


def text_digest(*texts: str) -> bytes:
    """16 bytes that are equal for texts equal but for case, spacing and punctuation."""
    joined = "\n".join(_ODD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip() for text in texts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).digest()[:16]


_ODD = re.compile(r"[\W_]+")
