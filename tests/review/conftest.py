"""Saved cases on a database of their own, in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseView, SaveRequest
from backend.stores.database.database import Database
from tests.review.sample import Ticking, Watch, sample


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'leapnote.sqlite'}")
    yield made
    made.close()


@pytest.fixture
def cases(database: Database) -> Cases:
    return Cases(database, Checkers(DocumentLayout(), safety=Watch()), Ticking())


@pytest.fixture
def draft_case(cases: Cases) -> CaseView:
    return cases.save(SaveRequest(label="Heart failure, 80 F", draft=sample(), author="Dr Ames"))
