"""A graph and its snapshot are the same graph; what is damaged or half written is refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import KnowledgeError
from backend.knowledge.starter import read_relations
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import ROOT
from backend.stores.graph.graph import GROUPS, Graph
from backend.stores.graph.graph_rows import ConceptRow, TripleRow
from backend.stores.graph.snapshot import read_snapshot, write_snapshot
from backend.stores.graph.snapshot_meta import About, read_meta

RELATIONS = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")
ABOUT = About("tiny", "made up for the tests", "none needed", "2024-01-31", {"group": "DISO"})
NAMES = [f"c{i}" for i in range(8)]
GRAPHS = st.builds(
    lambda facts, groups, texts: Graph(
        [ConceptRow(n, t, g, "disease", (t, n), t, t > "m") for n, g, t in zip(NAMES, groups, texts, strict=True)],
        [TripleRow(*fact) for fact in facts],
        RELATIONS,
    ),
    st.lists(
        st.tuples(
            st.sampled_from(NAMES), st.sampled_from(sorted(RELATIONS)), st.sampled_from(NAMES), st.text(max_size=2)
        ),
        max_size=30,
    ),
    st.lists(st.sampled_from([group.value for group in SemanticGroup]), min_size=8, max_size=8),
    st.lists(st.text(max_size=5), min_size=8, max_size=8),
)


@settings(max_examples=25, deadline=None)
@given(GRAPHS)
def test_any_graph_comes_back_the_same(tmp_path_factory: pytest.TempPathFactory, graph: Graph) -> None:
    folder = tmp_path_factory.mktemp("graph") / "snapshot"
    meta = write_snapshot(graph, folder, ABOUT)
    back = read_snapshot(folder, verify=True)
    assert list(back.concepts) == list(graph.concepts)
    assert [back.edges(i) for i in range(len(back))] == [graph.edges(i) for i in range(len(graph))]
    assert list(back.triples()) == list(graph.triples())
    assert back.reach.tolist() == graph.reach.tolist()
    assert back.group_offsets.tolist() == graph.group_offsets.tolist()
    assert (back.relations, back.inverse, back.words) == (graph.relations, graph.inverse, graph.words)
    assert back.relation_table.rows == graph.relation_table.rows
    assert back.computed_fingerprint() == back.fingerprint == graph.fingerprint == meta.fingerprint


def test_a_snapshot_answers_as_the_graph_does(tmp_path: Path, tiny_graph: Graph, named: Callable[[str], str]) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    back = read_snapshot(tmp_path / "g")
    failure = named("heart failure")
    assert back.row(failure) == tiny_graph.row(failure)
    assert back.related(failure, "treated_by") == tiny_graph.related(failure, "treated_by")
    assert back.neighbour_ids(failure) == tiny_graph.neighbour_ids(failure)
    assert list(back.index) == list(tiny_graph.index)
    assert "T:nothing" not in back.index
    assert back.edges("T:nothing") == []
    concepts = np.array([back.index[failure], 0])
    for group in range(len(GROUPS)):
        ours, theirs = back.into_group_many(concepts, group), tiny_graph.into_group_many(concepts, group)
        assert [array.tolist() for array in ours] == [array.tolist() for array in theirs]


def test_the_arrays_are_mapped_and_cannot_be_written_to(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    back = read_snapshot(tmp_path / "g")
    with pytest.raises(ValueError, match="read-only"):
        back.tails[0] = 1


def test_the_meta_file_says_what_it_is(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT, {"merged.tsv": "a\tb\n"})
    meta = json.loads((tmp_path / "g" / "meta.json").read_text())
    assert (meta["kind"], meta["format"], meta["licence"]) == ("leapnote graph snapshot", 1, "none needed")
    assert (meta["concepts"], meta["edges"]) == (len(tiny_graph), tiny_graph.edge_count)
    assert read_meta(tmp_path / "g").settings == {"group": "DISO"}
    assert (tmp_path / "g" / "merged.tsv").read_text() == "a\tb\n"


def test_a_missing_snapshot_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"no graph snapshot in 'nowhere'.*Import"):
        read_snapshot(tmp_path / "nowhere")


def test_another_format_is_refused(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    path = tmp_path / "g" / "meta.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(KnowledgeError, match="has format 2; this version reads format 1"):
        read_snapshot(tmp_path / "g")


def _cut(folder: Path) -> None:
    path = folder / "tails.npy"
    path.write_bytes(path.read_bytes()[:-5])


def _missing(folder: Path) -> None:
    (folder / "names_text.npy").unlink()


def _no_meta(folder: Path) -> None:
    (folder / "meta.json").unlink()


def _half_meta(folder: Path) -> None:
    path = folder / "meta.json"
    path.write_text(path.read_text()[:200])


def _empty_meta(folder: Path) -> None:
    (folder / "meta.json").write_text("[]")


def _no_arrays(folder: Path) -> None:
    meta = json.loads((folder / "meta.json").read_text())
    meta["arrays"].pop("reach")
    (folder / "meta.json").write_text(json.dumps(meta))


def _outside(folder: Path) -> None:
    tails = np.load(folder / "tails.npy")
    tails[0] = 10_000
    np.save(folder / "tails.npy", tails)


def _falling(folder: Path) -> None:
    offsets = np.load(folder / "offsets.npy")
    offsets[1] = offsets[-1] + 1
    np.save(folder / "offsets.npy", offsets)


def _other_type(folder: Path) -> None:
    np.save(folder / "groups.npy", np.load(folder / "groups.npy").astype(np.int64))


@pytest.mark.parametrize(
    "damage", [_cut, _missing, _no_meta, _half_meta, _empty_meta, _no_arrays, _outside, _falling, _other_type]
)
def test_a_damaged_snapshot_is_refused(tmp_path: Path, tiny_graph: Graph, damage: Callable[[Path], None]) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    damage(tmp_path / "g")
    with pytest.raises(KnowledgeError, match=r"'g'.*Import the graph again"):
        read_snapshot(tmp_path / "g")


def test_a_changed_letter_is_found_when_asked_to_verify(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    path = tmp_path / "g" / "definitions_text.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"X")
    read_snapshot(tmp_path / "g")
    with pytest.raises(KnowledgeError, match=r"definitions_text.npy does not have the sha256"):
        read_snapshot(tmp_path / "g", verify=True)


def test_a_new_snapshot_takes_the_place_of_the_old_one(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(Graph([], [], RELATIONS), tmp_path / "g", ABOUT, {"merged.tsv": ""})
    empty = read_snapshot(tmp_path / "g")
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    assert len(read_snapshot(tmp_path / "g")) == len(tiny_graph)
    assert (len(empty), empty.edge_count) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["g"]
    assert not (tmp_path / "g" / "merged.tsv").exists()


def test_a_folder_of_something_else_is_not_replaced(tmp_path: Path, tiny_graph: Graph) -> None:
    for name, text in (("letters.txt", "dear"), ("meta.json", '{"kind": "something else"}')):
        folder = tmp_path / name.split(".")[0]
        folder.mkdir()
        (folder / name).write_text(text)
        with pytest.raises(KnowledgeError, match="is not replaced"):
            write_snapshot(tiny_graph, folder, ABOUT)
        assert [path.name for path in folder.iterdir()] == [name]


KILLED = """
import os, signal, sys
from pathlib import Path
import numpy as np
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About
def killed(path, array, **kind):
    if path.stem == "tails":
        os.kill(os.getpid(), signal.SIGKILL)
    saved(path, array, **kind)
