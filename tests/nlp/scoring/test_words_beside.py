"""Words beside a name as features: sides, marks that end them, other names, the head and the label of a line."""

import itertools

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.scoring.words_beside import Named, WordsBeside

CUES = {"stopped": ("stop",), "took": ("take",)}


def said(text: str, *names: str, at: int = 0, skipped: tuple[str, ...] = ()) -> set[str]:
    note = parse_note(text)
    named = [Named(i, i + 1, note.tokens.starts[i]) for i in (note.words.index(one) for one in names)]
    untold = {note.words.index(one) for one in skipped}
    return set(WordsBeside(note, named, CUES, untold).said(named[at], "here"))


def test_the_nearest_words_of_both_sides_are_told_with_their_side() -> None:
    found = said("He took aspirin gladly.", "aspirin")
    assert {"left1:took", "left:near:took", "cue:left:take", "nearest:left:take:here"} <= found
    assert "between:take:" in found


def test_a_mark_ends_a_side() -> None:
    assert "cue:right:stop" not in said("Aspirin; stopped.", "aspirin")


def test_a_word_beyond_another_name_is_far() -> None:
    found = said("Took aspirin and heparin.", "aspirin", "heparin", at=1)
    assert "cue:left:beyond:take" in found
    assert "left1:took" not in found


def test_skipped_tokens_and_numbers_tell_nothing() -> None:
    found = said("Took aspirin daily 81.", "aspirin", skipped=("daily",))
    assert not any(one.startswith("right1") for one in found)


def test_a_label_is_told_for_what_follows_its_colon() -> None:
    assert "label:regular" in said("Regular: aspirin.", "aspirin")


def test_what_parts_two_names() -> None:
    note = parse_note("Took aspirin, stopped heparin. Warfarin.")
    named = [
        Named(i, i + 1, note.tokens.starts[i])
        for i, w in enumerate(note.words)
        if w in ("aspirin", "heparin", "warfarin")
    ]
    beside = WordsBeside(note, named, CUES, set())
    assert [beside.bond(a, b) for a, b in itertools.pairwise(named)] == ["cue", "next"]
