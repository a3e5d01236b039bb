"""A case that an earlier version of Leapnote stored opens as it did then, and goes on from there."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.drafts.evidence import GraphItem
from backend.schemas.patients.saved_case import CaseState
from backend.stores.database.database import Database
from tests.review.sample import Ticking, Watch
from tests.review.steps import reopened

STORED = Path(__file__).parent / "stored"
CASE = json.loads((STORED / "signed_case.json").read_text(encoding="utf-8"))


NAMES_OF_TODAY = {"carried": "supported_text", "struck": "removed_sentences"}


def in_words_of_today(value: Any) -> Any:
    """A stored value with the fields that have another name since."""
    if isinstance(value, dict):
        return {NAMES_OF_TODAY.get(name, name): in_words_of_today(one) for name, one in value.items()}
    return [in_words_of_today(one) for one in value] if isinstance(value, list) else value


def fields_of(value: Any, stored: Any) -> Any:
    """A value with the fields that the stored one has: those added since are left out."""
    if isinstance(value, dict) and isinstance(stored, dict):
        return {name: fields_of(one, stored[name]) for name, one in value.items() if name in stored}
    if isinstance(value, list) and isinstance(stored, list) and len(value) == len(stored):
        return [fields_of(one, other) for one, other in zip(value, stored, strict=True)]
    return value


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Cases]:
    """The stored database, opened by the code of today."""
    file = tmp_path / "cases.sqlite"
    made = sqlite3.connect(file)
    made.executescript((STORED / "signed_case.sql").read_text(encoding="utf-8"))
    made.close()
    database = Database(f"sqlite:///{file}")
    yield Cases(database, Checkers(DocumentLayout(), safety=Watch()), Ticking())
    database.close()


def test_a_stored_case_opens_with_every_field_as_it_was(stored: Cases) -> None:
    found = json.loads(stored.view(CASE["id"]).model_dump_json())
    assert found["draft"]["record"] is None, "a case stored before there were records has none"
    expected = in_words_of_today(CASE)
    assert fields_of(found, expected) == expected


def test_a_fact_that_was_stored_with_a_model_s_wording_keeps_it() -> None:
    stored = {"id": "G1", "concept_id": "c", "text": "Gout is worsened by beer.", "told": "Beer sets off gout."}
    assert GraphItem.model_validate(stored).wording == "Beer sets off gout."
    with pytest.raises(ValidationError):
        GraphItem.model_validate(stored | {"wording": "Beer helps gout."})


def test_a_stored_signed_case_can_be_corrected(stored: Cases) -> None:
    after = reopened(stored, stored.view(CASE["id"]), 5, "Keep all visits.")
    assert (after.version, after.state, after.versions[-1].corrects_signed) == (3, CaseState.IN_REVIEW, True)
