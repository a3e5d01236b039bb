"""knowledge load graph, export tsv|snapshot, remove graph; and the lines of `knowledge list` that tell of graphs."""

import argparse
import hashlib
import json
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.errors import ConflictError, KnowledgeError, NotFoundError
from backend.settings import STARTER, Settings, settings

if TYPE_CHECKING:
    from backend.container import Container
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.snapshot_meta import About

JOINED = "-with-starter"
POLICIES = ("leapnote", "reinrag")


def add_to(load: Any, export: Any, remove: Any) -> None:
    """The parsers of this family."""
    ready = load.add_parser(
        "graph",
        help="encode the concepts of an imported graph, so that it can be used",
        description="Joins the graph with the starter graph if asked to, checks every file, and encodes the names of the "
        "concepts. Stopped or killed, the same command goes on with the names that are left.",
    )
    ready.add_argument("name", metavar="NAME", help="an imported graph, or the folder of one")
    ready.add_argument("--with-starter", action="store_true", help=f"join both as NAME{JOINED} and make that ready")
    ready.add_argument("--json", action="store_true")
    ready.set_defaults(run=run_load)
    for kind, told, run in (
        ("tsv", "concepts.tsv, edges.tsv and relations.tsv", run_export_tsv),
        ("snapshot", "a folder that LEAPNOTE_GRAPH can name", run_export_snapshot),
    ):
        parser = export.add_parser(kind, help=told)
        parser.add_argument("name", metavar="NAME", help=f"an imported graph, the folder of one, or {STARTER}")
        parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="a new one, or an older export")
        parser.add_argument("--json", action="store_true")
        parser.set_defaults(run=run)
    gone = remove.add_parser("graph", help="an imported graph and the vectors of its concepts")
    gone.add_argument("name", metavar="NAME")
    gone.add_argument("--json", action="store_true")
    gone.set_defaults(run=run_remove)


def run_load(args: argparse.Namespace) -> int:
    """0 when it can be used, 130 when it was stopped."""
    from backend.stores.graph.snapshot import read_snapshot

    line, told = ProgressLine(), args.name
    try:
        container = _container(told)
        # every byte, once: a copy that went wrong shows itself here and not in a draft
        read_snapshot(container.imported.find(told), verify=True)
        if args.with_starter:
            told = joined(container, told, line)
            container = _container(told)
        container.encoded_concepts(line)
    except KeyboardInterrupt:
        line.end()
        print("Stopped. The same command goes on with the names that are left.", file=sys.stderr)
        return 130
    finally:
        line.end()
    policies = {name: container.loaded.policy(name)[1] for name in POLICIES}
    graph = container.graph
    if args.json:
        row = {"name": told, "concepts": len(graph), "edges": graph.edge_count, "fingerprint": graph.fingerprint}
        row |= {"encoder": container.encoder.name, "vectors": str(container.loaded.concept_vector_folder)}
        print(json.dumps({**row, "set": f"LEAPNOTE_GRAPH={told}", "policies": policies}))
        return 0
    print(
        f"{told} is ready: {len(graph)} concepts, {graph.edge_count} directed edges, encoder {container.encoder.name}."
    )
    print(f"To use it, set LEAPNOTE_GRAPH={told} in the environment or in .env, and start again.")
    for name, why in policies.items():
        if why:
            print(f"No paths by the policy {name} yet: {why}")
    return 0


def joined(container: "Container", told: str, line: ProgressLine) -> str:
    """The name of the graph joined with the starter's; made unless it is there already, of the same two graphs."""
    from backend.ingest.graphs.graph_union import join_graphs
    from backend.stores.graph.snapshot_meta import About, read_meta
    from backend.stores.swapped_folder import MARK

    source = container.imported.find(told)
    meta = read_meta(source)
    name = f"{source.name}{JOINED}"
    folder = container.imported.folder(name)
    if STARTER in meta.settings:
        raise ConflictError(f"{told!r} has the starter graph in it already. Load it without --with-starter.")
    rows = [repr(tuple(row)) for row in container.starter_graph.concepts]
    made_of = {
        STARTER: container.starter_graph.fingerprint,
        "starter_names": hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16],
        "joined": source.name,
        "joined_files": hashlib.sha256((source / MARK).read_bytes()).hexdigest()[:16],
    }
    if any(there.name == name and there.meta and there.meta.settings == made_of for there in container.imported.all()):
        return name
    licence = (
        f"starter knowledge: {container.passages[0].licence}; {source.name}: {meta.licence}"
        if container.passages
        else meta.licence
    )
    about = About(name, f"starter knowledge and {meta.source}", licence, date.today().isoformat(), made_of)
    union = join_graphs(container.starter_graph, container.graph, folder, about, line)
    line.end()
    print(union.report.as_text(), file=sys.stderr)
    return name


