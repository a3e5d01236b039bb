"""The commands of graphs: import, list, make ready, export, remove. Each runs once on small data."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from backend.cli.knowledge import knowledge, knowledge_add, knowledge_graphs, knowledge_neo4j
from backend.cli.program import run as run_command
from backend.container import Container, loaded_knowledge
from backend.errors import LeapnoteError
from backend.ingest.graphs import graph_build
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import ROOT, Settings
from backend.stores.graph import concept_encoding
from backend.stores.graph.concept_vectors import ConceptVectors
from backend.stores.graph.snapshot import read_snapshot
from tests.conftest import WordEncoder

UMLS = Path(__file__).parents[2] / "ingest" / "umls" / "umls_sample"
CONCEPTS = "id\tname\tgroup\nA\tasthma\tDISO\nB\tsalbutamol\tCHEM\nC\tlung\tANAT\nD\t\tDISO\n"
EDGES = "head\trelation\ttail\nB\teases\tA\nA\tsits_in\tC\nA\tsits_in\tZ\n"
OBO = """format-version: 1.2

[Term]
id: X:1
name: asthma
synonym: "bronchial asthma" EXACT []
synonym: "wheezy illness" RELATED []
is_a: X:2 ! lung disease

[Term]
id: X:2
name: lung disease
relationship: located_in UB:1 ! lung

[Term]
id: UB:1
name: lung
"""


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def printed(self) -> dict[str, Any]:
        return dict(json.loads(self.out.splitlines()[-1]))


class Commands:
    """Commands of this family with settings of their own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: Path) -> None:
        self.settings = Settings(_env_file=None, data=data)
        self._capsys = capsys
        for module in (knowledge, knowledge_add, knowledge_graphs, knowledge_neo4j):
            monkeypatch.setattr(module, "settings", lambda: self.settings)

    def set(self, **values: object) -> None:
        self.settings = self.settings.model_copy(update=values)

    def __call__(self, *arguments: object) -> Done:
        try:
            status, error = run_command(["knowledge", *map(str, arguments)]), ""
        except typer.TyperException as wrong:
            status, error = wrong.exit_code, wrong.format_message()
        except LeapnoteError as known:
            status, error = known.exit_status, str(known)
        said = self._capsys.readouterr()
        return Done(status, said.out, said.err + error)


