"""knowledge add for graphs and what belongs to them: a command for each registered graph importer that reads files."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.ingest.importers import Choice, GraphImporter, GraphInput, graph_importer, graph_importers
from backend.settings import Settings, settings

if TYPE_CHECKING:
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.graph_rows import RelationRow
    from backend.stores.neo4j.connection import Neo4j


def add_to(kinds: Any) -> None:
    """The parsers of this family: one for each graph importer that reads files."""
    for importer in graph_importers():
        if importer.files:
            parser = kinds.add_parser(importer.name, help=importer.form, description=importer.description)
            _flags(parser, importer)
            parser.set_defaults(run=run_add)


def run_add(args: argparse.Namespace) -> int:
    """0 when it is imported, 130 when it was stopped."""
    importer = graph_importer(args.kind)
    choices = {choice.name: _chosen(choice, getattr(args, choice.name)) for choice in importer.choices}
    paths = tuple(args.source) if importer.several else (args.source,)
    return imported(importer, paths, getattr(args, "name", ""), getattr(args, "licence", ""), choices, args.json)


def imported(
    importer: GraphImporter, paths: tuple[Path, ...], name: str, licence: str, choices: Mapping[str, Any], as_json: bool
) -> int:
    """Run an importer and print what it stored. 0 when it is through, 130 when it was stopped."""
    line = ProgressLine()
    try:
        result = importer.run(_input(settings(), paths, name, licence, choices, line))
    except KeyboardInterrupt:
        line.end()
        print(f"Stopped. {importer.again}", file=sys.stderr)
        return 130
    finally:
        line.end()
    if as_json:
        print(json.dumps({**result.row, "report": result.report.as_json()}))
    else:
        print("\n".join((result.report.as_text(), *result.lines)))
    return 0


def _input(
    chosen: Settings,
    paths: tuple[Path, ...],
    name: str,
    licence: str,
    choices: Mapping[str, Any],
    progress: Callable[[int, int, str], None],
) -> GraphInput:
    from backend.stores.graph.imported_graphs import ImportedGraphs

    def known() -> "dict[str, RelationRow]":
        from backend.knowledge.starter import read_relations

        return read_relations(chosen.knowledge / "relations.tsv")

    def graph() -> "Graph":
        from backend.container import Container

        return Container(chosen).graph

    def neo4j() -> "Neo4j":
        from backend.cli.knowledge.knowledge_neo4j import connected

        return connected(chosen)

    folder = ImportedGraphs(chosen.data).folder(name) if name else Path()
    today = date.today().isoformat()
    return GraphInput(name, paths, licence, choices, chosen.data, folder, today, known, graph, neo4j, progress)


def _flags(parser: argparse.ArgumentParser, importer: GraphImporter) -> None:
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        required=True,
        metavar="PATH",
        help=importer.files,
        **({"nargs": "+"} if importer.several else {}),
    )
    if importer.default_name:
        parser.add_argument(
            "--name",
            default=importer.default_name,
            help=f"of the graph ({importer.default_name}); one of that name is replaced in the end",
        )
        parser.add_argument("--licence", default="", help=f"({importer.licence})")
    for choice in importer.choices:
        flag = f"--{choice.name.replace('_', '-')}"
        if choice.switch:
            parser.add_argument(flag, action="store_true", help=choice.about)
            continue
        more: dict[str, Any] = {"choices": choice.options} if choice.options else {"type": _parser_of(choice)}
        if choice.repeated:
            more |= {"action": "append"}
        parser.add_argument(flag, default=choice.default, metavar=choice.metavar, help=choice.about, **more)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _chosen(choice: Choice, value: Any) -> Any:
    return tuple(value or ()) if choice.repeated else value


def _parser_of(choice: Choice) -> Callable[[str], Any]:
    """What argparse calls: it shows the message of an ArgumentTypeError, and hides that of a ValueError."""

    def parse(words: str) -> Any:
        try:
            return choice.parse(words)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse
