"""What a cell is compared with: by its name, by its system's where several write, and unvaried."""

import pytest

from backend.errors import InputError
from backend.evaluation.reports.cell_use import baseline_named, baseline_of

CELLS = ("plain+a", "walk+a", "plain+b", "walk+b", "walk+b@paths=3")


def test_a_system_with_several_writers_is_the_baseline_of_each_writer_s_cells() -> None:
    assert baseline_named("plain", CELLS) == "plain"
    assert [baseline_of(cell, "plain") for cell in CELLS] == ["plain+a", "plain+a", "plain+b", "plain+b", "walk+b"]


def test_a_cell_by_its_name_is_the_baseline_of_all() -> None:
    assert baseline_named("plain+a", CELLS) == "plain+a"
    assert baseline_of("walk+b", "plain+a") == "plain+a"
    assert baseline_named("plain", CELLS[:2]) == "plain+a"


def test_what_is_no_cell_is_refused_with_the_cells() -> None:
    with pytest.raises(InputError, match=r"Choose from: plain\+a"):
        baseline_named("none", CELLS)
