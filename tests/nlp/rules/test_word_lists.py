"""Lists of words as data: read once, refused where broken, and none that no code asks for."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.rules.word_lists import word_lists
from backend.settings import ROOT

OURS = ("words_clauses", "words_scopes", "words_people")


def test_words_are_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "words_x.tsv").write_text("# a comment\nname\twords\ncolours\tred green\n")
    assert dict(word_lists("words_x", tmp_path)) == {"colours": {"red", "green"}}


@pytest.mark.parametrize(
    ("rows", "message"),
    [("a\tone\na\ttwo\n", "'a' is empty or there twice"), ("a\t \n", "'a' is empty"), ("a\tone\tx\n", "3 cells")],
)
def test_a_broken_list_is_refused(tmp_path: Path, rows: str, message: str) -> None:
    (tmp_path / "words_x.tsv").write_text("name\twords\n" + rows)
    with pytest.raises(KnowledgeError, match=message):
        word_lists("words_x", tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"words_x\.tsv is missing"):
        word_lists("words_x", tmp_path)


@pytest.mark.parametrize("name", OURS)
def test_every_list_of_the_attributes_is_asked_for(name: str) -> None:
    folders = ("attributes", "people", "document", "findings")
    code = "".join(path.read_text("utf-8") for one in folders for path in (ROOT / "backend/nlp" / one).glob("*.py"))
    assert [key for key in word_lists(f"attributes/{name}") if f'"{key}"' not in code] == []
