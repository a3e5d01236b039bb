"""The stored postings of an entity index: what is in them, killed and taken up again, stale, damaged, known by content."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.schemas.vocabulary import Source
from backend.stores.passages import entity_table
from backend.stores.passages.entity_table import EntityTable, TableKey, build_table, read_table
from backend.stores.passages.passage_index import PassageRow

INDEX = {"a": 0, "b": 1, "c": 2, "d": 3}
KEY = TableKey("content", "names")


class Passages:
    """Passages whose words are concept ids; what is read is remembered."""

    def __init__(self, *texts: tuple[str, str]) -> None:
        self._rows = [PassageRow(str(i), Source.WIKI, str(i), t, x, 0, len(x)) for i, (t, x) in enumerate(texts)]

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        return [self._rows[number] for number in numbers]


class Reader:
    """Names every word of one letter, and counts the passages it was given."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, text: str) -> list[tuple[int, str]]:
        self.read.append(text)
        return [(i, c) for i, c in enumerate(text) if c.isalpha() and not text[i - 1 : i].isalpha()]


def quiet(done: int, total: int, what: str) -> None:
    """Nobody watches."""


def same(one: EntityTable, other: EntityTable) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


PASSAGES = Passages(("a", "b b c"), ("b", "z z"), ("-", "no"), ("c", "c a"))


def test_postings_hold_each_concept_s_share_of_the_names_titles_counting_three_times() -> None:
    table = build_table(PASSAGES, Reader(), INDEX, None, KEY, quiet)
    # passage 0: a 3 (title), b 2, c 1 of 6; 1: b 3 of 3, z is no concept of the graph; 2: "n" is none; 3: c 3 + 1, a 1 of 5
    assert table.offsets.tolist() == [0, 3, 4, 4, 6]
    assert table.concepts.tolist() == [0, 1, 2, 1, 0, 2]
    assert table.salience.astype(float).tolist() == pytest.approx([3 / 6, 2 / 6, 1 / 6, 1, 1 / 5, 4 / 5], abs=1e-3)
    # the other way round, most salient first: a in 0 (3/6) and 3 (1/5); b in 1 (1) and 0 (2/6); c in 3 (4/5) and 0 (1/6)
    assert table.present.tolist() == [0, 1, 2]
    assert table.starts.tolist() == [0, 2, 4, 6]
    assert table.rows.tolist() == [0, 3, 1, 0, 3, 0]


def test_what_is_stored_is_read_back_and_only_under_its_own_key(tmp_path: Path) -> None:
    path = tmp_path / "wiki" / "x.npz"
    built = build_table(PASSAGES, Reader(), INDEX, path, KEY, quiet)
    read = read_table(path, KEY)
    assert read is not None
    assert same(read, built)
    assert read_table(path, TableKey("other content", "names")) is None
    assert read_table(path, TableKey("content", "other names")) is None
    assert read_table(tmp_path / "none.npz", KEY) is None
    assert [p.name for p in path.parent.iterdir()] == ["x.npz"]


@pytest.mark.parametrize("damage", [b"", b"not a zip", None])
def test_a_damaged_file_counts_as_absent_and_is_built_again(tmp_path: Path, damage: bytes | None) -> None:
    path = tmp_path / "x.npz"
    whole = build_table(PASSAGES, Reader(), INDEX, path, KEY, quiet)
    path.write_bytes(path.read_bytes()[:400] if damage is None else damage)
    assert read_table(path, KEY) is None
    assert same(build_table(PASSAGES, Reader(), INDEX, path, KEY, quiet), whole)


class Stopped(Exception):
    pass


@pytest.mark.parametrize("stop", [1, 2, 3])
def test_stopped_after_any_block_it_goes_on_to_the_same_table(
    tmp_path: Path, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entity_table, "BLOCK", 1)
    whole = build_table(PASSAGES, Reader(), INDEX, None, KEY, quiet)
    path, reader = tmp_path / "x.npz", Reader()

    def stopping(done: int, total: int, what: str) -> None:
        assert (total, what) == (4, "passages linked")
        if done == stop:
            raise Stopped

    with pytest.raises(Stopped):
        build_table(PASSAGES, reader, INDEX, path, KEY, stopping)
    assert read_table(path, KEY) is None
    assert same(build_table(PASSAGES, reader, INDEX, path, KEY, quiet), whole)
    assert len(reader.read) == 4  # no passage was read twice
    assert [p.name for p in tmp_path.iterdir()] == ["x.npz"]


def test_blocks_begun_for_other_passages_are_not_taken(tmp_path: Path) -> None:
    def stop(done: int, total: int, what: str) -> None:
        raise Stopped

    path = tmp_path / "x.npz"
    with pytest.raises(Stopped):
        build_table(Passages(("d", "d"), ("d", "d"), ("d", "d"), ("d", "d")), Reader(), INDEX, path, KEY, stop)
    table = build_table(PASSAGES, Reader(), INDEX, path, TableKey("new", "names"), quiet)
    assert table.present.tolist() == [0, 1, 2]
    assert [p.name for p in tmp_path.iterdir()] == ["x.npz"]


def test_passages_that_did_not_change_are_not_linked_again(tmp_path: Path) -> None:
    path, reader = tmp_path / "x.npz", Reader()
    build_table(PASSAGES, reader, INDEX, path, KEY, quiet)
    changed = Passages(("c", "c a"), ("d", "a"), ("a", "b b c"))
    fresh = build_table(changed, Reader(), INDEX, None, TableKey("new", "names"), quiet)
    assert same(build_table(changed, reader, INDEX, path, TableKey("new", "names"), quiet), fresh)
    assert reader.read[4:] == ["d. a"]
    build_table(changed, reader, INDEX, path, TableKey("new", "other names"), quiet)
    assert len(reader.read) == 8  # other names are sought: all three are read again


def test_no_passages_make_an_empty_table(tmp_path: Path) -> None:
    table = build_table(Passages(), Reader(), INDEX, tmp_path / "x.npz", KEY, quiet)
    assert len(table) == 0
    read = read_table(tmp_path / "x.npz", KEY)
    assert read is not None
    assert same(read, table)
