"""Advice of two chapters that contradicts each other, and advice that only differs."""

import pytest

from backend.knowledge.advice.chapter_contradictions import contradictions
from backend.knowledge.starter import HandbookSection, Line, Starter


def found(one: str, other: str, title: str = "Precautions") -> list[str]:
    handbook = [
        HandbookSection("gout", title, one, Line("musculoskeletal", 1)),
        HandbookSection("sepsis", title, other, Line("infection", 9)),
    ]
    said = list(contradictions(Starter([], [], [], {}, handbook)))
    assert all(where == Line("infection", 9) for where, _ in said)
    return [what for _, what in said]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Drink eight cups of water a day.", "Drink 2 cups of water a day."),
        ("Rest before you climb stairs.", "Rest after you climb stairs."),
        ("Eat more salt.", "Eat less salt."),
        ("Drive again once the wound is closed.", "Never drive again once the wound is closed."),
        ("You should not lift your arm.", "You lift your arm."),
        ("Weigh yourself every day and write it down.", "Weigh yourself every week and write it down."),
    ],
)
def test_another_number_an_opposite_and_a_denial_contradict(one: str, other: str) -> None:
    (what,) = found(one, other)
    assert one in what
    assert other in what


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Drink 8 cups of water a day.", "Drink eight cups of water a day."),
        ("Rest before you climb stairs.", "Rest before you climb a hill."),
        ("See your doctor within one week about gout.", "See your doctor within two weeks about gout."),
        ("Never stop it, and do not double it.", "Do not stop it, and never double it."),
    ],
)
def test_the_same_said_otherwise_and_what_names_its_own_chapter_contradict_nothing(one: str, other: str) -> None:
    assert found(one, other) == []


def test_what_a_chapter_tells_of_its_tests_is_no_advice() -> None:
    assert found("Potassium is high.", "Potassium is low.", "Tests") == []