@pytest.fixture
def run(
    container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Commands:
    monkeypatch.setattr(loaded_knowledge, "make_encoder", lambda _: WordEncoder())
    for part in ("starter", "graph", "passages"):  # read once for all tests
        monkeypatch.setattr(loaded_knowledge.ShippedKnowledge, part, getattr(container.shipped, part))
    return Commands(monkeypatch, capsys, tmp_path / "data")


@pytest.fixture
def tsv(tmp_path: Path) -> Path:
    folder = tmp_path / "tsv"
    folder.mkdir()
    (folder / "concepts.tsv").write_text(CONCEPTS)
    (folder / "edges.tsv").write_text(EDGES)
    return folder


@pytest.fixture
def graphs(run: Commands) -> Path:
    return run.settings.data / "graphs"


def test_a_umls_release_is_imported_with_a_report_and_leaves_no_checkpoints(run: Commands, graphs: Path) -> None:
    done = run("add", "umls", "--from", UMLS, "--json")
    # 24 + 13 + 7 + 24 rows of the sample's four files, 15 + 9 + 3 + 8 of them kept (tests/ingest/umls/test_umls.py)
    assert (done.status, done.printed["report"]["read"], done.printed["report"]["kept"]) == (0, 68, 35)
    assert (done.printed["concepts"], done.printed["edges"]) == (9, 16)
    assert done.printed["licence"].startswith("UMLS")
    assert read_snapshot(graphs / "umls").fingerprint == done.printed["fingerprint"]
    assert not list((run.settings.data / "work").rglob("*.npz"))
    assert "bytes of MRCONSO" in done.err


def test_the_flags_of_umls_are_the_settings_of_its_importer(run: Commands, graphs: Path, tmp_path: Path) -> None:
    listed = shutil.copy(ROOT / "assets" / "rules" / "umls_relations.tsv", tmp_path / "mine.tsv")
    done = run(
        *("add", "umls", "--from", UMLS, "--name", "few", "--licence", "mine", "--sources", "MSH,SNOMEDCT_US"),
        *("--language", "ENG", "--other-synonyms", "--relation-sources", "SNOMEDCT_US", "--relation-list", "all"),
        *("--relation-file", listed, "--groups", "DISO,Anatomy", "--definition-sources", "none"),
    )
    assert done.status == 0
    graph = read_snapshot(graphs / "few")
    assert {row.group for row in graph.concepts} == {"DISO", "ANAT"}
    assert not any(row.definition for row in graph.concepts)
    meta = json.loads((graphs / "few" / "meta.json").read_text())
    assert meta["licence"] == "mine"
    assert meta["settings"]["sources"] == "MSH, SNOMEDCT_US"
    assert meta["settings"]["relation_list"] == "all"
    assert meta["settings"]["other_synonyms"] == "True"


def test_a_stopped_umls_import_goes_on_after_the_last_finished_file(
    run: Commands, monkeypatch: pytest.MonkeyPatch, graphs: Path
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(graph_build, "write_snapshot", stop)
        done = run("add", "umls", "--from", UMLS)
    assert done.status == 130
    assert "goes on after the last finished file" in done.err
    assert not list(graphs.glob("*"))
    assert len(list((run.settings.data / "work" / "umls").glob("*.checkpoint.npz"))) == 4
    again = run("add", "umls", "--from", UMLS)
    assert again.status == 0
    assert "bytes of" not in again.err  # no file is read a second time


def test_ontologies_are_imported_with_groups_by_prefix(run: Commands, graphs: Path, tmp_path: Path) -> None:
    path = tmp_path / "lungs.obo"
    path.write_text(OBO)
    done = run(
        *("add", "obo", "--from", path, "--name", "lungs", "--licence", "CC0", "--group", "Disorders"),
        *("--prefix-group", "UB=ANAT", "--category", "disease", "--scopes", "EXACT,RELATED"),
    )
    assert done.status == 0
    assert "lungs: 3 concepts, 4 directed edges" in done.out
    assert "knowledge load graph lungs" in done.out
    graph = read_snapshot(graphs / "lungs")
    assert graph.row("UB:1").group == SemanticGroup.ANAT
    assert graph.row("X:1").synonyms == ("bronchial asthma", "wheezy illness")
    assert graph.related("X:1", "isa") == ["X:2"]
    # the inverse of a relation that the starter knowledge has is the starter's
    assert graph.related("X:2", "inverse_isa") == ["X:1"]


@pytest.mark.parametrize("as_folder", [True, False])
def test_tsv_files_are_imported_from_a_folder_or_by_name(
    run: Commands, tsv: Path, graphs: Path, as_folder: bool
) -> None:
    given = [tsv] if as_folder else [tsv / "concepts.tsv", tsv / "edges.tsv"]
    done = run("add", "tsv", "--from", *given, "--name", "mine")
    # 4 concepts and 3 edges: one concept has no name, one edge leads to what is none
    assert "read 7, kept 5, skipped 2" in done.out
    assert "concept without a name (line 5)" in done.out
    assert "triple tail is no concept kept (line 4)" in done.out
    assert len(read_snapshot(graphs / "mine")) == 3


def test_ids_stand_in_for_names_and_relations_get_words_on_request(run: Commands, tsv: Path, graphs: Path) -> None:
    (tsv / "words.tsv").write_text("relation\tinverse\twords\tinverse_words\nsits_in\tholds\tsits in\tis the seat of\n")
    assert run("add", "tsv", "--from", tsv, "--name-from-id", "--relations", tsv / "words.tsv").status == 0
    graph = read_snapshot(graphs / "tsv")
    assert graph.row("D").name == "D"
    assert graph.relation_words("holds") == "is the seat of"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "umls", "--from", "/none/such"), "no folder 'such'"),
        (("add", "umls", "--from", UMLS, "--relation-file", "/none/such.tsv"), "no file 'such.tsv'"),
        (("add", "umls", "--from", UMLS, "--groups", "FOO"), "'FOO' is no semantic group"),
        (("add", "umls", "--from", UMLS, "--sources", ","), "give names"),
        (("add", "umls", "--from", UMLS, "--name", "../x"), "no name for a graph"),
        (("add", "obo", "--from", "/none/such.obo"), "no file 'such.obo'"),
        (("add", "obo", "--from", "x", "--prefix-group", "UB"), "write UBERON=ANAT"),
        (("add", "obo", "--from", "x", "--group", "FOO"), "'FOO' is no semantic group"),
        (("add", "tsv", "--from", "/none/such"), "no folder 'such'"),
        (("add", "tsv", "--from", UMLS), "lacks concepts.tsv or edges.tsv"),
        (("add", "tsv", "--from", "a", "b", "c"), "one folder, or two files"),
        (("load", "graph", "none"), "no graph 'none'"),
        (("export", "tsv", "none", "--to", "x"), "no graph 'none'"),
        (("remove", "graph", "none"), "no imported graph 'none'"),
        (("remove", "graph", "starter"), "no name for a graph"),
        (("load", "neo4j", "none"), "No Neo4j server is set"),
        (("load", "neo4j"), "name of an export, or --mapping"),
        (("load", "neo4j", "--mapping", "x.json"), "--name"),
        (("export", "neo4j", "starter"), "No Neo4j server is set"),
        (("remove", "neo4j", "none"), "No Neo4j server is set"),
        (("list", "--neo4j"), "No Neo4j server is set"),
    ],
)
def test_wrong_input_ends_with_two_and_says_how_to_mend_it(
    run: Commands, graphs: Path, arguments: tuple[object, ...], says: str
) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert says in done.err
    assert not graphs.exists() or not list(graphs.iterdir())


