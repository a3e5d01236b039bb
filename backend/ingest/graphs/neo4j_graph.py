"""A graph of a Neo4j server as a snapshot: an export of Leapnote's, or another's graph by a mapping."""

from pathlib import Path

from backend.errors import InputError
from backend.ingest.graphs.graph_build import build_snapshot, graph_imported
from backend.ingest.importers import NOT_STATED, Choice, GraphImported, GraphInput
from backend.registry import graph_importer
from backend.stores.graph.snapshot_meta import About


@graph_importer(
    "neo4j",
    label="Neo4j",
    about="a graph of the Neo4j server, as an imported graph",
    choices=(
        Choice("there", "an export of Leapnote's on the server", metavar="NAME"),
        Choice("mapping", "or somebody else's graph, as this JSON file says", Path, metavar="FILE"),
    ),
    order=5,
)
def import_neo4j(given: GraphInput) -> GraphImported:
    """Read a graph of the server into a snapshot; nothing on the server changes.

    Args:
        given: has no paths; one of its choices `there` and `mapping` names the graph.

    Raises:
        InputError: both or neither of them is given.
    """
    from backend.stores.neo4j.neo4j_load import load_graph
    from backend.stores.neo4j.neo4j_mapping import read_mapping

    there, mapping = given.choices.get("there"), given.choices.get("mapping")
    if bool(there) == bool(mapping):
        raise InputError("Give the name of an export, or --mapping FILE for somebody else's graph.")
    wanted = read_mapping(mapping) if mapping else str(there)
    with given.neo4j() as db:
        which = f"graph {wanted}" if isinstance(wanted, str) else f"label {wanted.label}"
        about = About(given.name, f"Neo4j at {db.address.place}, {which}", given.licence or NOT_STATED, given.date, {})
        loaded = load_graph(db, wanted, given.progress)
        graph, report = build_snapshot(loaded.concepts, loaded.triples, loaded.relations, given.folder, about)
    for reason in loaded.left_out:
        report.note(f"Left out: {reason}.")
    return graph_imported(given, about, graph, report)
