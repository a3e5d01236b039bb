"""MRCONSO.RRF: which concepts there are, and their names in order of preference.

The names of a concept are ordered by: its own sources before others, TS = P, STT = PF, ISPREF = Y, the order of term
types below, the place in the file. The first one is the concept's name, the others its synonyms.

443,000 concepts have well over a million names, so they lie in one block of bytes with offsets, not in as many objects.
"""

import re
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.errors import InputError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_checkpoints import Arrays
from backend.ingest.umls.umls_files import Progress, needed_file, rows
from backend.ingest.umls.umls_settings import UmlsSettings

SUPPRESSED = frozenset((b"O", b"E", b"Y"))
_TYPES = "PT MTH_PT PTGB MTH_PTGB FN MTH_FN MH PN NM IN PIN HT LN BN SY MTH_SY SYGB MTH_SYGB"
TERM_TYPES = tuple(_TYPES.split(" "))
_ORDER = {name.encode(): place for place, name in enumerate(TERM_TYPES)}
_TAGGED = frozenset((b"FN", b"MTH_FN"))
_TAG = re.compile(rb"\s\([^()]*\)$")
_LOCAL = {8: 10_000_000, 9: 20_000_000}
"""By their length, where the numbers of ids that begin with CL begin."""
_COLUMNS = ("CUI", "LAT", "TS", "STT", "ISPREF", "SAB", "TTY", "STR", "SUPPRESS")


class Terms(NamedTuple):
    """cuis: (n,) uint32, rising, the digits of each CUI. starts: (n + 1,) int64 into the names, best first.

    offsets: (names + 1,) int64 into blob, (bytes,) uint8, UTF-8.
    """

    cuis: np.ndarray
    starts: np.ndarray
    offsets: np.ndarray
    blob: np.ndarray

    def names(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Name and synonyms of each concept, in order of the CUIs; spellings that differ only by case count once.

        Yields:
            the name of a concept, and its synonyms.
        """
        whole, offsets = self.blob.tobytes(), self.offsets.tolist()
        for start, end in zip(self.starts[:-1].tolist(), self.starts[1:].tolist(), strict=True):
            found: dict[str, str] = {}
            for place in range(start, end):
                name = whole[offsets[place] : offsets[place + 1]].decode()
                found.setdefault(name.casefold(), name)
            first, *others = found.values()
            yield first, tuple(others)


def cui_number(cui: bytes) -> int:
    """A CUI as a number, `C0018801` as 18801; -1 for anything that is none.

    The Metathesaurus of NCI gives ids that begin with CL to concepts that have no CUI yet, with six or seven digits: those
    count on from 10 and from 20 millions.
    """
    if len(cui) == 8 and cui[:1] == b"C" and cui[1:].isdigit():
        return int(cui[1:])
    if len(cui) in _LOCAL and cui[:2] == b"CL" and cui[2:].isdigit():
        return _LOCAL[len(cui)] + int(cui[2:])
    return -1


def cui_text(number: int) -> str:
    """The CUI of a number: 18801 to `C0018801`."""
    for length, first in reversed(_LOCAL.items()):
        if number >= first:
            return f"CL{number - first:0{length - 2}d}"
    return f"C{number:07d}"


def read_terms(
    folder: Path, settings: UmlsSettings, obsolete: frozenset[str], report: ImportReport, progress: Progress | None
) -> Arrays:
    """The fields of `Terms`. One pass, two when synonyms of other sources come along.

    Raises InputError when there is no MRCONSO or when no row fits the settings' sources and language.
    """
    kept = _Kept(settings, frozenset(name.encode() for name in obsolete))
    file = needed_file(folder, "MRCONSO")
    for number, cells in rows(file, _COLUMNS, report, settings.sources, progress):
        kept.take(number, cells, report, other=0)
    if settings.other_synonyms and settings.sources:
        # A second pass, because a concept's row of another source may come before the row that makes it ours. Only
        # names that are kept count in the report: the rest was counted by the first pass.
        ours, own = kept.concepts(), frozenset(name.encode() for name in settings.sources)
        extra, before = ImportReport(), len(kept.ranks)
        for number, cells in rows(file, _COLUMNS, extra, progress=progress):
            if cells[5] not in own and cui_number(cells[0]) in ours:
                kept.take(number, cells, extra, other=1)
        added = len(kept.ranks) - before
        report.keep(added)
        report.skip("another source", count=-added)
    return kept.arrays()


class _Kept:
    """Names on their way into the block."""

    def __init__(self, settings: UmlsSettings, obsolete: frozenset[bytes]) -> None:
        self.ranks = array("I")
        self._cuis, self._offsets, self._blob = array("I"), array("Q", [0]), bytearray()
        self._language, self._obsolete = settings.language.encode(), obsolete
        self._strip, self._sources = settings.strip_tags, settings.sources

    def take(self, number: int, cells: tuple[bytes, ...], report: ImportReport, other: int) -> None:
        cui, language, status, form, preferred, source, kind, name, suppress = cells
        if language != self._language:
            report.skip("another language", number)
        elif suppress in SUPPRESSED:
            report.skip("suppressed", number)
        elif kind in self._obsolete:
            report.skip("obsolete term type", number)
        elif (concept := cui_number(cui)) < 0:
            report.skip("no CUI", number)
        elif not (text := self._clean(name, kind, source)):
            report.skip("no name, or not UTF-8", number)
        else:
            rank = other << 11 | (status != b"P") << 10 | (form != b"PF") << 9 | (preferred != b"Y") << 8
            self.ranks.append(rank | _ORDER.get(kind, len(_ORDER)))
            self._cuis.append(concept)
            self._blob += text
            self._offsets.append(len(self._blob))
            if not other:
                report.keep()

    def concepts(self) -> frozenset[int]:
        return frozenset(self._cuis)

    def arrays(self) -> Arrays:
        if not self._cuis:
            raise InputError(
                f"MRCONSO.RRF has no row of {', '.join(self._sources) or 'any source'} in {self._language.decode()} that is not "
                "suppressed. Choose sources and a language that this release holds (column SAB, column LAT)."
            )
        cuis, ranks = np.array(self._cuis, dtype=np.uint32), np.array(self.ranks, dtype=np.uint32)
        ends = self._offsets
        order = np.lexsort((ranks, cuis))  # stable: equal ranks stay in file order
        lengths = np.diff(np.array(ends, dtype=np.int64))[order]
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        blob = b"".join(self._blob[ends[place] : ends[place + 1]] for place in order.tolist())
        concepts, starts = np.unique(cuis[order], return_index=True)
        starts = np.append(starts, len(order)).astype(np.int64)
        return {"cuis": concepts, "starts": starts, "offsets": offsets, "blob": np.frombuffer(blob, dtype=np.uint8)}

    def _clean(self, name: bytes, kind: bytes, source: bytes) -> bytes:
        """The name in UTF-8, without the tag of a fully specified one; empty when it cannot be read."""
        text = b" ".join(name.split())
        if self._strip and kind in _TAGGED and source.startswith(b"SNOMEDCT"):
            text = _TAG.sub(b"", text)
        if not text.isascii():
            try:
                text.decode()
            except UnicodeDecodeError:
                return b""
        return text
