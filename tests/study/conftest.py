from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.study.sample import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.database.close()
