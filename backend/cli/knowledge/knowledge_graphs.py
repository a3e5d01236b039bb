"""knowledge load graph, export tsv|snapshot, remove graph; and the lines of `knowledge list` for graphs."""

import hashlib
import json
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backend.cli.cli_options import Json, Name
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import ConflictError, KnowledgeError, NotFoundError
from backend.schemas.vocabulary import SemanticGroup
from backend.settings import STARTER, Settings, settings

if TYPE_CHECKING:
    from backend.container import Container
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.snapshot_meta import About

JOINED = "-with-starter"
OF_LOAD = (
    "Joins the graph with the starter graph if asked to, checks every file, and encodes the names of the concepts. Stopped or "
    "killed, the same command goes on with the names that are left."
)
Exported = Annotated[
    str,
    typer.Argument(metavar="NAME", help=f"an imported graph, the folder of one, or {STARTER}", show_default=False),
]
Target = Annotated[Path, typer.Option("--to", metavar="FOLDER", help="a new one, or an older export")]


def add_to(load: CommandLine, export: CommandLine, remove: CommandLine) -> None:
    """The commands of graphs: each argument holds the kinds of one action."""
    load.add("graph", "encode the concepts of an imported graph, so that it can be used", help=OF_LOAD)(make_ready)
    export.add("tsv", "concepts.tsv, edges.tsv and relations.tsv")(export_tsv)
    export.add("snapshot", "a folder that LEAPNOTE_GRAPH can name")(export_snapshot)
    remove.add("graph", "an imported graph and the vectors of its concepts")(remove_graph)


def make_ready(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="an imported graph, or the folder of one", show_default=False)
    ],
    with_starter: Annotated[
        bool, typer.Option("--with-starter", help=f"join both as NAME{JOINED} and make that ready")
    ] = False,
    as_json: Json = False,
) -> int:
    """0 when it can be used, 130 when it was stopped."""
    from backend.stores.graph.snapshot import read_snapshot

    line = ProgressLine()
    try:
        container = _container(name)
        # every byte, once: a copy that went wrong shows itself here and not in a draft
        read_snapshot(container.imported.find(name), verify=True)
        if with_starter:
            name = joined(container, name, line)
            container = _container(name)
        container.encoded_concepts(line)
    except KeyboardInterrupt:
        line.end()
        print("Stopped. The same command goes on with the names that are left.", file=sys.stderr)
        return INTERRUPTED
    finally:
        line.end()
    from backend.retrieval.paths.path_parts import trained_policies

    policies = {policy: container.loaded.policy(policy)[1] for policy in trained_policies()}
    graph = container.graph
    if as_json:
        row = {"name": name, "concepts": len(graph), "edges": graph.edge_count, "fingerprint": graph.fingerprint}
        row |= {"encoder": container.encoder.name, "vectors": str(container.loaded.concept_vector_folder)}
        print(json.dumps({**row, "set": f"LEAPNOTE_GRAPH={name}", "policies": policies}))
        return 0
    print(
        f"{name} is ready: {len(graph)} concepts, {graph.edge_count} directed edges, encoder {container.encoder.name}."
    )
    print(f"To use it, set LEAPNOTE_GRAPH={name} in the environment or in .env, and start again.")
    for policy, why in policies.items():
        if why:
            print(f"No paths by the policy {policy} yet: {why}")
    return 0


def export_tsv(name: Exported, to: Target, as_json: Json = False) -> None:
    """Write the three files and print how many lines they have."""
    from backend.ingest.graphs.tsv_export import write_tsv

    line = ProgressLine()
    graph, about = graph_and_about(name)
    try:
        written = write_tsv(graph, to, about, line)
    finally:
        line.end()
    if as_json:
        print(json.dumps({"name": name, "folder": str(to), **written._asdict()}))
        return
    print(f"{written.concepts} concepts, {written.edges} edges and {written.relations} relations written to {to}")
    if written.changed:
        print(
            f"{written.changed} texts had a tab, a line's end or a bar in them, which a cell cannot hold; it was replaced."
        )


def export_snapshot(name: Exported, to: Target, as_json: Json = False) -> None:
    """Write the folder and print what is in it."""
    from backend.stores.graph.snapshot import write_snapshot

    graph, about = graph_and_about(name)
    meta = write_snapshot(graph, to, about)
    row = {"concepts": meta.concepts, "edges": meta.edges, "fingerprint": meta.fingerprint}
    if as_json:
        print(json.dumps({"name": name, "folder": str(to), **row}))
    else:
        print(f"{meta.concepts} concepts, {meta.edges} directed edges, fingerprint {meta.fingerprint}, in {to}")


