"""DrugBank's full XML as source documents.

A document is a drug; its sections are description, indication, pharmacodynamics, mechanism, absorption, toxicity and
interactions. Report units: drugs.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.ingest.documents.safe_xml import Element, elements, inner_text, local
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "DrugBank; CC BY-NC 4.0 or your own licence"


class FactKind(StrEnum):
    """What a text of DrugBank says of a drug."""

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


@corpus_importer("drugbank", label="DrugBank, texts", source=Source.BOOK, about="DrugBank's full XML", order=9)
def read_drugbank(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """One document a drug that has a text, in file order.

    Raises InputError.

    Yields:
        SourceDocument: one at a time.
    """
    for drug in drugs(path, reading):
        interaction_text = "\n".join(text for _, _, text in drug.interactions)
        sections = tuple(Section(_FIELDS[kind][1], text) for kind, text in drug.texts.items())
        if interaction_text:
            sections = (*sections, Section("Interactions", interaction_text))
        if not sections:
            reading.report.skip("a drug without a text")
            continue
        reading.report.keep()
        address = f"https://go.drugbank.com/drugs/{drug.drug_id}"
        yield SourceDocument(f"drugbank/{drug.drug_id}", drug.name, sections, address, LICENCE, drug.updated)


def drugs(path: Path, reading: Reading) -> Iterator[Drug]:
    """All drugs of the file; those without an id or a name are counted.

    Raises InputError.

    Yields:
        Drug: one at a time.
    """
    for element in elements(path, frozenset({"drug"}), reading.follow):
        reading.report.seen()
        ids = [child for child in element if local(child.tag) == "drugbank-id"]
        primary = next((child for child in ids if child.get("primary") == "true"), ids[0] if ids else None)
        name = one_line(inner_text(_child(element, "name")))
        if primary is None or not name:
            reading.report.skip("a drug without an id or a name")
            continue
        texts = {kind: text for kind, (tag, _) in _FIELDS.items() if (text := _plain_text(_child(element, tag)))}
        yield Drug(
            one_line(primary.text or ""),
            name,
            tuple(one_line(inner_text(child)) for child in _children(element, "synonyms")),
            texts,
            tuple(_interactions(element)),
            (element.get("updated") or "")[:10],
        )


def _plain_text(element: Element | None) -> str:
    """A text without the marks of its references, as "[A246609,L41539]"."""
    return _REFERENCES.sub("", clean(inner_text(element)))


def _interactions(drug: Element) -> Iterator[tuple[str, str, str]]:
    for entry in _children(drug, "drug-interactions"):
        key, name, text = (one_line(inner_text(_child(entry, tag))) for tag in ("drugbank-id", "name", "description"))
        if name and text:
            yield key, name, text


def _child(element: Element, tag: str) -> Element | None:
    return next((child for child in element if local(child.tag) == tag), None)


def _children(element: Element, tag: str) -> list[Element]:
    parent = _child(element, tag)
    return list(parent) if parent is not None else []


_REFERENCES = re.compile(r"\s*\[(?:(?:[ALTFV]\d+|Label|FDA Label)(?:,\s*)?)+\]")
