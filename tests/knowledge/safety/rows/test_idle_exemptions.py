"""Which exempted routes end nothing, because no medicine of the row is given so."""

from collections.abc import Mapping

import pytest

from backend.knowledge.safety.rows.clauses import DoseUnit, Period, Route, RouteClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.idle_exemptions import idle_exemptions
from backend.knowledge.safety.rows.safety_rows import InteractionRow, SafetyRows
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow

BY_MOUTH = DoseRow("LN:warfarin", "oral", 1, 15, DoseUnit.MG, Period.DAY)
CREAM = {"LN:metronidazole": frozenset({Route.TOPICAL})}


@pytest.mark.parametrize(
    ("route", "ways", "idle"),
    [
        (Route.TOPICAL, {}, True),
        (Route.TOPICAL, CREAM, False),  # of the second medicine, whose gel stays where it is put
        (Route.ORAL, {}, False),  # of the first, by its dose rows
        (Route.INTRAVENOUS, {"LN:metronidazole": frozenset({Route.INTRAVENOUS})}, True),
    ],
)
def test_an_exempted_route_that_no_medicine_of_the_row_has_is_named(
    relations: Mapping[str, RelationRow], route: Route, ways: dict[str, frozenset[Route]], idle: bool
) -> None:
    graph = Graph(
        (ConceptRow(one, one[3:], "CHEM", "drug") for one in ("LN:warfarin", "LN:metronidazole")), (), relations
    )
    exempt = (RouteClause(frozenset({route})),)
    pair = InteractionRow("LN:warfarin", "LN:metronidazole", Grade.AVOID, "", (), exempt, "pairs.tsv", 3)
    found = list(idle_exemptions(graph, SafetyRows((pair,), ways=ways), [BY_MOUTH]))
    assert [(one.file, one.line) for one in found] == ([("pairs.tsv", 3)] if idle else [])
