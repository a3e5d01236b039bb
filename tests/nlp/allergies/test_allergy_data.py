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


class Told(NamedTuple):
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


def sections_of_documents() -> list[Told]:
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
            told = list(observed(section))
            allergens = tuple(name for name, denied in told if not denied and words(name))
            none = bool(told) and all(denied for _, denied in told)
            found.append(Told(f"{path.parent.name}/{path.name}", narrative(section), allergens, none))
    return found


def read(told: Told) -> tuple[str, list[str]]:
    allergies = (
        linker().link(f"Reason for visit: cough\n\nAllergies:\n{told.text}\n\nSocial History: nonsmoker").allergies
    )
    return allergies.status.value, [f"{item.text} {item.name}" for item in allergies.items]


def missing(told: Told) -> list[str]:
    _, items = read(told)
    got = set().union(*map(words, items))
    narrated = words(told.text)
    # An entry whose allergen the narrative does not name cannot be read from it.
    return [name for name in told.allergens if words(name) & narrated and not words(name) & got]


@pytest.fixture(scope="module")
def documents() -> list[Told]:
    if not (DATA / "ccda_hl7").exists():
        pytest.skip(f"no open data at {DATA / 'ccda_hl7'}; set LEAPNOTE_TEST_DATA")
    return sections_of_documents()


def test_no_allergen_of_a_document_is_missed(documents: list[Told]) -> None:
    assert sum(len(told.allergens) for told in documents) >= 18
    assert [(told.where, missed) for told in documents if (missed := missing(told))] == []


def test_a_document_that_denies_all_allergies_is_read_so(documents: list[Told]) -> None:
    general = [told for told in documents if told.none and re.search(r"no known|no .*allerg", told.text, re.IGNORECASE)]
    assert len(general) >= 2
    assert [(told.where, status) for told in general if (status := read(told)[0]) != "none_known"] == []


def test_no_allergy_of_a_patient_in_fhir_is_missed() -> None:
    folder = DATA / "fhir_synthea_r4"
    if not folder.exists():
        pytest.skip(f"no open data at {folder}; set LEAPNOTE_TEST_DATA")
    count, missed = 0, []
    for path in sorted(folder.glob("*.json")):
        entries = (entry["resource"] for entry in json.loads(path.read_text("utf-8"))["entry"])
        codes = tuple(one["code"]["text"] for one in entries if one["resourceType"] == "AllergyIntolerance")
        told = Told(path.name, "\n".join(f"- {code}" for code in codes), codes, False)
        count += len(codes)
        missed += missing(told) if codes else []
    assert count >= 30
    assert missed == []
