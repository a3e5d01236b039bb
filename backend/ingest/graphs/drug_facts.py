"""DrugBank's texts and interactions as facts about the concepts of the graph in use, joined by name.

A fact is one text for a concept; an interaction joins two concepts. Report units: drugs.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.ingest.corpora.drugbank import Drug, FactKind, drugs
from backend.ingest.documents.source_documents import Reading
from backend.ingest.importers import GraphImported, GraphInput
from backend.registry import graph_importer
from backend.stores.graph.graph_rows import ConceptRow
from backend.stores.swapped_folder import make_durable, private_folder


class DrugFact(NamedTuple):
    """A text about a concept of the graph; tail_id is the other concept of an interaction, else empty."""

    concept_id: str
    kind: FactKind
    text: str
    origin: str
    tail_id: str = ""


@graph_importer(
    "drug-facts",
    label="DrugBank, facts",
    about="DrugBank's texts and interactions, joined to the graph's concepts by name",
    files="DrugBank's full XML",
    default_name="",
    order=4,
)
def import_drug_facts(given: GraphInput) -> GraphImported:
    """Write the facts of one file of DrugBank beside the graph in use, as JSONL of DrugFact.

    Args:
        given: paths holds the one XML file; graph is whose chemicals are looked for.

    Returns:
        The file under `<data>/definitions`, named by the graph's fingerprint, and how many facts of each kind it holds.
    """
    graph, reading, kinds = given.graph(), Reading(), Counter[str]()
    out = given.data / "definitions" / f"{graph.fingerprint}-drugbank.jsonl"
    private_folder(out.parent)
    partial = out.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as lines:
        for fact in drug_facts(given.paths[0], reading, drug_names(graph.concepts)):
            lines.write(json.dumps(fact._asdict(), ensure_ascii=False) + "\n")
            kinds[fact.kind.value] += 1
            given.progress(reading.done, reading.total, reading.unit)
    make_durable(partial)
    partial.replace(out)
    counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()) or "none"
    row: dict[str, object] = {"file": str(out), "facts": dict(kinds)}
    return GraphImported(out, reading.report, row, (f"{sum(kinds.values()):,} facts in {out}: {counted}",))


def drug_facts(path: Path, reading: Reading, concept_of: Callable[[str], str | None]) -> Iterator[DrugFact]:
    """What the file tells of drugs that the graph knows. concept_of: a name's concept id, None where there is none or two.

    An interaction is given where both drugs are known, once for each of them, as the file has it. Raises InputError.

    Yields:
        DrugFact: one at a time.
    """
    for drug in drugs(path, reading):
        concept = _concept(drug, concept_of)
        if concept is None:
            reading.report.skip("a drug that is no concept of the graph by its name or a synonym")
            continue
        reading.report.keep()
        for kind, text in drug.texts.items():
            yield DrugFact(concept, kind, text, drug.drug_id)
        for _, other, text in drug.interactions:
            tail = concept_of(other)
            if tail is not None and tail != concept:
                yield DrugFact(concept, FactKind.INTERACTION, text, drug.drug_id, tail)


def read_drug_texts(path: Path) -> dict[str, tuple[tuple[str, str], ...]]:
    """Kind and text of what a file of facts (JSONL of DrugFact) tells of each concept by itself, in the file's order.

    Interactions are left out: a drug has thousands, and no definition holds them. A file that is not there gives none. Raises
    KnowledgeError for a line that is no fact.

    Raises:
        KnowledgeError: a line is no fact.
    """
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                fact = DrugFact(**json.loads(line))
                kind = FactKind(fact.kind)
            except (ValueError, TypeError) as error:
                raise KnowledgeError(
                    f"{path.name}, line {number}, is no fact ({type(error).__name__}). Make the file again with: "
                    "python -m backend knowledge add drug-facts"
                ) from error
            if kind != FactKind.INTERACTION:
                found[fact.concept_id].append((kind.value, fact.text))
    return {concept: tuple(texts) for concept, texts in found.items()}


def drug_names(concepts: Sequence[ConceptRow]) -> Callable[[str], str | None]:
    """A chemical's concept id by any of its names, case aside; None for a name that no concept or more than one has."""
    found: dict[str, str | None] = {}
    for row in concepts:
        if row.group == "CHEM":
            for name in {name.lower() for name in (row.name, *row.synonyms)}:
                found[name] = row.concept_id if name not in found else None
    return lambda name: found.get(name.lower())


def _concept(drug: Drug, concept_of: Callable[[str], str | None]) -> str | None:
    return next((found for name in (drug.name, *drug.synonyms) if (found := concept_of(name)) is not None), None)
