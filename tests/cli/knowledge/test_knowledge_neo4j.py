"""The Neo4j commands against a server over Bolt, and paths walked there by a whole pipeline."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from backend.container import Container
from backend.errors import MissingError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot import read_snapshot, write_snapshot
from backend.stores.graph.snapshot_meta import About
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_export import remove_graph
from backend.stores.neo4j.neo4j_source import list_graphs
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS
from tests.cli.knowledge.test_knowledge_command import Commands
from tests.services.bolt import bolt_server, served, servers

pytestmark = pytest.mark.services
ABOUT = About("tiny", "made up for the tests", "none needed", "2024-01-31", {})
NOTE = "Chief Complaint: dyspnea\nHPI: Dyspnea, cough and leg swelling. No fever."


@pytest.fixture(scope="module", params=servers())
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    with served(request.param, tmp_path_factory.mktemp("bolt")) as found:
        yield found


def connection_settings(address: Neo4jAddress) -> dict[str, object]:
    return {
        "neo4j_uri": address.uri,
        "neo4j_user": address.user,
        "neo4j_password": address.password,
        "neo4j_database": address.database,
        "neo4j_retry_s": 1.0,
    }


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, tiny_graph: Graph
) -> Commands:
    commands = Commands(monkeypatch, capsys, tmp_path / "data")
    write_snapshot(tiny_graph, tmp_path / "data" / "graphs" / "tiny", ABOUT)
    return commands


@pytest.fixture
def name(address: Neo4jAddress) -> Iterator[str]:
    """A name that is free on the server, and is free again afterwards."""
    made = f"test-{uuid4()}"
    yield made
    with Neo4j(address) as db:
        if made in {entry.name for entry in list_graphs(db)}:
            remove_graph(db, made)


def test_a_graph_goes_to_the_server_is_listed_comes_back_and_is_removed(
    run: Commands, address: Neo4jAddress, name: str, tiny_graph: Graph
) -> None:
    run.set(**connection_settings(address), neo4j_graph=name)
    done = run("export", "neo4j", "tiny", "--as", name)
    assert f"LEAPNOTE_NEO4J_GRAPH={name} and LEAPNOTE_GRAPH=tiny" in done.out
    assert run("export", "neo4j", "tiny", "--as", name, "--json").printed["state"] == "complete"
    rows = [json.loads(line) for line in run("list", "--neo4j", "--json").out.splitlines()]
    listed = [row for row in rows if row["source"] == "neo4j" and row["name"] == name]
    assert [(row["state"], row["in_use"], row["fingerprint"]) for row in listed] == [
        ("complete", True, tiny_graph.fingerprint)
    ]
    back = run("load", "neo4j", name, "--name", "back", "--licence", "mine", "--json")
    assert back.printed["licence"] == "mine"
    graph = read_snapshot(run.settings.data / "graphs" / "back")
    assert graph.fingerprint == tiny_graph.fingerprint == back.printed["fingerprint"]
    assert list(graph.concepts) == list(tiny_graph.concepts)
    assert "is removed" in run("remove", "neo4j", name).out
    again = run("load", "neo4j", name)
    assert again.status == 2
    assert "no graph named" in again.err


def test_a_graph_of_somebody_else_is_loaded_by_a_mapping(run: Commands, address: Neo4jAddress, tmp_path: Path) -> None:
    label = f"Term{uuid4().hex}"
    with Neo4j(address) as db:
        made = f"CREATE (a:{label} {{cui: 'C1', term: 'asthma', kind: 'disorder'}})-[:ISA]->"
        made += f"(b:{label} {{cui: 'C2', term: 'lung disease', kind: 'disorder'}}), (c:{label} {{term: 'no id'}})"
        db.write(lambda step: step(made, {}))
    try:
        mapping = tmp_path / "mapping.json"
        nodes = {"label": label, "id": "cui", "name": "term", "group": "kind", "groups": {"disorder": "DISO"}}
        mapping.write_text(json.dumps({**nodes, "relations": {"ISA": {}}}))
        run.set(**connection_settings(address))
        done = run("load", "neo4j", "--mapping", mapping, "--name", "theirs")
        assert done.status == 0
        assert "Left out: 1 nodes without 'cui'" in done.out
        assert read_snapshot(run.settings.data / "graphs" / "theirs").related("C1", "isa") == ["C2"]
    finally:
        with Neo4j(address) as db:
            db.write(lambda step: step(f"MATCH (n:{label}) DETACH DELETE n", {}))


@pytest.fixture
def settings_of(run: Commands, tiny_graph: Graph, container: Container, tmp_path: Path) -> Settings:
    """Settings with the tiny graph and an untrained policy for it."""
    card = {"graph": tiny_graph.fingerprint, "encoder": container.encoder.name, "data": {"hash": "0" * 64}}
    network = PolicyNetwork(container.encoder.dimension, seed=0).fold()
    save_checkpoint(tmp_path / "policies" / "leapnote", Checkpoint("leapnote", network, OURS, False, None, None, card))
    return run.settings.model_copy(update={"graph": "tiny", "policies": tmp_path / "policies"})


def built(container: Container, chosen: Settings) -> Container:
    made = Container(chosen, beside=container)
    made.encoded_concepts(lambda *_: None)
    return made


def paths_reason(draft: Draft) -> str:
    return next(stage.reason for stage in draft.stages if stage.name == "paths")


def test_a_draft_walks_the_server_and_finds_the_same_paths(
    run: Commands, address: Neo4jAddress, name: str, container: Container, settings_of: Settings
) -> None:
    run.set(**connection_settings(address))
    run("export", "neo4j", "tiny", "--as", name)
    expected = built(container, settings_of).pipeline("leapnote").run(DraftRequest(text=NOTE))
    live = built(container, settings_of.model_copy(update={**connection_settings(address), "neo4j_graph": name}))
    draft = live.pipeline("leapnote").run(DraftRequest(text=NOTE))
    assert paths_reason(draft).endswith(f"walked in Neo4j graph {name!r}")
    assert draft.evidence.paths == expected.evidence.paths != ()
    assert draft.evidence.policy == expected.evidence.policy
    assert live.loaded.live is not None
    live.loaded.live.close()


def test_another_graph_on_the_server_is_refused_and_memory_is_used(
    run: Commands, address: Neo4jAddress, name: str, container: Container, settings_of: Settings, tiny_graph: Graph
) -> None:
    fewer = Graph(
        tiny_graph.concepts, list(tiny_graph.triples())[1:], {r.relation: r for r in tiny_graph.relation_table.rows}
    )
    write_snapshot(fewer, run.settings.data / "graphs" / "fewer", ABOUT)
    run.set(**connection_settings(address))
    run("export", "neo4j", "fewer", "--as", name)
    live = built(container, settings_of.model_copy(update={**connection_settings(address), "neo4j_graph": name}))
    reason = paths_reason(live.pipeline("leapnote").run(DraftRequest(text=NOTE)))
    assert "walked in memory" in reason
    assert f"fingerprint {fewer.fingerprint} there, {tiny_graph.fingerprint} here" in reason


def test_a_server_that_dies_between_two_drafts_is_told(
    run: Commands, container: Container, settings_of: Settings, tmp_path: Path
) -> None:
    (tmp_path / "server").mkdir()
    with bolt_server(tmp_path / "server") as server:
        run.set(**connection_settings(server.address))
        run("export", "neo4j", "tiny")
        live = built(
            container, settings_of.model_copy(update={**connection_settings(server.address), "neo4j_graph": "tiny"})
        )
        first = live.pipeline("leapnote").run(DraftRequest(text=NOTE))
        assert "walked in Neo4j graph 'tiny'" in paths_reason(first)
        server.stop()
        second = live.pipeline("leapnote").run(DraftRequest(text=NOTE))
        assert "walked in memory and not in Neo4j graph 'tiny'" in paths_reason(second)
        assert "cannot be reached, or the connection was lost" in paths_reason(second)
        assert second.evidence.paths == first.evidence.paths
        assert live.loaded.live is not None
        with pytest.raises(MissingError):
            live.loaded.live.walk()
