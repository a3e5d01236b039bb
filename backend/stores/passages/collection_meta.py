"""What a stored collection says of itself, and where collections lie: `<LEAPNOTE_DATA>/sources/<source>/<collection>/`.

A collection is one import: MedQuAD, a folder of guidelines, a year of PubMed. It counts from the moment its `meta.json`
lies in its folder. Listing reads these files alone, takes no lock and needs no encoder.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.schemas.vocabulary import Source
from backend.stores.swapped_folder import MARK

KIND = "leapnote passages"
FORMAT = 1
TEXT_SOURCES = tuple(source for source in Source if source != Source.GRAPH)  # `graph` comes from the loaded graph
LONGEST_NAME = 48
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?")


class CollectionMeta(NamedTuple):
    """`meta.json`. date: of the import, ISO. origin: the file or folder's name. vectors: the Chroma collection's name.

    fingerprint: 16 hexadecimal digits over passages, encoder and vectors; two imports of the same are equal in it.
    bytes: of the folder's files. reports: what was read, kept and left out, by part (ImportReport.as_json).
    """

    name: str
    source: Source
    importer: str
    origin: str
    licence: str
    date: str
    encoder: str
    dimension: int
    documents: int
    passages: int
    limit: int
    fingerprint: str
    vectors: str
    bytes: int
    reports: dict[str, Any]

    def as_json(self) -> str:
        """The text of `meta.json`."""
        return json.dumps({"kind": KIND, "format": FORMAT, **self._asdict()}, indent=1, ensure_ascii=False) + "\n"


def sources_folder(data: Path) -> Path:
    """Where all collections lie."""
    return data / "sources"


def collection_folder(data: Path, source: Source, name: str) -> Path:
    """Where one collection lies, or would."""
    return sources_folder(data) / source.value / name


def checked_name(name: str) -> str:
    """The name, if it can be a folder's and an index's.

    Raises:
        InputError: it has other characters, or is too long.
    """
    if not _NAME.fullmatch(name) or not 3 <= len(name) <= LONGEST_NAME:
        raise InputError(
            f"{name[:60]!r} cannot name a collection. Use 3 to {LONGEST_NAME} lower-case letters, digits, - and _, as in "
            "'medquad-2019'; it begins and ends with a letter or digit."
        )
    return name


def name_of(path: Path) -> str:
    """A collection's name made from a file's: lower case, without endings, everything odd a hyphen."""
    stem = path.name.split(".")[0] if path.suffix else path.name
    made = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:LONGEST_NAME].strip("-")
    return made if len(made) >= 3 else f"collection-{made or 'unnamed'}"


def checked_source(name: str) -> Source:
    """The source of that name.

    Raises:
        InputError: for `graph`, and for what is none.
    """
    if name in {source.value for source in TEXT_SOURCES}:
        return Source(name)
    fields = "comes from the knowledge graph that is loaded" if name == Source.GRAPH.value else "is no source"
    raise InputError(
        f"{name[:40]!r} {fields}. Import into one of: {', '.join(source.value for source in TEXT_SOURCES)}"
    )


def read_meta(folder: Path) -> CollectionMeta:
    """What a collection says of itself.

    Raises:
        KnowledgeError: where no finished collection lies, or one of another format.
        ValueError: caught here, and becomes a KnowledgeError.
    """
    try:
        fields = json.loads((folder / MARK).read_bytes())
        if not isinstance(fields, dict) or (fields.pop("kind", None), fields.pop("format", None)) != (KIND, FORMAT):
            raise ValueError("another kind or format")
        return CollectionMeta(**{**fields, "source": Source(fields["source"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise KnowledgeError(
            f"The collection in {folder.name!r} has no readable {MARK} of format {FORMAT} ({type(error).__name__}). "
            f"Import it again, or remove it with: python -m backend knowledge remove collection {folder.name}"
        ) from error


def listed(data: Path) -> tuple[CollectionMeta, ...]:
    """All finished collections, by source, then by name; those of `damaged` are left out."""
    return _scanned(data)[0]


def damaged(data: Path) -> dict[str, str]:
    """The folders that hold no readable collection, by name, with what is wrong and what to do."""
    return _scanned(data)[1]


def found(data: Path, name: str) -> Path:
    """The folder of the collection of that name, readable or not.

    Raises:
        NotFoundError: naming those there are.
    """
    for folder in _folders(data):
        if folder.name == name:
            return folder
    names = ", ".join(folder.name for folder in _folders(data)) or "none"
    raise NotFoundError(f"There is no collection {name[:60]!r}. There are: {names}. List them with: knowledge list")


def half_imported(data: Path) -> tuple[str, ...]:
    """The names of collections whose import was begun and not finished."""
    return tuple(
        path.name[1:].rsplit(".", 1)[0]
        for path in sorted(sources_folder(data).glob("*/.*.building"))
        if not (path / MARK).is_file()
    )


def _scanned(data: Path) -> tuple[tuple[CollectionMeta, ...], dict[str, str]]:
    metas, broken = [], {}
    for folder in _folders(data):
        try:
            metas.append(read_meta(folder))
        except KnowledgeError as error:
            broken[folder.name] = str(error)
    return tuple(metas), broken


def _folders(data: Path) -> Iterator[Path]:
    for source in TEXT_SOURCES:
        parent = sources_folder(data) / source.value
        if parent.is_dir():
            yield from sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))
