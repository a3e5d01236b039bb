"""Export, load and remove over Bolt: nothing lost, nothing twice, whatever is cut off in between."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest

from backend.errors import ConflictError, InputError, KnowledgeError, MissingError, NotFoundError
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_export import export_graph, remove_graph
from backend.stores.neo4j.neo4j_layout import CONSTRAINTS
from backend.stores.neo4j.neo4j_load import load_graph
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping, plain_relation
from backend.stores.neo4j.neo4j_paths import Neo4jPathGraph
from backend.stores.neo4j.neo4j_source import graph_entry, list_graphs
from tests.conformance.path_graph import CHEM, RELATIONS, random_graph
from tests.services.bolt import served, servers
from tests.services.bolt_proxy import COMMIT, proxied

pytestmark = pytest.mark.services
COUNT_FACTS = "MATCH (c:LeapnoteConcept {graph: $graph})-[r:LEAPNOTE_FACT]->() RETURN count(r)"
FOREIGN = "LeapnoteTestTerm"  # the label of somebody else's graph


@pytest.fixture(scope="module", params=servers())
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    with served(request.param, tmp_path_factory.mktemp("bolt")) as found:
        yield found


@pytest.fixture(scope="module")
def db(address: Neo4jAddress) -> Iterator[Neo4j]:
    with Neo4j(address) as connection:
        for statement in CONSTRAINTS:
            connection.change_schema(statement)
        yield connection


@pytest.fixture
def name(db: Neo4j) -> Iterator[str]:
    """A name that is free, and is free again afterwards."""
    made = f"test {uuid4()}"
    yield made
    if made in {entry.name for entry in list_graphs(db)}:
        remove_graph(db, made)


@pytest.fixture
def graph() -> Graph:
    return Graph(*random_graph(np.random.default_rng(11), concepts=50, facts=120), RELATIONS)


def loaded(db: Neo4j, wanted: str | Neo4jMapping, page: int = 5_000) -> Graph:
    found = load_graph(db, wanted, page=page)
    return Graph(found.concepts, found.triples, found.relations)


def test_a_graph_comes_back_as_it_went(db: Neo4j, name: str, tiny_graph: Graph) -> None:
    entry = export_graph(db, name, tiny_graph)
    back = loaded(db, name)
    assert tuple(back.concepts) == tuple(tiny_graph.concepts)  # synonyms, definitions and marks too
    assert back.relation_table.rows == tiny_graph.relation_table.rows
    assert back.fingerprint == tiny_graph.fingerprint == entry.fingerprint
    assert (entry.state, entry.concepts, entry.facts) == ("complete", 29, 33)


def test_pages_of_any_size_hold_the_same(db: Neo4j, name: str, graph: Graph) -> None:
    export_graph(db, name, graph, concept_batch=7, fact_batch=11)
    # 50 concepts: a last page that is full, one that is not, and one for all
    assert {loaded(db, name, page=page).fingerprint for page in (10, 7, 5_000)} == {graph.fingerprint}


def test_a_second_export_writes_nothing(db: Neo4j, name: str, graph: Graph, address: Neo4jAddress) -> None:
    first = export_graph(db, name, graph)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        assert export_graph(connection, name, graph) == first
        assert b"$rows" not in proxy.sent
    assert db.read(COUNT_FACTS, graph=name) == [(first.facts,)]


@pytest.mark.parametrize("stop_at", [1, 3, 7], ids=["first concepts", "last concepts", "facts"])
def test_an_export_that_was_cut_off_goes_on_where_it_stopped(db: Neo4j, name: str, graph: Graph, stop_at: int) -> None:
    calls: list[tuple[int, str]] = []

    def cut(done: int, total: int, what: str) -> None:
        calls.append((done, what))
        if len(calls) == stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_graph(db, name, graph, cut, concept_batch=20, fact_batch=20)
    with pytest.raises(ConflictError, match="building, not complete"):
        load_graph(db, name)
    again: list[tuple[int, str]] = []
    entry = export_graph(db, name, graph, lambda done, _, what: again.append((done, what)), 20, 20)
    assert not set(calls) & set(again)  # no batch was written twice
    # concepts 20, 40, 50; then facts by 20, the last batch less
    steps = [(20, "concepts"), (40, "concepts"), (50, "concepts")]
    steps += [(min(done, entry.facts), "facts") for done in range(20, entry.facts + 20, 20)]
    assert calls + again == steps
    assert loaded(db, name).fingerprint == graph.fingerprint


def test_a_batch_whose_answer_was_lost_is_not_written_twice(
    db: Neo4j, name: str, graph: Graph, address: Neo4jAddress
) -> None:
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:

        def lose(done: int, total: int, what: str) -> None:
            if (done, what) == (20, "facts"):
                proxy.sent = b""
                proxy.lose_answer_to = COMMIT

        with pytest.raises(MissingError, match="connection was lost"):
            export_graph(connection, name, graph, lose, concept_batch=20, fact_batch=20)
    assert graph_entry(db, name).facts_done == 40  # the server did take the second batch
    entry = export_graph(db, name, graph, fact_batch=20)
    assert db.read(COUNT_FACTS, graph=name) == [(entry.facts,)]
    assert loaded(db, name).fingerprint == graph.fingerprint


def test_a_name_that_stands_for_another_graph_is_refused(db: Neo4j, name: str, graph: Graph) -> None:
    export_graph(db, name, graph)
    renamed = Graph([row._replace(name="other") for row in graph.concepts], graph.triples(), RELATIONS)
    assert renamed.fingerprint == graph.fingerprint  # only a name differs
    with pytest.raises(ConflictError, match=r"another graph named.*50 concepts.*remove that one by name"):
        export_graph(db, name, renamed)
    assert loaded(db, name).row(0).name == graph.row(0).name


@pytest.mark.parametrize("bad", ["", "  ", "x" * 101, "a\nb"])
def test_a_name_that_is_none_is_refused(db: Neo4j, graph: Graph, bad: str) -> None:
    with pytest.raises(InputError, match="1 to 100 printable characters"):
        export_graph(db, bad, graph)


def test_removal_takes_one_graph_by_name_and_leaves_the_others(db: Neo4j, name: str, graph: Graph) -> None:
    other, progress = f"{name} other", []
    export_graph(db, name, graph)
    export_graph(db, other, graph)
    removed = remove_graph(db, other, lambda done, total, what: progress.append((done, total)), batch=20)
    assert removed.name == other
    assert progress == [(20, 50), (40, 50), (50, 50)]
    for label in ("LeapnoteConcept", "LeapnoteRelation"):
        assert db.read(f"MATCH (n:{label}) WHERE n.graph = $graph RETURN count(n)", graph=other) == [(0,)]
    assert other not in {entry.name for entry in list_graphs(db)}
    assert loaded(db, name).fingerprint == graph.fingerprint
    with pytest.raises(NotFoundError, match=rf"no graph named {other!r}.*{name}"):
        remove_graph(db, other)


def test_a_removal_that_was_cut_off_is_no_graph_and_can_be_finished(db: Neo4j, name: str, graph: Graph) -> None:
    export_graph(db, name, graph)

    def cut(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        remove_graph(db, name, cut, batch=20)
    with pytest.raises(ConflictError, match="removing, not complete"):
        load_graph(db, name)
    with pytest.raises(ConflictError, match="being removed"):
        export_graph(db, name, graph)
    remove_graph(db, name)
    assert export_graph(db, name, graph).state == "complete"


def test_a_graph_that_somebody_changed_is_not_called_complete(db: Neo4j, name: str, graph: Graph) -> None:
    calls = 0

    def delete_one(done: int, total: int, what: str) -> None:
        nonlocal calls
        calls += 1
        if what == "facts" and done == total:
            db.write(
                lambda run: run("MATCH (c:LeapnoteConcept {graph: $g, id: 'C00003'}) DETACH DELETE c", {"g": name})
            )

    with pytest.raises(KnowledgeError, match=r"should hold 50 concepts.*it holds 49.*Remove it by name"):
        export_graph(db, name, graph, delete_one)
    assert calls == 2
    assert graph_entry(db, name).state == "building"


def test_a_graph_that_shrinks_while_it_is_loaded_is_noticed(db: Neo4j, name: str, graph: Graph) -> None:
    export_graph(db, name, graph)
    concepts = load_graph(db, name, page=10).concepts
    next(concepts)
    db.write(lambda run: run("MATCH (c:LeapnoteConcept {graph: $g, id: 'C00040'}) DETACH DELETE c", {"g": name}))
    with pytest.raises(KnowledgeError, match=r"counted 50 concepts, 49 came"):
        list(concepts)


def test_loading_tells_how_far_it_is(db: Neo4j, name: str, graph: Graph) -> None:
    export_graph(db, name, graph)
    progress: list[tuple[int, int, str]] = []
    found = load_graph(db, name, lambda *step: progress.append(step), page=20)
    assert progress == []  # nothing is read before it is taken
    list(found.concepts)
    assert progress == [(20, 50, "concepts"), (40, 50, "concepts"), (50, 50, "concepts")]


@pytest.fixture
def foreign(db: Neo4j) -> Iterator[None]:
    """Somebody else's graph: numbers as ids, groups of their own, facts stated from both ends, some without a group."""
    terms = [
        {"sctid": 7, "term": "heart failure", "kind": "disorder", "also": ["CHF"]},
        {"sctid": 30, "term": "furosemide", "kind": "drug", "also": []},
        {"sctid": 100, "term": "bumetanide", "kind": "drug", "also": []},
        {"sctid": 4, "term": "edema", "kind": "disorder", "also": []},
        {"sctid": 5, "term": "a qualifier value", "kind": "qualifier", "also": []},
        {"term": "a node without an id", "kind": "drug", "also": []},
    ]
    db.write(lambda run: run(f"UNWIND $rows AS row CREATE (c:{FOREIGN}) SET c = row", {"rows": terms}))
    for kind, head, tail, when in (
        ("MAY_TREAT", 30, 7, "acute"),
        ("MAY_TREAT", 100, 7, None),
        ("MAY_BE_TREATED_BY", 7, 30, "acute"),  # the first one again, from its other end
        ("HAS_SIGN", 7, 4, None),
        ("HAS_SIGN", 7, 5, None),  # to a concept that is left out
        ("LAST_EDITED_WITH", 7, 30, None),  # a type that is not asked for
    ):
        statement = (
            f"MATCH (a:{FOREIGN} {{sctid: $head}}) MATCH (b:{FOREIGN} {{sctid: $tail}}) CREATE (a)-[r:{kind}]->(b)"
        )
        given = {"head": head, "tail": tail, "when": when}
        db.write(lambda run, s=statement, g=given: run(f"{s} SET r.when = $when", g))  # type: ignore[misc]
    yield
    db.write(lambda run: run(f"MATCH (c:{FOREIGN}) DETACH DELETE c", {}))


