"""OBO ontologies: terms, synonyms by scope, definitions, relations with their inverses; obsolete terms stay out."""

import os
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.obo import OboSettings, import_obo, plain, quoted, stanzas
from backend.knowledge.starter import read_relations
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.graph.snapshot import read_snapshot
from backend.stores.graph.snapshot_meta import About

ABOUT = About("obo", "made up for the tests", "none needed", "2024-01-31", {})
RELATIONS = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")
SMALL = r"""format-version: 1.2
ontology: small

[Term]
id: X:1
name: airway disease
def: "A disease of the \"airways\"\, any of them." [url:http\://example.org] {comment="by hand"}
alt_id: X:91
xref: MESH:D1 {source="a"}
xref: ICD10:J98 "airways"

[Term]
id: X:2
name: asthma
synonym: "bronchial asthma" EXACT []
synonym: "BA" EXACT ABBREVIATION [X:a]
synonym: "asthma" EXACT []
synonym: "wheeze" RELATED []
synonym: "occupational asthma" NARROW []
is_a: X:91 {source="b"} ! airway disease
relationship: located_in Y:1 ! lung
relationship: RO:0009 X:1
relationship: located_in Y:9 ! not here
intersection_of: X:1

[Term]
id: X:3
name: obsolete dropsy
is_obsolete: true
is_a: X:1

[Term]
id: Y:1
name: lung
is_a: Y:1 ! itself

[Typedef]
id: located_in
name: located in
inverse_of: location_of ! location of

[Typedef]
id: RO:0009
name: set off by

[Instance]
id: X:77
name: not a term
"""


def imported(tmp_path: Path, text: str = SMALL, settings: OboSettings | None = None) -> tuple[Graph, ImportReport]:
    path = tmp_path / "small.obo"
    path.write_text(text, encoding="utf-8")
    return import_obo((path,), tmp_path / "g", ABOUT, settings, RELATIONS)


def test_terms_become_concepts(tmp_path: Path) -> None:
    graph, report = imported(tmp_path)
    assert list(graph.ids) == ["X:1", "X:2", "Y:1"]
    assert graph.row("X:1").definition == 'A disease of the "airways", any of them.'
    assert graph.row("X:2") == ConceptRow("X:2", "asthma", "DISO", "disease", ("bronchial asthma", "BA"), "")
    # line 32: the obsolete term; line 26: the missing Y:9; line 40: lung is_a itself
    assert report.examples == {
        "concept obsolete": [SMALL[: SMALL.index("[Term]\nid: X:3")].count("\n") + 1],
        "triple tail is no concept kept": [SMALL[: SMALL.index("relationship: located_in Y:9")].count("\n") + 1],
        "triple leads to itself": [SMALL[: SMALL.index("is_a: Y:1")].count("\n") + 1],
    }
    assert (report.read, report.kept) == (4 + 5, 3 + 3)


def test_relations_have_their_names_and_inverses(tmp_path: Path) -> None:
    graph, _ = imported(tmp_path)
    edges = {(graph.ids[e.head], e.relation, graph.ids[e.tail]) for i in range(3) for e in graph.edges(i)}
    assert edges == {
        ("X:2", "isa", "X:1"),  # an alternative id stands for its term
        ("X:1", "inverse_isa", "X:2"),  # as the starter relations have it
        ("X:2", "located_in", "Y:1"),
        ("Y:1", "location_of", "X:2"),  # as the file states it
        ("X:2", "set_off_by", "X:1"),  # a numbered relation goes by its name
        ("X:1", "set_off_by_inverse", "X:2"),
    }
    assert graph.relation_words("location_of") == "location of"


def test_groups_go_by_setting_and_by_prefix_and_scopes_by_setting(tmp_path: Path) -> None:
    chosen = OboSettings(SemanticGroup.PHEN, {"Y": SemanticGroup.ANAT}, scopes=("RELATED", "NARROW"))
    graph, _ = imported(tmp_path, settings=chosen)
    assert (graph.row("X:2").group, graph.row("X:2").category) == ("PHEN", "phenomenon")
    assert (graph.row("Y:1").group, graph.row("Y:1").category) == ("ANAT", "anatomy")
    assert graph.row("X:2").synonyms == ("wheeze", "occupational asthma")
    graph, _ = imported(tmp_path, settings=OboSettings(category="symptom"))
    assert graph.row("X:2").category == "symptom"


def test_cross_references_lie_beside(tmp_path: Path) -> None:
    imported(tmp_path)
    assert (tmp_path / "g" / "xrefs.tsv").read_text() == "concept_id\txref\nX:1\tMESH:D1\nX:1\tICD10:J98\n"


def test_a_term_of_two_files_counts_once(tmp_path: Path) -> None:
    for name in ("a.obo", "b.obo"):
        (tmp_path / name).write_text(SMALL)
    graph, report = import_obo((tmp_path / "a.obo", tmp_path / "b.obo"), tmp_path / "g", ABOUT, known=RELATIONS)
    assert (len(graph), graph.edge_count) == (3, 6)
    assert report.skipped["concept id seen before"] == 3
    assert report.skipped["triple fact seen before"] == 3


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("X:1 ! a name", "X:1"),
        ('X:1 {a="b! c"} ! a name', "X:1"),
        (r"tea\, hot\W{x\} \! now", "tea, hot {x} ! now"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_comments_modifiers_and_escapes(value: str, meant: str) -> None:
    assert plain(value) == meant


def test_quoted_text_and_its_scope() -> None:
    assert quoted(r'"a \"b\" c" EXACT []') == ('a "b" c', "EXACT")
    assert quoted("nothing") == ("", "")


def test_a_file_that_is_no_obo_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"'small\.obo' holds no \[Term\]"):
        imported(tmp_path, "<owl>not this</owl>\n")
    with pytest.raises(KnowledgeError, match=r"no file 'nothing\.obo'"):
        list(stanzas(tmp_path / "nothing.obo"))
    assert not (tmp_path / "g").exists()


@pytest.mark.data
def test_the_disease_and_symptom_ontologies_are_imported(tmp_path: Path) -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "symptom_ontology").is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    symptoms = folder / "symptom_ontology" / "src" / "ontology" / "symp.obo"
    graph, report = import_obo((symptoms,), tmp_path / "symp", ABOUT, OboSettings(category="symptom"), RELATIONS)
    # grep: 1,020 [Term], 125 is_obsolete, 898 is_a of which none stands in an obsolete term
    assert (len(graph), graph.edge_count) == (895, 2 * 898)
    assert report.skipped == {"concept obsolete": 125}
    diseases = tuple(sorted((folder / "disease_ontology").glob("*.obo")))
    graph, _ = import_obo(diseases, tmp_path / "do", ABOUT, known=RELATIONS)
    assert graph.related("DOID:0050052", "isa") == ["DOID:11104"]  # Rocky Mountain spotted fever: spotted fever
    assert read_snapshot(tmp_path / "do", verify=True).fingerprint == graph.fingerprint
