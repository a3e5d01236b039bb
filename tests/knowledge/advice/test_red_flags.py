"""Red flags: read as written with one level each, told by their level, wrong rows named with file and line."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Need, Needs
from backend.knowledge.advice.red_flags import OPENINGS, RedFlag, level_of, read_red_flags, warning_signs
from backend.knowledge.advice.sign_classes import Level
from backend.knowledge.starter import Starter, read_starter
from backend.knowledge.starter_check import breaches

HEAD = "# a comment\nconcept\tsign\tlevel\tneeds\texcludes\n"


def folder_with(tmp_path: Path, *rows: str, **files: str) -> Path:
    (tmp_path / "red_flags").mkdir(exist_ok=True)
    (tmp_path / "red_flags" / "x.tsv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
    for name, text in files.items():
        (tmp_path / "red_flags" / f"{name}.tsv").write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("level", "sentence"),
    [
        ("call_ambulance", "Call an ambulance (911 in the US) if you cannot walk."),
        ("emergency_department", "Go to an emergency department now if you cannot walk."),
        ("call_today", "Call your doctor today if you cannot walk."),
        ("next_visit", "Tell your doctor at your next visit if you cannot walk."),
    ],
)
def test_a_sign_is_told_by_its_level(tmp_path: Path, level: str, sentence: str) -> None:
    (flag,) = read_red_flags(folder_with(tmp_path, f"gout\tyou cannot walk.\t{level}\tcast\tdialysis"))
    assert flag == RedFlag(
        "gout", "you cannot walk", Level(level), Needs(((Need("cast"),),), (Need("dialysis"),)), file="x", line=3
    )
    assert flag.sentence == sentence
    assert level_of(sentence) is flag.level


def test_a_folder_without_rows_has_no_red_flags(tmp_path: Path) -> None:
    assert read_red_flags(tmp_path) == []


def test_a_chapter_says_whom_to_call(tmp_path: Path) -> None:
    rows = (
        "birth\tyou bleed\tcall_today\t-\t-",
        "birth\tyou tire\tnext_visit\t-\t-",
        "birth\tyou faint\tcall_ambulance\t-\t-",
    )
    flags = read_red_flags(folder_with(tmp_path, *rows, whom="concept\twhom\nbirth\tyour midwife\n"))
    assert [flag.sentence for flag in flags] == [
        "Call your midwife today if you bleed.",
        "Tell your midwife at your next visit if you tire.",
        "Call an ambulance (911 in the US) if you faint.",
    ]
    assert [level_of(flag.sentence) for flag in flags] == [flag.level for flag in flags]


def test_a_class_of_signs_may_open_its_sentences_itself(tmp_path: Path) -> None:
    classes = (
        "id\tphrase\tevent\tchapters\tunless\topening\talone\tyes\tno\n"
        "harm\tending your life\temergency_department\tany\t-\tCall 988 if\t-\tyou think of ending your life\tyou think\n"
    )
    rows = ("gout\tyou think of ending your life\temergency_department\t-\t-", "gout\tyou limp\tcall_today\t-\t-")
    flags = read_red_flags(folder_with(tmp_path, *rows, level_triggers=classes))
    assert [flag.sentence for flag in flags] == [
        "Call 988 if you think of ending your life.",
        "Call your doctor today if you limp.",
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("gout\tyou cannot walk\tcall_today\t-",), r"red_flags/x\.tsv:3 needs 5 filled cells"),
        (("gout\tyou cannot walk\tsoon\t-\t-",), "the level 'soon' is none of"),
        (("gout\tyou cannot walk\tcall_today\twombat\t-",), r"x\.tsv:3: 'wombat' is no need"),
        (("gout\tyou faint\tcall_today\t-\t-", "gout\tYou faint\tnext_visit\t-\t-"), r"x\.tsv:4 repeats 'You faint'"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_line(tmp_path: Path, rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        read_red_flags(folder_with(tmp_path, *rows))


def test_a_table_without_its_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "red_flags").mkdir()
    (tmp_path / "red_flags" / "x.tsv").write_text("gout\tyou faint\tcall_today\t-\t-\n")
    with pytest.raises(KnowledgeError, match=r"x\.tsv:1: the first row must be the header"):
        read_red_flags(tmp_path)


def test_an_emergency_holds_for_nobody_whose_goal_is_comfort(tmp_path: Path) -> None:
    rows = [f"gout\tyou {number} faint\t{level}\t-\t-" for number, level in enumerate(Level)]
    held = [flag.applicability.needs.none_of for flag in read_red_flags(folder_with(tmp_path, *rows))]
    assert held == [(Need("comfort goal"),), (Need("comfort goal"),), (), ()]


def test_a_chapter_takes_its_warning_signs_from_the_rows_in_their_order(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "gout\tyou faint\tcall_ambulance\t-\t-", "gout\tit hurts\tcall_today\t-\t-")
    (tmp_path / "handbook").mkdir()
    (tmp_path / "handbook" / "x.md").write_text(
        "# gout\n\n## Precautions\nSit.\n\n## Follow-up\nAsk.\n\n# cough\n\n## Diet\nEat.\n"
    )
    (tmp_path / "relations.tsv").write_text(
        "relation\tinverse\thead_categories\ttail_categories\twords\tinverse_words\tmeaning\n"
    )
    starter = read_starter(folder)
    assert [(one.condition, one.title) for one in starter.handbook] == [
        ("gout", "Precautions"),
        ("gout", "Warning signs"),
        ("gout", "Follow-up"),
        ("cough", "Diet"),
    ]
    assert (
        starter.handbook[1].text
        == "Call an ambulance (911 in the US) if you faint. Call your doctor today if it hurts."
    )
    assert [(row.chapter, row.folder, row.line) for row in starter.applicability] == [
        ("gout", "red_flags", 3),
        ("gout", "red_flags", 4),
    ]


def test_every_level_opens_in_its_own_way() -> None:
    assert [level_of(opening.format(whom="your doctor")) for opening in OPENINGS.values()] == list(Level)
    assert level_of("Keep the wound dry.") is None


@pytest.fixture(scope="module")
def starter(container: Container) -> Starter:
    return container.starter


def found(starter: Starter) -> str:
    return "\n".join(what for _, what in breaches(starter))


def test_every_chapter_has_warning_signs(starter: Starter) -> None:
    assert {one.condition for one in starter.handbook} - set(warning_signs(starter.red_flags)) == set()
