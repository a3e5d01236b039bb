"""Our facts against others': miniatures of each source's real format, and what counts as agreement or contradiction."""

import gzip
import json
import os
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.knowledge.comparison import Report, compare
from backend.knowledge.comparison_names import words
from backend.knowledge.independent import FactKind, open_facts
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.starter import HandbookSection, Line, Starter, concept_id, read_relations, read_starter
from backend.settings import ROOT
from backend.stores.graph.graph_rows import ConceptRow, TripleRow

CONCEPTS = (
    ("heart failure", "DISO", "disease", ("CHF", "cardiac failure")),
    ("gout", "DISO", "disease", ()),
    ("asthma", "DISO", "disease", ()),
    ("dyspnea", "DISO", "symptom", ("shortness of breath",)),
    ("exertional dyspnea", "DISO", "symptom", ()),
    ("cough", "DISO", "symptom", ()),
    ("leg swelling", "DISO", "symptom", ()),
    ("furosemide", "CHEM", "drug", ("Lasix",)),
    ("carvedilol", "CHEM", "drug", ()),
    ("propranolol", "CHEM", "drug", ()),
    ("colchicine", "CHEM", "drug", ()),
    ("beta blocker", "CHEM", "drug_class", ()),
)
TRIPLES = (
    ("heart failure", "treated_by", "furosemide", ""),
    ("heart failure", "treated_by", "beta blocker", ""),
    ("gout", "treated_by", "furosemide", ""),
    ("heart failure", "has_finding", "dyspnea", ""),
    ("heart failure", "has_finding", "leg swelling", ""),
    ("heart failure", "may_have_finding", "cough", ""),
    ("asthma", "has_finding", "cough", ""),
    ("asthma", "has_finding", "exertional dyspnea", ""),
    ("exertional dyspnea", "isa", "dyspnea", ""),
    ("carvedilol", "has_class", "beta blocker", ""),
    ("propranolol", "has_class", "beta blocker", ""),
    ("beta blocker", "contraindicated_with", "asthma", "non-selective"),
)
HETIONET_NODES = """id\tname\tkind
Disease::D1\tHeart Failure\tDisease
Disease::D2\tgout\tDisease
Disease::D3\tasthma\tDisease
Compound::C1\tFurosemide\tCompound
Compound::C2\tCarvedilol\tCompound
Compound::C3\tPropranolol\tCompound
Compound::C4\tColchicine\tCompound
Symptom::S1\tCough\tSymptom
"""
HETIONET_EDGES = """source\tmetaedge\ttarget
Compound::C1\tCtD\tDisease::D1
Compound::C2\tCtD\tDisease::D1
Compound::C3\tCpD\tDisease::D3
Compound::C4\tCtD\tDisease::D2
Disease::D3\tDpS\tSymptom::S1
Gene::9\tGiG\tGene::8
Compound::C9\tCtD\tDisease::D1
"""


def _starter() -> Starter:
    where = Line("tiny", 2)
    rows = [(ConceptRow(concept_id(n), n, g, c, s), where) for n, g, c, s in CONCEPTS]
    facts = [(TripleRow(concept_id(h), r, concept_id(t), q), where) for h, r, t, q in TRIPLES]
    doses: list[tuple[DoseRow, Line]] = []
    handbook: list[HandbookSection] = []
    return Starter(rows, facts, doses, read_relations(ROOT / "assets" / "knowledge" / "relations.tsv"), handbook)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    hetionet = tmp_path / "hetionet"
    (hetionet / "hetnet" / "tsv").mkdir(parents=True)
    (hetionet / "hetnet" / "tsv" / "nodes.tsv").write_text(HETIONET_NODES)
    with gzip.open(hetionet / "edges.sif.gz", "wt") as file:
        file.write(HETIONET_EDGES)
    graph = tmp_path / "graph"
    graph.mkdir()
    (graph / "concepts.tsv").write_text("D:1\tCardiac failure\tDISO\t\nHP:1\tShortness of breath\tDISO\t\n")
    (graph / "edges.tsv").write_text("D:1\thas_manifestation\tHP:1\nD:1\thas_symptom\tLBL:cough\nD:1\tisa\tHP:1\n")
    questions = {
        "a": {"is_antecedent": False, "question_en": "Do you have swelling, leg swelling or a cough?"},
        "b": {"is_antecedent": True, "question_en": "Did you ever have shortness of breath?"},
    }
    conditions = {"x": {"cond-name-eng": "Possible asthma / bronchospasm", "symptoms": {"a": {}, "b": {}}}}
    (tmp_path / "release_conditions.json").write_text(json.dumps(conditions))
    (tmp_path / "release_evidences.json").write_text(json.dumps(questions))
    return tmp_path


