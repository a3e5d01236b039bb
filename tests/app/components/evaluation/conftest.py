"""A small study to draw."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.study.sample import StudyWorld


@pytest.fixture
def study_world(tmp_path: Path) -> Iterator[StudyWorld]:
    made = StudyWorld(tmp_path)
    yield made
    made.database.close()
