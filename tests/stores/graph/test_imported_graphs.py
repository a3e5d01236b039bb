"""The imported graphs of a data folder: found by name or path, listed, removed."""

from pathlib import Path

import numpy as np
import pytest

from backend.errors import InputError, KnowledgeError, NotFoundError
from backend.stores.graph.concept_encoding import encode_concepts
from backend.stores.graph.graph import Graph
from backend.stores.graph.imported_graphs import ImportedGraphs
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About
from backend.stores.graph.vector_file import GraphVectors, StoredFirst, VectorFile
from tests.conftest import WordEncoder

ABOUT = About("tiny", "made up for the tests", "none needed", "2024-01-31", {})


@pytest.fixture
def graphs(tmp_path: Path) -> ImportedGraphs:
    return ImportedGraphs(tmp_path / "data")


def test_a_graph_is_found_by_its_name_and_by_its_folder(
    graphs: ImportedGraphs, tiny_graph: Graph, tmp_path: Path
) -> None:
    write_snapshot(tiny_graph, graphs.folder("mine"), ABOUT)
    write_snapshot(tiny_graph, tmp_path / "elsewhere", ABOUT)
    assert graphs.find("mine") == tmp_path / "data" / "graphs" / "mine"
    assert graphs.find(str(tmp_path / "elsewhere")) == tmp_path / "elsewhere"
    with pytest.raises(NotFoundError, match=r"no graph 'yours'.*Imported graphs: mine"):
        graphs.find("yours")


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "starter", "Starter", "a b", "x" * 65, "-x", "a.", "ä"])
def test_what_cannot_be_a_folder_or_is_taken_is_no_name(graphs: ImportedGraphs, name: str) -> None:
    with pytest.raises(InputError, match="no name for a graph"):
        graphs.folder(name)


def test_nothing_imported_is_an_empty_list(graphs: ImportedGraphs, encoder: WordEncoder) -> None:
    assert graphs.all() == ()
    assert graphs.encoded(encoder.name) == ()


def test_half_written_graphs_are_not_listed_and_damaged_ones_say_so(
    graphs: ImportedGraphs, tiny_graph: Graph, tmp_path: Path
) -> None:
    write_snapshot(tiny_graph, graphs.folder("whole"), ABOUT)
    (tmp_path / "data" / "graphs" / ".half.partial-1").mkdir()
    (tmp_path / "data" / "graphs" / "empty").mkdir()
    write_snapshot(tiny_graph, graphs.folder("broken"), ABOUT)
    (graphs.folder("broken") / "meta.json").write_text('{"kind": "leapnote graph snapshot"')
    broken, whole = graphs.all()
    assert (broken.name, broken.meta) == ("broken", None)
    assert "damaged" in broken.problem
    assert whole.meta and whole.meta.concepts == len(tiny_graph)


def test_removing_a_graph_takes_its_vectors_unless_another_graph_has_them(
    graphs: ImportedGraphs, tiny_graph: Graph, encoder: WordEncoder
) -> None:
    for name in ("one", "two"):
        write_snapshot(tiny_graph, graphs.folder(name), ABOUT)
    vectors = graphs.vectors(tiny_graph, encoder.name)
    encode_concepts(tiny_graph, encoder, vectors)
    assert graphs.encoded(encoder.name) == (vectors,)
    assert graphs.encoded("another") == ()
    assert graphs.remove("one") == (graphs.folder("one"),)
    assert vectors.is_dir()
    assert graphs.remove("two") == (graphs.folder("two"), vectors)
    assert graphs.all() == () and not vectors.exists()
    with pytest.raises(NotFoundError, match="There are: none"):
        graphs.remove("one")


def test_a_folder_of_something_else_is_not_removed(graphs: ImportedGraphs) -> None:
    folder = graphs.folder("photos")
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text('{"kind": "album"}')
    with pytest.raises(KnowledgeError, match="no graph snapshot"):
        graphs.remove("photos")
    assert (folder / "meta.json").exists()


def test_vectors_by_text_come_from_the_concepts_then_from_what_ships_then_from_the_encoder(
    graphs: ImportedGraphs, tiny_graph: Graph, encoder: WordEncoder, tmp_path: Path
) -> None:
    encode_concepts(tiny_graph, encoder, graphs.vectors(tiny_graph, encoder.name))
    VectorFile(tmp_path / "words.npz").write(["a passage that ships"], encoder)
    found = GraphVectors(tmp_path / "words.npz", graphs.encoded(encoder.name), encoder)
    encoder.encoded.clear()
    texts = ["gout", "never seen", "a passage that ships", "dyspnea"]
    rows = found.vectors(texts, encoder)
    assert encoder.encoded == ["never seen"]
    np.testing.assert_allclose(rows, encoder.encode(texts), atol=1e-3)
    assert found.vectors([], encoder).shape == (0, encoder.dimension)


def test_what_is_stored_is_not_encoded_for_a_graph_that_has_it(
    graphs: ImportedGraphs, tiny_graph: Graph, encoder: WordEncoder, tmp_path: Path
) -> None:
    shipped = VectorFile(tmp_path / "words.npz")
    shipped.write([row.name for row in tiny_graph.concepts if row.name != "gout"], encoder)
    encoder.encoded.clear()
    encode_concepts(tiny_graph, StoredFirst(shipped, encoder), graphs.vectors(tiny_graph, encoder.name))
    assert encoder.encoded == ["gout"]
