"""Headers that share their line with text."""

import pytest

from backend.nlp.document.inline_headers import inline_headers
from backend.nlp.document.parsed_note import parse_note


def found(line: str, before: str = "", capitals: bool = False) -> list[tuple[str, str]]:
    """Each title with the text that follows it on the line."""
    return [
        (line[one.title_start : one.title_end], line[one.body :])
        for one in inline_headers(line, 0, len(line), before, capitals)
    ]


@pytest.mark.parametrize(
    ("line", "headers"),
    [
        ("Plan: rest", [("Plan", "rest")]),
        ("Plan - rest", [("Plan", "rest")]),
        ("PLAN Biopsy.", [("PLAN", "Biopsy.")]),
        ("Allergies: none. Plan: rest", [("Allergies", "none. Plan: rest"), ("Plan", "rest")]),
        ("H.P.I.: cough", [("H.P.I.", "cough")]),
        ("# PE: on heparin", []),  # a problem, not the examination
        ("PE Protocol CT", []),
        ("the plan: rest", []),
        ("at 12:30 she slept", []),
        ("", []),
    ],
)
def test_a_header_stands_before_its_mark(line: str, headers: list[tuple[str, str]]) -> None:
    assert found(line) == headers


def test_capitals_tell_nothing_in_a_note_of_capitals() -> None:
    assert found("PLAN BIOPSY.", capitals=True) == []


def test_a_small_header_goes_on_no_unfinished_line() -> None:
    assert found("plan: rest", before="she has no") == [("plan", "rest")]  # a short line is a list's
    assert found("plan: rest", before="and so the family asked the whole team what was now the") == []


@pytest.mark.parametrize(
    "title",
    [
        "Allergies [pharmacy verified 12/1]",
        "Allergies (pt form)",
        "Allergies confirmed with daughter",
        "Allergies according to wife",
        "Allergies checked x3 on WHO sign in",
        "Medications as per GP summary 2/3/24",
    ],
)
def test_a_title_may_say_who_says_so_and_when_it_was_checked(title: str) -> None:
    sections = parse_note(f"HPI: unwell.\n{title}: codeine - rash\nPMH: gout").sections
    assert [one.title for one in sections] == ["HPI", title, "PMH"]


@pytest.mark.parametrize(
    "line",
    [
        "Allergic to penicillin (as a child): hives",
        "She took codeine (per GP): it helped",
        "Allergy to morphine (itch): prefers oxycodone",
        "allergy to morphine (itch) - prefers oxycodone",
        "Allergies (penicillin): rash",
        "Allergy confirmed to penicillin: hives",
    ],
)
def test_a_line_that_names_what_it_is_about_is_no_title_with_its_source(line: str) -> None:
    assert [one.title for one in parse_note(f"HPI: unwell.\n{line}").sections] == ["HPI"]
