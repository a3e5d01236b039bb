"""Rows that cannot be right by themselves, and rows that no check can reach."""

from collections.abc import Mapping

import pytest

from backend.knowledge.safety.rows.clauses import DoseUnit, Held, HeldClause, Period, Stage, StageClause, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.row_checks import row_breaches
from backend.knowledge.safety.rows.row_reach import dead_rows
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, SafetyRows
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

ROW = DoseRow("LN:colchicine", "oral", 0.6, 1.2, DoseUnit.MG, Period.DOSE)
WEAK = (ValueClause("eGFR", "<", 30),)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ((ROW._replace(minimum=2.0),), "out of order"),
        ((ROW._replace(ceiling=1.0),), "ceiling 1 is below the maximum 1.2"),
        ((ROW._replace(unit=DoseUnit.MG_KG),), "mg/kg without a ceiling"),
        (
            (ROW, ROW._replace(period=Period.DAY, minimum=0.1, maximum=0.5)),
            "at most 0.5 a day, but one dose is at least 0.6",
        ),
        ((ROW._replace(when=(ValueClause("eGFR", "<", 900),)),), "lie between"),
        ((ROW._replace(when=(ValueClause("eGFR", ">=", 30), ValueClause("eGFR", "<", 15))),), "no patient has both"),
    ],
)
def test_an_absurd_row_is_named(rows: tuple[DoseRow, ...], what: str) -> None:
    assert what in "; ".join(breach.what for breach in row_breaches(SafetyRows(), rows))


def test_a_sound_row_breaks_no_rule() -> None:
    assert list(row_breaches(SafetyRows(), (ROW, ROW._replace(period=Period.DAY, maximum=2.4)))) == []


@pytest.fixture(scope="module")
def graph(relations: Mapping[str, RelationRow]) -> Graph:
    rows = [ConceptRow(name, name, "CHEM", "drug") for name in ("ibuprofen", "inhaler")]
    rows += [ConceptRow(name, name, "CHEM", "drug_class") for name in ("NSAID", "steroid")]
    rows += [ConceptRow("gout", "gout", "DISO", "disease")]
    facts = [TripleRow("ibuprofen", "has_class", "NSAID", ""), TripleRow("inhaler", "has_class", "steroid", "")]
    return Graph(rows, facts, relations)


def against(medicine: str, **fields: object) -> ContraindicationRow:
    return ContraindicationRow(medicine, "gout", Grade.AVOID, "")._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "dead"),
    [
        (SafetyRows(contraindications=(against("NSAID"),)), 0),
        (SafetyRows(contraindications=(against("NSAID", when=(*WEAK, StageClause(frozenset({Stage.ACUTE})))),)), 0),
        (
            SafetyRows(
                contraindications=(against("inhaler", unless=(HeldClause(Held.TAKES, ("steroid",), ("steroid",)),)),)
            ),
            1,
        ),
        (SafetyRows(interactions=(InteractionRow("NSAID", "inhaler", Grade.AVOID, ""),)), 0),
        (SafetyRows(interactions=(InteractionRow("NSAID", "ibuprofen", Grade.AVOID, ""),)), 1),
    ],
)
def test_a_row_that_no_patient_and_medicine_can_reach_is_dead(graph: Graph, rows: SafetyRows, dead: int) -> None:
    assert len(list(dead_rows(graph, rows, ()))) == dead
