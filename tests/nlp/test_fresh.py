"""The held-out rounds stay read as well as they were after mending."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import PASSAGES, allergies, assertions, borders, f1, rows

READ = {
    Assertion.NEGATED: 0.985, Assertion.HISTORICAL: 0.95, Assertion.FAMILY: 0.95, Assertion.HYPOTHETICAL: 0.97,
    Assertion.UNCERTAIN: 0.97, Assertion.PRESENT: 0.96,
}  # fmt: skip


@pytest.mark.parametrize("assertion", list(READ))
def test_the_assertions_of_all_rounds_are_read(assertion: Assertion) -> None:
    readings = assertions()
    assert sum(t.meant == assertion for t in readings) >= 30
    assert f1(readings, assertion) >= READ[assertion]


# The running text of these rounds says "allergy" nowhere: most of it is hinted at rather than listed.
NEVER_CALLED = ("13", "14", "15")
CALLED = tuple(str(number) for number in range(1, 13))
# Round 11 was mended only where a mend was general.
STILL_MISSED = ["nitrofurantoin", "azithromycin", "aspirin"]


def test_hardly_an_allergen_of_the_first_rounds_is_lost() -> None:
    read = allergies(*CALLED)
    assert sum(len(a.unhinted) for a in read) <= 7


@pytest.mark.xfail(
    strict=True, reason="a passage whose allergens are asked about and not listed keeps the status not stated"
)
def test_the_status_of_the_first_rounds_is_read() -> None:
    read = allergies(*CALLED)
    assert sum(a.meant == a.read for a in read) / len(read) >= 0.99


@pytest.mark.xfail(
    strict=True,
    reason="causes told by their harm alone (would kill him, in place of aspirin), by an abbreviation of the harm (HIT) or by another name",
)
def test_every_allergen_of_the_first_rounds_is_listed_or_hinted_at() -> None:
    assert [missed for a in allergies(*CALLED) for missed in a.unhinted] == []


@pytest.mark.xfail(
    strict=True,
    reason="what the rules list is stricter: reactions that one sentence ties to a medicine are asked about",
)
def test_the_first_rounds_miss_three_allergens() -> None:
    assert [missed for a in allergies(*CALLED) for missed in a.missed] == STILL_MISSED


def test_allergies_that_are_never_called_so_are_listed_or_hinted_at() -> None:
    read = allergies(*NEVER_CALLED)
    wanted = sum(a.meant == "listed" for a in read)
    assert wanted >= 180
    assert sum(len(a.unhinted) for a in read) <= 18
    assert sum(len(a.hints) for a in read) <= 8


# Written after these rounds were mended, in other words: 0.54, 0.61 and 0.72 of them were caught at first sight.
AGAIN_NEVER_CALLED = ("16", "17", "18")


def test_allergies_in_fresh_words_are_listed_or_hinted_at_and_what_is_none_mostly_not() -> None:
    read = allergies(*AGAIN_NEVER_CALLED)
    wanted = [a for a in read if a.meant == "listed"]
    others = [a for a in read if a.meant != "listed"]
    assert (len(wanted), len(others)) == (200, 150)
    assert sum(bool(a.unhinted) for a in wanted) <= 22
    assert sum(bool(a.hints) for a in others) <= 18


# Round 20 by a writer who had not seen the program; 22 and 23 by the one who mended, each after the mends of the one before.
NATURAL = ("20", "22", "23")


def test_allergies_in_natural_running_text_are_listed_or_hinted_at_and_nothing_else_is() -> None:
    read = allergies(*NATURAL)
    wanted = [a for a in read if a.meant == "listed"]
    others = [a for a in read if a.meant != "listed"]
    assert (len(wanted), len(others)) == (120, 90)
    assert sum(len(a.unhinted) for a in wanted) <= 12
    assert sum(bool(a.hints or a.extra) for a in others) <= 4


# Round 25 is of sections alone; 41 is what the scorer was last widened with. These are learned from: the bounds keep what is read from falling.
@pytest.mark.parametrize(
    ("rounds", "wanted", "lost", "foils", "raised"), [(("25",), 34, 0, 16, 2), (("41",), 215, 28, 216, 12)]
)
def test_allergies_that_were_learned_from_are_listed_or_asked_about(
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
