"""Times of the note's own day are told from the visit."""

import pytest

from backend.generation.letter.told_time.adverbials import from_visit


@pytest.mark.parametrize(
    ("told", "read_later"),
    [
        ("You noticed a warm knee three nights ago.", "You noticed a warm knee three nights before you were seen."),
        ("You fell on Friday evening.", "You fell on the Friday evening before you were seen."),
        (
            "You were well until last Sunday about four days ago.",
            "You were well until the Sunday about four days before you were seen.",
        ),
        ("It came in the this past week.", "It came in the week before you were seen."),
        ("It came in the last week of May 2011.", "It came in the last week of May 2011."),
        ("You have gout (recently found).", "You have gout (found)."),
        (
            "Your ankle gave way yesterday while you carried laundry.",
            "Your ankle gave way the day before you were seen while you carried laundry.",
        ),
        (
            "You were brought in this afternoon by a neighbor.",
            "You were brought in on the afternoon you were seen by a neighbor.",
        ),
        (
            "You had a nosebleed last night and again this morning.",
            "You had a nosebleed the night before you were seen and again on the morning you were seen.",
        ),
        ("Over the past 10 days the cough grew worse.", "Over the 10 days before you were seen the cough grew worse."),
        ("This past Friday, you fell.", "On the Friday before you were seen, you fell."),
        ("You fell on Friday, May 3.", "You fell on Friday, May 3."),
        ("For the past several weeks you slept badly.", "For several weeks before you were seen you slept badly."),
        ("You fell within the past several days.", "You fell within the days before you were seen."),
        ("You came to the office today for a sore shoulder.", "You came to the office for a sore shoulder."),
        ("You last ate on Thursday.", "You last ate on the Thursday before you were seen."),
        (
            "You were seen because of a rash since yesterday.",
            "You were seen because of a rash since the day before you came.",
        ),
        ("You were well until two weeks ago.", "You were well until two weeks before you were seen."),
        ("You moved house last month.", "You moved house the month before you were seen."),
        ("Until now you had no trouble with stairs.", "Until you were seen you had no trouble with stairs."),
        (
            'You said, "It hurts today," and pointed at your jaw.',
            'You said, "It hurts today," and pointed at your jaw.',
        ),
        ("Your hip was replaced 12 years ago.", "Your hip was replaced 12 years ago."),
        ("Today's film was clear.", None),
        ("You threw up twice earlier today.", "You threw up twice earlier on the day you were seen."),
        ("You recently changed jobs.", "You changed jobs."),
        (
            "In the last few hours the swelling spread to your lip.",
            "In the few hours before you were seen the swelling spread to your lip.",
        ),
    ],
)
def test_a_time_is_told_from_the_visit_or_the_sentence_is_not_told(told: str, read_later: str | None) -> None:
    timed = from_visit(told, decided=False)
    assert (timed.text if timed is not None else None) == read_later


def test_a_weekday_of_a_plan_is_one_to_come() -> None:
    timed = from_visit("Come back on Monday.", decided=True)
    assert timed is not None and timed.text == "Come back on Monday."


def test_a_letter_of_a_child_tells_times_from_when_the_child_was_seen() -> None:
    timed = from_visit("Your child fell yesterday.", decided=False, child=True)
    assert timed is not None and timed.text == "Your child fell the day before your child was seen."


def test_one_time_is_told_once() -> None:
    timed = from_visit("You ate late last night and slept badly last night.", decided=False)
    assert timed is not None and timed.text == "You ate late the night before you were seen and slept badly."
