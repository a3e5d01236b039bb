"""DrugBank: documents, and facts joined to a graph's concepts by name."""

import json
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.ingest.corpora.drugbank import FactKind, read_drugbank
from backend.ingest.documents.source_documents import Reading
from backend.ingest.graphs.drug_facts import drug_facts, drug_names, read_drug_texts
from backend.stores.graph.graph_rows import ConceptRow

XML = """<?xml version="1.0"?><drugbank xmlns="http://www.drugbank.ca" version="5.1">
<drug type="small" updated="2023-01-05T10:00:00"><drugbank-id>OLD1</drugbank-id><drugbank-id primary="true">DB1</drugbank-id>
<name>Warfarin</name><description>Thins blood.</description><indication>Clots.</indication><pharmacodynamics/>
<absorption>Whole.</absorption><synonyms><synonym>Coumadin</synonym></synonyms>
<drug-interactions><drug-interaction><drugbank-id>DB2</drugbank-id><name>Ibuprofen</name><description>More bleeding.</description></drug-interaction>
<drug-interaction><drugbank-id>DB3</drugbank-id><name>Nothing known</name><description>Less.</description></drug-interaction></drug-interactions>
<pathways><pathway><drugs><drug><drugbank-id>DB9</drugbank-id><name>Inner</name></drug></drugs></pathway></pathways></drug>
<drug><drugbank-id primary="true">DB4</drugbank-id><name>Acetylsalicylic acid</name><indication>Pain.</indication>
<synonyms><synonym>aspirin</synonym></synonyms></drug>
<drug><drugbank-id primary="true">DB5</drugbank-id><name>Empty</name></drug><drug><name>No id</name></drug></drugbank>"""
CONCEPTS = [
    ConceptRow("C:w", "warfarin", "CHEM", "drug"),
    ConceptRow("C:i", "ibuprofen", "CHEM", "drug"),
    ConceptRow("C:a", "aspirin", "CHEM", "drug"),
    ConceptRow("C:e", "empty", "DISO", "disease"),
    ConceptRow("C:x", "one", "CHEM", "drug", ("shared",)),
    ConceptRow("C:y", "two", "CHEM", "drug", ("Shared",)),
]


def written(folder: Path) -> Path:
    path = folder / "drugbank.xml"
    path.write_text(XML)
    return path


def test_a_drug_is_a_document_with_its_parts(tmp_path: Path) -> None:
    reading = Reading()
    warfarin, aspirin = read_drugbank(written(tmp_path), reading)
    assert (warfarin.document_id, warfarin.title, warfarin.date) == ("drugbank/DB1", "Warfarin", "2023-01-05")
    assert warfarin.sections == (
        ("Description", "Thins blood."),
        ("Indication", "Clots."),
        ("Absorption", "Whole."),
        ("Interactions", "More bleeding.\nLess."),
    )
    assert aspirin.title == "Acetylsalicylic acid"
    assert (reading.report.read, reading.report.kept) == (4, 2)
    assert reading.report.skipped == {"a drug without a text": 1, "a drug without an id or a name": 1}


def test_the_marks_of_references_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "marks.xml"
    path.write_text(XML.replace("Thins blood.", "Thins blood [A246609,L41539] slowly.[Label] Units [mg] stay."))
    warfarin = next(read_drugbank(path, Reading()))
    assert warfarin.sections[0] == ("Description", "Thins blood slowly. Units [mg] stay.")


def test_facts_join_concepts_by_name_or_synonym_and_interactions_join_two(tmp_path: Path) -> None:
    reading = Reading()
    facts = list(drug_facts(written(tmp_path), reading, drug_names(CONCEPTS)))
    assert [(f.concept_id, f.kind, f.text, f.tail_id) for f in facts] == [
        ("C:w", FactKind.DEFINITION, "Thins blood.", ""),
        ("C:w", FactKind.INDICATION, "Clots.", ""),
        ("C:w", FactKind.ABSORPTION, "Whole.", ""),
        ("C:w", FactKind.INTERACTION, "More bleeding.", "C:i"),
        ("C:a", FactKind.INDICATION, "Pain.", ""),
    ]
    assert {fact.origin for fact in facts} == {"DB1", "DB4"}
    assert reading.report.kept == 2


def test_a_name_of_two_chemicals_or_of_a_disease_joins_nothing() -> None:
    concept_of = drug_names(CONCEPTS)
    assert (concept_of("shared"), concept_of("Empty"), concept_of("WARFARIN")) == (None, None, "C:w")


def test_what_is_told_of_a_drug_alone_is_read_again_without_interactions(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    facts = drug_facts(written(tmp_path), Reading(), drug_names(CONCEPTS))
    path.write_text("".join(json.dumps(fact._asdict()) + "\n" for fact in facts))
    assert read_drug_texts(path) == {
        "C:w": (("definition", "Thins blood."), ("indication", "Clots."), ("absorption", "Whole.")),
        "C:a": (("indication", "Pain."),),
    }
    assert read_drug_texts(tmp_path / "none.jsonl") == {}


@pytest.mark.parametrize("line", ["no json", '{"concept_id": "C:w"}', "[]", '{"kind": "smell"}'])
def test_a_line_that_is_no_fact_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(KnowledgeError, match=r"facts\.jsonl, line 1,.*drug-facts"):
        read_drug_texts(path)
