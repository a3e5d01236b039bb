"""The readers of person, encounter, social, procedures, observations and plan take any text, and their spans quote it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.nlp.statement_reading import read_record

PIECES = st.sampled_from(
    [
        "age", "72", "yo", "F", "-", "/", "12", "1/2", "year-old", "she", "is", "BP 120/80", "Cr 1.4", ".", ",", "\n", "\n\n",
        "PLAN:", "PAST SURGICAL HISTORY:", "s/p", "appendectomy", "and", "removal of", "follow up with", "Dr. Lee", "in 2 weeks",
        "pregnant", "G2P1 at", "32+4 weeks", "smokes", "quit", "in 2004", "x" * 70, "é", "(", "half", "weight", "kg", "if", "left",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40).map(" ".join) | st.text(max_size=200))
def test_any_text_is_read_and_every_span_quotes_it(text: str) -> None:
    for one in read_record(text).statements:
        assert all(text[span.start_char : span.end_char] == span.text for span in one.spans)
        assert 0 <= one.certainty <= 1


@pytest.mark.parametrize(
    "piece", ["appendectomy and ", "72 year old ", "BP 120/80 ", "will ", "removal of the ", "in 2004 "]
)
def test_a_long_text_of_one_piece_is_read(piece: str) -> None:
    assert read_record(piece * (20_000 // len(piece))).person.id == "person"
