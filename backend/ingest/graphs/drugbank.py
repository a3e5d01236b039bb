"""DrugBank's full XML: as source documents, and as facts joined to the graph's concepts by name.

A document is a drug; its sections are description, indication, pharmacodynamics, mechanism, absorption, toxicity and
interactions. A fact is one of these texts for a concept of the graph; an interaction joins two. Report units: drugs.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.ingest.documents.safe_xml import Element, elements, inner_text, local
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line

LICENCE = "DrugBank; CC BY-NC 4.0 or your own licence"


class FactKind(StrEnum):
    DEFINITION = "definition"
    INDICATION = "indication"
    PHARMACODYNAMICS = "pharmacodynamics"
    MECHANISM = "mechanism"
    ABSORPTION = "absorption"
    TOXICITY = "toxicity"
    INTERACTION = "interaction"


_FIELDS = {
    FactKind.DEFINITION: ("description", "Description"),
    FactKind.INDICATION: ("indication", "Indication"),
    FactKind.PHARMACODYNAMICS: ("pharmacodynamics", "Pharmacodynamics"),
    FactKind.MECHANISM: ("mechanism-of-action", "Mechanism of action"),
    FactKind.ABSORPTION: ("absorption", "Absorption"),
    FactKind.TOXICITY: ("toxicity", "Toxicity"),
}


class Drug(NamedTuple):
    """One drug. texts: by kind, those that are not empty. interactions: the other drug's id, name, and what happens."""

    drug_id: str
    name: str
    synonyms: tuple[str, ...]
    texts: dict[FactKind, str]
    interactions: tuple[tuple[str, str, str], ...]
    updated: str


class DrugFact(NamedTuple):
    """A text about a concept of the graph; tail_id is the other concept of an interaction, else empty."""

    concept_id: str
    kind: FactKind
    text: str
    origin: str
    tail_id: str = ""


def read_drugbank(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """One document a drug that has a text, in file order. Raises InputError."""
    for drug in drugs(path, reading):
        told = "\n".join(text for _, _, text in drug.interactions)
        sections = tuple(Section(_FIELDS[kind][1], text) for kind, text in drug.texts.items())
        if told:
            sections = (*sections, Section("Interactions", told))
        if not sections:
            reading.report.skip("a drug without a text")
            continue
        reading.report.keep()
        address = f"https://go.drugbank.com/drugs/{drug.drug_id}"
        yield SourceDocument(f"drugbank/{drug.drug_id}", drug.name, sections, address, LICENCE, drug.updated)


def drug_facts(path: Path, reading: Reading, concept_of: Callable[[str], str | None]) -> Iterator[DrugFact]:
    """What the file tells of drugs that the graph knows. concept_of: a name's concept id, None where there is none or two.

    An interaction is given where both drugs are known, once for each of them, as the file has it. Raises InputError.
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


def drugs(path: Path, reading: Reading) -> Iterator[Drug]:
    """All drugs of the file; those without an id or a name are counted. Raises InputError."""
    for element in elements(path, frozenset({"drug"}), reading.follow):
        reading.report.seen()
        ids = [child for child in element if local(child.tag) == "drugbank-id"]
        primary = next((child for child in ids if child.get("primary") == "true"), ids[0] if ids else None)
        name = one_line(inner_text(_child(element, "name")))
        if primary is None or not name:
            reading.report.skip("a drug without an id or a name")
            continue
        texts = {kind: text for kind, (tag, _) in _FIELDS.items() if (text := _told(_child(element, tag)))}
        yield Drug(
            one_line(primary.text or ""),
            name,
            tuple(one_line(inner_text(child)) for child in _children(element, "synonyms")),
            texts,
            tuple(_interactions(element)),
            (element.get("updated") or "")[:10],
        )


def _told(element: Element | None) -> str:
    """A text without the marks of its references, as "[A246609,L41539]"."""
    return _REFERENCES.sub("", clean(inner_text(element)))


def _interactions(drug: Element) -> Iterator[tuple[str, str, str]]:
    for entry in _children(drug, "drug-interactions"):
        key, name, text = (one_line(inner_text(_child(entry, tag))) for tag in ("drugbank-id", "name", "description"))
        if name and text:
            yield key, name, text


def _concept(drug: Drug, concept_of: Callable[[str], str | None]) -> str | None:
    return next((found for name in (drug.name, *drug.synonyms) if (found := concept_of(name)) is not None), None)


def _child(element: Element, tag: str) -> Element | None:
    return next((child for child in element if local(child.tag) == tag), None)


def _children(element: Element, tag: str) -> list[Element]:
    parent = _child(element, tag)
    return list(parent) if parent is not None else []


_REFERENCES = re.compile(r"\s*\[(?:(?:[ALTFV]\d+|Label|FDA Label)(?:,\s*)?)+\]")
