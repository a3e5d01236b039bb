"""The files of a UMLS release, streamed: X.RRF, X.RRF.gz, or the parts X.RRF.aa.gz, X.RRF.ab.gz … in order.

Gives the wanted columns of the wanted rows as bytes. Columns come from MRFILES.RRF where the release has it, else from
the order that the UMLS Reference Manual documents. RRF has no quoting: a pipe ends each cell, the last one too, and a
quotation mark is a character like any other. What the release says of its own abbreviations (MRDOC) is read here too.
"""

import gzip
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import IO, NamedTuple, cast

from backend.errors import InputError
from backend.ingest.documents.import_report import ImportReport

Progress = Callable[[int, int, str], None]
Cells = tuple[bytes, ...]

_DOCUMENTED = {
    "MRCONSO": "CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL SUPPRESS CVF",
    "MRSTY": "CUI TUI STN STY ATUI CVF",
    "MRDEF": "CUI AUI ATUI SATUI SAB DEF SUPPRESS CVF",
    "MRREL": "CUI1 AUI1 STYPE1 REL CUI2 AUI2 STYPE2 RELA RUI SRUI SAB SL RG DIR SUPPRESS CVF",
    "MRDOC": "DOCKEY VALUE TYPE EXPL",
    "MRFILES": "FIL DES FMT CLS RWS BTS",
}
COLUMNS = {table: tuple(names.split(" ")) for table, names in _DOCUMENTED.items()}
STEP = 1 << 16  # rows between two reports of progress
_BOM = b"\xef\xbb\xbf"


class ReleaseFile(NamedTuple):
    """One table of a release. rows is what MRFILES promises, None where it says nothing."""

    table: str
    parts: tuple[Path, ...]
    columns: tuple[str, ...]
    rows: int | None

    @property
    def size(self) -> int:
        """Bytes on disk, all parts together."""
        return sum(part.stat().st_size for part in self.parts)


def release_file(folder: Path, table: str) -> ReleaseFile | None:
    """Where a table lies and which columns it has; None when the release does not hold it.

    Looks in the folder itself, then in its META folder.

    Raises:
        InputError: for a folder that does not exist.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder.name!r}. Give the folder that holds MRCONSO.RRF.")
    parts = _parts(folder, table)
    if not parts:
        return None
    columns, rows = _promised(folder, table)
    return ReleaseFile(table, parts, columns, rows)


def needed_file(folder: Path, table: str) -> ReleaseFile:
    """The same, for a table that an import cannot do without.

    Raises:
        InputError: when it is not there.
    """
    found = release_file(folder, table)
    if found is None:
        raise InputError(
            f"There is no {table}.RRF (nor .RRF.gz) in {folder.name!r}. Give the META folder of a UMLS release that "
            "MetamorphoSys installed."
        )
    return found


def rows(
    file: ReleaseFile,
    wanted: Sequence[str],
    report: ImportReport,
    sources: Sequence[str] = (),
    progress: Progress | None = None,
) -> Iterator[tuple[int, Cells]]:
    """Line number (from 1) and the wanted cells of each row, in file order.

    sources: when given, only rows whose SAB is one of them; the others count as skipped for their source. Counts every
    row as read. A row with too few or too many cells is skipped with its line. Raises InputError when the file lacks a
    wanted column.

    Yields:
        the line's number, and the cells of the wanted columns.
    """
    places = [_place(file, column) for column in wanted]
    source = _place(file, "SAB") if sources else -1
    names = frozenset(name.encode() for name in sources)
    # A look for the source's name anywhere in the line is some ten times cheaper than cutting the line into cells, and
    # nine of ten lines of a full release belong to other sources.
    marks = tuple(b"|" + name + b"|" for name in sorted(names)) if source > 0 else ()
    only = marks[0] if len(marks) == 1 else b""
    pick = cast("Callable[[list[bytes]], Cells]", itemgetter(*places, places[0]))
    width, total, number, elsewhere = len(file.columns), file.size, 0, 0
    if progress:
        progress(0, total, file.table)
    with _Parts(file.parts) as lines:
        for number, line in enumerate(lines, start=1):
            if number % STEP == 0 and progress:
                progress(min(lines.place(), total), total, file.table)
            if marks and (only not in line if only else not any(mark in line for mark in marks)):
                elsewhere += 1
                continue
            cells = line.rstrip(b"\r\n").split(b"|")
            # The pipe that ends the row leaves one empty cell behind the last column; a row without it is taken too.
            if len(cells) != width + 1 and len(cells) != width:
                report.skip("wrong number of cells", number)
                continue
            if len(cells) > width and cells[-1]:
                report.skip("wrong number of cells", number)
                continue
            if number == 1 and cells[0].startswith(_BOM):
                cells[0] = cells[0][len(_BOM) :]
            if names and cells[source] not in names:
                elsewhere += 1
                continue
            yield number, pick(cells)[:-1]
    report.seen(number)
    if elsewhere:
        report.skip("another source", count=elsewhere)
    if file.rows is not None and file.rows != number:
        why = "the copy may be cut short" if number < file.rows else "the two may be of different releases"
        report.note(f"{file.table}.RRF has {number:,} rows, but MRFILES.RRF promises {file.rows:,}: {why}.")
    if progress:
        progress(total, total, file.table)


class _Parts:
    """The lines of several parts as if they were one file: a row may begin in one part and end in the next."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts
        self._done = 0
        self._raw: IO[bytes] | None = None
        self._open: IO[bytes] | None = None

    def __enter__(self) -> "_Parts":
        return self

    def __exit__(self, *_: object) -> None:
        for handle in (self._open, self._raw):
            if handle is not None:
                handle.close()

    def place(self) -> int:
        """Bytes read from the disk so far, packed ones where the file is packed."""
        return self._done + (self._raw.tell() if self._raw and not self._raw.closed else 0)

    def __iter__(self) -> Iterator[bytes]:
        held = b""
        for part in self._parts:
            self._raw = part.open("rb", buffering=1 << 20)
            packed = part.suffix == ".gz"
            self._open = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
            try:
                for line in self._open:
                    if held or not line.endswith(b"\n"):
                        held += line
                        if held.endswith(b"\n"):
                            yield held
                            held = b""
                        continue
                    yield line
            except (EOFError, gzip.BadGzipFile, OSError) as error:
                raise InputError(
                    f"{part.name} cannot be unpacked ({type(error).__name__}). Copy it again: it is cut short or damaged."
                ) from None
            self._done += part.stat().st_size
            self._open.close()
            self._raw.close()
        if held:
            yield held


