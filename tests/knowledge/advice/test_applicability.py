"""Needs and applicability: read as written, wrong rows named with file and line, the starter's own consistent."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.advice.applicability import Applicability, ApplicabilityRow, read_applicability
from backend.knowledge.advice.needs import PERSON, Need, Needs, missing_words, need_kinds, parse_need, parse_needs
from backend.knowledge.starter import Starter
from backend.knowledge.starter_check import breaches, symptom_chapters

HEAD = "# a comment\nchapter\tsection\tsentence\tneeds\texcludes\n"


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("wound", Need("wound")),
        ("takes:ACE inhibitor", Need("takes", "ACE inhibitor")),
        ("smoker?", Need("smoker", "", True)),
        ("has: gout ?", Need("has", "gout", True)),
        ("female", Need("female", "", True)),  # fails only where the note tells otherwise
    ],
)
def test_a_need_is_read_as_it_is_written(text: str, need: Need) -> None:
    assert parse_need(text) == need


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wombat", "'wombat' is no need"),
        ("takes", "write takes:NAME"),
        ("wound:leg", "takes no name"),
        ("has:", "write has:NAME"),
    ],
)
def test_what_is_no_need_is_named(text: str, message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        parse_need(text)


def test_needs_are_groups_of_choices_and_what_must_not_be() -> None:
    found = parse_needs("wound|drain; smoker?", "comfort care; dialysis")
    assert found == Needs(
        ((Need("wound"), Need("drain")), (Need("smoker", "", True),)), (Need("comfort care"), Need("dialysis"))
    )
    assert parse_needs("-", "") == Needs()


def test_every_kind_says_what_is_missing() -> None:
    lifting = {"any age", "any subject"}
    assert [kind for kind in (*need_kinds(), *PERSON) if kind not in lifting and not missing_words(Need(kind))] == []
    assert missing_words(Need("takes", "warfarin")) == "“warfarin”"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a\tnowhere\tx\tmissing\tno", "looks at nowhere"),
        ("smoker\tproblems\tx\tmissing\tno", "the kind 'smoker' is there already"),
        ("a\tproblems\tx\tmissing\tmaybe", "yes or no at its end"),
    ],
)
def test_a_wrong_kind_is_named(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "fit").mkdir()
    (tmp_path / "fit" / "kinds.tsv").write_text(f"kind\tfrom\twords\tmissing\tunless_denied\n{row}\n")
    with pytest.raises(KnowledgeError, match=message):
        need_kinds(tmp_path)


def folder_with(tmp_path: Path, *rows: str) -> Path:
    (tmp_path / "applicability").mkdir()
    (tmp_path / "applicability" / "x.tsv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
    return tmp_path


def test_rows_are_read_with_their_place(tmp_path: Path) -> None:
    (row,) = read_applicability(folder_with(tmp_path, "gout\tDiet\tDrink water.\t-\tdialysis"))
    assert row == ApplicabilityRow("gout", "Diet", "Drink water.", Needs((), (Need("dialysis"),)), "x", 3)
    assert read_applicability(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("gout\tDiet\tDrink water.\t-",), r"applicability/x\.tsv:3 needs 5 filled cells"),
        (("gout\tDiet\tDrink water.\t\t-",), r"x\.tsv:3 needs 5 filled cells"),
        (("gout\tDiet\tDrink water.\twombat\t-",), r"x\.tsv:3: 'wombat' is no need"),
        (("gout\tDiet\tDrink.\t-\t-", "gout\tDiet\tDrink.\t-\t-"), r"x\.tsv:4 repeats the sentence of line 3"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_line(tmp_path: Path, rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        read_applicability(folder_with(tmp_path, *rows))


def test_a_table_without_its_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "applicability").mkdir()
    (tmp_path / "applicability" / "x.tsv").write_text("gout\tDiet\tDrink water.\t-\t-\n")
    with pytest.raises(KnowledgeError, match=r"x\.tsv:1: the first row must be the header"):
        read_applicability(tmp_path)


def test_a_sentence_that_stands_in_two_chapters_is_asked_by_chapter(tmp_path: Path) -> None:
    rows = read_applicability(folder_with(tmp_path, "gout\tDiet\tDrink.\twound\t-", "cough\tDiet\tDrink.\tstoma\t-"))
    table = Applicability(rows)
    assert len(table) == 1
    assert table.needs("Drink.", "Cough") == Needs(((Need("stoma"),),))
    assert table.needs("Drink.") == Needs(((Need("wound"),),))
    assert table.needs("Drink.", "fever") is None
    assert table.needs("Eat.") is None


@pytest.fixture(scope="module")
def starter(container: Container) -> Starter:
    return container.starter


def found(starter: Starter) -> str:
    return "\n".join(what for _, what in breaches(starter))


def test_a_row_of_a_sentence_that_no_chapter_has_is_a_breach(starter: Starter) -> None:
    row = starter.applicability[0]._replace(sentence="Drink a sea.", needs=parse_needs("takes:wombat"))
    said = found(starter._replace(applicability=(*starter.applicability, row)))
    assert "the chapter has no sentence 'Drink a sea.'" in said
    assert "'takes:wombat' names no concept" in said


def test_a_sentence_of_a_symptom_without_a_row_is_a_breach(starter: Starter) -> None:
    lost = next(row for row in starter.applicability if row.chapter == "cough")
    kept = tuple(row for row in starter.applicability if row is not lost)
    assert f"cough: no row of applicability for {lost.sentence[:60]!r}" in found(starter._replace(applicability=kept))


def test_a_symptom_chapter_must_say_when_to_come_back(starter: Starter) -> None:
    cut = [s for s in starter.handbook if (s.condition, s.title) != ("fever", "Follow-up")]
    assert "fever: sections missing: Follow-up" in found(starter._replace(handbook=cut))


def test_no_symptom_chapter_names_a_disease_as_the_readers(starter: Starter) -> None:
    symptoms = symptom_chapters(starter)
    texts = [s.text for s in starter.handbook if s.condition in symptoms]
    assert not [
        text
        for text in texts
        for words in ("your heart failure", "your cancer", "you have a heart attack")
        if words in text
    ]


def test_a_row_of_a_section_is_held_against_every_sentence_but_those_that_ask_for_it(tmp_path: Path) -> None:
    rows = read_applicability(folder_with(tmp_path, "*\tDiet\t*\t-\tstoma", "gout\tDiet\tDrink.\twound\t-"))
    table = Applicability(rows)
    assert table.joined(Needs(((Need("wound"),),)), "Diet") == Needs(((Need("wound"),),), (Need("stoma"),))
    assert table.joined(Needs(((Need("stoma"),),)), "Diet") == Needs(((Need("stoma"),),))
    assert table.joined(Needs(), "Activity") == Needs()
    assert table.needs("*") is None


@pytest.mark.parametrize("row", ["*\tDiet\tDrink.\t-\tstoma", "gout\tDiet\t*\t-\tstoma"])
def test_a_row_of_half_a_section_is_refused(tmp_path: Path, row: str) -> None:
    with pytest.raises(KnowledgeError, match=r"a row of a whole section has \* for chapter and for sentence"):
        read_applicability(folder_with(tmp_path, row))


def test_a_file_may_give_reasons(tmp_path: Path) -> None:
    (tmp_path / "applicability").mkdir()
    head = HEAD.replace("excludes\n", "excludes\treason\n")
    body = "gout\tDiet\tDrink.\t-\t-\tit holds for all\ngout\tDiet\tEat.\twound\t-\t-\n"
    (tmp_path / "applicability" / "x.tsv").write_text(head + body)
    assert [row.reason for row in read_applicability(tmp_path)] == ["it holds for all", ""]


def test_a_section_that_no_chapter_has_is_a_breach(starter: Starter) -> None:
    row = starter.applicability[0]._replace(chapter="*", sentence="*", section="Dreams")
    assert "'Dreams' is no section of a chapter" in found(starter._replace(applicability=(*starter.applicability, row)))
