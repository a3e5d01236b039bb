"""What no reader of a set takes: it is refused by its row, without its text."""

from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.answers.answers_run import READERS
from tests.evaluation.answers.set_files import read, write


@pytest.mark.parametrize("kind", sorted(READERS))
def test_what_is_not_in_the_layout_is_refused_without_its_text(tmp_path: Path, kind: str) -> None:
    path = write(
        tmp_path, "wrong.json", {"question": "A secret note.", "options": {"A": "only one"}, "answer_idx": "Z"}
    )
    with pytest.raises(InputError) as raised:
        read(kind, path)
    assert "wrong.json" in str(raised.value) or "release_evidences" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_unknown_sets_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Choose from: medqa"):
        read("nothing", tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        read("medqa", tmp_path / "none.jsonl")
