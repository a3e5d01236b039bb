"""The articles that notes leave out."""

import pytest

from backend.generation.letter.told_checks.articles import with_articles


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("You were seen at emergency department.", "You were seen at the emergency department."),
        ("You have history of gout.", "You have a history of gout."),
        ("CT scan was clear.", "A CT scan was clear."),
        ("MRI (a magnet scan) showed a cyst.", "An MRI (a magnet scan) showed a cyst."),
        ("You were seen in the team's office.", "You were seen in the team's office."),
        ("The CT scan was clear.", "The CT scan was clear."),
        ("You were seen by your team.", "You were seen by your team."),
        ("Neurology consultation was requested.", "A neurology consultation was requested."),
        ("Orthopedic referral was made.", "An orthopedic referral was made."),
        ("Nodule was felt in the left breast.", "A nodule was felt in the left breast."),
        ("Drain in the chest was removed on Friday.", "The drain in the chest was removed on Friday."),
        ("Rash is fading.", "The rash is fading."),
        ("Urology consult is planned.", "A urology consult is planned."),
        ("Several polyps were seen.", "Several polyps were seen."),
        ("No mass was seen.", "No mass was seen."),
        ("Last colonoscopy was done in May.", "The last colonoscopy was done in May."),
        ("Most recent MRI was clear.", "The most recent MRI was clear."),
        ("You had recent episode of vomiting.", "You had a recent episode of vomiting."),
        ("A CT did not show pocket of pus.", "A CT did not show a pocket of pus."),
        ("You came as outpatient.", "You came as an outpatient."),
        ("You have liver disease and no hernia.", "You have liver disease and no hernia."),
        ("You came with wound infection.", "You came with wound infection."),
        ("You came for initial hematology evaluation.", "You came for an initial hematology evaluation."),
        ("You returned for second opinion.", "You returned for a second opinion."),
        ("You came for further evaluation.", "You came for further evaluation."),
        ("You had a cough for same amount of time.", "You had a cough for the same amount of time."),
    ],
)
def test_articles_stand_where_notes_leave_them_out(text: str, whole: str) -> None:
    assert with_articles(text) == whole


def test_both_stands_before_whose_they_are() -> None:
    assert with_articles("You had pain in your both elbows.") == "You had pain in both your elbows."
