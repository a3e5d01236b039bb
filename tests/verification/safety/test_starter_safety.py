"""No import silences a safety flag: what the starter knowledge flags is flagged beside every imported graph as well."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from backend.container.container import Container
from backend.ingest.graphs.graph_build import build_snapshot
from backend.ingest.graphs.graph_union import join_graphs
from backend.ingest.graphs.obo import OboSettings, import_obo
from backend.ingest.graphs.tsv_graph import TsvFiles, import_tsv
from backend.ingest.umls.umls import UmlsRelease
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.source_plan import SourceChoice
from backend.schemas.drafts.draft import Checks, Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.vocabulary import Document, SemanticGroup, Severity
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot_meta import About
from backend.stores.neo4j.neo4j_layout import Layout, mapped_layout
from backend.stores.neo4j.neo4j_load import load_graph
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping, plain_relation
from backend.systems import system
from backend.verification.safety.allergy_conflicts import NOT_RECOGNISED
from backend.verification.safety.starter_safety import StarterToo

ABOUT = About("made", "made up for the tests", "none needed", "2024-01-31", {})
UMLS = Path(__file__).parents[2] / "ingest" / "umls" / "umls_sample"
PREGNANT = (
    "Allergies: penicillin (anaphylaxis)\nChief Complaint: headache\nHPI: 28F with pregnancy at 20 weeks, hypertension and "
    "headache.\nMedications: lisinopril 10 mg daily, warfarin 5 mg daily, ibuprofen 400 mg as needed, amoxicillin 500 mg"
)
FlagSet = set[tuple[str, Severity, str]]
# names that an import has and the starter lacks, longer than the starter's own name within them
LONGER = ("pregnancy at 20 weeks", "lisinopril 10 mg", "warfarin 5 mg", "ibuprofen 400 mg", "amoxicillin 500 mg")


def other_group(group: str) -> str:
    """A group in which a name of this group meets no starter concept to be merged with."""
    return "CONC" if group != "CONC" else "ACTI"


def ties(starter: Graph) -> list[tuple[str, str, str]]:
    """Id, name and group: every name of the starter again, in a group where the union merges it with nothing."""
    return [(f"A:{number}", row.name, other_group(row.group)) for number, row in enumerate(starter.concepts)]


def by_tsv(folder: Path, starter: Graph) -> Graph:
    (folder / "concepts.tsv").write_text("id\tname\tgroup\n" + "".join("\t".join(row) + "\n" for row in ties(starter)))
    (folder / "edges.tsv").write_text("head\trelation\ttail\nA:1\tisa\tA:2\n")
    graph, _ = import_tsv(TsvFiles(folder / "concepts.tsv", folder / "edges.tsv"), folder / "g", ABOUT)
    return graph


def by_longer_names(folder: Path, starter: Graph) -> Graph:
    rows = [(f"A:{number}", name, "CHEM") for number, name in enumerate(LONGER)]
    (folder / "concepts.tsv").write_text("id\tname\tgroup\n" + "".join("\t".join(row) + "\n" for row in rows))
    (folder / "edges.tsv").write_text("head\trelation\ttail\nA:1\tisa\tA:2\n")
    graph, _ = import_tsv(TsvFiles(folder / "concepts.tsv", folder / "edges.tsv"), folder / "g", ABOUT)
    return graph


def by_obo(folder: Path, starter: Graph) -> Graph:
    terms = [f"[Term]\nid: {one}\nname: {name}\n" for one, name, _ in ties(starter)]
    (folder / "x.obo").write_text("format-version: 1.2\nontology: x\n\n" + "\n".join(terms))
    graph, _ = import_obo((folder / "x.obo",), folder / "g", ABOUT, OboSettings(SemanticGroup.PHEN))
    return graph


def by_umls(folder: Path, starter: Graph) -> Graph:
    release = UmlsRelease(UMLS)
    graph, _ = build_snapshot(release.concepts(), release.triples(), {}, folder / "g", ABOUT)
    return graph


class Answering:
    """A Neo4j with nodes of one label and no facts, as its driver would answer."""

    def __init__(self, layout: Layout, nodes: list[tuple[str, str, str]]) -> None:
        self._layout = layout
        self._nodes = sorted(nodes)

    def read(self, statement: str, **parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a statement of the layout; everything fits one page."""
        if "db.labels" in statement:
            return [("Term",)]
        if statement == self._layout.count:
            return [(len(self._nodes),) * 3]
        if statement == self._layout.first_facts:
            return [(one, []) for one, _, _ in self._nodes]
        assert statement == self._layout.first_concepts
        return [(*node, None, None, None, None, None) for node in self._nodes]


def by_neo4j(folder: Path, starter: Graph) -> Graph:
    mapping = Neo4jMapping("Term", "id", "name", "group", {"IS_A": plain_relation("IS_A")})
    db: Any = Answering(mapped_layout(mapping, frozenset({"Term"})), ties(starter))
    loaded = load_graph(db, mapping, page=1_000_000)
    graph, _ = build_snapshot(loaded.concepts, loaded.triples, loaded.relations, folder / "g", ABOUT)
    return graph