def test_a_server_that_is_not_there_ends_with_three(run: Commands) -> None:
    run.set(neo4j_uri="bolt://127.0.0.1:1")
    done = run("export", "neo4j", "starter")
    assert done.status == 3
    assert "cannot be reached" in done.err


def test_a_graph_is_made_ready_and_says_what_to_set(run: Commands, tsv: Path, graphs: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine")
    done = run("load", "graph", "mine")
    assert done.status == 0
    assert "set LEAPNOTE_GRAPH=mine" in done.out
    assert "No paths by the policy leapnote yet" in done.out
    assert "3/3 concept names encoded" in done.err
    loaded = run("load", "graph", "mine", "--json").printed
    stored = ConceptVectors(Path(loaded["vectors"]))
    stored.check(read_snapshot(graphs / "mine"), "words")
    container = Container(run.settings.model_copy(update={"graph": "mine"}))
    assert container.concept_vectors.shape == (3, WordEncoder.dimension)


def test_a_damaged_graph_is_not_made_ready(run: Commands, tsv: Path, graphs: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine")
    names = graphs / "mine" / "names_text.npy"
    names.write_bytes(names.read_bytes().replace(b"asthma", b"asthmb"))
    done = run("load", "graph", "mine")
    assert done.status == 2
    assert "names_text.npy does not have the sha256" in done.err


def test_a_stopped_encoding_goes_on(run: Commands, tsv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine")
    encoder = WordEncoder()
    monkeypatch.setattr(loaded_knowledge, "make_encoder", lambda _: encoder)
    monkeypatch.setattr(loaded_knowledge, "ENCODED_AT_ONCE", 1)
    noted = concept_encoding._note
    done_names: list[int] = []

    def stopping(folder: Path, meta: Any, done: int) -> None:
        noted(folder, meta, done)
        done_names.append(done)
        if done_names == [1, 2]:
            raise KeyboardInterrupt

    monkeypatch.setattr(concept_encoding, "_note", stopping)
    done = run("load", "graph", "mine")
    assert done.status == 130
    assert "goes on with the names that are left" in done.err
    assert run("load", "graph", "mine").status == 0
    assert sorted(encoder.encoded) == ["asthma", "lung", "salbutamol"]  # each once


def test_a_graph_is_joined_with_the_starter_once(run: Commands, tsv: Path, graphs: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine", "--licence", "CC0")
    (graphs / "mine" / "xrefs.tsv").write_text("concept_id\txref\nA\tMESH:D1\n")  # as of an ontology
    done = run("load", "graph", "mine", "--with-starter", "--json")
    assert done.status == 0
    assert done.printed["set"] == "LEAPNOTE_GRAPH=mine-with-starter"
    assert "were merged into starter concepts" in done.err
    joined = read_snapshot(graphs / "mine-with-starter")
    # asthma, salbutamol and lung: what the starter has of them was merged, so there are fewer than both together
    starter = Container(run.settings).starter_graph
    assert "\tMESH:D1\n" in (graphs / "mine-with-starter" / "xrefs.tsv").read_text()
    assert len(starter) <= len(joined) < len(starter) + 3
    assert (
        "Leapnote starter knowledge" in json.loads((graphs / "mine-with-starter" / "meta.json").read_text())["licence"]
    )
    again = run("load", "graph", "mine", "--with-starter")
    assert "were merged" not in again.err
    (tsv / "edges.tsv").write_text(EDGES + "B\teases\tC\n")
    run("add", "tsv", "--from", tsv, "--name", "mine")
    assert "were merged" in run("load", "graph", "mine", "--with-starter").err  # another import: joined anew
    refused = run("load", "graph", "mine-with-starter", "--with-starter")
    assert refused.status == 2
    assert "has the starter graph in it already" in refused.err


def test_the_list_shows_each_graph_with_what_is_in_use(run: Commands, tsv: Path, graphs: Path, tmp_path: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine", "--licence", "CC0")
    run("load", "graph", "mine")
    run("add", "tsv", "--from", tsv, "--name", "broken")
    (graphs / "broken" / "meta.json").write_text("{")
    run.set(graph="mine")
    rows = {row.get("name", row["source"]): row for row in map(json.loads, run("list", "--json").out.splitlines())}
    assert [name for name, row in rows.items() if row.get("in_use")] == ["mine"]
    assert rows["mine"]["concepts"] == 3 and rows["mine"]["licence"] == "CC0" and rows["mine"]["vectors"] == "ready"
    assert rows["mine"]["fingerprint"] == read_snapshot(graphs / "mine").fingerprint
    assert rows["starter"]["concepts"] > 5000 and rows["starter"]["licence"]
    assert "damaged" in rows["broken"]["problem"]
    assert {"book", "guideline", "research", "wiki"} <= set(rows)
    assert "name: mine  in_use: True" in run("list").out
    shutil.move(graphs / "mine", tmp_path / "away")
    gone = [json.loads(line) for line in run("list", "--json").out.splitlines()]
    assert any(row.get("in_use") and "no graph 'mine'" in row["problem"] for row in gone)
    run.set(graph=str(tmp_path / "away"))
    assert "name: " + str(tmp_path / "away") in run("list").out


def test_a_graph_in_use_is_not_removed(run: Commands, tsv: Path, graphs: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine")
    run("load", "graph", "mine")
    for name_or_folder in ("mine", str(graphs / "mine")):
        run.set(graph=name_or_folder)
        done = run("remove", "graph", "mine")
        assert done.status == 2
        assert "in use" in done.err
    run.set(graph="starter")
    done = run("remove", "graph", "mine", "--json")
    assert len(done.printed["removed"]) == 2  # the graph, and the vectors of its concepts
    assert not list(graphs.glob("*"))


def test_a_graph_is_exported_as_tsv_and_as_a_snapshot(run: Commands, tsv: Path, tmp_path: Path) -> None:
    run("add", "tsv", "--from", tsv, "--name", "mine")
    out: Callable[[str], Path] = lambda name: tmp_path / "out" / name  # noqa: E731
    assert "3 concepts, 2 edges" in run("export", "tsv", "mine", "--to", out("tsv")).out
    assert run("export", "tsv", "mine", "--to", out("tsv"), "--json").printed["changed"] == 0
    assert run("add", "tsv", "--from", out("tsv"), "--name", "again").status == 0
    whole = run("export", "snapshot", "mine", "--to", out("snapshot"), "--json").printed
    assert read_snapshot(out("snapshot"), verify=True).fingerprint == whole["fingerprint"]
    assert "3 concepts" in run("export", "snapshot", str(out("snapshot")), "--to", out("copy")).out
    starter = run("export", "snapshot", "starter", "--to", out("starter"), "--json").printed
    assert starter["fingerprint"] == Container(run.settings).starter_graph.fingerprint


def test_the_shipped_vectors_are_those_of_the_starter_whatever_graph_is_set(
    run: Commands, tsv: Path, tmp_path: Path
) -> None:
    shutil.copytree(run.settings.knowledge, tmp_path / "knowledge", ignore=shutil.ignore_patterns("vectors"))
    run.set(knowledge=tmp_path / "knowledge")
    run("add", "tsv", "--from", tsv, "--name", "mine")
    run.set(graph="mine")
    done = run("vectors")
    assert done.status == 0
    container = Container(run.settings.model_copy(update={"graph": "starter"}))
    assert not container.vectors.missing(list(container.shipped.texts_to_encode()))
