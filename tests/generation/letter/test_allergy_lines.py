"""The allergies of a record as lines."""

import pytest

from backend.generation.letter.allergy_lines import allergy_lines
from backend.schemas.record import AllergyRecord, AllergyStatement, PatientRecord, RecordSpan
from backend.schemas.vocabulary import AllergyStatus


def span(start: int, text: str) -> RecordSpan:
    return RecordSpan(start_char=start, end_char=start + len(text), text=text)


def lines(status: str, *items: AllergyStatement) -> list[tuple[str, tuple[str, ...]]]:
    record = PatientRecord(allergies=AllergyRecord(status=AllergyStatus(status), items=items))
    return list(allergy_lines(record, lambda place: (f"N{place}",)))


def allergy(agent: str, start: int, **fields: object) -> AllergyStatement:
    held = {"id": agent, "agent": agent, "spans": (span(start, agent),), "concept_id": "LN:x", **fields}
    return AllergyStatement.model_validate(held)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"reaction": "hives"}, "Allergy: penicillin (reaction: hives)."),
        ({"kind": "intolerance"}, "Intolerance: penicillin."),
        ({"concept_id": None}, "Allergy: penicillin; not recognised, not checked."),
        (
            {"asserter": "her mother", "verification_status": "unconfirmed"},
            "Allergy: penicillin, as her mother says, not confirmed.",
        ),
        ({"verification_status": "refuted"}, "Not an allergy, as the note says: penicillin."),
        (
            {"possible": True, "reaction": "rash"},
            "To ask: is penicillin an allergy (rash)? The note only lets one suspect it.",
        ),
    ],
)
def test_a_statement_is_one_line_that_cites_its_place(fields: dict[str, object], line: str) -> None:
    assert lines("listed", allergy("penicillin", 7, **fields)) == [(line, ("N7",))]


def test_what_is_listed_comes_first_and_what_contradicts_it_stands_right_behind() -> None:
    found = lines(
        "listed",
        allergy("ibuprofen", 40, possible=True),
        allergy("penicillin", 7, contradicted_by=(span(90, "tolerated  amoxicillin"),)),
    )
    assert [text.split(" ")[0] for text, _ in found] == ["Allergy:", "The", "To"]
    assert found[1] == ("The note disagrees about penicillin: \u201ctolerated amoxicillin\u201d.", ("N90",))


def test_none_known_is_said_and_not_stated_is_no_line() -> None:
    assert lines("none_known") == [("Allergies: none known.", ())]
    assert lines("not_stated") == []
    assert lines("none_known", allergy("penicillin", 7))[0][0] == "Allergy: penicillin."
