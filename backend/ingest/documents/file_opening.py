"""Opens a file for reading, gzipped or not, told by its first bytes."""

import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from backend.errors import InputError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.documents.source_documents import Reading

LONGEST_LINE = 64 * 2**20  # bytes of one JSON line; a longer one is no document


@contextmanager
def open_unpacked(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The bytes, unpacked, and the file itself, whose position tells how far the reading is.

    Yields:
        the unpacked bytes, and the file on the disk; both are closed behind the block.

    Raises:
        InputError: it cannot be opened.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise InputError(
            f"{path.name!r} cannot be opened ({type(error).__name__}). Name a file that exists."
        ) from error
    with raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        if packed:
            with gzip.GzipFile(fileobj=raw) as file:
                yield cast("IO[bytes]", file), raw
        else:
            yield raw, raw


@contextmanager
def named_if_damaged(file: Path, files: Sequence[Path], report: ImportReport) -> Iterator[None]:
    """Count one of several files that breaks off, under its name, and go on; the one file of an input raises InputError.

    What was read before the break stays. Put it around the reading of one file.

    Raises:
        InputError: the file is the only one of the input.
    """
    try:
        yield
    except InputError as error:
        if len(files) < 2:
            raise
        report.seen()
        report.skip("a damaged file, or one of another form", file.name)
        report.note(f"A file was not read to its end: {error}")


def json_files(path: Path) -> list[Path]:
    """The JSONL files of a folder by name, or the one file.

    Raises:
        InputError: for a folder without any.
    """
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if file.name.endswith((".jsonl", ".jsonl.gz", ".ndjson")))
    if not files:
        raise InputError(
            f"The folder {path.name!r} holds no .jsonl or .jsonl.gz file. Give the corpus's files, or one."
        )
    return files


def json_lines(path: Path, reading: Reading) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSONL file, or of a folder of them, with their line numbers within their files.

    Files may be gzipped; what is no object is counted as skipped.

    Yields:
        the number of a line within its file, and its object.
    """
    files = json_files(path)
    for file in files:
        with named_if_damaged(file, files, reading.report):
            yield from _lines(file, reading)


def _lines(path: Path, reading: Reading) -> Iterator[tuple[int, dict[str, Any]]]:
    with open_unpacked(path) as (file, raw):
        look = reading.follow(path, raw)
        number = 0
        try:
            while line := file.readline(LONGEST_LINE):
                number += 1
                look()
                if not line.strip():
                    continue
                reading.report.seen()
                try:
                    row = json.loads(line)
                except UnicodeDecodeError:
                    reading.report.skip("a line that is not UTF-8", number)
                    continue
                except ValueError:
                    reading.report.skip("a line that is not JSON", number)
                    continue
                if isinstance(row, dict):
                    yield number, row
                else:
                    reading.report.skip("a line that is no JSON object", number)
        except (EOFError, OSError) as error:
            raise InputError(f"{path.name!r} is cut short or damaged behind line {number}. Fetch it again.") from error


def whole_json(path: Path, reading: Reading) -> Any:
    """A JSON file that is read at once.

    Raises:
        InputError: it is not JSON.
    """
    with open_unpacked(path) as (file, raw):
        look = reading.follow(path, raw)
        try:
            value = json.loads(file.read())
        except (ValueError, EOFError, OSError) as error:
            raise InputError(
                f"{path.name!r} is not JSON ({type(error).__name__}). Check the kind and the file."
            ) from error
        look()
        return value


def text_of(row: dict[str, Any], *names: str) -> str:
    """The first of these fields that holds text (or numbers); empty when none does."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""
