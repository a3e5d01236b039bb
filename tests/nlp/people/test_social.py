"""Social statements: habits never, former or current; living, work, wishes; a relative's habit is none."""

import pytest

from backend.schemas.record import HabitStatus, SocialKind
from tests.nlp.statement_reading import read_record


def read(text: str) -> set[tuple[str, str]]:
    return {(one.kind.value, one.status.value) for one in read_record("SOCIAL HISTORY: " + text).social}


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("He smokes one pack a day.", {("tobacco", "current")}),
        ("She is a former smoker, quit in 2007.", {("tobacco", "former")}),
        (
            "Denies tobacco, alcohol or illicit drug use.",
            {("tobacco", "never"), ("alcohol", "never"), ("drugs", "never")},
        ),
        ("Does not smoke, but drinks occasionally.", {("tobacco", "never"), ("alcohol", "current")}),
        ("She used to smoke two packs per day.", {("tobacco", "former")}),
        ("She smoked for 30 years, but quit last spring.", {("tobacco", "former")}),
        ("Tobacco; smoked a pack a day, and stopped in 1999.", {("tobacco", "former")}),
        ("He smokes a pack a day but quit drinking.", {("tobacco", "current"), ("alcohol", "former")}),
        ("She admits to smoking cannabis.", {("drugs", "current")}),
        ("She smokes a pack a day, but quit her post in May.", {("tobacco", "current")}),
        ("He smokes a pack a day, but he stopped lisinopril in May.", {("tobacco", "current")}),
        ("Denies tobacco, but he stopped driving in 2010.", {("tobacco", "never")}),
        ("No history of smoking or alcohol abuse.", {("tobacco", "never"), ("alcohol", "never")}),
        ("He is a retired teacher.", {("work", "unknown")}),
    ],
)
def test_habits_have_a_status(text: str, statuses: set[tuple[str, str]]) -> None:
    assert read(text) == statuses


def test_living_and_wishes_are_told_in_the_notes_words() -> None:
    found = {one.kind: one for one in read_record("SOCIAL HISTORY: She lives with her son. Code status: DNR.").social}
    assert found[SocialKind.LIVING].text == "She lives with her son"
    assert "DNR" in found[SocialKind.RESUSCITATION].text
    assert found[SocialKind.LIVING].status is HabitStatus.UNKNOWN


def test_a_relatives_habit_and_a_drink_of_water_are_none() -> None:
    assert read_record("FAMILY HISTORY: Father is an alcoholic.").social == ()
    assert read_record("HPI: He is unable to eat or drink today.").social == ()


@pytest.mark.parametrize(
    "text",
    ["HPI: An 84 y/o care home resident with fever.", "HPI: She was sent in from her nursing home with vomiting."],
)
def test_who_comes_from_a_care_home_lives_there_though_no_social_history_says_so(text: str) -> None:
    assert [one.kind for one in read_record(text).social] == [SocialKind.LIVING]


def test_a_relative_in_a_care_home_is_not_the_patient() -> None:
    assert read_record("HPI: Her mother is a resident of a nursing home.").social == ()
