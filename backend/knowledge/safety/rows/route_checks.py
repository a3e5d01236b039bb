"""What is wrong with the routes that rows name: exemptions that no medicine can meet, and ways that must not be, though a usual dose is given so.

Ways come from the dose rows, from products that are named after one, and from assets/knowledge/safety/ways.tsv. Gives one line for each breach.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.knowledge.safety.patient.clause_truth import product_routes
from backend.knowledge.safety.rows.clauses import LOCAL_ROUTES, Route, RouteClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.row_checks import RowBreach
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, MonitoringRow, SafetyRows
from backend.knowledge.safety.safety_index import SafetyIndex
from backend.stores.graph.graph import Graph


def route_breaches(graph: Graph, rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """Every breach of exempted and of forbidden routes, in this order."""
    yield from idle_exemptions(graph, rows, doses)
    yield from forbidden_doses(graph, rows, doses)


def forbidden_doses(graph: Graph, rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """One breach for each row of doses by a way by which the medicine must never be given, whoever it is for.

    Yields:
        file and line of the dose row, and the row that forbids it.
    """
    index = SafetyIndex(graph, rows)
    for dose in doses:
        for row in index.wrong_ways(dose.drug_id):
            if (
                row.grade is Grade.NEVER
                and not row.push
                and not row.when
                and not row.unless
                and dose.route in row.routes
            ):
                what = f"dose of {dose.drug_id[3:]}: {row.file}:{row.line} forbids it {dose.route}"
                yield RowBreach(dose.file, dose.line, what)


def idle_exemptions(graph: Graph, rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """One breach for each route in `unless` by which no medicine of the row is given.

    A way that stays at one place may be that of either medicine of a pair; any other is the first one's.

    Yields:
        file and line of the row, and the route.
    """
    index = SafetyIndex(graph, rows)
    given = _given(graph, doses, rows.ways)
    reached: dict[str, set[str]] = {}
    asked: tuple[InteractionRow | ContraindicationRow | MonitoringRow, ...] = (
        *rows.interactions,
        *rows.contraindications,
        *rows.monitoring,
    )
    for row in asked:
        for route in (route for one in row.unless if isinstance(one, RouteClause) for route in sorted(one.routes)):
            about = row.subjects if isinstance(row, InteractionRow) else (row.medicine,)
            about = about if route in LOCAL_ROUTES else about[:1]
            for concept in about:
                if concept not in reached:
                    reached[concept] = {way for one in (concept, *index.members(concept)) for way in given.get(one, ())}
            if not any(route in reached[concept] for concept in about):
                what = f"route:{route} ends nothing: {_names(about)} is given in no such way"
                yield RowBreach(row.file, row.line, what)


def _given(graph: Graph, doses: Sequence[DoseRow], ways: Mapping[str, Iterable[Route]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {medicine: set(routes) for medicine, routes in ways.items()}
    for dose in doses:
        if dose.route:
            found.setdefault(dose.drug_id, set()).add(dose.route)
    for concept in graph.ids:
        for ending, route in product_routes().items():
            if concept.endswith(ending):
                parts = graph.related(concept, "has_ingredient")
                for one in (concept, concept.removesuffix(f"-{ending}"), *parts):
                    found.setdefault(one, set()).add(route)
    return found


def _names(concepts: Iterable[str]) -> str:
    return " or ".join(one[3:].replace("-", " ") for one in concepts)