ANY = frozenset("*")
MAPPING = Neo4jMapping(
    label=FOREIGN,
    id="sctid",
    name="term",
    group="kind",
    groups={"disorder": "DISO", "drug": "CHEM"},
    synonyms="also",
    qualifier="when",
    relations={
        "MAY_TREAT": RelationRow("may_treat", "may_be_treated_by", ANY, ANY, "may treat", "may be treated by", ""),
        "MAY_BE_TREATED_BY": RelationRow(
            "may_be_treated_by", "may_treat", ANY, ANY, "may be treated by", "may treat", ""
        ),
        "HAS_SIGN": plain_relation("HAS_SIGN"),
    },
)


@pytest.mark.usefixtures("foreign")
def test_somebody_elses_graph_is_loaded_by_a_mapping(db: Neo4j) -> None:
    found = load_graph(db, MAPPING, page=2)
    assert found.left_out == ("1 nodes without 'sctid'", "1 nodes with another 'kind'")
    graph = Graph(found.concepts, found.triples, found.relations)
    # ids are text here: "100" < "30" < "4" < "7"
    assert graph.row(3) == ConceptRow("7", "heart failure", "DISO", "concept", ("CHF",))
    assert [row.name for row in graph.concepts] == ["bumetanide", "furosemide", "edema", "heart failure"]
    # where both names of a pair have a row, the graph tells a fact by the first of them in the alphabet
    assert set(graph.triples()) == {
        TripleRow("7", "may_be_treated_by", "30", "acute"),
        TripleRow("7", "may_be_treated_by", "100", ""),
        TripleRow("7", "has_sign", "4", ""),
    }
    # each of the three facts in both directions, and no other
    assert graph.edge_count == 6
    assert graph.words["inverse_has_sign"] == "(the other way round) has sign"


