"""The rows of the safety benchmark: how they are read, and those that ship."""

from collections import Counter
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.safety.benchmark_rows import Level, read_benchmark

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_rows_that_ship_are_enough_and_in_halves() -> None:
    rows = read_benchmark(BENCHMARKS)
    assert Counter(row.half for row in rows.vignettes) == {"even": 75, "odd": 75}
    assert sum(bool(row.dangers) for row in rows.vignettes) == sum(bool(row.foils) for row in rows.vignettes) == 75
    assert not [row.id for row in rows.vignettes if bool(row.dangers) is bool(row.foils)]
    assert not [row.id for row in rows.vignettes if not 60 <= len(row.note.split()) <= 180]
    assert Counter(row.error is None for row in rows.prescriptions) == {True: 50, False: 50}
    assert Counter(row.half for row in rows.signs) == {"even": 30, "odd": 30}
    order = list(Level)
    assert all(order.index(row.most) <= order.index(row.least) for row in rows.signs)
    ids = [row.id for part in (rows.vignettes, rows.prescriptions, rows.signs) for row in part]
    assert len(set(ids)) == len(ids) == 310


def test_right_and_wrong_prescriptions_stand_in_pairs_of_one_half() -> None:
    rows = read_benchmark(BENCHMARKS).prescriptions
    for wrong, right in zip(rows[::2], rows[1::2], strict=True):
        assert wrong.error == wrong.about == right.about and right.error is None
        assert wrong.half == right.half


def test_one_half_is_read_alone() -> None:
    rows = read_benchmark(BENCHMARKS, "odd")
    assert {row.half for part in (rows.vignettes, rows.prescriptions, rows.signs) for row in part} == {"odd"}


def test_a_folder_without_the_benchmark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no safety_vignettes"):
        read_benchmark(tmp_path)


def test_a_row_that_cannot_be_read_is_named_by_its_place_and_fields_alone(tmp_path: Path) -> None:
    (tmp_path / "red_flags.jsonl").write_text('{"id": "r1", "half": "odd", "note": "zebra", "sign": "fever"}\n')
    with pytest.raises(InputError, match=r"red_flags\.jsonl, line 1 is no signprobe: least, most, words") as error:
        read_benchmark(tmp_path)
    assert "zebra" not in str(error.value)
