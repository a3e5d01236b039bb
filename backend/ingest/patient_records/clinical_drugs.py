"""Names of codes as a note would write them: "lisinopril 10 MG Oral Tablet" is lisinopril, 10 mg, a tablet, by mouth.

RxNorm's grammar is a shape: ingredients with strengths parted by " / ", then a dose form, then a brand in brackets. The words of dose
forms, units and semantic tags are rows of assets/rules/fhir/.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from backend.ingest.patient_records.code_tables import FOLDER
from backend.nlp.rules import rule_rows

_BRAND = re.compile(r"\s*\[(?P<brand>[^\[\]]+)\]\s*$")
_VOLUME = re.compile(r"^\d+(?:\.\d+)?\s(?:ML|ACTUAT|HR)\s(?=\S)", re.IGNORECASE)
_STRENGTH = re.compile(
    r"^(?P<name>\S.*?)\s(?P<n>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[^\W\d_]+|%)(?P<per>/[\w.]+)?(?:\s(?P<rest>\D.*))?$"
)
_TAG = re.compile(r"^(?P<name>.+?)\s*\((?P<tag>[^()]+)\)$")


class ClinicalDrug(NamedTuple):
    """What a drug's name tells. dose is None where it tells none, or several; ingredients are of a combination alone."""

    name: str
    dose: float | None = None
    unit: str = ""
    form: str = ""
    route: str = ""
    ingredients: tuple[str, ...] = ()


class Unit(NamedTuple):
    """A unit as the record has it, and its kind: dose, form (what is counted: tablets, puffs) or measure."""

    name: str
    kind: str


def clinical_drug(words: str) -> ClinicalDrug:
    """The parts of a drug's name; the whole as the name where it is of no such shape."""
    rest = _BRAND.sub("", " ".join(words.split()))
    rest = _VOLUME.sub("", rest)
    parts = rest.split(" / ")
    strengths = [_STRENGTH.match(part) for part in parts]
    last = strengths[-1]
    if last is None or not all(one and (one["unit"] == "%" or dose_unit(one["unit"])) for one in strengths):
        return ClinicalDrug(" ".join(words.split()))
    form, route = _forms().get((last["rest"] or "").lower(), ("", ""))
    if last["rest"] and not form and not route and last["rest"].lower() not in _forms():
        return ClinicalDrug(" ".join(words.split()))
    names = [found["name"] for found in strengths if found]
    if len(names) > 1:
        return ClinicalDrug(" / ".join(names), None, "", form, route, tuple(names))
    unit = dose_unit(last["unit"])
    if unit is None or last["per"]:  # so much in a millilitre is no dose
        return ClinicalDrug(names[0], None, "", form, route)
    return ClinicalDrug(names[0], float(last["n"].replace(",", "")), unit.name, form, route)


def dose_unit(word: str) -> Unit | None:
    """A unit of a dose; None for a word that no row has."""
    unit = _units().get(word.strip().lower())
    return unit if unit is not None and unit.kind != "measure" else None


def plain_unit(word: str) -> str:
    """A unit as a note writes it; the word itself where no row has it."""
    unit = _units().get(word.strip().lower())
    return unit.name if unit is not None and unit.kind == "measure" else word


def plain_name(words: str) -> tuple[str, str]:
    """A code's display without its semantic tag ("Asthma (disorder)"), and the category that the tag tells."""
    words = " ".join(words.split())
    found = _TAG.match(words)
    tags = _name_words()["tag"]
    if found is None or found["tag"].lower() not in tags:
        return words, ""
    return found["name"], tags[found["tag"].lower()]


def allergen_name(words: str) -> str:
    """What "Allergy to penicillin" and "Shellfish allergy" are an allergy to."""
    name = plain_name(words)[0]
    lower = name.lower()
    for begin in _name_words()["allergy begins"]:
        if lower.startswith(f"{begin} "):
            return name[len(begin) + 1 :]
    for end in _name_words()["allergy ends"]:
        if lower.endswith(f" {end}"):
            return name[: -len(end) - 1]
    return name


@lru_cache(maxsize=1)
def _forms() -> dict[str, tuple[str, str]]:
    return {
        words.lower(): (form.strip("-"), route.strip("-"))
        for words, form, route in rule_rows(FOLDER / "dose_forms.tsv", 3)
    }


@lru_cache(maxsize=1)
def _units() -> dict[str, Unit]:
    return {word: Unit(unit.strip("-"), kind) for word, unit, kind in rule_rows(FOLDER / "units.tsv", 3)}


@lru_cache(maxsize=1)
def _name_words() -> dict[str, dict[str, str]]:
    held: dict[str, dict[str, str]] = {}
    for what, words, category in rule_rows(FOLDER / "name_words.tsv", 3):
        held.setdefault(what, {})[words] = category.strip("-")
    return held
