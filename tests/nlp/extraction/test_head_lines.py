"""The lines over a note give the head of a letter, where their form leaves no doubt."""

import pytest

from backend.nlp.extraction.head_lines import LABELS, LINES, details_of, filled
from backend.nlp.rules import rule_rows
from backend.schemas.patients.letter_details import LetterDetails

ROWS = rule_rows(LABELS, 4)


@pytest.mark.parametrize(("label", "field", "yes", "no"), ROWS, ids=[row[0] for row in ROWS])
def test_each_label_gives_what_its_examples_say_and_nothing_else(label: str, field: str, yes: str, no: str) -> None:
    assert field in LetterDetails.model_fields
    for example in yes.split(" | "):
        line, value = example.split(" => ")
        assert label in line.lower()
        assert str(getattr(details_of(line), field)) == value
    for line in no.split(" | "):
        assert not getattr(details_of(line), field)


def test_several_labels_of_one_line_and_of_several_lines_are_read() -> None:
    found = details_of(
        "Patient name: Mary Jones DOB: 12 March 1950 NHS No: 485 777 3456\nWard: 4 North | Admitted: 2 Nov 2026\n\nHPI: cough."
    )
    assert found.model_dump(mode="json", exclude_defaults=True) == {
        "patient_name": "Mary Jones",
        "date_of_birth": "1950-03-12",
        "record_number": "485 777 3456",
        "ward": "4 North",
        "admitted": "2026-11-02",
    }


@pytest.mark.parametrize(
    "text",
    [
        "Next of kin: Joe Doe\nName of GP: Ann Lee\nMother's name: Ada Byron",
        "Mother's DOB: 12 March 1950",
        "The patient was admitted 2026-11-11 and her ward was 7B.",
        "Patient: chest pain\nName: ___   Unit No: ___",
    ],
)
def test_what_is_of_another_person_or_of_no_form_gives_nothing(text: str) -> None:
    assert details_of(text).empty


def test_two_lines_that_disagree_give_neither_and_the_rest_stands() -> None:
    found = details_of("Name: Ada Byron\nMRN: 7741903\nName: Joe Doe")
    assert (found.patient_name, found.record_number) == ("", "7741903")


def test_only_the_first_lines_are_a_head() -> None:
    assert details_of("Seen today.\n" * LINES + "Name: Ada Byron").empty


def test_what_is_given_stands_before_what_was_read() -> None:
    given = LetterDetails(patient_name="Ada King")
    both = filled(given, details_of("Name: Ada Byron  MRN: 7741903"))
    assert (both.patient_name, both.record_number) == ("Ada King", "7741903")
