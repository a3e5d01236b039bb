"""The fresh medicine notes: their medicines are read at least as well as when they were written."""

from collections import Counter
from pathlib import Path

import pytest

from backend.evaluation.reading.gold_notes import read_gold
from backend.evaluation.reading.reading_run import concept_finder
from backend.evaluation.reading.record_scores import score_note
from backend.nlp.measures.timing import timing_code
from tests.nlp.fresh import linker

NOTES = Path(__file__).parents[2] / "benchmarks" / "fresh_medicine_notes"


@pytest.mark.parametrize(
    ("part", "found", "status", "hospital_as_home"), [("learned", 0.94, 0.64, 0.12), ("apart", 0.94, 0.58, 0.07)]
)
def test_medicines_are_found_with_their_status(part: str, found: float, status: float, hospital_as_home: float) -> None:
    hits, totals, concept_of = Counter[str](), Counter[str](), concept_finder(linker())
    for note in read_gold(NOTES / part, NOTES / part):
        record = linker().read(note.text).record
        assert record is not None
        counts = score_note(note, record, concept_of, timing_code)
        hits.update(counts.hits)
        totals.update(counts.totals)
    assert hits["medicines_recall"] / totals["medicines_recall"] >= found
    assert hits["medicine_status"] / totals["medicine_status"] >= status
    assert hits["hospital_as_home"] / totals["hospital_as_home"] <= hospital_as_home