def run_export_tsv(args: argparse.Namespace) -> int:
    from backend.ingest.graphs.tsv_export import write_tsv

    line = ProgressLine()
    graph, about = graph_and_about(args.name)
    try:
        written = write_tsv(graph, args.to, about, line)
    finally:
        line.end()
    if args.json:
        print(json.dumps({"name": args.name, "folder": str(args.to), **written._asdict()}))
        return 0
    print(f"{written.concepts} concepts, {written.edges} edges and {written.relations} relations written to {args.to}")
    if written.changed:
        print(
            f"{written.changed} texts had a tab, a line's end or a bar in them, which a cell cannot hold; it was replaced."
        )
    return 0


def run_export_snapshot(args: argparse.Namespace) -> int:
    from backend.stores.graph.snapshot import write_snapshot

    graph, about = graph_and_about(args.name)
    meta = write_snapshot(graph, args.to, about)
    row = {"concepts": meta.concepts, "edges": meta.edges, "fingerprint": meta.fingerprint}
    if args.json:
        print(json.dumps({"name": args.name, "folder": str(args.to), **row}))
    else:
        print(f"{meta.concepts} concepts, {meta.edges} directed edges, fingerprint {meta.fingerprint}, in {args.to}")
    return 0


def run_remove(args: argparse.Namespace) -> int:
    from backend.stores.graph.imported_graphs import ImportedGraphs

    chosen = settings()
    imported = ImportedGraphs(chosen.data)
    folder = imported.folder(args.name)
    if chosen.graph != STARTER and _same(imported, chosen.graph, folder):
        raise ConflictError(f"The graph {args.name!r} is in use (LEAPNOTE_GRAPH={chosen.graph}). Set another first.")
    gone = imported.remove(args.name)
    if args.json:
        print(json.dumps({"removed": [str(path) for path in gone]}))
    else:
        print(f"{args.name} is removed" + (", and the vectors of its concepts" if len(gone) > 1 else ""))
    return 0


def graph_and_about(told: str) -> "tuple[Graph, About]":
    """The starter graph or an imported one, and what is known of its making."""
    from backend.stores.graph.snapshot_meta import About, read_meta

    container = _container(told)
    if told == STARTER:
        licence = container.passages[0].licence if container.passages else ""
        return container.graph, About(STARTER, "starter knowledge", licence, date.today().isoformat(), {})
    meta = read_meta(container.imported.find(told))
    return container.graph, About(meta.name, meta.source, meta.licence, meta.created, meta.settings)


def listed(container: "Container") -> list[dict[str, object]]:
    """A line for each graph: the starter's, the imported ones, and one in use that lies elsewhere."""
    from backend.stores.graph.snapshot_meta import read_meta

    chosen, encoder = container.settings.graph, container.encoder.name
    starter = container.starter_graph
    licence = container.passages[0].licence if container.passages else ""
    rows: list[dict[str, object]] = [
        {
            "source": "graph",
            "name": STARTER,
            "in_use": chosen == STARTER,
            "concepts": len(starter),
            "edges": starter.edge_count,
            "licence": licence,
            "fingerprint": starter.fingerprint,
            "vectors": "ship with it",
            "encoder": encoder,
        }
    ]
    shown = list(container.imported.all())
    used = None
    try:
        used = container.imported.find(chosen) if chosen != STARTER else None
    except NotFoundError as error:
        rows.append({"source": "graph", "name": chosen, "in_use": True, "problem": str(error)})
    found = [(row.name, row.folder, row.meta, row.problem) for row in shown]
    if used and all(used.resolve() != row.folder.resolve() for row in shown):
        try:
            found.append((str(used), used, read_meta(used), ""))
        except KnowledgeError as error:
            found.append((str(used), used, None, str(error)))
    ready = {path.name.split("-")[0] for path in container.imported.encoded(encoder)}
    for name, folder, meta, problem in found:
        row: dict[str, object] = {"source": "graph", "name": name, "in_use": folder == used}
        if meta is None:
            rows.append({**row, "problem": problem})
            continue
        row |= {"concepts": meta.concepts, "edges": meta.edges, "licence": meta.licence, "date": meta.created}
        vectors = "ready" if meta.fingerprint in ready else f"none: knowledge load graph {name}"
        rows.append(
            {**row, "fingerprint": meta.fingerprint, "vectors": vectors, "encoder": encoder, "from": meta.source}
        )
    return rows


def _container(graph: str) -> "Container":
    from backend.container import Container

    chosen: Settings = settings().model_copy(update={"graph": graph})
    return Container(chosen)


def _same(imported: Any, told: str, folder: Path) -> bool:
    try:
        return bool(imported.find(told).resolve() == folder.resolve())
    except NotFoundError:
        return False
