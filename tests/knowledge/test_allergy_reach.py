"""What an allergy reaches: itself, its family, products with it, what cross-reacts; and nothing beyond."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.allergy_reach import AllergyReach, Risk, allergy_families
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

Named = Callable[[str], str]


def how(reach: AllergyReach, allergen: str) -> dict[str, str]:
    return {concept: reason.how for concept, reason in reach.reached(allergen).items()}


def test_a_drug_reaches_its_family_and_its_products(tiny_reach: AllergyReach, named: Named) -> None:
    assert how(tiny_reach, named("amoxicillin")) == {
        named("amoxicillin"): "same",
        named("penicillin"): "family",
        named("amoxicillin-clavulanate"): "contains",
        named("cephalosporin"): "cross_reaction",
        named("ceftriaxone"): "cross_reaction",
    }


def test_a_family_reaches_its_members_and_products_that_contain_them(tiny_reach: AllergyReach, named: Named) -> None:
    found = how(tiny_reach, named("penicillin"))
    assert found[named("amoxicillin")] == "family"
    assert found[named("amoxicillin-clavulanate")] == "contains"
    assert tiny_reach.reached(named("penicillin"))[named("ceftriaxone")].qualifier == "low risk"


def test_a_product_reaches_its_ingredient_and_that_one_s_family(tiny_reach: AllergyReach, named: Named) -> None:
    found = how(tiny_reach, named("amoxicillin-clavulanate"))
    assert found[named("amoxicillin")] == "contains"
    assert found[named("penicillin")] == "family"


def test_a_class_that_is_no_allergy_family_is_not_crossed(tiny_reach: AllergyReach, named: Named) -> None:
    assert named("furosemide") not in tiny_reach.reached(named("lisinopril"))
    assert how(tiny_reach, named("lisinopril"))[named("enalapril")] == "family"
    assert how(tiny_reach, named("furosemide")) == {named("furosemide"): "same"}


def test_an_allergy_to_a_symptom_or_an_unknown_thing_reaches_nothing_else(
    tiny_reach: AllergyReach, named: Named
) -> None:
    assert tiny_reach.reached("T:unheard-of") == {}
    assert how(tiny_reach, named("rash")) == {named("rash"): "same"}


def test_families_of_the_rule_file_that_the_graph_does_not_know_are_passed_over(tiny_graph: Graph) -> None:
    assert AllergyReach(tiny_graph, {"nothing known": Risk.HIGH}).families == frozenset()


def test_the_rule_file_names_classes_with_their_risk(tmp_path: Path) -> None:
    path = tmp_path / "families.tsv"
    path.write_text("# a comment\nfamily\trisk\npenicillin\thigh\nmacrolide\tpossible\n")
    assert allergy_families(path) == {"penicillin": Risk.HIGH, "macrolide": Risk.POSSIBLE}
    path.write_text("family\trisk\npenicillin\tgrave\n")
    with pytest.raises(KnowledgeError, match="penicillin has the risk 'grave'"):
        allergy_families(path)


def test_a_class_between_a_drug_and_its_family_belongs_to_the_family(relations: dict[str, RelationRow]) -> None:
    """drug a - narrow - family - wide - drug c: an allergy to a reaches b through the family, and never c."""
    names = {
        "a": "drug",
        "b": "drug",
        "c": "drug",
        "narrow": "drug_class",
        "family": "drug_class",
        "wide": "drug_class",
    }
    rows = [ConceptRow(name, name, "CHEM", category) for name, category in (*names.items(), ("other", "drug_class"))]
    triples = [
        TripleRow("a", "has_class", "narrow"),
        TripleRow("family", "has_subclass", "narrow"),
        TripleRow("b", "has_class", "family"),
        TripleRow("wide", "has_subclass", "family"),
        TripleRow("c", "has_class", "wide"),
        TripleRow("narrow", "cross_reacts_with", "other"),
    ]
    found = how(AllergyReach(Graph(rows, triples, relations), {"family": Risk.HIGH}), "a")
    assert found == {"a": "same", "narrow": "family", "family": "family", "b": "family", "other": "cross_reaction"}


def test_every_family_that_ships_is_a_class_of_the_starter_graph(container: Container) -> None:
    classes = {row.name.lower(): row.category for row in container.graph.concepts}
    assert {name for name in allergy_families() if classes.get(name.lower()) != "drug_class"} == set()


@pytest.mark.parametrize(
    ("allergen", "reached", "spared"),
    [
        ("penicillin", {"amoxicillin", "piperacillin-tazobactam", "ampicillin"}, {"doxycycline", "gentamicin"}),
        ("amoxicillin", {"penicillin V", "amoxicillin-clavulanate", "cephalexin"}, {"azithromycin"}),
        ("cephalexin", {"cefadroxil", "cefazolin"}, {"vancomycin"}),
        ("lisinopril", {"enalapril", "ramipril"}, {"amlodipine", "furosemide"}),
        ("aspirin", {"ibuprofen", "naproxen", "ketorolac"}, {"warfarin", "apixaban"}),
        ("sulfonamide antibiotic", {"trimethoprim-sulfamethoxazole", "sulfadiazine"}, {"trimethoprim"}),
        ("heparin", {"enoxaparin", "dalteparin"}, {"warfarin", "argatroban"}),
        ("morphine", {"hydromorphone", "codeine"}, {"acetaminophen"}),
        ("oxycodone", {"oxycodone-acetaminophen"}, {"ibuprofen"}),
        ("iodinated contrast", {"iohexol", "iopamidol"}, {"barium sulfate"}),
        ("phenytoin", {"carbamazepine", "lamotrigine"}, {"levetiracetam"}),
        ("ciprofloxacin", {"levofloxacin", "moxifloxacin"}, {"ceftriaxone"}),
        ("latex", {"latex"}, {"penicillin"}),
    ],
)
def test_the_starter_graph_reaches_what_a_pharmacist_would_think_of(
    container: Container, allergen: str, reached: set[str], spared: set[str]
) -> None:
    names = {container.graph.row(c).name for c in container.reach.reached("LN:" + allergen.replace(" ", "-"))}
    assert reached - names == set()
    assert spared & names == set()


@pytest.mark.parametrize(
    ("allergen", "narrow"),
    [
        ("prednisone", {"systemic glucocorticoid"}),
        ("allopurinol", {"xanthine oxidase inhibitor"}),
        ("sertraline", {"SSRI"}),  # serotonergic drugs are many
        ("heparin", set()),  # of blood thinners there are other kinds
    ],
)
def test_a_class_that_names_little_else_than_the_allergen_is_narrow(
    container: Container, allergen: str, narrow: set[str]
) -> None:
    ids = {row.name: row.concept_id for row in container.graph.concepts}
    assert {container.graph.row(c).name for c in container.reach.narrow_classes(ids[allergen])} == narrow