def _parts(folder: Path, table: str) -> tuple[Path, ...]:
    for place in (folder, folder / "META"):
        for name in (f"{table}.RRF", f"{table}.RRF.gz"):
            if (place / name).is_file():
                return (place / name,)
        split = tuple(sorted(place.glob(f"{table}.RRF.[a-z][a-z].gz")))
        if split:
            return split
    return ()


def _promised(folder: Path, table: str) -> tuple[tuple[str, ...], int | None]:
    """Columns and number of rows as MRFILES.RRF has them, else the documented columns."""
    parts = _parts(folder, "MRFILES")
    if parts and table != "MRFILES":
        index = ReleaseFile("MRFILES", parts, COLUMNS["MRFILES"], None)
        for _, (name, form, count) in rows(index, ("FIL", "FMT", "RWS"), ImportReport()):
            if name.decode(errors="replace") == f"{table}.RRF":
                columns = tuple(column.strip() for column in form.decode(errors="replace").split(","))
                return columns, int(count) if count.isdigit() else None
    return COLUMNS[table], None


def _place(file: ReleaseFile, column: str) -> int:
    try:
        return file.columns.index(column)
    except ValueError:
        raise InputError(
            f"{file.table}.RRF has no column {column} by MRFILES.RRF (it names: {', '.join(file.columns)}). "
            "Use the MRFILES.RRF of the same release."
        ) from None


# Term types that the reference manual calls obsolete; they are nearly always suppressed as well.
_OBSOLETE = "IS LO MTH_IS MTH_LO MTH_OAF MTH_OAP MTH_OAS MTH_OF MTH_OL MTH_OP OA OAF OAM OAP OAS OET OF OL OLC OM OOSN OP OPN OS"
OBSOLETE_TYPES = frozenset(_OBSOLETE.split(" "))
# REL is a closed set of general relations, and the manual pairs them.
REL_INVERSES = {"CHD": "PAR", "PAR": "CHD", "RB": "RN", "RN": "RB", "AQ": "QB", "QB": "AQ"} | {
    name: name for name in ("RO", "RL", "RQ", "RU", "SIB", "SY", "XR")
}


class Documentation(NamedTuple):
    """inverses: relation to inverse, both directions given. obsolete_types: TTY values that are out."""

    inverses: dict[str, str]
    obsolete_types: frozenset[str]


def read_documentation(folder: Path) -> Documentation:
    """What MRDOC.RRF says, on top of what holds for every release; without the file, the latter alone."""
    inverses, obsolete = dict(REL_INVERSES), set(OBSOLETE_TYPES)
    file = release_file(folder, "MRDOC")
    if file is not None:
        for _, cells in rows(file, ("DOCKEY", "VALUE", "TYPE", "EXPL"), ImportReport()):
            key, value, kind, meaning = (cell.decode("utf-8", errors="replace").strip() for cell in cells)
            if not value or not meaning:
                continue
            if (key, kind) in (("RELA", "rela_inverse"), ("REL", "rel_inverse")):
                inverses[value] = meaning
                inverses.setdefault(meaning, value)
            elif (key, kind, meaning) == ("TTY", "tty_class", "obsolete"):
                obsolete.add(value)
    return Documentation(inverses, frozenset(obsolete))
