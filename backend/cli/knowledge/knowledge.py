"""knowledge list, check, vectors, and the parsers of add, load, export, remove: what is known, and how it comes and goes."""

import argparse
import json
from pathlib import Path
from typing import Any

from backend.cli.knowledge import knowledge_add, knowledge_beside, knowledge_graphs, knowledge_neo4j, knowledge_sources
from backend.errors import InputError
from backend.settings import settings


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    parser = commands.add_parser("knowledge", help="list, add, check, load, export or remove knowledge")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="graphs and sources: how much, licence, date, encoder, what is in use")
    listing.add_argument("--neo4j", action="store_true", help="ask the Neo4j server for its graphs too")
    listing.add_argument("--json", action="store_true")
    listing.set_defaults(run=run_list)
    check = actions.add_parser(
        "check", help="consistency of the starter knowledge, and agreement with independent data"
    )
    check.add_argument(
        "--against", type=Path, metavar="FOLDER", help="a folder of open data (Hetionet, kg_clean, DDXPlus)"
    )
    check.add_argument("--json", action="store_true")
    check.set_defaults(run=run_check)
    vectors = actions.add_parser("vectors", help="encode what changed and rewrite the shipped vectors")
    vectors.set_defaults(run=run_vectors)
    add = _kinds(actions, "add", "import a graph (umls, obo, tsv) or texts into a source (medquad, pubmed, folder …)")
    knowledge_add.add_to(add)
    load = _kinds(actions, "load", "make a graph or a collection of texts ready for use, or fetch a graph from Neo4j")
    export = _kinds(actions, "export", "write a graph to Neo4j, to TSV files or to a folder")
    remove = _kinds(actions, "remove", "remove an imported graph, one in Neo4j, or a collection of texts")
    knowledge_sources.add_to(add, load, remove)
    knowledge_beside.add_to(add)
    for family in (knowledge_graphs, knowledge_neo4j):
        family.add_to(load, export, remove)


def run_list(args: argparse.Namespace) -> None:
    from backend.container import Container

    container = Container(settings())
    book: dict[str, object] = {
        "source": "book",
        "documents": len({row.document_id for row in container.passages}),
        "passages": len(container.passages),
        "licence": container.passages[0].licence if container.passages else "",
        "encoder": container.encoder.name,
    }
    rows = [book, *knowledge_graphs.listed(container)]
    rows.extend(knowledge_sources.listed(settings().data, container.encoder.name))
    if args.neo4j:
        rows.extend(knowledge_neo4j.listed(container.settings))
    for row in rows:
        print(json.dumps(row) if args.json else "  ".join(f"{key}: {value}" for key, value in row.items()))


def run_check(args: argparse.Namespace) -> int:
    """0 when consistent, 2 when a rule is broken."""
    folder = settings().knowledge
    if not folder.is_dir():
        raise InputError(
            f"There is no knowledge folder {folder.name!r}. Set LEAPNOTE_KNOWLEDGE to the folder that holds it."
        )
    from backend.knowledge.starter import read_starter
    from backend.knowledge.starter_check import breaches

    starter = read_starter(folder)
    found = list(breaches(starter))
    for where, what in found:
        print(f"{where.system}:{where.number}: {what}")
    print(f"{len(starter.concepts)} concepts, {len(starter.triples)} triples, {len(found)} breaches")
    if args.against:
        from backend.knowledge.comparison import compare

        report = compare(starter, args.against)
        print(json.dumps(report.as_json()) if args.json else report.as_text())
    return 2 if found else 0


def run_vectors(args: argparse.Namespace) -> None:
    from backend.container import Container

    container = Container(settings().model_copy(update={"graph": "starter"}))
    encoded = container.vectors.write(list(container.shipped.texts_to_encode()), container.encoder)
    print(f"{encoded} texts encoded; {container.shipped.vector_path.name} written")


def _kinds(actions: Any, name: str, told: str) -> Any:
    return actions.add_parser(name, help=told).add_subparsers(dest="kind", required=True, metavar="KIND")
