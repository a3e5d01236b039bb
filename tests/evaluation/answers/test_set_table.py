"""What question sets hold, counted from their files."""

from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.answers.answers_run import READERS
from backend.evaluation.answers.set_table import ABOUT, set_rows, set_table
from tests.evaluation.answers.set_files import write

LINE = {"question": "What eases gout?", "options": {"A": "colchicine", "B": "insulin"}, "answer_idx": "A"}


def test_every_set_there_is_a_reader_for_has_a_task() -> None:
    assert list(ABOUT) == list(READERS)


def test_a_file_is_a_row_and_the_last_line_is_all_of_them(tmp_path: Path) -> None:
    train = write(tmp_path, "train.jsonl", LINE, LINE | {"options": dict(zip("ABC", "xyz", strict=True))})
    test = write(tmp_path, "test.jsonl", LINE)
    rows = set_rows([("medqa", train), ("medqa", test)])
    assert [(row.file, row.questions, row.judged_by, row.options, row.words) for row in rows] == [
        ("train.jsonl", 2, "choice", "2–3", 3.0),
        ("test.jsonl", 1, "choice", "2", 3.0),
    ]
    assert set_table(rows).splitlines()[-1].startswith("| all | | | | 3 |")


def test_a_set_there_is_no_reader_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no question set"):
        set_rows([("none", tmp_path)])
