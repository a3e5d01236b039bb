"""What a graph snapshot says of itself: the file `meta.json`."""

import json
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from backend.errors import KnowledgeError
from backend.schemas.base import Frozen
from backend.stores.graph.concept_table import GROUP_CODES
from backend.stores.graph.graph_rows import RelationRow
from backend.stores.swapped_folder import MARK

KIND = "leapnote graph snapshot"
FORMAT = 1


class About(NamedTuple):
    """What a reader should know of a graph's making. created: an ISO date. settings: the importer's."""

    name: str
    source: str
    licence: str
    created: str
    settings: dict[str, str]


class RelationMeta(Frozen):
    """One relation, as rows.RelationRow has it."""

    relation: str
    inverse: str
    head_categories: tuple[str, ...]
    tail_categories: tuple[str, ...]
    words: str
    inverse_words: str
    meaning: str

    def as_row(self) -> RelationRow:
        """As the graph has it."""
        return RelationRow(
            self.relation,
            self.inverse,
            frozenset(self.head_categories),
            frozenset(self.tail_categories),
            self.words,
            self.inverse_words,
            self.meaning,
        )


class ArrayMeta(Frozen):
    """The shape of one file, and the sha256 of its bytes."""

    shape: tuple[int, ...]
    sha256: str


class SnapshotMeta(Frozen):
    """What `meta.json` holds. concepts, edges: counts, edges in both directions."""

    kind: Literal["leapnote graph snapshot"] = "leapnote graph snapshot"
    format: int
    name: str
    source: str
    licence: str
    created: str
    settings: dict[str, str]
    concepts: int = Field(ge=0)
    edges: int = Field(ge=0)
    fingerprint: str
    groups: tuple[str, ...]
    categories: tuple[str, ...]
    relations: tuple[RelationMeta, ...]
    arrays: dict[str, ArrayMeta]


def relation_meta(row: RelationRow) -> RelationMeta:
    """A relation as `meta.json` keeps it."""
    heads, tails = tuple(sorted(row.head_categories)), tuple(sorted(row.tail_categories))
    return RelationMeta(**{**row._asdict(), "head_categories": heads, "tail_categories": tails})


def read_meta(folder: Path) -> SnapshotMeta:
    """What a snapshot says of itself.

    Raises:
        KnowledgeError: where there is none, or one of another format.
        damaged: `meta.json` cannot be read.
    """
    try:
        fields = json.loads((folder / MARK).read_bytes())
        version = fields["format"]
        if version == FORMAT and fields["groups"] == list(GROUP_CODES):
            return SnapshotMeta.model_validate_json(json.dumps(fields))
    except (FileNotFoundError, NotADirectoryError):
        raise KnowledgeError(
            f"There is no graph snapshot in {folder.name!r}: {MARK} is missing. Import the graph again (docs/graphs.md)."
        ) from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise damaged(folder, f"{MARK} cannot be read ({type(error).__name__})") from error
    raise KnowledgeError(
        f"The graph snapshot {folder.name!r} has format {version}; this version reads format {FORMAT} with its 15 semantic "
        "groups. Import the graph again (docs/graphs.md)."
    )


def damaged(folder: Path, what: str) -> KnowledgeError:
    """The error for a snapshot that does not hold what it should."""
    return KnowledgeError(
        f"The graph snapshot {folder.name!r} is damaged: {what}. Import the graph again (docs/graphs.md)."
    )
