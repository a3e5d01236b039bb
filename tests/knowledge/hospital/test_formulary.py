"""A hospital's formulary: every row held to its rules, asked by concept."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.hospital.formulary import (
    CELLS,
    Formulary,
    Stocked,
    against_names,
    formulary_rows,
    read_formulary,
)
from backend.knowledge.hospital.tables import KnownNames
from backend.stores.graph.graph_rows import ConceptRow

HEAD = "\t".join(CELLS) + "\n"
ROWS = (
    "# ours\nrosuvastatin\toff\tatorvastatin\t-\tstock until June\n"
    "linezolid\trestricted\t-\task infection\t-\nstatin\ton\t-\t-\t-\n"
)
IDS = {"rosuvastatin": "LN:rosuvastatin", "linezolid": "LN:linezolid", "statin": "LN:statin"}


def concept(name: str, category: str, *synonyms: str) -> ConceptRow:
    return ConceptRow(f"LN:{name}", name, "CHEM", category, synonyms, "", False, False)


NAMES = KnownNames(
    [
        concept("atorvastatin", "drug", "Lipitor"),
        concept("rosuvastatin", "drug", "Crestor"),
        concept("statin", "drug_class"),
        concept("pneumonia", "disease", "lung infection"),
    ]
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "formulary.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def named(rows: str) -> list[str]:
    """The faults of rows against the names, with their places."""
    read, faults = formulary_rows(HEAD + rows)
    assert faults == []
    return [one.at("f.tsv") for one in against_names(read, NAMES)[0]]


def test_rows_tell_what_is_restricted_or_not_there(tmp_path: Path) -> None:
    rows = read_formulary(written(tmp_path, "\ufeff" + HEAD + ROWS))
    assert [row.status for row in rows] == [Stocked.OFF, Stocked.RESTRICTED, Stocked.ON]
    assert (
        rows[0].words
        == "rosuvastatin is not on the hospital's formulary; it gives atorvastatin instead (stock until June)"
    )
    assert rows[1].words == "linezolid is restricted by the hospital's formulary: ask infection"
    assert rows[2].words == ""


def test_the_medicine_counts_before_its_class_and_unknown_names_are_kept_apart(tmp_path: Path) -> None:
    rows = read_formulary(written(tmp_path, HEAD + ROWS + "zzz\toff\t-\t-\t-\n"))
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
    ("row", "words"),
    [
        ("x\toff", "2 cells in 'x\\toff'. Fill 5 cells"),
        ("x\toff\t\t-\t-", "instead is empty"),
        ("x\tmaybe\t-\t-\t-", "the status 'maybe' is none of on, restricted, off"),
        ("x\toff\t-\t-\t-\nX\ton\t-\t-\t-", "'X' stands in line 2 too. Remove one."),
        ("x\trestricted\t-\t-\t-", "'x' is restricted without a condition"),
        ("x\toff\t-\task\t-", "the condition 'ask' has no meaning"),
        ("x\ton\ty\t-\t-", "'y' has no meaning beside a medicine that is on"),
        ("x\toff\tX\t-\t-", "'x' cannot be given instead of itself"),
        ("x\x07\toff\t-\t-\t-", "control character"),
    ],
)
def test_what_is_wrong_with_a_row_is_named_with_its_line_value_and_remedy(row: str, words: str) -> None:
    _, faults = formulary_rows(HEAD + row + "\n")
    (fault,) = faults
    assert words in fault.what
    assert fault.line == row.count("\n") + 2


def test_every_fault_is_told_at_once_and_a_file_with_one_is_not_read(tmp_path: Path) -> None:
    text = HEAD + "x\tmaybe\t-\t-\t-\nlinezolid\trestricted\t-\t-\t-\ny\toff\n"
    assert [one.line for one in formulary_rows(text)[1]] == [2, 3, 4]
    with pytest.raises(
        KnowledgeError, match=r"formulary.tsv:2: .* 2 more: python -m backend knowledge formulary check"
    ):
        read_formulary(written(tmp_path, text))


@pytest.mark.parametrize("text", ["", "# nothing\n", "a\tb\n"])
def test_a_file_without_its_header_is_told_the_header(text: str) -> None:
    (fault,) = formulary_rows(text)[1]
    assert "medicine status instead condition note" in fault.what


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("lung infection\toff\t-\t-\t-\n", "f.tsv:2: 'lung infection' is pneumonia, no medicine"),
        ("atorvastatin\ton\t-\t-\t-\nLipitor\toff\t-\t-\t-\n", "f.tsv:3: 'Lipitor' is the medicine of line 2"),
        ("Lipitor\toff\tatorvastatin\t-\t-\n", "f.tsv:2: 'atorvastatin' is 'Lipitor' under another name"),
        (
            "Crestor\toff\tLipitor\t-\t-\natorvastatin\toff\t-\t-\t-\n",
            "f.tsv:2: 'Lipitor' is given instead, and line 3",
        ),
    ],
)
def test_rows_that_the_names_speak_against_are_faults(rows: str, words: str) -> None:
    (fault,) = named(rows)
    assert fault.startswith(words)


def test_a_medicine_that_nobody_knows_is_no_fault() -> None:
    read, _ = formulary_rows(HEAD + "zzz\toff\tLipitor\t-\t-\n")
    faults, unknown = against_names(read, NAMES)
    assert (faults, [row.medicine for row in unknown]) == ([], ["zzz"])


def test_what_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "formulary.tsv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(KnowledgeError, match="UTF-8"):
        read_formulary(path)
