"""The held-out rounds stay read as well as they were after mending; docs/reading.md has the figures of first sight."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import PASSAGES, allergies, assertions, borders, f1, rows

READ = {
    Assertion.NEGATED: 0.985, Assertion.HISTORICAL: 0.95, Assertion.FAMILY: 0.95, Assertion.HYPOTHETICAL: 0.97,
    Assertion.UNCERTAIN: 0.97, Assertion.PRESENT: 0.96,
}  # fmt: skip


@pytest.mark.parametrize("assertion", list(READ))
def test_the_assertions_of_all_rounds_are_read(assertion: Assertion) -> None:
    told = assertions()
    assert sum(t.meant == assertion for t in told) >= 30
    assert f1(told, assertion) >= READ[assertion]


# The passages of allergies are learned from (assets/rules/allergies/passages.tsv): these bounds only keep what is read from falling.
@pytest.mark.parametrize(
    ("rounds", "wanted", "lost", "foils", "raised"),
    [
        (tuple(str(number) for number in range(1, 13)), 470, 15, 281, 9),
        (("13", "14", "15"), 181, 39, 111, 1),  # these say "allergy" nowhere
        (("16", "17", "18"), 200, 31, 150, 8),
        (("20", "22", "23"), 120, 20, 90, 2),
        (("24",), 74, 11, 46, 3),
        (("25",), 34, 0, 16, 2),
    ],
)
def test_allergies_are_listed_or_asked_about_and_what_is_none_hardly_ever(
    rounds: tuple[str, ...], wanted: int, lost: int, foils: int, raised: int
) -> None:
    read = allergies(*rounds)
    own = [a for a in read if a.meant == "listed"]
    others = [a for a in read if a.meant != "listed"]
    assert (len(own), len(others)) == (wanted, foils)
    assert sum(bool(a.unhinted) for a in own) <= lost
    assert sum(bool(a.hints or a.extra) for a in others) <= raised


def test_no_allergen_of_an_allergies_section_is_lost() -> None:
    rounds = [row[0] for row in rows(PASSAGES, (), 6) if row[4] == "section"]
    read = [a for a in allergies(*sorted(set(rounds))) if a.place == "section"]
    assert len(read) >= 600
    assert [missed for a in read for missed in a.missed] == []
    assert sum(a.meant == a.read for a in read) / len(read) >= 0.98


def test_the_borders_of_allergies_and_history_are_found_and_their_bodies_whole() -> None:
    both = borders(only=frozenset({"all", "hpi"}))
    assert both.wanted >= 60
    assert both.recall >= 0.98
    assert both.precision >= 0.98
    assert both.bodies >= 0.98


def test_the_borders_of_all_sections_are_found() -> None:
    found = borders()
    assert found.recall >= 0.98
    assert found.precision >= 0.98
