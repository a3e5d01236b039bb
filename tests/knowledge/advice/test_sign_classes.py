"""Classes of signs: found by their words, held to one level, the class of a chapter before one of all chapters."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Needs, parse_needs
from backend.knowledge.advice.sign_classes import Level, SignClasses, sign_classes

HEAD = "id\tphrase\tevent\tchapters\tunless\topening\talone\tyes\tno\n"
ROWS = (
    "fever\t(fever|chills)\tcall_today\tany\tlow fever\t-\t-\tyou have a fever\tyou are well",
    "fever.weak\tfever\temergency_department\tneutropenia|chemotherapy|clozapine\t-\tGo to a ward now if\t-\tyou have a fever\tyou are well",
    "black\tstools are black\temergency_department\tany\t-\t-\t-\tyour stools are black\tyour stools are pale",
)


def classes(tmp_path: Path, *rows: str) -> SignClasses:
    (tmp_path / "level_triggers.tsv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
    return sign_classes(tmp_path)


def found(table: SignClasses, concept: str, sign: str, needs: str = "-") -> list[str]:
    return [one.of.row.id for one in table.of(concept, sign, parse_needs(needs))]


def test_a_folder_without_a_table_has_no_classes(tmp_path: Path) -> None:
    assert len(sign_classes(tmp_path)) == 0
    assert list(SignClasses().against("gout", "you have a fever", Needs(), Level.NEXT_VISIT)) == []


def test_a_sign_is_of_the_classes_that_its_words_name(tmp_path: Path) -> None:
    table = classes(tmp_path, *ROWS)
    assert len(table) == len(table.all()) == 3
    assert found(table, "gout", "you have a fever, or your stools are black") == ["fever", "black"]
    assert found(table, "gout", "you have a low fever") == []
    assert found(table, "gout", "your knee hurts") == []


@pytest.mark.parametrize(
    ("concept", "needs"),
    [("Neutropenia", "-"), ("lung cancer", "chemotherapy"), ("psychosis", "takes:clozapine")],
)
def test_the_class_of_a_chapter_or_need_goes_before_that_of_all(tmp_path: Path, concept: str, needs: str) -> None:
    table = classes(tmp_path, *ROWS)
    assert found(table, concept, "you have a fever", needs) == ["fever.weak"]
    assert (
        table.opening(concept, "you have a fever", parse_needs(needs), Level.EMERGENCY_DEPARTMENT)
        == "Go to a ward now if "
    )
    assert table.opening(concept, "you have a fever", parse_needs(needs), Level.CALL_TODAY) == ""


def test_another_level_than_that_of_the_class_is_named(tmp_path: Path) -> None:
    table = classes(tmp_path, *ROWS)
    assert list(table.against("gout", "your stools are black", Needs(), Level.EMERGENCY_DEPARTMENT)) == []
    (said,) = table.against("gout", "your stools are black", Needs(), Level.CALL_TODAY)
    assert said == "gout: 'your stools are black' is call_today, its class black is emergency_department"


def test_two_levels_joined_by_or_are_named_and_two_that_come_together_are_not(tmp_path: Path) -> None:
    table = classes(tmp_path, *ROWS)
    level = Level.EMERGENCY_DEPARTMENT
    (said,) = table.against("gout", "you have a fever or your stools are black", Needs(), level)
    assert "joins fever and black of two levels" in said
    assert list(table.against("gout", "you have a fever and your stools are black", Needs(), level)) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a\tfever\tsoon\tany\t-\t-\t-\tfever\tcough", "the level 'soon' of a is none of"),
        ("a\tfever\tcall_today\t\t-\t-\t-\tfever\tcough", "the class a has no chapters"),
        ("a\tfever\tcall_today\tany\t-\t-\t-\tfever\t", "no 'no' example"),
    ],
)
def test_a_wrong_class_is_named(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        classes(tmp_path, row)


def test_an_emergency_by_itself_is_tied_where_another_sign_must_come_with_it(tmp_path: Path) -> None:
    table = classes(
        tmp_path, "odd\t(confused|confusion)\tcall_ambulance\tany\t-\t-\tyes\tyou are confused\tyou are well"
    )
    said = {"a fever and you are confused": True, "you shake, or are confused": False, "you are well": None}
    assert {sign: table.tied("gout", sign, Needs()).get("odd") for sign in said} == said
    assert classes(tmp_path, *ROWS).tied("gout", "a cough and your stools are black", Needs()) == {}


def test_levels_are_ranked_from_the_most_urgent() -> None:
    assert [level.rank for level in Level] == [0, 1, 2, 3]
