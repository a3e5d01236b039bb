"""Words that a note misspells by a letter are told as they are meant; names and words of any lexicon are left."""

from backend.generation.letter.told_checks.spelling import spelled


def test_two_letters_that_changed_places_and_one_wrong_letter_are_mended() -> None:
    assert spelled("a short epsiode", "a short epsiode", ()) == "a short episode"
    assert spelled("the disgnosis", "the disgnosis", ()) == "the diagnosis"


def test_medical_words_names_and_words_that_the_note_has_not_are_left() -> None:
    text = "boluses of saline, metformim, relievers, lobectomy, palatal"
    assert spelled(text, text, ()) == text
    assert spelled("a short epsiode", "brief", ()) == "a short epsiode"
    assert spelled("the epsiode", "the epsiode", ("epsiode",)) == "the epsiode"
