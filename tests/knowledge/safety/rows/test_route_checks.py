"""Exempted routes that end nothing, and usual doses by a way that must never be."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import ConceptNames, DoseUnit, Period, Route, RouteClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.route_checks import idle_exemptions, route_breaches
from backend.knowledge.safety.rows.route_rows import RouteRow, route_rows
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


@pytest.mark.parametrize(("route", "named"), [(Route.ORAL, True), (Route.INTRAVENOUS, False)])
def test_a_usual_dose_by_a_forbidden_way_is_named(
    relations: Mapping[str, RelationRow], route: Route, named: bool
) -> None:
    graph = Graph([ConceptRow("LN:warfarin", "warfarin", "CHEM", "drug")], (), relations)
    forbidden = RouteRow("LN:warfarin", frozenset({route}), False, Grade.NEVER, "harm", file="routes.tsv", line=4)
    found = list(route_breaches(graph, SafetyRows(routes=(forbidden,)), [BY_MOUTH]))
    assert [one.what for one in found] == (["dose of warfarin: routes.tsv:4 forbids it oral"] if named else [])


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ("warfarin\tby owl\tnever\tharm\t-\t-\tlabel\ta\tb", "is no route"),
        ("warfarin\tintravenous\tsometimes\tharm\t-\t-\tlabel\ta\tb", "is no grade"),
        ("owl\tintravenous\tnever\tharm\t-\t-\tlabel\ta\tb", "is the name of no concept"),
        ("warfarin\tintravenous\tnever\tharm\tis:acute\t-\tlabel\ta\tb", "no condition of its own"),
        ("warfarin\tintravenous\tnever\tharm\t-\t-\tlabel\ta\t-", "write an entry"),
    ],
)
def test_a_wrong_row_of_routes_is_named_with_its_place(cells: str, message: str) -> None:
    names = ConceptNames({"warfarin": ("LN:warfarin", "drug")})
    with pytest.raises(KnowledgeError, match=rf"routes\.tsv:2: .*{message}"):
        route_rows(iter([(2, cells.split("\t"))]), Path("safety/routes.tsv"), names)
