"""Examples of a run's folder: what is read is what was written."""

from pathlib import Path

import numpy as np

from models.policy.rollouts import Example
from models.policy.stored_examples import read_examples, write_examples


def row(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int32)


def test_what_is_written_is_read_back_in_order(tmp_path: Path) -> None:
    vector = np.array([0.6, 0.8], dtype=np.float32)
    made = [Example("b", row(3, 1), row(4), row(9, 2), vector), Example("a", row(7), row(5, 6))]
    write_examples(tmp_path / "some.npz", made, 2)
    found = read_examples(tmp_path / "some.npz")
    assert [e.pair_id for e in found] == ["b", "a"]
    assert [[part.tolist() for part in e[1:4]] for e in found] == [[[3, 1], [4], [9, 2]], [[7], [5, 6], []]]
    # an example that had no vector is given zeros
    assert [e.text_vector.tolist() for e in found] == [vector.tolist(), [0.0, 0.0]]
    assert [path.name for path in tmp_path.iterdir()] == ["some.npz"]


def test_no_examples_are_a_value(tmp_path: Path) -> None:
    write_examples(tmp_path / "none.npz", [], 2)
    assert read_examples(tmp_path / "none.npz") == []
