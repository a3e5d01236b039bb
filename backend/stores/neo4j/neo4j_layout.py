"""How a graph lies in Neo4j: labels, properties and the statements that read it.

`own_layout` is the layout that an export writes; `mapped_layout` fits a graph that somebody else built. What varies is a
parameter. Names that Cypher takes no parameter for (a label, the id's property) come from the constants here, or from a
mapping: there they must be plain words, and the label one that the server lists.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.errors import InputError
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph_rows import RelationRow
from backend.stores.neo4j.neo4j_mapping import SAME_GROUPS, Neo4jMapping

CONCEPT, FACT, GRAPH, RELATION = "LeapnoteConcept", "LEAPNOTE_FACT", "LeapnoteGraph", "LeapnoteRelation"
# Each of them brings the index that the statements need. Names make a second run find them.
CONSTRAINTS = (
    f"CREATE CONSTRAINT leapnote_concept IF NOT EXISTS FOR (c:{CONCEPT}) REQUIRE (c.graph, c.id) IS UNIQUE",
    f"CREATE CONSTRAINT leapnote_relation IF NOT EXISTS FOR (r:{RELATION}) REQUIRE (r.graph, r.relation) IS UNIQUE",
    f"CREATE CONSTRAINT leapnote_graph IF NOT EXISTS FOR (g:{GRAPH}) REQUIRE g.name IS UNIQUE",
)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class Layout:
    """Statements, with the parameters that all of them take; each takes its own besides.

    count: one row (nodes, nodes with an id, nodes of a known group). concepts, first_concepts: $size nodes after $after,
    or the first: id, name, group, category, synonyms, definition, condition, must_not_miss. walked, first_walked: the
    same pages: id, name, group, reach or the groups of the neighbours. facts, first_facts: the same pages: id and a
    list of [relation, tail's id, qualifier] that leave it. edges: of $ids and of their neighbours in $values, into
    $values: id, a list like that of facts, and one of those that come in. relations: type to relation. groups: value to
    group.
    """

    parameters: Mapping[str, Any]
    count: str
    concepts: str
    first_concepts: str
    walked: str
    first_walked: str
    facts: str
    first_facts: str
    edges: str
    relations: Mapping[str, str]
    groups: Mapping[str, str]

    def values(self, group: str) -> list[str]:
        """The values of the group property that mean this semantic group."""
        return [value for value, meant in self.groups.items() if meant == group]


def own_layout(name: str, relations: Mapping[str, RelationRow]) -> Layout:
    """The layout of an export, for the graph of this name."""
    return _layout(
        _Words(
            label=CONCEPT,
            scope="{c}.graph = $graph AND ",
            id="id",
            group="{c}.group",
            edge=f"r:{FACT}",
            allowed="",
            relation="r.relation",
            qualifier="r.qualifier",
            returned="c.name, c.group, c.category, c.synonyms, c.definition, c.condition, c.must_not_miss",
            reach="c.reach",
        ),
        {"graph": name},
        {row.relation: row.relation for row in relations.values()},
        SAME_GROUPS,
    )


def mapped_layout(mapping: Neo4jMapping, labels: frozenset[str]) -> Layout:
    """The layout that a mapping describes.

    labels: those that the server has.

    Raises:
        InputError: for a name that is none.
    """
    for what, name in (("label", mapping.label), ("id", mapping.id)):
        if not _PLAIN.fullmatch(name):
            raise InputError(
                f"The {what} {name!r} of the Neo4j mapping is no plain name. Take letters, digits and underscores."
            )
    if mapping.label not in labels:
        raise InputError(
            f"The Neo4j database has no label {mapping.label!r}. It has: {', '.join(sorted(labels))[:500]}"
        )
    codes = {group.value for group in SemanticGroup}
    if strange := sorted(set(mapping.groups.values()) - codes):
        raise InputError(f"The Neo4j mapping names {strange[0]!r} as a semantic group. There are: {', '.join(codes)}")
    words = _Words(
        label=mapping.label,
        scope="",
        id=mapping.id,
        group="{c}[$group_property]",
        edge="r",
        allowed="type(r) IN $types AND ",
        relation="type(r)",
        qualifier="coalesce(r[$qualifier_property], '')" if mapping.qualifier else "''",
        returned="c[$name_property] AS name, c[$group_property] AS kind, "
        + ", ".join(
            f"{f'c[${key}_property]' if value else 'null'} AS {key}"
            for key, value in (
                ("category", mapping.category),
                ("synonyms", mapping.synonyms),
                ("definition", mapping.definition),
            )
        )
        + ", null AS condition, null AS must_not_miss",
        reach=None,
    )
    given = {
        "types": sorted(mapping.relations),
        "group_property": mapping.group,
        "name_property": mapping.name,
        "category_property": mapping.category,
        "synonyms_property": mapping.synonyms,
        "definition_property": mapping.definition,
        "qualifier_property": mapping.qualifier,
    }
    relations = {kind: row.relation for kind, row in mapping.relations.items()}
    return _layout(words, given, relations, dict(mapping.groups))


@dataclass(frozen=True)
class _Words:
    """The pieces of Cypher in which layouts differ; {c} stands for the node."""

    label: str
    scope: str
    id: str
    group: str
    edge: str
    allowed: str
    relation: str
    qualifier: str
    returned: str
    reach: str | None


def _layout(
    words: _Words, parameters: Mapping[str, Any], relations: Mapping[str, str], groups: Mapping[str, str]
) -> Layout:
    def node(c: str) -> str:
        return f"({c}:`{words.label}`)"

    def where(c: str) -> str:
        return words.scope.format(c=c)

    def group(c: str) -> str:
        return words.group.format(c=c)

    def key(c: str) -> str:
        return f"{c}.`{words.id}`"

    known = f"{group('c')} IN $known"
    page = f"MATCH {node('c')} WHERE {where('c')}{key('c')} > $after AND {known}"
    first = f"MATCH {node('c')} WHERE {where('c')}{key('c')} IS NOT NULL AND {known}"
    cut = f" WITH c ORDER BY {key('c')} LIMIT $size "
    concepts = f"{cut}RETURN {key('c')} AS id, {words.returned} ORDER BY id"
    # in both directions apart: a fact from a concept to itself is then found in each, as in memory
    facts = (
        f"{cut}RETURN {key('c')} AS id, [(c)-[{words.edge}]->{node('d')} WHERE {words.allowed}{key('d')} IS NOT NULL "
        f"AND {group('d')} IN $known | [{words.relation}, {key('d')}, {words.qualifier}]] AS facts ORDER BY id"
    )
    if words.reach:
        walked = f"{cut}RETURN {key('c')} AS id, c.name, c.group, {words.reach} ORDER BY id"
    else:
        walked = (
            f"{cut}OPTIONAL MATCH (c)-[{words.edge}]-{node('d')} WHERE {words.allowed}{key('d')} IS NOT NULL "
            f"AND {group('d')} IN $known WITH c, collect(DISTINCT {group('d')}) AS near "
            f"RETURN {key('c')} AS id, c[$name_property], {group('c')}, near ORDER BY id"
        )
    inside = f"{words.allowed}{key('d')} IS NOT NULL AND {group('d')} IN $values | [{words.relation}, {key('d')}, {words.qualifier}]]"
    edges = (
        f"UNWIND $ids AS wanted MATCH {node('a')} WHERE {where('a')}{key('a')} = wanted "
        f"OPTIONAL MATCH (a)-[{words.edge}]-{node('b')} WHERE {words.allowed}{key('b')} IS NOT NULL "
        f"AND {group('b')} IN $values "
        "WITH collect(DISTINCT a) + collect(DISTINCT b) AS near UNWIND near AS c WITH DISTINCT c "
        f"RETURN {key('c')} AS id, [(c)-[{words.edge}]->{node('d')} WHERE {inside} AS leaving, "
        f"[(c)<-[{words.edge}]-{node('d')} WHERE {inside} AS coming"
    )
    scope = f"{where('c')}true"
    return Layout(
        parameters={**parameters, "known": sorted(groups)},
        count=f"MATCH {node('c')} WHERE {scope} RETURN count(c), count({key('c')}), "
        f"sum(CASE WHEN {key('c')} IS NOT NULL AND {known} THEN 1 ELSE 0 END)",
        concepts=page + concepts,
        first_concepts=first + concepts,
        walked=page + walked,
        first_walked=first + walked,
        facts=page + facts,
        first_facts=first + facts,
        edges=edges,
        relations=dict(relations),
        groups=dict(groups),
    )
