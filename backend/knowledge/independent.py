"""Facts of independent open data, by names: what treats a disease, and what a disease shows as.

Reads Hetionet (treats, palliates, presents), a plain graph in concepts.tsv and edges.tsv (kg_clean: phenotypes of HPO
and symptoms of the Disease Ontology) and DDXPlus (release_conditions, release_evidences), each where the folder has it.
It gives names as those sources write them; it knows nothing of our concepts.
"""

import gzip
import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class FactKind(StrEnum):
    """A kind of fact that open data has too."""

    TREATS = "treats"  # head a disease, tail a drug
    SHOWS = "shows"  # head a disease, tail a finding


class OpenFact(NamedTuple):
    """One fact of a source. tail may be a whole question (DDXPlus): phrase says that names stand inside it."""

    source: str
    kind: FactKind
    head: str
    tail: str
    phrase: bool = False


HETIONET = {"CtD": FactKind.TREATS, "CpD": FactKind.TREATS, "DpS": FactKind.SHOWS}
HETIONET_SOURCE = {"CtD": "Hetionet treats", "CpD": "Hetionet palliates", "DpS": "Hetionet presents"}
PLAIN_GRAPH = {"has_manifestation": "HPO", "has_phenotype": "HPO", "has_symptom": "Disease Ontology"}
LABEL = "LBL:"


def open_facts(folder: Path) -> Iterator[OpenFact]:
    """All facts of the sources that lie under a folder, each source in its own subfolder or in the folder itself.

    Yields:
        OpenFact: one at a time.
    """
    for path in sorted(folder.rglob("*.sif.gz")):
        for nodes in sorted(path.parent.rglob("*nodes.tsv")):
            yield from _hetionet(path, nodes)
    for path in sorted(folder.rglob("edges.tsv")):
        if (path.parent / "concepts.tsv").is_file():
            yield from _plain_graph(path.parent)
    for path in sorted(folder.rglob("release_conditions.json")):
        if (path.parent / "release_evidences.json").is_file():
            yield from _ddxplus(path.parent)


def _hetionet(edges: Path, nodes: Path) -> Iterator[OpenFact]:
    """Columns source, metaedge, target; a compound treats or palliates, a disease presents a symptom.

    Yields:
        OpenFact: one at a time.
    """
    names = dict(_first_two(nodes))
    with gzip.open(edges, "rt", encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) != 3 or cells[1] not in HETIONET or not {cells[0], cells[2]} <= names.keys():
                continue
            first, edge, second = names[cells[0]], cells[1], names[cells[2]]
            disease, other = (second, first) if HETIONET[edge] is FactKind.TREATS else (first, second)
            yield OpenFact(HETIONET_SOURCE[edge], HETIONET[edge], disease, other)


def _plain_graph(folder: Path) -> Iterator[OpenFact]:
    """concepts.tsv: id, name, …; edges.tsv: head, relation, tail; an end that starts with LBL: is a name itself.

    Yields:
        OpenFact: one at a time.
    """
    names = dict(_first_two(folder / "concepts.tsv"))
    with (folder / "edges.tsv").open(encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) < 3 or cells[1] not in PLAIN_GRAPH:
                continue
            head, tail = (names.get(end, end.removeprefix(LABEL)) for end in (cells[0], cells[2]))
            yield OpenFact(PLAIN_GRAPH[cells[1]], FactKind.SHOWS, head, tail)


def _ddxplus(folder: Path) -> Iterator[OpenFact]:
    """A condition and the questions whose answers speak for it; questions about the past are risk factors, left out.

    Yields:
        OpenFact: one at a time.
    """
    conditions = json.loads((folder / "release_conditions.json").read_text(encoding="utf-8"))
    questions = json.loads((folder / "release_evidences.json").read_text(encoding="utf-8"))
    for condition in conditions.values():
        for key in condition["symptoms"]:
            asked = questions.get(key)
            if asked is None or asked["is_antecedent"]:
                continue
            for name in _ddxplus_names(condition["cond-name-eng"]):
                yield OpenFact("DDXPlus", FactKind.SHOWS, name, asked["question_en"], phrase=True)


def _ddxplus_names(name: str) -> list[str]:
    """`Possible NSTEMI / STEMI` is three names: the whole, and each side of the stroke."""
    plain = re.sub(r"\(.*?\)", " ", name.removeprefix("Possible "))
    inside = re.findall(r"\((.*?)\)", name)
    return list(dict.fromkeys(part.strip() for part in (plain, *plain.split("/"), *inside) if part.strip()))


def _first_two(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if len(cells) > 1:
                yield cells[0], cells[1]
