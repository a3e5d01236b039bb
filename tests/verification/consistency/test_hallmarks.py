"""What conditions are known by: how the file is read, and which clues a sentence holds."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.verification.consistency.hallmarks import HALLMARKS, MOST, Hallmarks, read_hallmarks, shipped, stems_of

HEADER = "names\tclues\ttreated_by\tcaused_by\tnot_given\n"


def read(folder: Path, rows: str) -> Hallmarks:
    path = folder / "hallmarks.tsv"
    path.write_text(HEADER + rows)
    return read_hallmarks(path)


@pytest.fixture
def marks(tmp_path: Path) -> Hallmarks:
    rows = (
        "gout|acute gout\tbig toe pain; needle-shaped crystals/urate\tcolchicine; NSAID\t-\tallopurinol\n"
        "measles\trash; no vaccination; Koplik spots\t-\tmeasles virus\t-\n"
        "shingles\tpainful rash one side\tacyclovir\t-\t-\n"
    )
    return read(tmp_path, rows)


def clues(marks: Hallmarks, text: str) -> set[tuple[int, int]]:
    return set(marks.clues_of(stems_of(text)))


def test_a_clue_is_found_in_whatever_order_and_form_its_words_stand(marks: Hallmarks) -> None:
    assert clues(marks, "Painful since Monday, the toe is big.") == {(0, 0)}
    assert clues(marks, "The crystals look like needles: they are shaped so.") == {(0, 1)}
    assert clues(marks, "She has pain in the knee.") == set()


def test_what_is_denied_is_no_clue_and_what_must_be_denied_is_one(marks: Hallmarks) -> None:
    assert (1, 0) in clues(marks, "There is a rash.")
    assert (1, 0) not in clues(marks, "There is no rash.")
    assert (1, 1) in clues(marks, "He had no vaccination.")
    assert (1, 1) not in clues(marks, "He had his vaccination.")


def test_a_clue_that_many_conditions_share_weighs_less(marks: Hallmarks) -> None:
    # "rash" stands in two of the three rows, "Koplik" and "spots" in one each
    shared = marks.clues_of(stems_of("A rash."))[1, 0]
    own = marks.clues_of(stems_of("Koplik spots."))[1, 2]
    assert 0 < shared < own <= MOST


def test_scattered_words_count_as_a_clue_only_when_all_are_there(marks: Hallmarks) -> None:
    assert (2, 0) in marks.clues_of(stems_of("A painful rash on the side, on one."), whole=True)
    assert (2, 0) not in marks.clues_of(stems_of("A painful rash on the side."), whole=True)


@pytest.mark.parametrize(
    ("rows", "words"), [("gout\t-\t-\t-\t-\n", "at least one clue"), ("gout\ttoe\t-\n", "it needs 5")]
)
def test_a_row_that_tells_nothing_is_refused(tmp_path: Path, rows: str, words: str) -> None:
    with pytest.raises(KnowledgeError, match=words):
        read(tmp_path, rows)


def test_what_ships_is_consistent() -> None:
    """No condition has one treatment both given and not given, no name two rows of one condition's first name, every cell its words."""
    rows = shipped().rows
    assert len(rows) > 500
    for row in rows:
        assert not row.treated_by & row.not_given, row.names
        assert all(clue and all(slot for slot in clue) for clue in row.clues), row.names
        assert all(name == name.strip() and name for name in row.names)
    firsts = [row.names[0] for row in rows]
    assert len(firsts) == len(set(firsts))
    assert HALLMARKS.read_text(encoding="utf-8").startswith("# ")
