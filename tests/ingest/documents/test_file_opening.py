"""Opens a file for reading, gzipped or not; what is damaged is named and not taken for the end."""

import gzip
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.documents.file_opening import json_files, json_lines, open_unpacked, text_of, whole_json
from backend.ingest.documents.source_documents import Reading


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_is_unpacked_by_its_first_bytes_whatever_its_name(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(gzip.compress(b"cough") if packed else b"cough")
    with open_unpacked(path) as (file, raw):
        assert file.read() == b"cough"
    assert raw.closed


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'none\.txt' cannot be opened"), open_unpacked(tmp_path / "none.txt"):
        pass


def test_lines_come_with_their_numbers_and_what_is_no_object_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n\n[1]\nno\n\xff\n{"b": 2}\n')
    reading = Reading()
    assert list(json_lines(path, reading)) == [(1, {"a": 1}), (6, {"b": 2})]
    assert reading.report.read == 5  # the empty line is none
    assert reading.report.skipped == {
        "a line that is no JSON object": 1,
        "a line that is not JSON": 1,
        "a line that is not UTF-8": 1,
    }


def test_a_file_that_is_cut_short_is_refused_alone_and_counted_among_others(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"a": 1}\n' * 500)
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[:-12])
    with pytest.raises(InputError, match="cut short or damaged"):
        list(json_lines(tmp_path / "cut.jsonl.gz", Reading()))
    (tmp_path / "good.jsonl").write_text('{"b": 2}\n')
    reading = Reading()
    assert list(json_lines(tmp_path, reading))[-1] == (1, {"b": 2})
    assert reading.report.skipped == {"a damaged file, or one of another form": 1}


def test_a_folder_gives_its_files_by_name_and_an_empty_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no \.jsonl"):
        json_files(tmp_path)
    for name in ("b.jsonl", "a.ndjson", "c.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in json_files(tmp_path)] == ["a.ndjson", "b.jsonl"]


def test_a_whole_file_is_json_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("[1, 2]")
    assert whole_json(path, Reading()) == [1, 2]
    path.write_text("[1,")
    with pytest.raises(InputError, match=r"'a\.json' is not JSON"):
        whole_json(path, Reading())


def test_the_first_field_with_text_or_a_number_is_taken() -> None:
    row = {"a": " ", "b": True, "c": 7, "d": "x"}
    assert [text_of(row, *names) for names in (("a", "d"), ("b", "c"), ("a", "none"))] == ["x", "7", ""]