@pytest.fixture
def report(folder: Path) -> Report:
    return compare(_starter(), folder)


def _pairs(report: Report, kind: FactKind, name: str) -> set[tuple[str, str]]:
    chosen = next(item for item in report.kinds if item.kind is kind)
    return {(item.head, item.tail) for item in getattr(chosen, name)}


def test_each_source_is_read_in_its_own_format(folder: Path) -> None:
    counted: dict[str, int] = {}
    for fact in open_facts(folder):
        counted[fact.source] = counted.get(fact.source, 0) + 1
    # the Hetionet edge whose compound has no name is passed over; the DDXPlus question about the past too.
    # "Possible asthma / bronchospasm" counts under three names: the whole and both sides.
    assert counted == {
        "Hetionet treats": 3,
        "Hetionet palliates": 1,
        "Hetionet presents": 1,
        "HPO": 1,
        "Disease Ontology": 1,
        "DDXPlus": 3,
    }


def test_names_match_by_words_without_order_number_or_marks() -> None:
    assert words("Graves' disease") == words("disease, Graves")
    assert words("kidney stones") == words("Kidney stone")
    assert words("hepatitis") != words("hepatiti")
    assert words("low sodium") != words("low potassium")


def test_the_same_treatment_is_confirmed(report: Report) -> None:
    assert _pairs(report, FactKind.TREATS, "confirmed") == {("heart failure", "furosemide")}


def test_a_class_is_confirmed_broadly_by_its_member(report: Report) -> None:
    assert _pairs(report, FactKind.TREATS, "broadly") == {("heart failure", "beta blocker")}


def test_a_treatment_that_nobody_mentions_is_listed(report: Report) -> None:
    assert _pairs(report, FactKind.TREATS, "unmentioned") == {("gout", "furosemide")}


def test_what_they_state_and_we_do_not_is_listed(report: Report) -> None:
    assert ("gout", "colchicine") in _pairs(report, FactKind.TREATS, "absent")
    # the class of carvedilol stands with heart failure in ours
    assert ("heart failure", "carvedilol") not in _pairs(report, FactKind.TREATS, "absent")


def test_findings_are_confirmed_by_names_synonyms_and_questions(report: Report) -> None:
    assert _pairs(report, FactKind.SHOWS, "confirmed") == {
        ("heart failure", "dyspnea"),  # HPO, under synonyms of both ends
        ("heart failure", "cough"),  # Disease Ontology, a bare label
        ("asthma", "cough"),  # Hetionet and DDXPlus
    }
    assert ("asthma", "leg swelling") in _pairs(report, FactKind.SHOWS, "absent")


def test_a_drug_they_treat_with_and_we_contraindicate_is_a_contradiction_with_its_qualifier(report: Report) -> None:
    (only,) = report.contradicted
    assert (only.head, only.tail) == ("asthma", "propranolol")
    assert "as beta blocker: contraindicated_with (non-selective), tiny:2" in only.why


def test_the_report_is_json_and_text(report: Report) -> None:
    assert json.loads(json.dumps(report.as_json()))["kinds"][0]["kind"] == "treats"
    text = report.as_text()
    assert "heart failure – furosemide: Hetionet treats" in text
    assert "contradicted: 1" in text


def test_a_folder_without_any_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No open data was found"):
        compare(_starter(), tmp_path)


@pytest.mark.data
def test_the_starter_knowledge_mostly_agrees_with_open_data_where_both_speak() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    found = compare(read_starter(ROOT / "assets" / "knowledge"), folder)
    treats = found.kinds[0]
    assert len(treats.confirmed) + len(treats.broadly) > 2 * len(treats.unmentioned)
    assert len(found.contradicted) < 30
