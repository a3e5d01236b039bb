"""One possible header: its letters, what follows it, and whether the line before it is finished."""

import pytest

from backend.nlp.document.header_candidate import Case, Place, after_mark_up, case_of, finished, looks_like_header, made
from backend.nlp.document.headers import known_header
from backend.schemas.vocabulary import SectionCategory


@pytest.mark.parametrize(
    ("title", "written"),
    [("HPI", Case.UPPER), ("Plan", Case.TITLE), ("plan", Case.LOWER), ("P", Case.TITLE), ("[Plan", Case.TITLE)],
)
def test_how_a_title_is_written(title: str, written: Case) -> None:
    assert case_of(title) is written


@pytest.mark.parametrize(
    ("before", "ended"),
    [
        ("", True),
        ("She went home.", True),
        ("milk", True),  # a short line of a list
        ("milk,", False),
        ("she was seen in the clinic by somebody who did not write the end of", False),
    ],
)
def test_a_line_is_finished_by_its_mark_or_by_being_short(before: str, ended: bool) -> None:
    assert finished(before) is ended


def test_the_text_begins_past_mark_up_blanks_and_commas() -> None:
    marked, plain = "**Plan:** , rest", "Plan: , rest"
    assert marked[after_mark_up(marked, marked.index(":") + 1, len(marked)) :] == "rest"
    assert plain[after_mark_up(plain, plain.index(":"), len(plain)) :] == "rest"


@pytest.mark.parametrize(
    ("title", "like"), [("BOWEL DIARY", True), ("ASPIRIN", False), ("A B", False), ("A B C D E F GHIJKL", False)]
)
def test_two_to_six_words_look_like_a_header(title: str, like: bool) -> None:
    assert looks_like_header(title) is like


def test_a_candidate_has_its_header_s_category_and_an_unknown_one_is_other() -> None:
    header = known_header("Allergies")
    assert header is not None
    known = made("Allergies: none", 0, 0, 9, 11, header, Case.TITLE, Place.LINE)
    assert (known.category, known.kind, known.colon) == (SectionCategory.ALLERGIES, header.kind, True)
    unknown = made("BOWEL DIARY x", 0, 0, 11, 12, None, Case.UPPER, Place.LINE)
    assert (unknown.category, unknown.kind, unknown.colon) == (SectionCategory.OTHER, None, False)
