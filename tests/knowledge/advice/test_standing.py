"""Standing instructions: read as written, wrong rows named with their place, none told without a signature."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Need, Needs
from backend.knowledge.advice.standing import read_standing, signed_instructions, standing_breaches

HEAD = "# a comment\nid\tneeds\tsentence\tsection\n"
ROW = "pause-it\ttakes:metformin; not:dialysis\tPause it on sick days.\tPrecautions"


def folder(tmp_path: Path, *rows: str) -> Path:
    (tmp_path / "standing.tsv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
    return tmp_path


def test_a_row_is_read_with_what_must_and_must_not_be(tmp_path: Path) -> None:
    (row,) = read_standing(folder(tmp_path, ROW))
    assert (row.id, row.sentence, row.section, row.line) == ("pause-it", "Pause it on sick days.", "Precautions", 3)
    assert row.needs == Needs(((Need("takes", "metformin"),),), (Need("dialysis"),))
    assert read_standing(tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("a\ttakes:metformin\tPause it.",), r"standing\.tsv:3 needs 4 filled cells"),
        ((ROW, ROW), r"standing\.tsv:4 repeats the id 'pause-it' of line 3"),
        (("Pause It\ttakes:metformin\tPause it.\tPrecautions",), "small letters, digits and single hyphens"),
        (("a\ttakes:metformin\tPause it.\tDiet",), "the section 'Diet' is none of Precautions"),
        (("a\twombat\tPause it.\tPrecautions",), r"standing\.tsv:3: 'wombat' is no need"),
        (("a\tnot:dialysis\tPause it.\tPrecautions",), "needs to say whom it is for"),
    ],
)
def test_a_wrong_row_is_named_by_its_place(tmp_path: Path, rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        read_standing(folder(tmp_path, *rows))


def test_a_table_without_its_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "standing.tsv").write_text(f"{ROW}\n")
    with pytest.raises(KnowledgeError, match=r"standing\.tsv:1: the first row must be the header"):
        read_standing(tmp_path)


def test_without_a_signature_none_is_told(tmp_path: Path) -> None:
    rows = read_standing(folder(tmp_path, ROW, ROW.replace("pause-it", "pause-that")))
    assert signed_instructions(rows) == ()
    assert [row.id for row in signed_instructions(rows, {"pause-that", "unknown"})] == ["pause-that"]


def test_a_name_that_is_no_concept_and_a_long_sentence_are_breaches(tmp_path: Path) -> None:
    long = " ".join(["Pause", *["word"] * 30]) + "."
    rows = read_standing(
        folder(tmp_path, ROW, f"b\ttakes:gout\t{long}\tPrecautions", "c\tdialysis\tpause\tPrecautions")
    )
    said = [what for _, what in standing_breaches(rows, {"gout"})]
    assert said == [
        "pause-it: 'takes:metformin' names no concept",
        "b: 31 words, at most 30 wanted",
        "c: the sentence begins small or has no full stop",
    ]


def test_the_shipped_instructions_are_orders_about_medicines_that_the_lexicon_knows(container: Container) -> None:
    starter = container.starter
    names = {row.name for row, _ in starter.concepts}
    assert len(starter.standing) >= 25
    assert list(standing_breaches(starter.standing, names)) == []
    ids = {row.id for row in starter.standing}
    assert {
        "stent-never-stop",
        "sglt2-before-surgery",
        "insulin-never-stop",
        "warfarin-missed",
        "steroid-fever-double",
    } <= ids


def test_nothing_that_is_always_told_waits_for_a_signature(container: Container) -> None:
    words = " ".join(row.sentence for row in container.starter.standing)
    assert "988" not in words
    assert "crisis" not in words
