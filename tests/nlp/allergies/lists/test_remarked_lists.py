"""Lists of allergies with remarks, as they are written: how many allergens are listed, and how much that is none."""

import json
import re
from pathlib import Path

import pytest

from backend.schemas.record import VerificationStatus
from tests.nlp.fresh import linker

LISTS = Path(__file__).parents[3] / "benchmarks" / "medicine_decisions"


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def listed(text: str) -> list[str]:
    """What is listed in a text and not refuted there, by its name and by its own words."""
    record = linker().read(text).record
    assert record is not None
    items = [one for one in record.allergies.items if not one.possible]
    items = [one for one in items if one.verification_status is not VerificationStatus.REFUTED]
    return [plain(name) for one in items for name in (one.agent, *(span.text for span in one.spans[:1]))]


@pytest.mark.parametrize(("part", "least", "most"), [("open", 0.98, 0.07), ("apart", 0.84, 0.12)])
def test_what_is_listed_is_found_and_what_is_only_named_is_not(part: str, least: float, most: float) -> None:
    counts = {"listed": 0, "found": 0, "named": 0, "taken": 0}
    for line in (LISTS / f"allergy_lists_{part}.jsonl").read_text().splitlines():
        one = json.loads(line)
        found = listed(one["text"])
        for name in map(plain, one["allergies"]):
            counts["listed"] += 1
            counts["found"] += any(name in other or other in name for other in found)
        for name in map(plain, one["not"]):
            counts["named"] += 1
            counts["taken"] += any(name == other or (len(name) > 3 and name in other) for other in found)
    assert counts["found"] / counts["listed"] >= least, counts
    assert counts["taken"] / counts["named"] <= most, counts
