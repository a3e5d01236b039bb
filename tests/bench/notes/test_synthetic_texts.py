"""Synthetic inputs: same seed, same text; the sizes that the rows promise."""

import re

from backend.bench.notes.synthetic_texts import large_vocabulary, made_up_words, notes, passages, queries, varied
from backend.stores.graph.graph_rows import ConceptRow

CONCEPTS = [
    ConceptRow("T:1", "cough", "DISO", "symptom", ("coughing",)),
    ConceptRow("T:2", "anemia", "DISO", "finding"),
    ConceptRow("T:3", "asthma", "DISO", "disease"),
    ConceptRow("T:4", "aspirin", "CHEM", "drug"),
    ConceptRow("T:5", "chest x-ray", "PROC", "test"),
]


def test_a_note_has_500_words_and_a_few_more_and_no_slot_left_open() -> None:
    for note in notes(CONCEPTS, 5):
        assert 500 <= len(note.split()) < 540
        assert "{" not in note
        assert "HISTORY OF PRESENT ILLNESS:" in note


def test_the_same_seed_gives_the_same_notes_and_another_gives_others() -> None:
    assert notes(CONCEPTS, 3, seed=4) == notes(CONCEPTS, 3, seed=4)
    assert notes(CONCEPTS, 3, seed=4) != notes(CONCEPTS, 3, seed=5)
    assert len(set(notes(CONCEPTS, 20))) == 20


def test_a_varied_note_differs_in_its_numbers_and_keeps_numbers_that_are_names() -> None:
    note = "An 80 year old with type 2 diabetes and COVID-19 took 400 mg.\n"
    # 80 and 400 stand alone with two or three digits; 2 has one digit, and the 19 belongs to a name
    assert varied(note, 3).startswith("An 83 year old with type 2 diabetes and COVID-19 took 403 mg.\n")
    assert len({varied(note, run) for run in range(5)}) == 5


def test_the_large_vocabulary_has_exactly_the_names_asked_for() -> None:
    rows = large_vocabulary(CONCEPTS, 500)
    names = {name.lower() for row in rows for name in (row.name, *row.synonyms)}
    assert len(names) == 500
    assert rows[: len(CONCEPTS)] == CONCEPTS
    assert large_vocabulary(CONCEPTS, 500) == rows


def test_passages_have_their_length_and_common_words_are_common() -> None:
    texts = list(passages(300, words=40, vocabulary=1_000))
    assert len(texts) == 300
    assert {len(text.split()) for text in texts} == {40}
    said = " ".join(texts).split()
    first, last = made_up_words(1_000)[0], made_up_words(1_000)[-1]
    assert said.count(first) > 20 * max(1, said.count(last))


def test_a_query_takes_all_its_words_from_one_passage() -> None:
    texts = list(passages(50, words=40, vocabulary=1_000))
    for query in queries(texts, 10):
        words = query.split()
        assert len(words) == 8
        assert any(set(words) <= set(text.split()) for text in texts)


def test_made_up_words_are_words() -> None:
    assert all(re.fullmatch("[a-z]+", word) for word in made_up_words(200))