@pytest.mark.usefixtures("foreign")
def test_somebody_elses_graph_is_walked_as_it_would_be_in_memory(db: Neo4j) -> None:
    memory, through = loaded(db, MAPPING), Neo4jPathGraph(db, MAPPING, page=2)
    assert through.ids == tuple(memory.ids)
    assert through.reach.tolist() == memory.reach.tolist()
    everything = np.arange(4, dtype=np.int32)
    walk = through.walk()
    for group in range(15):
        walk.fetch(everything, group)
        for got, wanted in zip(
            walk.into_group_many(everything, group), memory.into_group_many(everything, group), strict=True
        ):
            assert got.tolist() == wanted.tolist()
    assert walk.into_group_many(np.array([3]), CHEM)[1].tolist() == [0, 1]  # bumetanide, furosemide


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "NoSuchLabel"}, r"no label 'NoSuchLabel'.*LeapnoteTestTerm"),
        ({"label": "X) DETACH DELETE (n"}, "no plain name"),
        ({"id": "id` RETURN 1 //"}, "no plain name"),
        ({"groups": {"drug": "DRUG"}}, "'DRUG' as a semantic group"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(db: Neo4j, change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_graph(db, replace(MAPPING, **change))


@pytest.mark.usefixtures("foreign")
def test_ids_that_repeat_are_noticed(db: Neo4j) -> None:
    db.write(lambda run: run(f"CREATE (c:{FOREIGN} {{sctid: 30, term: 'again', kind: 'drug'}})", {}))
    with pytest.raises(KnowledgeError, match=r"share an id|ids repeat"):
        Neo4jPathGraph(db, MAPPING, page=2)
