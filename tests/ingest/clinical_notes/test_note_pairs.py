"""Pairs as JSON lines: what is read, and what is refused with its line and never with its text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import Pair, PairFault, pairs_and_faults, read_pairs, write_pairs

SECRET = "SECRETWORD"
GOOD = {"id": "a", "note": "cough", "text": "rest"}


def lines(folder: Path, *rows: dict[str, Any] | bytes) -> Path:
    path = folder / "pairs.jsonl"
    path.write_bytes(b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows) + b"\n")
    return path


def test_what_is_absent_or_null_has_a_default(tmp_path: Path) -> None:
    nothing = {"id": None, "patient_id": None, "split": None, "notices": None}
    path = lines(tmp_path, {"note": "n", "text": "t"}, b"  ", {"note": "n", "text": "t", **nothing})
    # the id is the number of the line, blank ones counted; the patient is the pair's own; the split is train
    assert list(read_pairs(path)) == [Pair("1", "1", "train", "n", "t"), Pair("3", "3", "train", "n", "t")]


def test_ids_may_be_whole_numbers_and_notices_stay_in_order(tmp_path: Path) -> None:
    row = {"id": 7, "patient_id": 12, "split": "test", "note": "n", "text": "t", "notices": ["b", "a"], "more": 1}
    assert list(read_pairs(lines(tmp_path, row))) == [Pair("7", "12", "test", "n", "t", ("b", "a"))]


def test_a_byte_order_mark_and_windows_line_ends_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(json.dumps({**GOOD, "id": i}).encode() for i in ("x", "y")))
    assert [pair.pair_id for pair in read_pairs(path)] == ["x", "y"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (b"{", "no JSON"),
        (b"[1]", "no JSON object"),
        (b"\xff\xfe" + SECRET.encode(), "not UTF-8"),
        (b"\xef\xbb\xbf{}", "no JSON"),  # a mark inside the file is a character like any other
        (b'{"note": ' + b"[" * 200_000, "nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b', "note": "n", "text": "t"}', "number that is too long"),
        ({"note": SECRET}, "no text 'text'"),
        ({"note": 3, "text": SECRET}, "no text 'note'"),
        ({"note": " \n", "text": SECRET}, "'note' is empty"),
        ({"note": SECRET, "text": ""}, "'text' is empty"),
        ({**GOOD, "note": SECRET, "id": ""}, "'id' is ''"),
        ({**GOOD, "note": SECRET, "id": 1.5}, "'id' is 1.5"),
        ({**GOOD, "note": SECRET, "id": True}, "'id' is True"),
        ({**GOOD, "note": SECRET, "patient_id": ["p"]}, "'patient_id' is a list"),
        ({**GOOD, "note": SECRET, "patient_id": "  "}, "'patient_id' is '  '"),
        ({**GOOD, "note": SECRET, "split": "dev"}, "split 'dev'"),
        ({**GOOD, "note": SECRET, "split": {}}, "split a dict"),
        ({**GOOD, "note": SECRET, "notices": "synthetic"}, "no list of texts"),
        ({**GOOD, "note": SECRET, "notices": 3}, "no list of texts"),
        ({**GOOD, "note": SECRET, "notices": [None]}, "no list of texts"),
        ({**GOOD, "note": SECRET + "\ud83d"}, "half a character at 10"),  # SECRETWORD has 10 letters
        ({**GOOD, "note": SECRET, "notices": ["\udc80"]}, "half a character at 0"),
        ({**GOOD, "note": SECRET, "id": "first"}, "the id 'first' of line 1"),
        ({"note": SECRET, "text": "t", "id": "3"}, "the id '3' of line 2"),
    ],
)
def test_a_line_that_is_no_pair_is_refused_with_its_number(
    tmp_path: Path, row: dict[str, Any] | bytes, says: str
) -> None:
    first, second = {**GOOD, "id": "first"}, {**GOOD, "id": "3", "split": "test"}
    path = lines(tmp_path, first, second, row)
    with pytest.raises(InputError) as refused:
        list(read_pairs(path, ("train",)))
    assert "pairs.jsonl, line 3: " in str(refused.value)
    assert says in str(refused.value)
    assert SECRET not in str(refused.value)


def test_a_number_of_a_line_is_no_free_id(tmp_path: Path) -> None:
    # the second line has no id, so it would be called 2, which the first one is
    with pytest.raises(InputError, match="line 2: it has the id '2' of line 1"):
        list(read_pairs(lines(tmp_path, {**GOOD, "id": "2"}, {"note": "n", "text": "t"})))


def test_every_fault_of_a_file_can_be_had(tmp_path: Path) -> None:
    path = lines(tmp_path, GOOD, b"{", {**GOOD, "id": "b"}, GOOD)
    found = list(pairs_and_faults(path))
    assert [(type(f), f.line if isinstance(f, PairFault) else f.pair_id) for f in found] == [
        (Pair, "a"),
        (PairFault, 2),
        (Pair, "b"),
        (PairFault, 4),
    ]


def test_a_missing_file_and_an_unknown_split_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file 'none.jsonl'"):
        list(read_pairs(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="no split 'dev'"):
        list(read_pairs(lines(tmp_path, GOOD), ("dev",)))


def test_an_error_while_writing_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = lines(tmp_path, GOOD)

    def dying() -> Iterator[Pair]:
        yield Pair("x", "x", "train", "n", "t")
        raise InputError("stop")

    with pytest.raises(InputError, match="stop"):
        write_pairs(path, dying())
    assert [pair.pair_id for pair in read_pairs(path)] == ["a"]
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.jsonl"]


texts = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(str.strip)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.builds(Pair, texts, texts, st.sampled_from(("train", "test")), texts, texts, st.lists(texts).map(tuple)),
        unique_by=lambda pair: pair.pair_id,
    )
)
def test_what_was_written_is_read_again(tmp_path: Path, pairs: list[Pair]) -> None:
    path = tmp_path / "pairs.jsonl"
    assert write_pairs(path, pairs) == len(pairs)
    assert list(read_pairs(path)) == pairs
