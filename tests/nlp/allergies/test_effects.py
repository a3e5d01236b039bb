"""Effects: words of reactions, what changed, and what only the words round them tell."""

import pytest

from backend.nlp.allergies.effects import effects_of, only_warned, unnamed_effects
from tests.nlp.allergies.small_note import SmallNote, small_note


def named(note: SmallNote) -> list[tuple[str, str]]:
    last = len(note.words)
    return [(note.said(*one[:2]), one.kind) for one in effects_of(note.words, note.wording.effects.within(0, last))]


def unnamed(note: SmallNote, *ills: tuple[int, int]) -> list[tuple[str, str]]:
    last = len(note.words)
    found = list(effects_of(note.words, note.wording.effects.within(0, last)))
    return [(note.said(*one[:2]), one.kind) for one in unnamed_effects(note.wording, ills, found, 0, last)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She got hives and vomited.", [("hives", "allergic"), ("vomited", "side")]),
        ("Sodium fell to 118.", [("Sodium fell", "lesser_changed")]),
        ("Ankles swelled up.", []),  # of such a part a swelling is no allergic reaction
        ("lips, swelled", [("swelled", "allergic")]),  # a comma keeps the part apart from the change
        ("She walked home.", []),
        ("", []),
    ],
)
def test_the_vocabulary_tells_effects_with_their_kind(text: str, found: list[tuple[str, str]]) -> None:
    assert named(small_note(text)) == found


def test_a_part_of_the_body_and_its_change_are_one_effect() -> None:
    assert ("lips swelled", "changed") in named(small_note("Her lips swelled."))


def test_an_ill_of_the_linker_counts_where_the_vocabulary_is_silent() -> None:
    note = small_note("Sciatica and hives.")
    assert unnamed(note, (0, 1), (2, 3)) == [("Sciatica", "linked")]  # the hives are named already


def test_what_was_done_to_somebody_is_an_effect_up_to_the_end_of_its_clause() -> None:
    assert unnamed(small_note("It made him mean, and they left.")) == [("made him mean", "stated")]
    assert unnamed(small_note("The wound is clean.")) == []


def test_a_warning_is_told_from_what_happened() -> None:
    warned, happened = small_note("Call if a rash comes up."), small_note("A rash came up.")
    assert only_warned(warned.wording.relations, 3, 4)
    assert not only_warned(happened.wording.relations, 1, 2)
