"""The words of statements about allergies: phrases by kind, and misspelt words put right while offsets index the text as written."""

import pytest

from backend.nlp.allergies.allergy_wording import Mark, Marks, PhraseIndex, Places, wording
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("note", "item"),
    [
        ("HPI: Pt is alergic to pencillin. Sore throat.", "pencillin"),
        ("HPI: ibuprofin causes facial sweling, uses tylenol.", "ibuprofin"),
        ("HPI: rxn to keflex in 2019, now on clindamycin.", "keflex"),
    ],
)
def test_a_misspelt_allergy_is_listed_as_written(note: str, item: str) -> None:
    (found,) = linker().link(note).allergies.items
    assert (found.text, note[found.start_char : found.end_char]) == (item, item)


def test_a_misspelt_denial_is_one() -> None:
    assert linker().link("HPI: Cough. No know drug allergys.").allergies.status == AllergyStatus.NONE_KNOWN


def test_the_longest_phrase_at_a_place_counts_and_none_overlaps() -> None:
    index = PhraseIndex([("red man", "side"), ("red", "colour"), ("man syndrome", "other"), ("rash", "allergic")])
    words = ["red", "man", "syndrome", ",", "red", "rash"]
    assert index.found(words, 0, len(words)) == [
        Mark(0, 2, frozenset({"side"})),
        Mark(4, 5, frozenset({"colour"})),
        Mark(5, 6, frozenset({"allergic"})),
    ]
    assert index.found(words, 0, 1) == [Mark(0, 1, frozenset({"colour"}))]  # "red man" does not fit in
    assert index.found(words, 2, 4) == []  # the end of a phrase is no phrase


def test_a_word_has_all_its_kinds_and_an_unknown_one_none() -> None:
    index = PhraseIndex([("itch", "allergic"), ("itch", "lesser"), ("hay fever", "ill")])
    assert index.of("itch") == {"allergic", "lesser"}
    assert index.of("itches") == {"allergic"}  # a reaction is also told by its forms
    assert (index.of("hay"), index.of("zorb")) == (frozenset(), frozenset())
    assert (index.begins("hay"), index.begins("fever")) == (True, False)
    assert index.words_of("lesser") == ("itch",)


def test_marks_within_a_stretch_leave_out_one_that_runs_over_its_end() -> None:
    marks = Marks(PhraseIndex([("red man", "side"), ("rash", "allergic")]), ["rash", "red", "man"], [0, 1])
    assert [one.first for one in marks.within(0, 3)] == [0, 1]
    assert [one.first for one in marks.within(0, 2)] == [0]
    assert marks.kinds(1, 3) == {"side"}
    assert marks.kinds(3, 3) == frozenset()


def test_a_stretch_holds_a_place_only_before_its_end() -> None:
    places = Places([2, 7])
    assert [places.within(0, 2), places.within(0, 3), places.within(3, 7), places.within(8, 9)] == [
        False,
        True,
        False,
        False,
    ]


def test_words_put_right_keep_their_number_and_say_so() -> None:
    right, wrong = wording(parse_note("Allergic to latex.")), wording(parse_note("Alergic to latex."))
    assert right.words == wrong.words
    assert (right.as_written, wrong.as_written) == (True, False)
    assert [one.row.event for one in right.triggers] == [one.row.event for one in wrong.triggers]
