"""What speaks against a medicine, by the graph: classes, ingredients, and which qualifiers hold."""

from collections.abc import Mapping

import pytest

from backend.knowledge.contraindications import Contraindications
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

DISEASES = ("chronic kidney disease", "end-stage kidney disease", "heart failure", "asthma", "anuria")
MEDICINES = (
    "NSAID",
    "ibuprofen",
    "beta blocker",
    "metoprolol",
    "LABA",
    "salmeterol",
    "inhaled corticosteroid",
    "combined inhaler",
    "diuretic",
    "loop diuretic",
    "thiazide",
    "osmotic diuretic",
)
FACTS = (
    ("ibuprofen", "has_class", "NSAID", ""),
    ("metoprolol", "has_class", "beta blocker", ""),
    ("salmeterol", "has_class", "LABA", ""),
    ("combined inhaler", "has_ingredient", "salmeterol", ""),
    ("combined inhaler", "has_class", "inhaled corticosteroid", ""),
    ("NSAID", "contraindicated_with", "chronic kidney disease", "eGFR<30"),
    ("NSAID", "contraindicated_with", "pregnancy", "from 20 weeks"),
    ("metoprolol", "contraindicated_with", "pregnancy", "unless benefit is greater"),
    ("beta blocker", "contraindicated_with", "heart failure", "decompensated"),
    ("LABA", "contraindicated_with", "asthma", "without inhaled corticosteroid"),
    ("diuretic", "has_subclass", "loop diuretic", ""),
    ("diuretic", "has_subclass", "thiazide", ""),
    ("diuretic", "has_subclass", "osmotic diuretic", ""),
    ("loop diuretic", "contraindicated_with", "anuria", ""),
    ("thiazide", "contraindicated_with", "anuria", ""),
    ("thiazide", "contraindicated_with", "asthma", ""),
)  # fmt: skip


@pytest.fixture(scope="module")
def facts(relations: Mapping[str, RelationRow]) -> Contraindications:
    rows = [ConceptRow(name, name, "DISO", "disease") for name in DISEASES]
    rows += [ConceptRow(name, name, "CHEM", "drug") for name in MEDICINES]
    rows.append(ConceptRow("pregnancy", "pregnancy", "PHYS", "physiology"))
    return Contraindications(Graph(rows, [TripleRow(*fact) for fact in FACTS], relations))


def test_a_class_speaks_for_its_members_and_an_open_qualifier_stays_open(facts: Contraindications) -> None:
    (why,) = facts.against("ibuprofen", {"chronic kidney disease"})
    assert (why.condition, why.qualifier, why.certain) == ("chronic kidney disease", "eGFR<30", False)


def test_a_patient_on_dialysis_has_kidneys_below_every_limit(facts: Contraindications) -> None:
    (why,) = facts.against("ibuprofen", {"end-stage kidney disease"})
    assert (why.condition, why.certain) == ("chronic kidney disease", True)
    assert {"NSAID", "ibuprofen"} <= facts.unsuited({"end-stage kidney disease"}, ()).keys()
    assert "ibuprofen" not in facts.unsuited({"chronic kidney disease"}, ())


def test_an_inhaler_that_holds_what_must_not_lack_is_not_spoken_against(facts: Contraindications) -> None:
    assert facts.against("salmeterol", {"asthma"})
    assert facts.against("combined inhaler", {"asthma"}) == []


def test_in_pregnancy_every_stage_counts_unless_the_fact_asks_to_weigh(facts: Contraindications) -> None:
    unsuited = facts.unsuited({"pregnancy"}, ())
    assert unsuited["ibuprofen"] == {"pregnancy"}
    assert "metoprolol" not in unsuited


def test_a_graded_fact_counts_for_what_the_patient_came_with(facts: Contraindications) -> None:
    assert "metoprolol" in facts.unsuited({"heart failure"}, {"heart failure"})
    assert "metoprolol" not in facts.unsuited({"heart failure"}, ())


def test_what_the_graph_does_not_know_speaks_against_nothing(facts: Contraindications) -> None:
    assert facts.against("unheard of", {"asthma"}) == []
    assert facts.unsuited({"unheard of"}, ()) == {}


def test_a_class_goes_with_most_of_its_kinds(facts: Contraindications) -> None:
    assert facts.unsuited({"anuria"}, ())["diuretic"] == {"anuria"}
    assert "diuretic" not in facts.unsuited({"asthma"}, ())
