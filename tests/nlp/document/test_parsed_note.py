"""A parsed note: places of words, sentences, clauses and sections agree with the text."""

from backend.nlp.document.parsed_note import parse_note

NOTE = "HPI: He has a cough, but no fever. Takes aspirin; stopped\nwarfarin.\n\nAllergies: none"


def test_sentences_and_clauses_lie_in_their_sections_and_give_their_own_text() -> None:
    note = parse_note(NOTE)
    assert [NOTE[s.start_char : s.end_char] for s in note.sentences][:1] == ["He has a cough, but no fever."]
    assert [NOTE[c.start_char : c.end_char] for c in note.clauses[:2]] == ["He has a cough,", "but no fever."]
    for clause in note.clauses:
        own = note.sentences[clause.sentence]
        assert own.first <= clause.first < clause.last <= own.last
    assert {note.sections[s.section].category for s in note.sentences} == {
        "history_of_present_illness",
        "allergies",
    }


def test_places_are_found_again() -> None:
    note = parse_note(NOTE)
    at = NOTE.index("fever")
    assert note.sentence_at(at) == 0 and note.clause_at(at) == 1
    first, last = note.token_range(at, at + 5)
    assert note.written(first, last) == "fever"
    assert note.sentence_at(0) is None, "a header is in no sentence"
    found = note.section_at(0)
    assert found is not None and found.title == "HPI"


def test_a_text_without_words_has_none() -> None:
    assert parse_note("  \n ").clauses == ()
