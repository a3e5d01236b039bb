"""What an import is asked for, and what it gives. Values alone: importing does the work."""

from pathlib import Path
from typing import Any, NamedTuple

from backend.ingest.documents.cutting import LIMIT
from backend.ingest.documents.import_report import ImportReport
from backend.schemas.vocabulary import Source
from backend.stores.passages.collection_meta import CollectionMeta


class Cancelled(Exception):
    """The job was asked to stop. What it did so far stays, and is gone on with."""


class ImportTask(NamedTuple):
    """What to import. name and licence: empty means made from the path, and as the importer knows it."""

    importer: str
    source: Source
    path: Path
    name: str = ""
    licence: str = ""
    limit: int = LIMIT


class ImportResult(NamedTuple):
    """reports: `items` in the importer's own units, `documents` and `passages` as stored. encoded: texts encoded by this run."""

    meta: CollectionMeta
    reports: dict[str, ImportReport]
    encoded: int
    taken_over: int

    def as_text(self) -> str:
        """What was imported and what was left out, for a terminal."""
        lines = [f"{part}: {report.as_text()}" for part, report in self.reports.items()]
        lines.append(
            f"{self.encoded:,} passages encoded, {self.taken_over:,} vectors taken over from other collections"
        )
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """What is stored now, and the reports of what was kept and left out; text is both for a terminal."""
        reports = {part: report.as_json() for part, report in self.reports.items()}
        row = {**self.meta._asdict(), "source": self.meta.source.value, "reports": reports}
        return row | {"encoded": self.encoded, "taken_over": self.taken_over, "text": self.as_text()}
