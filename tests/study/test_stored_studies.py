"""A study that an earlier version of Leapnote stored opens, analyses, exports and imports as it did then."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.schemas.canonical_json import canonical_json, sha256_of
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_views import ReportFormat, StudyFormat
from backend.stores.database.database import Database
from backend.study import records
from backend.study.reporting.report import analysed
from backend.study.reporting.study_export import export, report_file
from backend.study.reporting.study_import import import_study
from tests.study.sample import StudyWorld

STORED = Path(__file__).parent / "stored"
JSONL = (STORED / "closed_study.jsonl").read_text(encoding="utf-8")
HEAD = json.loads(JSONL.split("\n", 1)[0])
STUDY = HEAD["study"]["study_id"]


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[StudyWorld]:
    """The stored database, opened by the code of today."""
    file = tmp_path / "study.sqlite"
    made = sqlite3.connect(file)
    made.executescript((STORED / "closed_study.sql").read_text(encoding="utf-8"))
    made.close()
    world = StudyWorld(Database(f"sqlite:///{file}"))
    yield world
    world.database.close()


def test_a_stored_study_opens_under_its_hash(stored: StudyWorld) -> None:
    view = stored.studies.view(STUDY)
    assert (view.sha256, view.state, len(view.cases)) == (HEAD["sha256"], StudyState.CLOSED, 5)


def test_the_frozen_document_is_written_byte_for_byte_as_it_was(stored: StudyWorld) -> None:
    with stored.database.reading() as session:
        document = records.frozen_row(session, STUDY).document
    assert canonical_json(stored.studies.frozen(STUDY)) == document
    assert sha256_of(document) == HEAD["sha256"]


def test_every_stored_row_is_written_byte_for_byte_as_it_was(stored: StudyWorld) -> None:
    lines = export(stored.studies, STUDY, StudyFormat.JSONL, "Ada").splitlines()
    # the stored export recorded itself as its last event, and this one records itself in its turn
    before = [line for line in JSONL.splitlines()[:-1] if '"export"' not in line]
    now = [line for line in lines[:-1] if '"export"' not in line]
    assert now == before
    assert len(now) > 60


def test_the_table_of_answers_is_as_it_was(stored: StudyWorld) -> None:
    before = (STORED / "closed_study.csv").read_text(encoding="utf-8")
    assert export(stored.studies, STUDY, StudyFormat.CSV, "Ada") == before


def test_the_figures_of_a_stored_study_are_as_they_were(stored: StudyWorld) -> None:
    found = json.loads(analysed(stored.studies, STUDY).analysis.model_dump_json())
    before = json.loads((STORED / "closed_study_analysis.json").read_text(encoding="utf-8"))
    assert leaves(found) == pytest.approx(leaves(before), rel=1e-9, abs=1e-12)
    assert words(found) == words(before)


@pytest.mark.parametrize("form", ReportFormat)
def test_a_stored_study_has_its_report(stored: StudyWorld, form: ReportFormat) -> None:
    assert len(report_file(stored.studies, STUDY, form, "Ada")) > 10_000


def test_a_stored_export_is_imported_under_its_hash(tmp_path: Path) -> None:
    world = StudyWorld(tmp_path)
    assert import_study(world.studies, JSONL, "Bob").sha256 == HEAD["sha256"]
    world.database.close()


def leaves(value: Any, at: str = "") -> dict[str, float]:
    """Every number with its place."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return {}
    if isinstance(value, int | float):
        return {at: float(value)}
    named = value.items() if isinstance(value, dict) else enumerate(value)
    return {place: n for key, part in named for place, n in leaves(part, f"{at}/{key}").items()}


def words(value: Any, at: str = "") -> dict[str, str]:
    """Everything that is no number with its place."""
    if isinstance(value, dict | list):
        named = value.items() if isinstance(value, dict) else enumerate(value)
        return {place: n for key, part in named for place, n in words(part, f"{at}/{key}").items()}
    return {} if isinstance(value, int | float) and not isinstance(value, bool) else {at: str(value)}