def remove_graph(name: Name, as_json: Json = False) -> None:
    """Remove the graph with its vectors.

    Raises:
        ConflictError: for the one in use.
    """
    from backend.stores.graph.imported_graphs import ImportedGraphs

    chosen = settings()
    imported = ImportedGraphs(chosen.data)
    folder = imported.folder(name)
    if chosen.graph != STARTER and _same(imported, chosen.graph, folder):
        raise ConflictError(f"The graph {name!r} is in use (LEAPNOTE_GRAPH={chosen.graph}). Set another first.")
    gone = imported.remove(name)
    if as_json:
        print(json.dumps({"removed": [str(path) for path in gone]}))
    else:
        print(f"{name} is removed" + (", and the vectors of its concepts" if len(gone) > 1 else ""))


def joined(container: "Container", graph: str, line: ProgressLine) -> str:
    """The name of the graph joined with the starter's; made unless it is there already, of the same two graphs.

    Raises:
        ConflictError: the starter graph is in it already.
    """
    from backend.ingest.graphs.graph_union import join_graphs
    from backend.ingest.graphs.obo import XREFS
    from backend.stores.graph.snapshot_meta import About, read_meta
    from backend.stores.swapped_folder import MARK

    source = container.imported.find(graph)
    meta = read_meta(source)
    name = f"{source.name}{JOINED}"
    folder = container.imported.folder(name)
    if STARTER in meta.settings:
        raise ConflictError(f"{graph!r} has the starter graph in it already. Load it without --with-starter.")
    rows = [repr(tuple(row)) for row in container.starter_graph.concepts]
    made_of = {
        STARTER: container.starter_graph.fingerprint,
        "starter_names": hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16],
        "joined": source.name,
        "joined_files": hashlib.sha256((source / MARK).read_bytes()).hexdigest()[:16],
        "names": "of both",
    }
    if any(there.name == name and there.meta and there.meta.settings == made_of for there in container.imported.all()):
        return name
    licence = (
        f"starter knowledge: {container.passages[0].licence}; {source.name}: {meta.licence}"
        if container.passages
        else meta.licence
    )
    about = About(name, f"starter knowledge and {meta.source}", licence, date.today().isoformat(), made_of)
    codes = source / XREFS
    xrefs = codes.read_text(encoding="utf-8") if codes.is_file() else ""
    union = join_graphs(container.starter_graph, container.graph, folder, about, line, xrefs=xrefs)
    line.end()
    print(union.report.as_text(), file=sys.stderr)
    return name


def graph_and_about(name: str) -> "tuple[Graph, About]":
    """The starter graph or an imported one, and what is known of its making."""
    from backend.stores.graph.snapshot_meta import About, read_meta

    container = _container(name)
    if name == STARTER:
        licence = container.passages[0].licence if container.passages else ""
        return container.graph, About(STARTER, "starter knowledge", licence, date.today().isoformat(), {})
    meta = read_meta(container.imported.find(name))
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
            **_kinds(starter.inverse.items()),
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
        row |= {"concepts": meta.concepts, "edges": meta.edges}
        row |= _kinds((one.relation, one.inverse) for one in meta.relations)
        row |= {"licence": meta.licence, "date": meta.created}
        vectors = "ready" if meta.fingerprint in ready else f"none: knowledge load graph {name}"
        rows.append(
            {**row, "fingerprint": meta.fingerprint, "vectors": vectors, "encoder": encoder, "from": meta.source}
        )
    return rows


def _kinds(relations: Iterable[tuple[str, str]]) -> dict[str, int]:
    """How many relations there are, with its inverse one, and semantic groups."""
    return {"relations": len({frozenset(pair) for pair in relations}), "groups": len(SemanticGroup)}


def _container(graph: str) -> "Container":
    from backend.container import Container

    chosen: Settings = settings().model_copy(update={"graph": graph})
    return Container(chosen)


def _same(imported: Any, name: str, folder: Path) -> bool:
    try:
        return bool(imported.find(name).resolve() == folder.resolve())
    except NotFoundError:
        return False
