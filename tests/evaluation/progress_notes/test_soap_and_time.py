"""SOAP completeness and temporal alignment, by hand."""

import pytest

from backend.evaluation.progress_notes.soap_scores import soap_scores
from backend.evaluation.progress_notes.temporal import SourceNote, Statement, TemporalScores, temporal_scores
from backend.schemas.vocabulary import SoapPart

SAID, SEEN = SoapPart.SUBJECTIVE, SoapPart.OBJECTIVE
NOTES = (
    SourceNote("2024-01-01", "She has chest pain. Potassium was 3.1."),
    SourceNote("2024-01-02", "The pain is gone. Potassium was 4.2."),
    SourceNote(None, "She likes gardening."),
)


def test_statements_with_the_dates_of_their_notes_in_order_are_all_aligned() -> None:
    statements = [
        Statement(SAID, "2024-01-01 (Nursing): She has chest pain."),
        Statement(SAID, "2024-01-02 (Nursing): The pain is gone."),
        Statement(SAID, "Undated (General): She likes gardening."),
        Statement(SEEN, "2024-01-01 (Nursing): Potassium was 3.1."),  # another part begins anew
    ]
    assert temporal_scores(statements, NOTES) == TemporalScores(
        4, 1.0, 1.0, 1.0, 1.0, 1.0, 3, 1.0
    )  # "Undated" is no date


def test_each_kind_of_error_lowers_its_own_share() -> None:
    statements = [
        Statement(SAID, "2024-01-02 (Nursing): The pain is gone."),
        Statement(SAID, "2024-01-01 (Nursing): She has chest pain."),
        Statement(SAID, "2024-01-02 (Nursing): The pain is gone."),  # out of order, forwards and backwards
        Statement(SEEN, "2024-01-02 (Nursing): Potassium was 3.1."),  # the other day's value
        Statement(SEEN, "Potassium was 4.2."),  # no date
        Statement(SEEN, "2024-01-02 (Nursing): Sodium was 140."),  # no note says so
    ]
    # dated 5 of 6; supported 5 of 6 (all but sodium); right 3 of the 4 that are dated and supported; ordered: of the five dated
    # ones two of the three said and both seen, 4 of 5; aligned: two of those said, none of those seen, 2 of 6; pairs: five tell a date,
    # three of them what a note of that date says
    assert temporal_scores(statements, NOTES) == TemporalScores(6, 5 / 6, 5 / 6, 0.75, 0.8, 2 / 6, 5, 3 / 5)


def test_latest_first_is_an_order_as_well_and_undated_ones_come_last() -> None:
    statements = [
        Statement(SAID, "2024-01-02 (Nursing): The pain is gone."),
        Statement(SAID, "2024-01-01 (Nursing): She has chest pain."),
        Statement(SAID, "Undated (General): She likes gardening."),
    ]
    assert temporal_scores(statements, NOTES).ordered == 1.0
    assert temporal_scores([statements[2], *statements[:2]], NOTES).ordered == 2 / 3


def test_gaps_are_no_statements_and_nothing_is_not_scored() -> None:
    assert temporal_scores([Statement(SAID, "[team to complete: weight]")], NOTES) == TemporalScores(0, *[None] * 5)


def test_a_clinicians_note_has_its_own_day_where_a_sentence_bears_none() -> None:
    statements = [Statement(SAID, "The pain is gone."), Statement(SAID, "She has chest pain.")]
    # both are taken as of the second day; only the first is of that day
    assert temporal_scores(statements, NOTES, own_day="2024-01-02") == TemporalScores(2, 1.0, 1.0, 0.5, 1.0, 0.5)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("S: pain\nO: BP 120\nA: angina\nP: aspirin", ()),
        ("Subjective\npain\n\nObjective\nBP\n\nAssessment\nangina\n\nPlan\n[team to complete: plan]", (SoapPart.PLAN,)),
        ("CHIEF COMPLAINT: pain\n\nPHYSICAL EXAM: well\n\nASSESSMENT AND PLAN: angina, aspirin\n", ()),
        ("She has pain.", tuple(SoapPart)),
        ("", tuple(SoapPart)),
    ],
)
def test_completeness_counts_the_parts_that_say_something(text: str, missing: tuple[SoapPart, ...]) -> None:
    found = soap_scores(text)
    assert found.missing == missing
    assert found.completeness == (4 - len(missing)) / 4
