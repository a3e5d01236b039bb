"""MRREL.RRF: the facts between the concepts of the subset.

The trap of this file is its direction. REL and RELA tell what the *second* concept is to the first: a row
`CUI1 … CUI2 … has_finding_site` means "CUI2 has_finding_site CUI1", so the triple is CUI2 -> CUI1. Read the other way
round, every organ would have diseases as its site.
"""

from array import array
from pathlib import Path

import numpy as np

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_checkpoints import Arrays
from backend.ingest.umls.umls_files import Progress, needed_file, rows
from backend.ingest.umls.umls_inverses import find_inverses, turned, unpacked
from backend.ingest.umls.umls_relations import AllowList
from backend.ingest.umls.umls_settings import UmlsSettings
from backend.ingest.umls.umls_terms import SUPPRESSED, cui_text

_ROOM = 1 << 22  # facts gathered before the repeated ones among them go
_COLUMNS = ("CUI1", "REL", "CUI2", "RELA", "SUPPRESS")


def read_facts(
    folder: Path,
    cuis: np.ndarray,
    settings: UmlsSettings,
    allowed: AllowList,
    inverses: dict[str, str],
    report: ImportReport,
    progress: Progress | None,
) -> Arrays:
    """The fields of `Facts` with each fact once, `names` and `inverses`, (r,) strings, for the relations' codes.

    cuis: (n,) uint32, rising; heads and tails are places in it. A fact counts as kept once, whatever rows say it.
    """
    index = {cui_text(number).encode(): place for place, number in enumerate(cuis.tolist())}
    codes: dict[bytes, int] = {}
    names: list[str] = []
    collected, room = array("Q"), _ROOM
    skip, counted = report.skip, 0
    file = needed_file(folder, "MRREL")
    for number, (first, general, second, finer, suppress) in rows(
        file, _COLUMNS, report, settings.fact_sources, progress
    ):
        if suppress in SUPPRESSED:
            skip("suppressed", number)
            continue
        relation = finer or general
        code = codes.get(relation)
        if code is None:
            name = relation.decode("utf-8", errors="replace")
            code = codes[relation] = len(names) if name and allowed.allows(name) else -1
            if code >= 0:
                names.append(name)
        if code < 0:
            skip("a relation that is not on the list", number)
        elif not first or not second:
            skip("an end is missing", number)
        # The second concept has the relation to the first, so it is the head.
        elif (head := index.get(second)) is None or (tail := index.get(first)) is None:
            skip("an end outside the subset", number)
        elif head == tail:
            skip("from a concept to itself", number)
        else:
            counted += 1
            collected.append(head << 40 | tail << 16 | code)
            if len(collected) > room:
                collected = array("Q", np.unique(np.array(collected, dtype=np.uint64)).tobytes())
                room = max(_ROOM, 2 * len(collected))
    raw = unpacked(np.unique(np.array(collected, dtype=np.uint64)))
    found = find_inverses(raw, names, inverses, allowed)
    facts, used = turned(raw, names, found, allowed)
    report.keep(len(facts.heads))
    if counted > len(facts.heads):
        skip("the same fact again, mostly from its other end", count=counted - len(facts.heads))
    return {
        **facts._asdict(),
        "names": np.array(used, dtype=np.str_),
        "inverses": np.array([found[name] for name in used], dtype=np.str_),
    }
