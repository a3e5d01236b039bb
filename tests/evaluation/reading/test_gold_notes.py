"""The annotated notes of tests/benchmarks: readable, labelled synthetic, in two halves of one size."""

from pathlib import Path

from backend.evaluation.reading.gold_notes import read_gold

NOTES = Path(__file__).parents[2] / "benchmarks" / "clinic_notes"


def test_every_annotated_note_is_read_and_labelled_synthetic() -> None:
    notes = read_gold(NOTES, NOTES)
    assert len(notes) == len(list(NOTES.glob("*.txt"))) == 60
    assert [note.name for note in notes if not note.gold.synthetic] == []


def test_every_quote_of_a_problem_and_a_medicine_stands_in_its_note() -> None:
    for note in read_gold(NOTES, NOTES):
        quotes = [one.quote for one in (*note.gold.problems, *note.gold.medicines, *note.gold.procedures)]
        assert [quote for quote in quotes if quote not in note.text] == [], note.name
