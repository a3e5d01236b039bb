"""Prompts by name. A wording changes on purpose: then its version goes up, and its hash here is written anew."""

import pytest

from backend.errors import NotFoundError
from backend.prompts.prompt_registry import PROMPTS, prompt, versions

KNOWN = {
    "record": "1, 38a1df4a6aad",
    "entities": "1, c5d2bd2e220a",
    "knowledge": "2, 904b3e3ea259",
    "discharge-instructions": "2, c6b3aa07c1f9",
    "discharge-paragraph": "2, b5d0aead8430",
    "progress-note": "2, c576a406958a",
    "clinical-answer": "2, e6f071982ab8",
    "clinical-choice": "2, afa4f7e69a99",
    "repair": "2, d2c8bacf82b7",
    "translation": "1, 265810ba42d9",
    "plan": "2, bb97ad529f4e",
    "plan-again": "2, de7cea522f9c",
    "judge": "1, eda37ac0abc5",
    "terms": "1, adfdf0990d6f",
    "passage": "1, 9b8a20c2ba8e",
    "follow-up-answer": "1, dbc77c412c66",
    "follow-ups": "1, b03b3bd80863",
    "thought": "1, 224dbfd9ce43",
    "thought-again": "1, bbde155e52de",
    "direct": "1, 99951c4d8bd4",
    "explore": "1, 9e4d831cb484",
    "open-answer": "1, 25f985a3fe3c",
    "supports": "1, 003171e5f063",
    "entailed": "1, 8b20adba6334",
    "preferred": "1, 44413bf6af99",
    "paper-discharge": "1, af55cf7171ea",
}


def test_no_prompt_changes_by_accident() -> None:
    assert versions() == KNOWN


def test_an_unknown_name_lists_the_names() -> None:
    assert prompt("plan") is PROMPTS["plan"]
    with pytest.raises(NotFoundError, match=r"There is no prompt 'plans'\. Choose one of: .*plan-again"):
        prompt("plans")
