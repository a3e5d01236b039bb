"""Findings told by two things near each other: what is read, and what keeps the two apart."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings import nearby
from backend.nlp.findings.nearby import nearby_findings
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker


def read(text: str) -> set[str]:
    return {one.concept for one in nearby_findings(parse_note(text))}


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Duplex shows occlusive thrombus in R popliteal and femoral veins.", "deep vein thrombosis"),
        ("CT: free air under the diaphragm.", "gastrointestinal perforation"),
        ("ECG with ST elevation in II, III and aVF.", "acute myocardial infarction"),
        ("Diffuse concave ST elevation.", "pericarditis"),
        ("CXR with dense consolidation in RLL.", "infiltrate on chest x-ray"),
        ("6 mm stone at the L UVJ.", "kidney stone"),
        ("Lipase 1,840.", "raised lipase"),
        ("Paracentesis: PMN 820, culture sent.", "spontaneous bacterial peritonitis"),
        ("Displaced right femoral neck fracture.", "hip fracture"),
    ],
)
def test_a_result_and_its_place_are_read(text: str, concept: str) -> None:
    assert concept in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "Thrombus seen. Femoral pulses full.",
        "Thrombus in the femoral artery graft.",
        "Stone in the gallbladder neck.",
        "Appendix normal, no stranding.",
        "Paracentesis: PMN 82.",
        "Diffuse ST elevation, anterior and inferior, with PR depression: no acute myocardial infarction",
    ],
)
def test_another_sentence_vessel_organ_or_number_is_not_read(text: str) -> None:
    excluded = {
        "deep vein thrombosis",
        "kidney stone",
        "appendicitis",
        "spontaneous bacterial peritonitis",
        "acute myocardial infarction",
    }
    assert read(text).isdisjoint(excluded)


def test_what_is_read_carries_its_assertion(container: Container) -> None:
    denied = container.linker.link("HPI: No thrombus in the popliteal vein.").note.mentions
    assert {(m.name, m.assertion) for m in denied} == {("deep vein thrombosis", Assertion.NEGATED)}


def test_every_rule_names_a_concept_of_the_starter_knowledge(container: Container) -> None:
    names = {row.name for row in container.starter_graph.concepts}
    assert {row[0] for row in rule_rows(RULES / "nearby_findings.tsv", 4)} <= names


def test_a_rule_that_begins_with_a_number_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "nearby_findings.tsv"
    bad.write_text("concept\twords\tnear\tunless\npyuria\t#50 WBC\turine\t\n")
    with pytest.raises(KnowledgeError, match="pyuria"):
        nearby._rules.__wrapped__(bad)


def test_what_a_part_tells_is_not_told_by_a_wider_stretch() -> None:
    found = {
        m.text: m.name
        for m in linker().link("Right hip replacement in May, three days of right calf swelling.").note.mentions
    }
    assert found["right calf swelling"] == "unilateral leg swelling"
    assert "hip replacement" in found.values()


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("Why does my pee burn?", "dysuria"),
        ("Does urine sting with this?", "dysuria"),
        ("Why do the soles of both feet burn in bed?", "burning feet"),
    ],
)
def test_a_question_has_the_plain_form_of_the_verb(question: str, concept: str) -> None:
    assert concept in read(question)


def test_the_plain_form_far_from_its_place_tells_nothing() -> None:
    assert read("I burn my hand on the stove; my pee is fine.") == set()
