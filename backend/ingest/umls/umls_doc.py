"""MRDOC.RRF: what a release says of its own abbreviations. Read for two things only: which relation is whose inverse, and
which term types are obsolete. Releases and subsets without it are common, so both have documented stand-ins.
"""

from pathlib import Path
from typing import NamedTuple

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_files import release_file, rows

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
            key, value, kind, told = (cell.decode("utf-8", errors="replace").strip() for cell in cells)
            if not value or not told:
                continue
            if (key, kind) in (("RELA", "rela_inverse"), ("REL", "rel_inverse")):
                inverses[value] = told
                inverses.setdefault(told, value)
            elif (key, kind, told) == ("TTY", "tty_class", "obsolete"):
                obsolete.add(value)
    return Documentation(inverses, frozenset(obsolete))
