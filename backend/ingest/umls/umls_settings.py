"""What to take from a UMLS release: every choice of the importer, once."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from backend.schemas.vocabulary import SemanticGroup

ALL_SOURCES = "all"
RULES = Path(__file__).resolve().parents[3] / "assets" / "rules"


class RelationList(StrEnum):
    """Which relations an import takes: a column of the allow-list, either of the two, or whatever the release has."""

    PROPOSED = "proposed"
    DRKNOWS = "drknows"
    UNION = "union"
    ALL = "all"


@dataclass(frozen=True)
class UmlsSettings:
    """Choices of one import. Two imports with equal settings and equal files give equal rows.

    sources: a concept belongs to the graph when one of these (MRCONSO's SAB) names it; empty means any.
    language: MRCONSO's LAT.
    other_synonyms: whether names that other sources give to the same concept come along, after those of `sources`.
    relation_sources: whose relations are taken (MRREL's SAB); empty means those of `sources`.
    relation_list: which relations are taken (docs/graphs.md).
    relation_file, semantic_file: the rule files.
    groups: semantic groups to keep; empty means all 15.
    definition_sources: whose definitions are taken (MRDEF's SAB), the most wanted first; empty means none.
    definition_characters: a longer definition is cut after the last whole sentence that fits, or else at a word.
    strip_tags: whether "(disorder)" and the like come off fully specified names.
    """

    sources: tuple[str, ...] = ("SNOMEDCT_US",)
    language: str = "ENG"
    other_synonyms: bool = False
    relation_sources: tuple[str, ...] = ()
    relation_list: RelationList = RelationList.PROPOSED
    relation_file: Path = RULES / "umls_relations.tsv"
    semantic_file: Path = RULES / "umls_semantic_groups.tsv"
    groups: frozenset[SemanticGroup] = frozenset()
    definition_sources: tuple[str, ...] = ("NCI", "MSH", "MEDLINEPLUS", "HPO", "CSP")
    definition_characters: int = 600
    strip_tags: bool = True

    @property
    def fact_sources(self) -> tuple[str, ...]:
        """Whose relations are taken."""
        return self.relation_sources or self.sources

    def as_json(self) -> dict[str, Any]:
        """Plain values, in a fixed order; a rule file stands by its name."""
        row = asdict(self)
        row["groups"] = sorted(self.groups)
        row["relation_file"], row["semantic_file"] = self.relation_file.name, self.semantic_file.name
        return row
