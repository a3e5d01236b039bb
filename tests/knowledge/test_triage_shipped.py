"""The triage of the shipped warning signs: red flags with the level that each must have, in every chapter that tells them."""

from collections import Counter
from pathlib import Path

import pytest

from backend.container import Container
from backend.knowledge.advice.needs import Need
from backend.knowledge.advice.red_flags import RedFlag, warning_signs
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.people.situations import situation_rows
from backend.verification.readability import counts, flesch_kincaid

TABLE = Path(__file__).parent / "triage_signs.tsv"
ROWS = [
    tuple(line.split("\t")) for line in TABLE.read_text(encoding="utf-8").splitlines()[2:] if not line.startswith("#")
]
GRADE = 6
STATED_CHILD = (Need("stated child"),)
"""What the signs for parents need, which no adult's letter has."""


@pytest.fixture(scope="module")
def flags(container: Container) -> dict[str, list[RedFlag]]:
    return warning_signs(container.starter.red_flags)


def test_the_table_has_eighty_red_flags_of_all_levels() -> None:
    assert len(ROWS) == len(set(ROWS)) >= 80
    assert {level for _, _, level in ROWS} == set(Level)


@pytest.mark.parametrize(("chapter", "words", "level"), ROWS, ids=lambda cell: cell)
def test_a_red_flag_has_its_level(flags: dict[str, list[RedFlag]], chapter: str, words: str, level: str) -> None:
    told = [flag for flag in flags[chapter] if words in flag.sign]
    assert {flag.level for flag in told} == {Level(level)}


def test_a_sign_has_one_level_in_all_chapters(container: Container) -> None:
    levels = {(flag.sign.lower(), flag.level) for flag in container.starter.red_flags}
    assert [sign for sign, times in Counter(sign for sign, _ in levels).items() if times > 1] == []


def test_a_chapter_of_a_condition_tells_its_gravest_signs_first(
    container: Container, flags: dict[str, list[RedFlag]]
) -> None:
    conditions = [row.name for row, _ in container.starter.concepts if row.condition]
    adults = {name: [one for one in flags[name] if STATED_CHILD not in one.needs.all_of] for name in conditions}
    assert [name for name in conditions if not 4 <= len(adults[name]) <= 8] == []
    assert [name for name in conditions if flags[name][0].level.rank > Level.EMERGENCY_DEPARTMENT.rank] == []
    ranks = {name: [flag.level.rank for flag in told] for name, told in flags.items()}
    assert [name for name, told in ranks.items() if told != sorted(told)] == []


def test_a_situation_that_brings_a_medicine_tells_its_signs(flags: dict[str, list[RedFlag]]) -> None:
    assert [row.chapter for row in situation_rows() if row.chapter and len(flags[row.chapter]) < 3] == []


def test_signs_are_told_in_words_of_the_sixth_grade(container: Container) -> None:
    signs = [flag.sign for flag in container.starter.red_flags]
    assert flesch_kincaid(counts(" ".join(f"{sign}." for sign in signs))) <= GRADE
