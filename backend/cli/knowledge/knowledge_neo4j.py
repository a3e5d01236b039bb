"""knowledge export, load, remove neo4j: a graph to a Neo4j server, from it, and out of it (docs/graphs.md)."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from backend.cli.cli_options import Json, Name
from backend.cli.knowledge.knowledge_add import import_graph
from backend.cli.knowledge.knowledge_graphs import graph_and_about
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.settings import Settings, settings


def add_to(load: CommandLine, export: CommandLine, remove: CommandLine) -> None:
    """The commands of Neo4j: each argument holds the kinds of one action."""
    about = "Nothing else in the database is touched. Stopped or killed, the same command goes on where it was."
    export.add("neo4j", "a graph on the Neo4j server of LEAPNOTE_NEO4J_URI", help=about)(export_to_neo4j)
    load.add("neo4j", "a graph of the Neo4j server, as an imported graph")(load_from_neo4j)
    remove.add("neo4j", "an export of Leapnote's on the Neo4j server")(remove_from_neo4j)


def export_to_neo4j(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="an imported graph, the folder of one, or starter", show_default=False),
    ],
    known_as: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="its name on the server; default: the same")
    ] = None,
    as_json: Json = False,
) -> int:
    """0 when it is there whole, 130 when it was stopped."""
    from backend.container import connected_neo4j
    from backend.stores.neo4j.neo4j_export import export_graph

    line = ProgressLine()
    with connected_neo4j(settings()) as db:
        graph, _ = graph_and_about(name)
        try:
            entry = export_graph(db, known_as or name, graph, line)
        except KeyboardInterrupt:
            line.end()
            print("Stopped. The same command goes on where it was.", file=sys.stderr)
            return INTERRUPTED
        finally:
            line.end()
    if as_json:
        print(json.dumps(entry._asdict()))
        return 0
    print(f"{entry.name} is in Neo4j: {entry.concepts} concepts, {entry.facts} facts, fingerprint {entry.fingerprint}.")
    print(f"To walk paths there, set LEAPNOTE_NEO4J_GRAPH={entry.name} and LEAPNOTE_GRAPH={name}, and start again.")
    return 0


def load_from_neo4j(
    there: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="an export of Leapnote's on the server", show_default=False),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option("--mapping", metavar="FILE", help="or somebody else's graph, as this JSON file says"),
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="its name here; default: the same")] = None,
    licence: Annotated[str, typer.Option("--licence")] = "",
    as_json: Json = False,
) -> int:
    """0 when it is imported, 130 when it was stopped.

    Raises:
        InputError: somebody else's graph without a name for it.
    """
    if mapping and not name:
        raise InputError("Give the graph a name with --name.")
    choices = {"there": there, "mapping": mapping}
    from backend.ingest.importers import graph_importer

    return import_graph(graph_importer("neo4j"), (), name or there or "", licence, choices, as_json)


def remove_from_neo4j(name: Name, as_json: Json = False) -> int:
    """0 when it is gone, 130 when it was stopped."""
    from backend.container import connected_neo4j
    from backend.stores.neo4j.neo4j_export import remove_graph

    line = ProgressLine()
    with connected_neo4j(settings()) as db:
        try:
            entry = remove_graph(db, name, line)
        except KeyboardInterrupt:
            line.end()
            print("Stopped in the middle. Run it again to remove the rest.", file=sys.stderr)
            return INTERRUPTED
        finally:
            line.end()
    print(json.dumps(entry._asdict()) if as_json else f"{entry.name} is removed from Neo4j")
    return 0


def listed(chosen: Settings) -> list[dict[str, object]]:
    """A line for each export of ours on the server."""
    from backend.container import connected_neo4j
    from backend.stores.neo4j.neo4j_source import list_graphs

    with connected_neo4j(chosen) as db:
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
