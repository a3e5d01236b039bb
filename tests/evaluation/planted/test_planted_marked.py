"""Texts whose wrong sentence a file marks: how the file is read, and the figures by hand."""

import csv
from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.planted.planted_marked import marked_figures, marked_table, read_marked
from backend.verification.consistency.consistency import TextConsistency

HEADER = ["Text ID", "Sentences", "Error Flag", "Error Type", "Error Sentence ID"]
RIGHT = "0 He woke up with severe pain in the big toe.\n1 He drinks much beer.\n2 Joint fluid shows needle-shaped crystals.\n3 Colchicine is given."
WRONG = RIGHT.replace("Colchicine", "Levodopa")


def written(folder: Path, *rows: list[str], header: list[str] = HEADER) -> Path:
    path = folder / "texts.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_sentences_are_read_with_their_numbers(tmp_path: Path) -> None:
    right, wrong = read_marked(written(tmp_path, ["a", RIGHT, "0", "NA", "-1"], ["b", WRONG, "1", "Treatment", "3"]))
    assert right.wrong is None
    assert (wrong.wrong, wrong.kind) == (3, "treatment")
    assert wrong.sentences[3] == (3, "Levodopa is given.")
    assert len(right.sentences) == 4


def test_the_wrong_sentence_and_the_wrong_text_stand_out(tmp_path: Path, container: Container) -> None:
    path = written(tmp_path, ["a", RIGHT, "0", "NA", "-1"], ["b", WRONG, "1", "treatment", "3"])
    found = marked_figures(
        read_marked(path), container.linker, TextConsistency(container.linker, container.graph), 0, lambda *_: None
    )
    (row,) = found.rows
    # one wrong text of four sentences: its last one above the three others, and its top above that of the one right text
    assert (row.n, row.texts, row.auc.value, row.first.value, row.chance) == (1, 1.0, 1.0, 1.0, 0.25)
    assert row.flagged.value == 1.0
    assert (found.right, found.alarmed) == (1, 0.0)
    assert "0.000 of them" in marked_table(found)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (["a", RIGHT, "1", "x", "9"], "row 2.*the wrong one among them"),
        (["a", "no numbers here", "0", "x", "-1"], "row 2.*after its number"),
        (["a", RIGHT, "yes", "x", "3"], "whole numbers"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, row: list[str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_marked(written(tmp_path, row))


def test_another_file_is_refused(tmp_path: Path, container: Container) -> None:
    with pytest.raises(InputError, match="lacks the column 'Sentences'"):
        read_marked(written(tmp_path, header=["Text"]))
    with pytest.raises(InputError, match="There is no file"):
        read_marked(tmp_path / "none.csv")
    texts = read_marked(written(tmp_path, ["a", RIGHT, "0", "NA", "-1"]))
    with pytest.raises(InputError, match="No text"):
        marked_figures(texts, container.linker, TextConsistency(container.linker, container.graph), 0, lambda *_: None)
