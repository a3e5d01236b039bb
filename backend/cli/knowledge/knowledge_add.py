"""knowledge add for graphs and what belongs to them: a command for each registered graph importer that reads files."""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import field, fields, make_dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from backend.cli.cli_options import with_options
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.settings import Settings, settings

if TYPE_CHECKING:
    from backend.ingest.importers import Choice, GraphImporter, GraphInput
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.graph_rows import RelationRow
    from backend.stores.neo4j.connection import Neo4j

ReportJson = Annotated[bool, typer.Option("--json", help="print the report as JSON")]


def add_kinds(kinds: CommandLine) -> None:
    """A command for each graph importer that reads files."""
    from backend.ingest.importers import graph_importers

    for importer in graph_importers():
        if importer.files:
            kinds.add(importer.name, importer.form, help=importer.description or importer.form)(_command(importer))


def import_graph(
    importer: "GraphImporter",
    paths: tuple[Path, ...],
    name: str,
    licence: str,
    choices: Mapping[str, Any],
    as_json: bool,
) -> int:
    """Run an importer and print what it stored. 0 when it is through, 130 when it was stopped."""
    try:
        with ProgressLine().watched("files are opened") as line:
            result = importer.run(_input(settings(), paths, name, licence, choices, line))
    except KeyboardInterrupt:
        print(f"Stopped. {importer.again}", file=sys.stderr)
        return INTERRUPTED
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
) -> "GraphInput":
    from backend.ingest.importers import GraphInput
    from backend.stores.graph.imported_graphs import ImportedGraphs

    def known() -> "dict[str, RelationRow]":
        from backend.knowledge.starter import read_relations

        return read_relations(chosen.knowledge / "relations.tsv")

    def graph() -> "Graph":
        from backend.container import Container

        return Container(chosen).graph

    def neo4j() -> "Neo4j":
        from backend.container import connected_neo4j

        return connected_neo4j(chosen)

    folder = ImportedGraphs(chosen.data).folder(name) if name else Path()
    today = date.today().isoformat()
    return GraphInput(name, paths, licence, choices, chosen.data, folder, today, known, graph, neo4j, progress)


def _command(importer: "GraphImporter") -> Callable[..., int]:
    """The command of an importer: its files, the name of what is stored where it has one, and its choices."""
    paths: Any = list[Path] if importer.several else Path
    source = typer.Option("--from", metavar="PATH ..." if importer.several else "PATH", help=importer.files)
    rows: list[Any] = [("source", Annotated[paths, source])]
    if importer.default_name:
        about = f"of the graph ({importer.default_name}); one of that name is replaced in the end"
        rows.append(("name", Annotated[str, typer.Option("--name", help=about)], importer.default_name))
        rows.append(("licence", Annotated[str, typer.Option("--licence", help=f"({importer.licence})")], ""))
    rows += [_row(choice) for choice in importer.choices]
    given: Any = make_dataclass("Given", rows, kw_only=True, frozen=True)

    @with_options(given)
    def add_graph(options: Any, as_json: ReportJson = False) -> int:
        chosen = {choice.name: _value(choice, getattr(options, choice.name)) for choice in importer.choices}
        known = {entry.name for entry in fields(given)}
        name, licence = (getattr(options, word) if word in known else "" for word in ("name", "licence"))
        files = tuple(options.source) if importer.several else (options.source,)
        return import_graph(importer, files, name, licence, chosen, as_json)

    return add_graph


def _row(choice: "Choice") -> tuple[str, Any, Any]:
    """A choice as a field of a group of options; what is not given is None, or an empty list, or False."""
    option = typer.Option(_flag(choice), metavar=choice.metavar, help=choice.about)
    if choice.switch:
        return choice.name, Annotated[bool, option], False
    kind: Any = Literal[choice.options] if choice.options else str
    if choice.repeated:
        return choice.name, Annotated[list[kind], option], field(default_factory=list)
    return choice.name, Annotated[kind | None, option], None


def _value(choice: "Choice", given: Any) -> Any:
    """What the importer gets. Raises InputError for words that the choice does not take."""
    if choice.switch:
        return given
    try:
        if choice.repeated:
            return tuple(choice.parse(text) for text in given)
        # a default may stand as words too
        text = choice.default if given is None else given
        return choice.parse(text) if isinstance(text, str) and not choice.options else text
    except ValueError as error:
        raise InputError(f"{_flag(choice)}: {error}") from None


def _flag(choice: "Choice") -> str:
    return f"--{choice.name.replace('_', '-')}"
