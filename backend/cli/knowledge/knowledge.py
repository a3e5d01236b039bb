"""knowledge list, check, vectors, and the groups add, load, export, remove: what is known, and how it comes and goes."""

import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_group

from backend.cli.cli_options import Json
from backend.cli.knowledge import (
    knowledge_add,
    knowledge_beside,
    knowledge_graphs,
    knowledge_hospital,
    knowledge_neo4j,
    knowledge_review,
    knowledge_sources,
)
from backend.cli.program import CommandLine, KindGroup
from backend.errors import InputError
from backend.settings import STARTER, settings

app = CommandLine("list, check, review, add, load, export or remove knowledge")


@app.add("list", "graphs and sources: how much, licence, date, encoder, what is in use")
def list_knowledge(
    neo4j: Annotated[bool, typer.Option("--neo4j", help="ask the Neo4j server for its graphs too")] = False,
    as_json: Json = False,
) -> None:
    """Print a line for each graph and collection."""
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
    if neo4j:
        rows.extend(knowledge_neo4j.listed(container.settings))
    for row in rows:
        print(json.dumps(row) if as_json else "  ".join(f"{key}: {value}" for key, value in row.items()))


@app.add(
    "check",
    "consistency of the starter knowledge, of the hospital's own part and of the graph that is set, and agreement with independent data",
)
def check(
    against: Annotated[
        Path | None,
        typer.Option("--against", metavar="FOLDER", help="a folder of open data (Hetionet, kg_clean, DDXPlus)"),
    ] = None,
    as_json: Json = False,
) -> int:
    """0 when consistent, 2 when a rule is broken.

    Raises:
        InputError: where there is no folder.
    """
    folder = settings().knowledge
    if not folder.is_dir():
        raise InputError(
            f"There is no knowledge folder {folder.name!r}. Set LEAPNOTE_KNOWLEDGE to the folder that holds it."
        )
    from backend.knowledge.advice.applicability_check import unsaid
    from backend.knowledge.hospital.overlay_check import overlay_breaches
    from backend.knowledge.review.knowledge_review import KnowledgeReview
    from backend.knowledge.starter import read_starter
    from backend.knowledge.starter_check import breaches, readable_graph
    from backend.nlp.extraction.linker import DictionaryLinker
    from backend.nlp.lexicon.plain_names import starter_first, with_plain_names
    from backend.verification.fit.presuppositions import SentenceReader

    starter = read_starter(folder)
    graph = readable_graph(starter)
    names = list(starter_first(with_plain_names(graph.concepts, frozenset(graph.ids))))
    reader = SentenceReader(DictionaryLinker(names, graph.neighbour_ids))
    found = [*breaches(starter), *unsaid(starter, lambda text: reader.read(text).needs)]
    for where, what in found:
        print(f"{where.system}:{where.number}: {what}")
    safety = sum(len(rows) for rows in starter.safety)
    print(
        f"{len(starter.concepts)} concepts, {len(starter.triples)} triples, {safety} safety rows, {len(starter.doses)} doses, "
        f"{len(found)} breaches"
    )
    review = KnowledgeReview(folder, settings().data)
    overlay = list(overlay_breaches(review, folder, knowledge_hospital.hospital_tables(settings())))
    for line in overlay:
        print(line)
    if overlay:
        print(f"{len(overlay)} faults of the hospital's own part")
    broken = bool(found or overlay)
    if settings().graph != STARTER:
        from backend.container import Container
        from backend.knowledge.graph_check import graph_check

        counted = graph_check(Container(settings()).graph)
        broken = broken or counted.breached
        print(f"graph {settings().graph}: {counted.as_text()}")
    if against:
        from backend.knowledge.comparison import compare

        report = compare(starter, against)
        print(json.dumps(report.as_json()) if as_json else report.as_text())
    return 2 if broken else 0


@app.add("vectors", "encode what changed and rewrite the shipped vectors")
def vectors() -> None:
    """Encode the starter knowledge."""
    from backend.container import Container

    container = Container(settings().model_copy(update={"graph": "starter"}))
    encoded = container.vectors.write(list(container.shipped.texts_to_encode()), container.encoder)
    print(f"{encoded} texts encoded; {container.shipped.vector_path.name} written")


class AddGroup(KindGroup):
    """What can be added: the importers are imported, and their commands made, when the group is asked for one."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Every kind, graphs first."""
        return list(self._kinds())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a kind, or None."""
        return self._kinds().get(cmd_name)

    def _kinds(self) -> MutableMapping[str, Any]:
        if not self.commands:
            kinds = CommandLine()
            for family in (knowledge_add, knowledge_sources, knowledge_beside):
                family.add_kinds(kinds)
            self.commands = get_group(kinds).commands
        return self.commands


app.add_typer(knowledge_review.app, name="review")
for one in knowledge_hospital.groups():
    app.add_typer(one.app, name=one.name)
app.group("add", "import a graph (umls, obo, tsv) or texts into a source (medquad, pubmed, folder …)", AddGroup)
load = app.group("load", "make a graph or a collection of texts ready for use, or fetch a graph from Neo4j", KindGroup)
export = app.group("export", "write a graph to Neo4j, to TSV files or to a folder", KindGroup)
remove = app.group("remove", "remove an imported graph, one in Neo4j, or a collection of texts", KindGroup)
knowledge_sources.add_to(load, remove)
for family in (knowledge_graphs, knowledge_neo4j):
    family.add_to(load, export, remove)
