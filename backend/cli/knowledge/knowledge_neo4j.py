"""knowledge export, load, remove neo4j: a graph to a Neo4j server, from it, and out of it (docs/neo4j.md)."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.knowledge.knowledge_add import imported
from backend.cli.knowledge.knowledge_graphs import graph_and_about
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.ingest.importers import NOT_STATED, graph_importer
from backend.settings import Settings, settings

if TYPE_CHECKING:
    from backend.stores.neo4j.connection import Neo4j


def add_to(load: Any, export: Any, remove: Any) -> None:
    """The parsers of this family."""
    out = export.add_parser(
        "neo4j",
        help="a graph on the Neo4j server of LEAPNOTE_NEO4J_URI",
        description="Nothing else in the database is touched. Stopped or killed, the same command goes on where it was.",
    )
    out.add_argument("name", metavar="NAME", help="an imported graph, the folder of one, or starter")
    out.add_argument("--as", dest="known_as", metavar="NAME", help="its name on the server; default: the same")
    out.add_argument("--json", action="store_true")
    out.set_defaults(run=run_export)
    fetched = load.add_parser("neo4j", help="a graph of the Neo4j server, as an imported graph")
    fetched.add_argument("there", metavar="NAME", nargs="?", help="an export of Leapnote's on the server")
    fetched.add_argument(
        "--mapping", type=Path, metavar="FILE", help="or somebody else's graph, as this JSON file says"
    )
    fetched.add_argument("--name", help="its name here; default: the same")
    fetched.add_argument("--licence", default=NOT_STATED)
    fetched.add_argument("--json", action="store_true")
    fetched.set_defaults(run=run_load)
    gone = remove.add_parser("neo4j", help="an export of Leapnote's on the Neo4j server")
    gone.add_argument("name", metavar="NAME")
    gone.add_argument("--json", action="store_true")
    gone.set_defaults(run=run_remove)


def run_export(args: argparse.Namespace) -> int:
    """0 when it is there whole, 130 when it was stopped."""
    from backend.stores.neo4j.neo4j_export import export_graph

    line = ProgressLine()
    with connected(settings()) as db:
        graph, _ = graph_and_about(args.name)
        try:
            entry = export_graph(db, args.known_as or args.name, graph, line)
        except KeyboardInterrupt:
            line.end()
            print("Stopped. The same command goes on where it was.", file=sys.stderr)
            return 130
        finally:
            line.end()
    if args.json:
        print(json.dumps(entry._asdict()))
        return 0
    print(f"{entry.name} is in Neo4j: {entry.concepts} concepts, {entry.facts} facts, fingerprint {entry.fingerprint}.")
    print(
        f"To walk paths there, set LEAPNOTE_NEO4J_GRAPH={entry.name} and LEAPNOTE_GRAPH={args.name}, and start again."
    )
    return 0


def run_load(args: argparse.Namespace) -> int:
    """0 when it is imported, 130 when it was stopped."""
    if args.mapping and not args.name:
        raise InputError("Give the graph a name with --name.")
    choices = {"there": args.there, "mapping": args.mapping}
    return imported(graph_importer("neo4j"), (), args.name or args.there or "", args.licence, choices, args.json)


def run_remove(args: argparse.Namespace) -> int:
    """0 when it is gone, 130 when it was stopped."""
    from backend.stores.neo4j.neo4j_export import remove_graph

    line = ProgressLine()
    with connected(settings()) as db:
        try:
            entry = remove_graph(db, args.name, line)
        except KeyboardInterrupt:
            line.end()
            print("Stopped in the middle. Run it again to remove the rest.", file=sys.stderr)
            return 130
        finally:
            line.end()
    print(json.dumps(entry._asdict()) if args.json else f"{entry.name} is removed from Neo4j")
    return 0


def listed(chosen: Settings) -> list[dict[str, object]]:
    """A line for each export of ours on the server."""
    from backend.stores.neo4j.neo4j_source import list_graphs

    with connected(chosen) as db:
        entries = list_graphs(db)
    return [
        {
            "source": "neo4j",
            "name": entry.name,
            "in_use": entry.name == chosen.neo4j_graph,
            "state": entry.state,
            "concepts": entry.concepts,
            "facts": entry.facts,
            "fingerprint": entry.fingerprint,
        }
        for entry in entries
    ]


def connected(chosen: Settings) -> "Neo4j":
    """A connection, to be closed. Raises InputError where no server is set, MissingError where it cannot be reached."""
    from backend.container import neo4j_address
    from backend.stores.neo4j.connection import Neo4j

    if not chosen.neo4j_uri:
        raise InputError(
            "No Neo4j server is set. Set LEAPNOTE_NEO4J_URI, as bolt://127.0.0.1:7687, and see docs/neo4j.md."
        )
    return Neo4j(neo4j_address(chosen))
