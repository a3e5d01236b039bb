"""Somebody else's graph in Neo4j, in our words: which label, which properties, which relationship types.

Takes a JSON file or values; gives a mapping. docs/graphs.md shows one. It knows no server.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pydantic import Field, ValidationError

from backend.errors import InputError
from backend.schemas.base import Frozen
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph_rows import RelationRow

SAME_GROUPS: Mapping[str, str] = MappingProxyType({group.value: group.value for group in SemanticGroup})
_ANY = frozenset("*")


@dataclass(frozen=True)
class Neo4jMapping:
    """How another's graph is read.

    label: of the concepts. id, name, group, and those that may be empty: names of properties; qualifier is one of
    relationships.

    Relationship types are taken as relations: relations says which, and what each is called. groups: their group values,
    each with its semantic group; concepts of other groups are left out. An index or a uniqueness constraint on label and
    id makes it fast.
    """

    label: str
    id: str
    name: str
    group: str
    relations: Mapping[str, RelationRow]
    groups: Mapping[str, str] = field(default_factory=lambda: SAME_GROUPS)
    synonyms: str = ""
    definition: str = ""
    category: str = ""
    qualifier: str = ""


def plain_relation(kind: str) -> RelationRow:
    """A relation for a relationship type that has no words yet: MAY_TREAT is `may_treat`, told as "may treat"."""
    name = kind.lower()
    words = name.replace("_", " ")
    return RelationRow(name, f"inverse_{name}", _ANY, _ANY, words, f"(the other way round) {words}", "")


def read_mapping(path: Path) -> Neo4jMapping:
    """The mapping of a JSON file.

    Raises:
        InputError: that names the field, for a file that is none.
    """
    try:
        stated = _File.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"The Neo4j mapping {path} cannot be read ({error.strerror}). Name a JSON file.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(
            f"The Neo4j mapping {path} is none: {place}: {first['msg']}. See docs/graphs.md for one."
        ) from None
    rest = stated.model_dump(exclude={"relations", "groups"})
    return Neo4jMapping(
        **rest,
        relations={kind: _relation(kind, row) for kind, row in stated.relations.items()},
        groups=stated.groups or SAME_GROUPS,
    )


class _Relation(Frozen):
    relation: str = Field(default="", description="Our name; empty: the type in small letters")
    inverse: str = ""
    words: str = ""
    inverse_words: str = ""


class _File(Frozen):
    label: str = Field(min_length=1)
    id: str = Field(min_length=1)
    name: str = Field(min_length=1)
    group: str = Field(min_length=1)
    relations: dict[str, _Relation] = Field(min_length=1)
    groups: dict[str, str] = {}
    synonyms: str = ""
    definition: str = ""
    category: str = ""
    qualifier: str = ""


def _relation(kind: str, stated: _Relation) -> RelationRow:
    plain = plain_relation(stated.relation or kind)
    return plain._replace(**{name: value for name, value in stated.model_dump().items() if value})