saved, np.save = np.save, killed
rows = [ConceptRow("Z", "z", "DISO", "disease")]
write_snapshot(Graph(rows, [], {}), Path(sys.argv[1]), About("", "", "", "", {}))
"""


def test_a_killed_import_leaves_the_old_snapshot_and_the_next_one_clears_up(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "g")], cwd=ROOT, check=False)
    assert ended.returncode == -9
    assert len(list(tmp_path.iterdir())) == 2
    assert read_snapshot(tmp_path / "g", verify=True).fingerprint == tiny_graph.fingerprint
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    assert [path.name for path in tmp_path.iterdir()] == ["g"]


def test_a_folder_that_was_moved_away_when_the_program_was_killed_comes_back(tmp_path: Path, tiny_graph: Graph) -> None:
    write_snapshot(tiny_graph, tmp_path / "g", ABOUT)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / "g").rename(tmp_path / f".g.old-{ended.pid}")
    with pytest.raises(TypeError):  # the second writing fails: what was there must stand again
        write_snapshot(tiny_graph, tmp_path / "g", ABOUT, {"bad": 1})  # type: ignore[dict-item]
    assert [path.name for path in tmp_path.iterdir()] == ["g"]
    assert read_snapshot(tmp_path / "g").fingerprint == tiny_graph.fingerprint
