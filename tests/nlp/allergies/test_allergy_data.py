"""Allergies as real documents carry them: narrative sections read as notes, with the structured entries beside them as truth.

C-CDA: the text of an allergies section, a line for each row of its table, against its allergy observations. FHIR: the codes of a
patient's AllergyIntolerance resources, one a line, against themselves. Nobody tuned a rule to either.
"""

import json
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.nlp.fresh import linker

pytestmark = pytest.mark.data
DATA = Path(os.environ.get("LEAPNOTE_TEST_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
NAMES = {"h": "urn:hl7-org:v3"}
ALLERGIES, OBSERVATION = "2.16.840.1.113883.10.20.22.2.6", "2.16.840.1.113883.10.20.22.4.7"
GENERAL = re.compile(
    r"\b(?:allerg\w*|substance|drug|medication|food|no|known|to|of|the|product|oral|tablet)\b", re.IGNORECASE
)


class DocumentSection(NamedTuple):
    """One section: its text; what its entries say the patient reacts to; whether they say that there is nothing."""

    where: str
    text: str
    allergens: tuple[str, ...]
    none: bool


def words(name: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]{3,}", GENERAL.sub(" ", name.lower()))}


def narrative(section: ET.Element) -> str:
    """The text of a section, a line for each row, item or paragraph, cells set apart by bars."""
    lines = []
    body = section.find("h:text", NAMES)
    for block in body.iter() if body is not None else ():
        tag = block.tag.rpartition("}")[2]
        if tag == "tr":
            lines.append(" | ".join(" ".join("".join(cell.itertext()).split()) for cell in block))
        elif tag in ("item", "paragraph"):
            lines.append(" ".join("".join(block.itertext()).split()))
    return "\n".join(lines) or (" ".join("".join(body.itertext()).split()) if body is not None else "")


def observed(section: ET.Element) -> Iterator[tuple[str, bool]]:
    """The allergen of each observation, and whether the observation is denied."""
    known = {
        node.get("ID", ""): " ".join("".join(node.itertext()).split()) for node in section.iter() if node.get("ID")
    }
    for one in section.iter("{urn:hl7-org:v3}observation"):
        if not any(t.get("root") == OBSERVATION for t in one.findall("h:templateId", NAMES)):
            continue
        code = one.find(".//h:participant//h:playingEntity/h:code", NAMES)
        name = (code.get("displayName") or "") if code is not None else ""
        said = code.find("h:originalText/h:reference", NAMES) if code is not None else None
        plain = one.find(".//h:participant//h:playingEntity/h:name", NAMES)
        name = name or ("".join(plain.itertext()) if plain is not None else "")
        if not name and said is not None:
            name = known.get(said.get("value", "").lstrip("#"), "")
        yield " ".join(name.split()), one.get("negationInd") == "true"


def sections_of_documents() -> list[DocumentSection]:
    found = []
    for path in sorted((DATA / "ccda_hl7").rglob("*.xml")):
        text = path.read_text("utf-8", errors="replace")
        if ALLERGIES not in text:
            continue
        if "urn:hl7-org:v3" not in text:
            text = re.sub(
                r"<(\w+)",
                r'<\1 xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc" xmlns:xsi="urn:xsi"',
                text,
                count=1,
            )
        try:
            root = ET.fromstring(text)
        except ET.ParseError:
            continue  # a fragment with a prefix that it does not declare
        for section in root.iter("{urn:hl7-org:v3}section"):
            if not any(t.get("root") in (ALLERGIES, f"{ALLERGIES}.1") for t in section.findall("h:templateId", NAMES)):
                continue
            observations = list(observed(section))
            allergens = tuple(name for name, denied in observations if not denied and words(name))
            none = bool(observations) and all(denied for _, denied in observations)
            found.append(DocumentSection(f"{path.parent.name}/{path.name}", narrative(section), allergens, none))
    return found


def read(section: DocumentSection) -> tuple[str, list[str]]:
    allergies = (
        linker().link(f"Reason for visit: cough\n\nAllergies:\n{section.text}\n\nSocial History: nonsmoker").allergies
    )
    return allergies.status.value, [f"{item.text} {item.name}" for item in allergies.items]


def missing(section: DocumentSection) -> list[str]:
    _, items = read(section)
    got = set().union(*map(words, items))
    narrated = words(section.text)
    # An entry whose allergen the narrative does not name cannot be read from it.
    return [name for name in section.allergens if words(name) & narrated and not words(name) & got]


@pytest.fixture(scope="module")
def documents() -> list[DocumentSection]:
    if not (DATA / "ccda_hl7").exists():
        pytest.skip(f"no open data at {DATA / 'ccda_hl7'}; set LEAPNOTE_TEST_DATA")
    return sections_of_documents()


def test_no_allergen_of_a_document_is_missed(documents: list[DocumentSection]) -> None:
    assert sum(len(section.allergens) for section in documents) >= 18
    assert [(section.where, missed) for section in documents if (missed := missing(section))] == []


def test_a_document_that_denies_all_allergies_is_read_so(documents: list[DocumentSection]) -> None:
    general = [
        section
        for section in documents
        if section.none and re.search(r"no known|no .*allerg", section.text, re.IGNORECASE)
    ]
    assert len(general) >= 2
    assert [(section.where, status) for section in general if (status := read(section)[0]) != "none_known"] == []


def test_no_allergy_of_a_patient_in_fhir_is_missed() -> None:
    folder = DATA / "fhir_synthea_r4"
    if not folder.exists():
        pytest.skip(f"no open data at {folder}; set LEAPNOTE_TEST_DATA")
    count, missed = 0, []
    for path in sorted(folder.glob("*.json")):
        entries = (entry["resource"] for entry in json.loads(path.read_text("utf-8"))["entry"])
        codes = tuple(one["code"]["text"] for one in entries if one["resourceType"] == "AllergyIntolerance")
        section = DocumentSection(path.name, "\n".join(f"- {code}" for code in codes), codes, False)
        count += len(codes)
        missed += missing(section) if codes else []
    assert count >= 30
    assert missed == []
