"""MRDEF.RRF: at most one definition for each concept, from the most wanted source that has one."""

import html
import re
from pathlib import Path

import numpy as np

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_checkpoints import Arrays
from backend.ingest.umls.umls_files import Progress, release_file, rows
from backend.ingest.umls.umls_settings import UmlsSettings
from backend.ingest.umls.umls_terms import SUPPRESSED, cui_number

_TAGS = re.compile(r"</?[A-Za-z][^<>]{0,200}>")  # not "5 < 10"
_SENTENCE_END = re.compile(r"[.!?](?=\s)")


def read_definitions(
    folder: Path, cuis: np.ndarray, settings: UmlsSettings, report: ImportReport, progress: Progress | None
) -> Arrays:
    """`offsets`: (n + 1,) int64 into `blob`, (bytes,) uint8, UTF-8: an empty stretch is a concept without a definition.

    Of two definitions of one source the first counts. A release without MRDEF gives none, and the report says so.
    """
    order = {name.encode(): place for place, name in enumerate(settings.definition_sources)}
    index = {cui: number for number, cui in enumerate(cuis.tolist())}
    found: dict[int, tuple[int, str]] = {}
    file = release_file(folder, "MRDEF") if order else None
    if order and file is None:
        report.note("There is no MRDEF.RRF in the release: the concepts have no definitions.")
    if file is not None:
        columns = ("CUI", "SAB", "DEF", "SUPPRESS")
        for number, (cui, source, definition, suppress) in rows(
            file, columns, report, tuple(settings.definition_sources), progress
        ):
            concept = index.get(cui_number(cui))
            if suppress in SUPPRESSED:
                report.skip("suppressed", number)
            elif concept is None:
                report.skip("a concept outside the subset", number)
            elif concept in found and found[concept][0] <= order[source]:
                report.skip("another definition is preferred", number)
            elif text := plain(definition, settings.definition_characters):
                if concept in found:
                    report.skip("another definition is preferred", number)
                else:
                    report.keep()
                found[concept] = (order[source], text)
            else:
                report.skip("no text, or not UTF-8", number)
    texts = [found[number][1].encode() if number in found else b"" for number in range(len(cuis))]
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum([len(text) for text in texts], dtype=np.int64)])
    return {"offsets": offsets, "blob": np.frombuffer(b"".join(texts), dtype=np.uint8)}


def plain(definition: bytes, most: int) -> str:
    """A definition as one line of text without markup, at most `most` characters; empty when it is not UTF-8.

    A longer one ends after its last whole sentence that fits; where not even the first fits, at a word, with "…".
    """
    try:
        text = " ".join(_TAGS.sub(" ", html.unescape(definition.decode())).split())
    except UnicodeDecodeError:
        return ""
    if len(text) <= most:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, most + 1)]
    if ends:
        return text[: ends[-1]]
    return text[: most - 1].rsplit(" ", 1)[0].rstrip(",;: ") + "…"
