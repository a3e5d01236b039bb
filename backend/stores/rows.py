"""One concept and one fact, as every importer yields them and the graph takes them."""

from typing import NamedTuple


class ConceptRow(NamedTuple):
    """A concept. definition is one plain phrase or sentence, empty when there is none."""

    concept_id: str
    name: str
    group: str
    category: str
    synonyms: tuple[str, ...] = ()
    definition: str = ""
    condition: bool = False
    must_not_miss: bool = False


class TripleRow(NamedTuple):
    """A fact between two concept ids. qualifier says when it holds; empty means always."""

    head: str
    relation: str
    tail: str
    qualifier: str = ""


class RelationRow(NamedTuple):
    """A relation of the closed list, with its inverse and the words that tell it in each direction."""

    relation: str
    inverse: str
    head_categories: frozenset[str]
    tail_categories: frozenset[str]
    words: str
    inverse_words: str
    meaning: str


class DoseRow(NamedTuple):
    """A usual adult dose, to check a number against; minimum and maximum are in unit per period."""

    drug_id: str
    route: str
    population: str
    minimum: float
    maximum: float
    unit: str
    period: str
    note: str = ""
