"""A hospital's formulary: read with its line where it is wrong, asked by concept."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.formulary import Formulary, Stocked, read_formulary

HEAD = "medicine\tstatus\tinstead\tnote\n"
ROWS = "# ours\nrosuvastatin\toff\tatorvastatin\t-\nlinezolid\trestricted\t-\task infection\nstatin\ton\t-\t-\n"
IDS = {"rosuvastatin": "LN:rosuvastatin", "linezolid": "LN:linezolid", "statin": "LN:statin"}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "formulary.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_tell_what_is_restricted_or_not_there(tmp_path: Path) -> None:
    rows = read_formulary(written(tmp_path, "\ufeff" + HEAD + ROWS))
    assert [row.status for row in rows] == [Stocked.OFF, Stocked.RESTRICTED, Stocked.ON]
    assert rows[0].words == "rosuvastatin is not on the hospital's formulary; it gives atorvastatin instead"
    assert rows[1].words == "linezolid is restricted by the hospital's formulary (ask infection)"
    assert rows[2].words == ""


def test_the_medicine_counts_before_its_class_and_unknown_names_are_kept_apart(tmp_path: Path) -> None:
    rows = read_formulary(written(tmp_path, HEAD + ROWS + "zzz\toff\t-\t-\n"))
    formulary = Formulary(rows, IDS.get)
    found = formulary.of(["LN:rosuvastatin", "LN:statin"])
    assert found is not None and found.status is Stocked.OFF
    assert formulary.of(["LN:simvastatin", "LN:statin"]) == rows[2]
    assert formulary.of(["LN:simvastatin"]) is None
    assert [row.medicine for row in formulary.unknown] == ["zzz"]
    assert len(formulary) == 3


def test_no_file_is_no_formulary(tmp_path: Path) -> None:
    assert read_formulary(tmp_path / "none.tsv") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\tb\n", "formulary.tsv:1: the first row must be the header"),
        (HEAD + "x\toff\n", "formulary.tsv:2 needs 4 filled cells"),
        (HEAD + "x\tmaybe\t-\t-\n", "none of on, restricted, off"),
        (HEAD + "x\toff\t-\t-\nX\ton\t-\t-\n", "as line 2 does"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(KnowledgeError, match=words):
        read_formulary(written(tmp_path, text))


def test_what_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "formulary.tsv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KnowledgeError, match="UTF-8"):
        read_formulary(path)
