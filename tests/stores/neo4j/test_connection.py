"""Neo4j without one: addresses that are none, servers that are no Neo4j, and statements."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from backend.errors import InputError, MissingError
from backend.settings import ROOT
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress, check_version
from backend.stores.neo4j.neo4j_layout import CONSTRAINTS, mapped_layout, own_layout
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping, plain_relation, read_mapping
from tests.conformance.path_graph import RELATIONS

pytest.importorskip("neo4j", reason="the driver is not installed: pip install neo4j")

DRIVER = re.compile(r"\s*(from neo4j[ .]|import neo4j\b)")


def address(uri: str) -> Neo4jAddress:
    return Neo4jAddress(uri, "reader", SecretStr("hidden-word"), connect_s=0.5, retry_s=0.1)


@contextmanager
def answering(reply: bytes) -> Iterator[str]:
    """A server that answers the first message with some bytes, then nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        held: list[socket.socket] = []

        def run() -> None:
            try:
                while True:
                    client, _ = listener.accept()
                    held.append(client)
                    client.recv(1_024)
                    client.sendall(reply)
            except OSError:
                pass

        threading.Thread(target=run, daemon=True).start()
        yield f"bolt://127.0.0.1:{listener.getsockname()[1]}"
        for one in held:
            one.close()
        listener.shutdown(socket.SHUT_RDWR)


def test_a_server_that_is_not_there_is_a_missing_component() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(MissingError, match=rf"127\.0\.0\.1:{port} cannot be reached.*LEAPNOTE_NEO4J_URI") as missing:
        Neo4j(address(f"bolt://127.0.0.1:{port}"))
    assert "hidden-word" not in str(missing.value)


def test_a_server_that_never_answers_is_given_up() -> None:
    before = time.monotonic()
    with answering(b"") as uri, pytest.raises(MissingError, match="cannot be reached"):
        Neo4j(address(uri))
    assert time.monotonic() - before < 5


def test_a_web_server_is_no_neo4j() -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\n\r\n") as uri, pytest.raises(MissingError, match="cannot be reached"):
        Neo4j(address(uri))


def test_a_server_of_another_protocol_version_is_told_so() -> None:
    # four zeros: no version of Bolt that the client offers suits the server
    with answering(bytes(4)) as uri, pytest.raises(MissingError, match=r"no version of Bolt.*needs Neo4j 5 or later"):
        Neo4j(address(uri))


@pytest.mark.parametrize("agent", ["Neo4j/5.26.0", "Neo4j/2025.09.0", "Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)"])
def test_neo4j_from_5_on_is_taken(agent: str) -> None:
    check_version(agent)


@pytest.mark.parametrize("agent", ["Neo4j/4.4.12", "Memgraph/2.1", ""])
def test_an_older_neo4j_and_anything_else_is_refused(agent: str) -> None:
    with pytest.raises(MissingError, match="needs Neo4j 5 or later"):
        check_version(agent)


@pytest.mark.parametrize("uri", ["", "127.0.0.1:7687", "http://127.0.0.1:7474", "bolt://", "file:///etc/passwd"])
def test_an_address_that_is_none_says_how_one_looks(uri: str) -> None:
    with pytest.raises(InputError, match=r"bolt://127\.0\.0\.1:7687"):
        Neo4j(address(uri))


def test_a_password_in_the_address_is_refused_and_not_shown() -> None:
    with pytest.raises(InputError, match="LEAPNOTE_NEO4J_PASSWORD") as refused:
        Neo4j(address("bolt://reader:in-the-uri@127.0.0.1:7687"))
    assert "in-the-uri" not in str(refused.value)


def test_statements_hold_no_graph_name() -> None:
    layout = own_layout("a name from outside", RELATIONS)
    assert layout.parameters["graph"] == "a name from outside"
    statements = [value for value in vars(layout).values() if isinstance(value, str)]
    assert len(statements) == 8
    assert not any("outside" in statement for statement in statements)


def test_every_search_of_concepts_names_all_properties_of_the_constraint() -> None:
    # Neo4j uses a composite index only where each of its properties is asked about
    layout = own_layout("g", RELATIONS)
    assert "(c.graph, c.id) IS UNIQUE" in CONSTRAINTS[0]
    for statement in (layout.concepts, layout.walked, layout.facts):
        assert "c.graph = $graph AND c.`id` > $after" in statement
    for statement in (layout.first_concepts, layout.first_walked, layout.first_facts):
        assert "c.graph = $graph AND c.`id` IS NOT NULL" in statement
    assert "a.graph = $graph AND a.`id` = wanted" in layout.edges


def test_a_mapping_sends_property_names_as_parameters() -> None:
    mapping = Neo4jMapping("Term", "cui", "odd name`", "odd group`", {"MAY_TREAT": plain_relation("MAY_TREAT")})
    layout = mapped_layout(mapping, frozenset({"Term"}))
    assert not any("odd" in value for value in vars(layout).values() if isinstance(value, str))
    assert (layout.parameters["name_property"], layout.parameters["types"]) == ("odd name`", ["MAY_TREAT"])


def test_several_values_may_mean_one_group() -> None:
    groups = {"drug": "CHEM", "substance": "CHEM", "disorder": "DISO"}
    layout = mapped_layout(Neo4jMapping("Term", "cui", "term", "kind", {}, groups), frozenset({"Term"}))
    assert layout.values("CHEM") == ["drug", "substance"]
    assert layout.values("ANAT") == []


def test_a_mapping_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mapping.json"
    path.write_text(
        '{"label": "Term", "id": "cui", "name": "term", "group": "kind", "groups": {"drug": "CHEM"}, "qualifier": "when",'
        ' "relations": {"ISA": {}, "RX": {"relation": "treats", "inverse": "treated_by", "words": "is given for"}}}'
    )
    found = read_mapping(path)
    assert (found.label, found.id, found.name, found.group, found.qualifier) == ("Term", "cui", "term", "kind", "when")
    assert found.groups == {"drug": "CHEM"}
    assert found.relations["ISA"] == plain_relation("ISA")
    mapped = found.relations["RX"]
    assert (mapped.relation, mapped.inverse, mapped.words) == ("treats", "treated_by", "is given for")
    assert mapped.inverse_words == "(the other way round) treats"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("not json", "the file"),
        ('{"label": "T", "id": "i", "name": "n", "group": "g", "relations": {}}', "relations"),
        ('{"label": "T", "id": "i", "name": "n", "group": "g", "relations": {"A": {"word": "x"}}}', "relations.A.word"),
        ('{"id": "i", "name": "n", "group": "g", "relations": {"A": {}}}', "label"),
    ],
)
def test_a_mapping_that_is_none_names_the_field(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "mapping.json"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"is none: {place}: .*docs/graphs.md"):
        read_mapping(path)


def test_a_mapping_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_mapping(tmp_path / "none.json")


def test_one_module_alone_imports_the_driver_and_not_before_it_is_used() -> None:
    found = {
        str(path.relative_to(ROOT)): [line for line in path.read_text().splitlines() if DRIVER.match(line)]
        for folder in ("backend", "models", "app")
        for path in (ROOT / folder).rglob("*.py")
    }
    importing = {path: lines for path, lines in found.items() if lines}
    assert list(importing) == ["backend/stores/neo4j/connection.py"]
    at_the_top = [line for line in importing["backend/stores/neo4j/connection.py"] if not line.startswith(" ")]
    assert at_the_top == []
