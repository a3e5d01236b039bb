"""The kinds of source, one row each: the five that ship, and those of the table that LEAPNOTE_SOURCES names.

A row is all that a kind needs: planners, prompts, commands and the page read it. What the kind holds comes in by any text importer.
"""

import csv
import re
from pathlib import Path
from typing import NamedTuple

from pydantic_settings import BaseSettings, SettingsConfigDict

from backend.errors import InputError

SETTING = "LEAPNOTE_SOURCES"
ENVIRONMENT_FILE = Path(__file__).resolve().parents[2] / ".env"
DOCUMENTS = ("discharge_instructions", "progress_note", "clinical_answer")
_NAME = re.compile(r"[a-z][a-z0-9]{1,23}")


class SourceRow(NamedTuple):
    """A kind of source.

    Attributes:
        name: what commands, plans and files call it.
        label: on the page.
        reference: in a list of references: "drug label".
        about: what it holds, as a planner's prompt tells it.
        style: what one of its texts is like, as query2doc is told.
        query: how the rules word a query, with {name} of a condition and {part} of a document.
        documents: those for which the rules ask it, of DOCUMENTS.
    """

    name: str
    label: str
    reference: str
    about: str
    style: str
    query: str
    documents: tuple[str, ...] = DOCUMENTS


SHIPPED = (
    SourceRow(
        "book",
        "Handbook",
        "book",
        "textbooks and handbooks: settled knowledge of diseases, mechanisms, findings and treatments",
        "a page of a textbook that explains the matter",
        "{name}: {part}",
    ),
    SourceRow(
        "guideline",
        "Guideline",
        "guideline",
        "practice guidelines: what professional bodies advise for diagnosis, treatment and follow-up",
        "a section of a practice guideline with what it advises and for whom",
        "{part} of {name}, recommendations",
    ),
    # instructions for a patient rest on settled knowledge, and a note for colleagues on no encyclopaedia
    SourceRow(
        "research",
        "Research",
        "research article",
        "research articles: studies, trials and reviews, recent or specialised results",
        "the abstract of a research article with methods and results",
        "{name} {part} in adults",
        ("progress_note", "clinical_answer"),
    ),
    SourceRow(
        "wiki",
        "Encyclopaedia",
        "online encyclopaedia",
        "an encyclopaedia: short general entries, found best by the name of the entry",
        "the opening of an encyclopaedia's entry",
        "{name}",
        ("discharge_instructions", "clinical_answer"),
    ),
    SourceRow(
        "graph",
        "Knowledge graph",
        "knowledge graph",
        "a knowledge graph: the definition of a term, and its relations to other terms",
        "",
        "{name} , {part}",
    ),
)


def read_rows(path: Path) -> tuple[SourceRow, ...]:
    """The rows of a table: tab-separated, a header with the fields of `SourceRow`, documents joined by commas or empty for all.

    Raises:
        InputError: it cannot be read, lacks a column, or a row's name, query or document is not usable.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{SETTING} names {path}, which cannot be read: {type(error).__name__}.") from None
    rows = tuple(_row(path, line) for line in lines)
    names = [row.name for row in (*SHIPPED, *rows)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{path} has a source of a name that there is already: {', '.join(twice)}. Give it another.")
    return rows


def _row(path: Path, line: dict[str, str]) -> SourceRow:
    missing = [field for field in SourceRow._fields if not (line.get(field) or "").strip() and field != "documents"]
    if missing:
        raise InputError(
            f"{path}: a source has no {', '.join(missing)}. Its columns are {', '.join(SourceRow._fields)}."
        )
    fields = {field: (line.get(field) or "").strip() for field in SourceRow._fields}
    listed = tuple(part.strip() for part in fields.pop("documents").split(",") if part.strip())
    if not _NAME.fullmatch(fields["name"]) or not set(listed) <= set(DOCUMENTS):
        raise InputError(
            f"{path}: the source {fields['name']!r} needs a name of small letters, and documents of {', '.join(DOCUMENTS)}."
        )
    try:
        fields["query"].format(name="", part="")
    except (KeyError, IndexError, ValueError):
        raise InputError(f"{path}: the query of {fields['name']!r} may hold {{name}} and {{part}} alone.") from None
    return SourceRow(**fields, documents=listed or DOCUMENTS)


class _Named(BaseSettings):
    """The setting alone: the vocabularies are made before the settings are read."""

    model_config = SettingsConfigDict(env_prefix="LEAPNOTE_", env_file=ENVIRONMENT_FILE, extra="ignore")
    sources: str = ""


def _added() -> tuple[SourceRow, ...]:
    named = _Named().sources
    return read_rows(Path(named)) if named else ()


ADDED = _added()
ROWS = {row.name: row for row in (*SHIPPED, *ADDED)}
"""Every kind by name, the added ones last."""
