"""Which places of a note may be headers, and how they are written."""

from itertools import pairwise

import pytest

from backend.nlp.document.header_candidate import Place
from backend.nlp.document.header_candidates import candidates


def titles(text: str) -> list[tuple[str, str]]:
    return [(text[one.title_start : one.title_end], one.place.value) for one in candidates(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Allergies:\npenicillin", [("Allergies", Place.HEADING)]),
        ("## Plan\nRest.", [("Plan", Place.HEADING)]),
        ("Plan: rest.", [("Plan", Place.LINE)]),
        ("She rests. Plan: home.", [("Plan", Place.SENTENCE)]),
        ("BOWEL DIARY:\nnone", [("BOWEL DIARY", Place.HEADING)]),  # in capitals like a header, though none is known
        ("She takes her medications with food.", []),
        ("Allergies to latex", []),
        ("", []),
    ],
)
def test_headers_are_found_where_they_stand_and_not_inside_a_sentence(text: str, found: list[tuple[str, str]]) -> None:
    assert titles(text) == found


def test_they_are_in_order_and_apart() -> None:
    text = "# Plan\nPlan: rest. Allergies: none\n\nPMH:\ngout\nFollow-up: a week"
    found = candidates(text)
    assert [one.title_start for one in found] == sorted(one.title_start for one in found)
    assert all(a.title_end <= b.start for a, b in pairwise(found))
    assert [title for title, _ in titles(text)] == ["Plan", "Plan", "Allergies", "PMH", "Follow-up"]


def test_a_markdown_heading_has_its_depth() -> None:
    assert [one.level for one in candidates("### Plan\nrest")] == [3]
    assert [one.level for one in candidates("Plan:\nrest")] == [0]


def test_a_full_stop_before_the_colon_of_a_short_header_is_no_part_of_it() -> None:
    for text in ("Allerg.: latex", "Seen today.\nAllergies.:\nlatex"):
        assert [text[one.title_start : one.title_end] for one in candidates(text)] in (["Allerg"], ["Allergies"])
