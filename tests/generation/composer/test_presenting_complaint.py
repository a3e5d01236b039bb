"""What was felt besides is told of this patient and of now."""

from collections.abc import Callable
from typing import Any

import pytest

Write = Callable[..., Any]
NOTE = "Chief Complaint: leg swelling\n\nHPI: A 60-year-old woman has leg swelling. {}\n"


def besides(written: Any) -> str:
    return " ".join(s.text for s in written.sentences if s.text.startswith(("You also had", "What was also noted")))


@pytest.mark.parametrize(
    "words",
    [
        "Her last naproxen course gave her a cough.",
        "In 2016 she had gout with a cough.",
        "Her 4 year old has had a cough.",
        "A coworker had a cough.",
        "Two years ago she had a cough.",
        "During her last flare she had a cough.",
        "Her kids have had a cough.",
        "Codeine gave her a cough.",
    ],
)
def test_an_earlier_course_or_another_person_s_complaint_is_not_told_as_now(write: Write, words: str) -> None:
    assert "cough" not in besides(write(NOTE.format(words)))


@pytest.mark.parametrize(
    "words",
    ["She has a cough.", "In 2016 she had gout and now she has a cough.", "Since yesterday she has had a cough."],
)
def test_what_she_has_now_is_told(write: Write, words: str) -> None:
    assert "cough" in besides(write(NOTE.format(words)))
