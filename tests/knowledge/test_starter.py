"""Reading the starter knowledge: rows as written, inverse facts turned round, wrong shapes named by line."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.handbook import handbook_passages
from backend.knowledge.safety.rows.clauses import DoseUnit, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.starter import SECTIONS, Starter, concept_id, read_starter
from backend.knowledge.starter_check import breaches
from backend.settings import ROOT
from backend.stores.graph.graph_rows import TripleRow

RELATIONS = (ROOT / "assets" / "knowledge" / "relations.tsv").read_text()
CONCEPTS = """name\tgroup\tcategory\tsynonyms\tplain\tflags
# a comment
gout\tDISO\tdisease\tgouty arthritis|podagra|gout\tpainful crystals in a joint\tcondition|must_not_miss
colchicine\tCHEM\tdrug\tColcrys

Crohn's disease\tDISO\tdisease
"""
TRIPLES = "head\trelation\ttail\tqualifier\ncolchicine\ttreats\tgout\tacute\ngout\thas_diet_advice\tcolchicine\n"
DOSES = (
    "drug\troute\tindication\twhen\tminimum\tmaximum\tunit\tperiod\tceiling\tnote\n"
    "colchicine\toral\tgout\teGFR<30\t0.6\t1.2\tmg\tdose\t2.4\t-\n"
)
HANDBOOK = "# gout\n## What it is\nGout is a sore joint.\nCrystals cause it.\n## Diet\nDrink water.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for kind in ("concepts", "triples", "doses", "handbook"):
        (tmp_path / kind).mkdir()
    (tmp_path / "relations.tsv").write_text(RELATIONS)
    (tmp_path / "concepts" / "joints.tsv").write_text(CONCEPTS)
    (tmp_path / "triples" / "joints.tsv").write_text(TRIPLES)
    (tmp_path / "doses" / "joints.tsv").write_text(DOSES)
    (tmp_path / "handbook" / "joints.md").write_text(HANDBOOK)
    return tmp_path


@pytest.fixture
def starter(folder: Path) -> Starter:
    return read_starter(folder)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("heart failure", "LN:heart-failure"),
        ("Crohn's disease", "LN:crohns-disease"),
        ("  COVID-19 ", "LN:covid-19"),
        ("5-HT3 antagonist", "LN:5-ht3-antagonist"),
    ],
)
def test_an_id_is_made_from_the_name(name: str, wanted: str) -> None:
    assert concept_id(name) == wanted


def test_concepts_are_read_with_their_flags_and_place(starter: Starter) -> None:
    (gout, where), (colchicine, _), (crohn, _) = starter.concepts
    assert (gout.name, gout.synonyms, gout.definition) == (
        "gout",
        ("gouty arthritis", "podagra"),
        "painful crystals in a joint",
    )
    assert (gout.condition, gout.must_not_miss) == (True, True)
    assert (where.system, where.number) == ("joints", 3)
    assert (colchicine.synonyms, colchicine.definition, colchicine.condition) == (("Colcrys",), "", False)
    assert crohn.concept_id == "LN:crohns-disease"


def test_a_fact_written_backwards_is_turned_round(starter: Starter) -> None:
    assert [row for row, _ in starter.triples] == [
        TripleRow("LN:gout", "treated_by", "LN:colchicine", "acute"),
        TripleRow("LN:gout", "has_diet_advice", "LN:colchicine", ""),
    ]


def test_doses_are_numbers(starter: Starter) -> None:
    row, where = starter.doses[0]
    assert row._replace(file="", line=0, row_id="") == DoseRow(
        "LN:colchicine", "oral", 0.6, 1.2, DoseUnit.MG, Period.DOSE, (ValueClause("eGFR", "<", 30),), "LN:gout", 2.4
    )
    assert (where.system, where.number) == ("doses/joints.tsv", 2)


def test_a_dose_that_is_no_number_is_named(folder: Path) -> None:
    (folder / "doses" / "joints.tsv").write_text(DOSES.replace("0.6", "some"))
    with pytest.raises(KnowledgeError, match=r"joints\.tsv:2: minimum 'some'"):
        read_starter(folder)


def test_a_line_with_too_few_cells_is_named(folder: Path) -> None:
    (folder / "triples" / "joints.tsv").write_text(TRIPLES + "gout treated_by colchicine\n")
    with pytest.raises(KnowledgeError, match=r"joints\.tsv:4.*single tabs"):
        read_starter(folder)


def test_a_folder_without_relations_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="LEAPNOTE_KNOWLEDGE"):
        read_starter(tmp_path)


def test_sections_are_one_line_of_text_each(starter: Starter) -> None:
    assert [(s.condition, s.title, s.text) for s in starter.handbook] == [
        ("gout", "What it is", "Gout is a sore joint. Crystals cause it."),
        ("gout", "Diet", "Drink water."),
    ]


def test_passages_index_their_chapter(starter: Starter) -> None:
    chapter = " ".join(section.text for section in starter.handbook)
    rows = handbook_passages(starter.handbook)
    assert [row.title for row in rows] == ["Gout: What it is", "Gout: Diet"]
    assert all(chapter[row.start_char : row.end_char] == row.text for row in rows)
    assert {row.concept_id for row in rows} == {"LN:gout"}
    assert all("not reviewed by a clinician" in row.licence for row in rows)


def test_the_check_names_every_kind_of_breach(folder: Path) -> None:
    (folder / "concepts" / "joints.tsv").write_text(
        CONCEPTS + "gout\tDISO\tdisease\nnonsense\tXXXX\tthing\npodagra\tDISO\tdisease\n"
    )
    (folder / "triples" / "joints.tsv").write_text(
        TRIPLES
        + "colchicine\tcontraindicated_with\tgout\n"
        + "gout\thas_finding_site\tknee\n"
        + "gout\tcures\tcolchicine\n"
        + "gout\tassociated_with\tgout\n"
        + "gout\tdiagnosed_by\tcolchicine\n"
        + "colchicine\ttreats\tgout\tacute\n"
    )
    (folder / "doses" / "joints.tsv").write_text(DOSES + "colchicine\toral\t-\t-\t2\t1\tmg\tday\t-\t-\n")
    messages = "\n".join(what for _, what in breaches(read_starter(folder)))
    for part in (
        "gout: defined twice",
        "unknown semantic group 'XXXX'",
        "unknown category 'thing'",
        "synonym 'podagra' is the name of another concept",
        "tail 'knee' is no concept",
        "unknown relation 'cures'",
        "a concept cannot stand on both sides",
        "tail is a drug, allowed: procedure, test",
        "stated twice",
        "both treats and is contraindicated_with gout: qualify contraindicated_with",
        "Crohn's disease: orphan",
        "colchicine: a drug without has_class",
        "0 findings, at least 6 wanted",
        "handbook sections missing or out of order; missing: How it shows",
        "minimum 2.0 and maximum 1.0 are out of order",
        "is a safety row",
    ):
        assert part in messages, part


def test_a_consistent_folder_breaks_no_rule(folder: Path) -> None:
    (folder / "concepts" / "joints.tsv").write_text("name\tgroup\tcategory\nknee\tANAT\tanatomy\nleg\tANAT\tanatomy\n")
    (folder / "triples" / "joints.tsv").write_text("head\trelation\ttail\nknee\tpart_of\tleg\n")
    (folder / "doses" / "joints.tsv").unlink()
    (folder / "handbook" / "joints.md").unlink()
    assert list(breaches(read_starter(folder))) == []


def test_there_are_ten_sections_in_a_chapter() -> None:
    assert len(SECTIONS) == 10
