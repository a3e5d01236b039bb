"""What speaks against a medicine, by rows of safety: classes, ingredients, values, stages, and what is not offered."""

from collections.abc import Mapping

import pytest

from backend.knowledge.contraindications import Contraindications
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.patient_values import PatientValue
from backend.knowledge.safety.rows.clauses import Held, HeldClause, PastClause, Stage, StageClause, ValueClause
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, SafetyRows
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

DISEASES = ("chronic kidney disease", "heart failure", "asthma", "anuria", "peptic ulcer disease")
CLASSES = (
    "NSAID",
    "beta blocker",
    "LABA",
    "inhaled corticosteroid",
    "diuretic",
    "loop diuretic",
    "thiazide",
    "osmotic diuretic",
)
MEDICINES = ("ibuprofen", "aspirin", "metoprolol", "salmeterol", "combined inhaler")
FACTS = (
    ("ibuprofen", "has_class", "NSAID", ""),
    ("aspirin", "has_class", "NSAID", ""),
    ("metoprolol", "has_class", "beta blocker", ""),
    ("salmeterol", "has_class", "LABA", ""),
    ("combined inhaler", "has_ingredient", "salmeterol", ""),
    ("combined inhaler", "has_class", "inhaled corticosteroid", ""),
    ("diuretic", "has_subclass", "loop diuretic", ""),
    ("diuretic", "has_subclass", "thiazide", ""),
    ("diuretic", "has_subclass", "osmotic diuretic", ""),
)  # fmt: skip
KIDNEYS = ValueClause("eGFR", "<", 30)
ROWS = SafetyRows(
    interactions=(InteractionRow("NSAID", "metoprolol", Grade.NEVER, "shock"),),
    contraindications=(
        ContraindicationRow("NSAID", "chronic kidney disease", Grade.AVOID, "kidney failure", (KIDNEYS,)),
        ContraindicationRow("NSAID", "pregnancy", Grade.AVOID, "", (ValueClause("weeks", ">=", 20),)),
        ContraindicationRow("metoprolol", "pregnancy", Grade.MONITOR, "weigh it"),
        ContraindicationRow("NSAID", "peptic ulcer disease", Grade.AVOID, "bleeding", (PastClause(),)),
        ContraindicationRow("aspirin", "peptic ulcer disease", Grade.MONITOR, "with a stomach protector"),
        ContraindicationRow("beta blocker", "heart failure", Grade.AVOID, "", (StageClause(frozenset({Stage.DECOMPENSATED})),)),
        ContraindicationRow(
            "LABA", "asthma", Grade.NEVER, "alone",
            unless=(HeldClause(Held.TAKES, ("inhaled corticosteroid",), ("inhaled corticosteroid",)),),
        ),
        ContraindicationRow("loop diuretic", "anuria", Grade.AVOID, ""),
        ContraindicationRow("thiazide", "anuria", Grade.AVOID, ""),
        ContraindicationRow("thiazide", "asthma", Grade.AVOID, ""),
    ),
)  # fmt: skip


def patient(*present: str, past: tuple[str, ...] = (), stages: tuple[Stage, ...] = (), **values: float) -> PatientState:
    known = {name: PatientValue(name, number, f"{name} {number:g}") for name, number in values.items()}
    return PatientState(dict.fromkeys(present, frozenset(stages)), frozenset(past), known, frozenset(), {})


@pytest.fixture(scope="module")
def known(relations: Mapping[str, RelationRow]) -> Contraindications:
    rows = [ConceptRow(name, name, "DISO", "disease") for name in DISEASES]
    rows += [ConceptRow(name, name, "CHEM", "drug_class") for name in CLASSES]
    rows += [ConceptRow(name, name, "CHEM", "drug") for name in MEDICINES]
    rows.append(ConceptRow("pregnancy", "pregnancy", "PHYS", "physiology"))
    return Contraindications(Graph(rows, [TripleRow(*fact) for fact in FACTS], relations), ROWS)


def test_a_row_of_a_class_holds_for_its_members_by_the_value_of_the_record(known: Contraindications) -> None:
    (why,) = known.against("ibuprofen", patient("chronic kidney disease", eGFR=24))
    assert (why.row.condition, why.verdict.holds, why.verdict.because) == ("chronic kidney disease", True, ("eGFR 24",))
    (well,) = known.against("ibuprofen", patient("chronic kidney disease", eGFR=50))
    assert (well.verdict.holds, well.verdict.missing) == (False, ())


def test_a_row_whose_value_is_missing_holds_never_and_says_what_is_missing(known: Contraindications) -> None:
    (why,) = known.against("ibuprofen", patient("chronic kidney disease"))
    assert (why.verdict.holds, why.verdict.missing) == (False, ("eGFR",))


def test_a_value_alone_tells_ill_kidneys_that_nobody_states(known: Contraindications) -> None:
    (why,) = known.against("ibuprofen", patient(eGFR=24))
    assert (why.verdict.holds, why.by_value) == (True, True)
    assert known.against("ibuprofen", patient()) == []


def test_the_past_counts_only_where_the_row_says_so(known: Contraindications) -> None:
    (why,) = known.against("ibuprofen", patient(past=("peptic ulcer disease",)))
    assert (why.verdict.holds, why.past) == (True, True)
    assert known.against("metoprolol", patient(past=("heart failure",))) == []


def test_a_row_of_the_medicine_itself_takes_the_place_of_its_class_s(known: Contraindications) -> None:
    assert known.against("aspirin", patient(past=("peptic ulcer disease",))) == []
    (why,) = known.against("aspirin", patient("peptic ulcer disease"))
    assert why.row.grade is Grade.MONITOR


def test_a_stage_holds_where_the_record_tells_it(known: Contraindications) -> None:
    (stable,) = known.against("metoprolol", patient("heart failure"))
    (worse,) = known.against("metoprolol", patient("heart failure", stages=(Stage.DECOMPENSATED,)))
    assert (stable.verdict.holds, worse.verdict.holds) == (False, True)


def test_an_inhaler_that_holds_what_must_not_lack_is_not_spoken_against(known: Contraindications) -> None:
    assert [why.verdict.holds for why in known.against("combined inhaler", patient("asthma"))] == [False]
    assert [why.verdict.holds for why in known.against("salmeterol", patient("asthma"))] == [True]
    assert "combined inhaler" not in known.unsuited(patient("asthma"), ())


def test_in_pregnancy_every_stage_counts_unless_the_row_asks_no_more_than_to_weigh(known: Contraindications) -> None:
    unsuited = known.unsuited(patient("pregnancy"), ())
    assert "ibuprofen" in unsuited and "metoprolol" not in unsuited


def test_a_stage_counts_for_what_the_patient_came_with(known: Contraindications) -> None:
    assert "metoprolol" in known.unsuited(patient("heart failure"), {"heart failure"})
    assert "metoprolol" not in known.unsuited(patient("heart failure"), ())


def test_what_the_graph_does_not_know_speaks_against_nothing(known: Contraindications) -> None:
    assert known.against("unheard of", patient("asthma")) == []
    assert known.unsuited(patient("unheard of"), ()) == {}


def test_a_class_goes_with_most_of_its_kinds(known: Contraindications) -> None:
    assert known.unsuited(patient("anuria"), ())["diuretic"] == {"anuria"}
    assert "diuretic" not in known.unsuited(patient("asthma"), ())


def test_what_is_never_combined_with_a_medicine_is_named_with_its_members(known: Contraindications) -> None:
    assert known.never_beside(patient(), ["metoprolol"])["ibuprofen"] == {"metoprolol"}
    assert known.never_beside(patient(), ["salmeterol"]) == {}