IMPORTS: dict[str, Callable[[Path, Graph], Graph]] = {
    "tsv": by_tsv,
    "longer names": by_longer_names,
    "obo": by_obo,
    "umls": by_umls,
    "neo4j": by_neo4j,
}


def requests(cases: list[DemonstrationCase]) -> Iterator[DraftRequest]:
    yield DraftRequest(text=PREGNANT)
    for case in cases:
        yield DraftRequest(
            text=case.text,
            patient_notes=case.patient_notes,
            discharge_medicines=case.discharge_medicines,
            hospital_course=case.hospital_course,
        )


def flags_of(container: Container, request: DraftRequest) -> FlagSet:
    linked = container.linker.link(request.text)
    flags, _ = container.safety.check(request, linked, container.ranker.rank(linked, request), ())
    return {(flag.kind, flag.severity, flag.message) for flag in flags}


@pytest.fixture(scope="module", params=list(IMPORTS))
def imported(request: pytest.FixtureRequest, container: Container, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an imported graph, g, and of its union with the starter, u."""
    folder = tmp_path_factory.mktemp(request.param.replace(" ", "-"))
    graph = IMPORTS[request.param](folder, container.starter_graph)
    join_graphs(container.starter_graph, graph, folder / "u", ABOUT)
    return folder


def beside(folder: Path) -> Container:
    return Container(Settings(_env_file=None, data=folder / "data", graph=str(folder)))


def test_a_union_has_every_flag_of_the_starter(
    container: Container, cases: list[DemonstrationCase], imported: Path
) -> None:
    union = beside(imported / "u")
    longer = LONGER[0] in union.graph.names
    for request in requests(cases):
        # how many conditions fit the findings less well follows from the longer name that was read
        before = {flag for flag in flags_of(container, request) if not (longer and flag[0] == "must_not_miss")}
        assert before <= flags_of(union, request), request.text[:40]


def test_a_note_of_names_that_tie_is_read_as_the_starter_reads_it(container: Container, imported: Path) -> None:
    text = "Allergies: none\nHPI: 28F with pregnancy, hypertension. She takes lisinopril, warfarin and ibuprofen."
    own = [(m.concept_id, m.text) for m in container.linker.link(text).note.mentions]
    assert [(m.concept_id, m.text) for m in beside(imported / "u").linker.link(text).note.mentions] == own


def test_without_the_starter_its_severe_flags_stand_and_the_draft_says_what_is_missing(
    container: Container, cases: list[DemonstrationCase], imported: Path
) -> None:
    alone = beside(imported / "g")
    for request in requests(cases):
        severe = {
            one for one in flags_of(container, request) if one[1] is Severity.SEVERE and one[0] != "must_not_miss"
        }
        assert severe <= flags_of(alone, request), request.text[:40]
    stages = alone.assembly.pipeline_parts(system("no-retrieval"), SourceChoice(), alone.models.chosen("composer"))
    assert any("does not hold the starter knowledge" in notice for notice in stages.notices)
    union = beside(imported / "u")
    assert (
        union.assembly.pipeline_parts(system("no-retrieval"), SourceChoice(), union.models.chosen("composer")).notices
        == ()
    )


def test_the_pregnant_woman_has_her_flags(container: Container) -> None:
    flags = flags_of(container, DraftRequest(text=PREGNANT))
    against = [message for kind, _, message in flags if kind == "contraindication"]
    for medicine in ("lisinopril", "warfarin", "ibuprofen"):
        assert any(f"{medicine} in the note should not be used with pregnancy" in message for message in against), (
            medicine
        )
    severe = {kind for kind, severity, _ in flags if severity is Severity.SEVERE}
    assert severe == {"contraindication", "allergy_conflict", "interaction"}


def test_drugbanks_texts_change_no_flag(container: Container, cases: list[DemonstrationCase], tmp_path: Path) -> None:
    beside_it = Container(Settings(_env_file=None, data=tmp_path))
    place = tmp_path / "definitions" / f"{container.graph.fingerprint}-drugbank.jsonl"
    place.parent.mkdir()
    row = {"concept_id": "LN:warfarin", "kind": "definition", "text": "Thins.", "origin": "DB1", "tail_id": ""}
    place.write_text(json.dumps(row) + "\n")
    assert beside_it.text.drug_texts["LN:warfarin"]
    for request in requests(cases):
        assert flags_of(beside_it, request) == flags_of(container, request)


def test_a_medicine_that_only_the_import_names_is_said_to_be_unchecked(container: Container, tmp_path: Path) -> None:
    (tmp_path / "concepts.tsv").write_text("id\tname\tgroup\tcategory\nA:1\tzorbamide\tCHEM\tdrug\nA:2\tgout\tDISO\t\n")
    (tmp_path / "edges.tsv").write_text("head\trelation\ttail\nA:1\ttreats\tA:2\n")
    graph, _ = import_tsv(TsvFiles(tmp_path / "concepts.tsv", tmp_path / "edges.tsv"), tmp_path / "g", ABOUT)
    join_graphs(container.starter_graph, graph, tmp_path / "u", ABOUT)
    note = "Allergies: none\nHPI: 60F with gout. She takes zorbamide 5 mg and lisinopril."
    for folder in ("g", "u"):
        made = beside(tmp_path / folder)
        _, checks = made.safety.check(DraftRequest(text=note), made.linker.link(note), (), ())
        assert [row.text for row in checks.unrecognised] == ["zorbamide"]


def test_a_forbidden_option_stays_forbidden_beside_an_import(imported: Path) -> None:
    alone = beside(imported / "g")
    asked = DraftRequest(
        text=PREGNANT,
        question="What should be started?",
        options=("enalapril", "labetalol"),
        document=Document.CLINICAL_ANSWER,
    )
    assert list(alone.safety.forbidden_options(asked, alone.linker.link(PREGNANT), ())) == ["A"]


class Answer:
    """A safety check that says what it was told to."""

    def __init__(self, *flags: Flag, checks: Checks | None = None, options: Mapping[str, str] | None = None) -> None:
        self._found = (flags, checks or Checks())
        self._options = options or {}

    def check(self, *asked: object) -> tuple[tuple[Flag, ...], Checks]:
        return self._found

    def forbidden_options(self, *asked: object) -> Mapping[str, str]:
        return self._options

    cautioned_options = forbidden_options


def flag(message: str, severity: Severity = Severity.WARNING, kind: str = "interaction") -> Flag:
    return Flag(kind=kind, severity=severity, message=message)


def both(
    own: Answer, starter: Answer, graph: Graph, linker: DictionaryLinker, known: DictionaryLinker | None = None
) -> StarterToo:
    return StarterToo(own, graph, linker, starter, known or linker)  # type: ignore[arg-type]


def checked(safety: StarterToo, linker: DictionaryLinker, **fields: Any) -> tuple[tuple[Flag, ...], Checks]:
    request = DraftRequest(**{"text": "HPI: cough.", **fields})
    return safety.check(request, linker.read(request.text), (), ())


def test_flags_of_both_are_told_once_the_severest_first(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> None:
    own = Answer(flag("both say"), flag("own"))
    starter = Answer(flag("both say"), flag("starter", Severity.SEVERE))
    found, _ = checked(both(own, starter, tiny_graph, tiny_linker), tiny_linker)
    assert [one.message for one in found] == ["starter", "both say", "own"]


def test_an_allergy_is_unknown_only_where_neither_knows_it(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> None:
    own = Answer(flag("zorb", kind=NOT_RECOGNISED), flag("latex", kind=NOT_RECOGNISED))
    starter = Answer(flag("zorb", kind=NOT_RECOGNISED), flag("kiwi", kind=NOT_RECOGNISED))
    found, _ = checked(both(own, starter, tiny_graph, tiny_linker), tiny_linker)
    assert [one.message for one in found] == ["zorb"]


def test_what_either_forbids_or_warns_of_is_an_option_by_letter(
    tiny_graph: Graph, tiny_linker: DictionaryLinker
) -> None:
    safety = both(Answer(options={"C": "own", "A": "own"}), Answer(options={"A": "starter"}), tiny_graph, tiny_linker)
    asked = DraftRequest(question="Which?", options=("x", "y", "z"), document=Document.CLINICAL_ANSWER)
    linked = tiny_linker.link(asked.question)
    for ask in (safety.forbidden_options, safety.cautioned_options):
        assert list(ask(asked, linked, ()).items()) == [("A", "starter"), ("C", "own")]
        assert ask(DraftRequest(text="HPI: cough."), linked, ()) == {}  # nothing was asked


def test_a_medicine_of_which_neither_has_a_fact_is_listed_as_unrecognised(
    tiny_rows: tuple[ConceptRow, ...], tiny_graph: Graph, relations: dict[str, RelationRow]
) -> None:
    row = ConceptRow("T:zorbivax", "zorbivax", "CHEM", "drug")
    linker, known = DictionaryLinker([*tiny_rows, row]), DictionaryLinker(tiny_rows)
    text = "HPI: cough.\n\nMedications: zorbivax 5 mg daily, warfarin 5 mg daily."
    bare = Graph([*tiny_rows, row], [], relations)
    _, found = checked(both(Answer(), Answer(), bare, linker, known), linker, text=text)
    assert [one.text for one in found.unrecognised] == ["zorbivax"]
    told = Graph([*tiny_rows, row], [TripleRow("T:zorbivax", "interacts_with", "T:warfarin", "")], relations)
    _, found = checked(both(Answer(), Answer(), told, linker, known), linker, text=text)
    assert found.unrecognised == ()
