"""Sentences of one fact each: what counts as caught, clean and right. Every sentence here was written for this test."""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.errors import InputError
from backend.evaluation.reading.fresh_sentences import (
    AllergySentence,
    AttributeSentence,
    MedicineSentence,
    ProblemSentence,
    Sentences,
    read_sentences,
    score_allergies,
    score_attributes,
    score_medicines,
    score_problems,
    score_sentences,
)
from backend.evaluation.reading.record_scores import NoteCounts
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    Dosage,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus, Assertion

HIVES = AllergySentence(text="Cefalexin and latex gave him hives.", agents=("cefalexin", "latex"), kind="listed")
FOIL = AllergySentence(text="Penicillin cleared his sore throat.", agents=(), kind="none")


def allergic(*agents: str, **more: Any) -> PatientRecord:
    items = tuple(AllergyStatement(id=f"allergy-{i}", agent=agent, **more) for i, agent in enumerate(agents))
    return PatientRecord(allergies=AllergyRecord(status=AllergyStatus.LISTED, items=items))


def shares(counts: NoteCounts) -> dict[str, tuple[int, int]]:
    return {name: (counts.hits[name], counts.totals[name]) for name in counts.totals}


@pytest.mark.parametrize(
    ("record", "caught", "listed"),
    [
        (allergic("Cefalexin", "Latex"), 1, 1),
        (allergic("Cefalexin", "Latex", possible=True), 1, 0),  # caught, though not called an allergy
        (allergic("Cefalexin"), 0, 0),  # one agent of two is not enough
        (allergic("Cefalexin", "Latex", verification_status=VerificationStatus.REFUTED), 0, 0),
        (PatientRecord(), 0, 0),
    ],
)
def test_a_sentence_is_caught_when_every_agent_is_stated(record: PatientRecord, caught: int, listed: int) -> None:
    counts = score_allergies("one", HIVES, record)
    assert shares(counts) == {"allergies_caught": (caught, 1), "allergies_listed": (listed, 1)}
    assert len(counts.errors) == 2 - caught - listed


def test_a_foil_is_clean_when_no_allergy_is_stated() -> None:
    assert shares(score_allergies("one", FOIL, PatientRecord())) == {"foils_clean": (1, 1)}
    counts = score_allergies("one", FOIL, allergic("penicillin", possible=True))
    assert shares(counts) == {"foils_clean": (0, 1)}
    assert [(error.found, error.sentence) for error in counts.errors] == [("penicillin", FOIL.text)]


@pytest.mark.parametrize(
    ("status", "found", "right"),
    [
        ("denied", Assertion.NEGATED, 1),
        ("other person", Assertion.FAMILY, 1),  # a relative's and another's are one assertion
        ("past", Assertion.PRESENT, 0),
    ],
)
def test_an_attribute_is_right_by_the_table(status: Any, found: Assertion, right: int) -> None:
    sentence = AttributeSentence(text="His neighbour has no gout.", span="gout", status=status)
    assert sentence.place == (21, 25)
    assert shares(score_attributes("one", sentence, found)) == {"attributes": (right, 1)}


def medicine(name: str, **more: Any) -> MedicationStatement:
    return MedicationStatement(id=name + str(len(more)), concept_id=None, name=name, **more)


def test_medicines_are_counted_as_worked_by_hand() -> None:
    sentence = MedicineSentence.model_validate(
        {
            "text": "Ramipril went from 5 mg to 10 mg, she denies aspirin, was given one dose of heparin and takes iron.",
            "medicines": [
                {"name": "ramipril", "dose": "10 mg", "status": "home"},
                {"name": "aspirin", "dose": None, "status": "denied"},
                {"name": "heparin", "dose": None, "status": "given here"},
                {"name": "iron", "dose": None, "status": "home"},
            ],
        }
    )
    record = PatientRecord(
        medications=(
            medicine("ramipril", status=MedicationStatus.STOPPED, dosage=Dosage(dose=5, unit="mg")),
            medicine("ramipril", dosage=Dosage(dose=10, unit="mg")),
            medicine("aspirin", status=MedicationStatus.NOT_TAKEN),
            medicine("heparin", category=MedicationCategory.COMMUNITY, dosage=Dosage(dose=1, unit="mg")),
        )
    )
    counts = score_medicines("one", sentence, record)
    # three of four are found, iron is missed; heparin is read as taken at home, and with a dose that is not there
    # which is the one medicine of the hospital told as a home medicine
    assert shares(counts) == {
        "medicines_found": (3, 4), "medicine_status": (2, 3), "dose": (2, 3), "hospital_as_home": (1, 1),
    }  # fmt: skip
    assert [error.kind for error in counts.errors] == ["medicine_status", "dose", "medicines_found"]


def test_each_kind_of_sentence_is_read_once() -> None:
    span = AttributeSentence(text="No gout.", span="gout", status="denied")
    asked: list[tuple[str, tuple[int, int]]] = []

    def assertion_of(text: str, place: tuple[int, int]) -> Assertion:
        asked.append((text, place))
        return Assertion.NEGATED

    counts = score_sentences(Sentences((HIVES, FOIL), (span,)), lambda _: PatientRecord(), assertion_of)
    assert {kind: len(rows) for kind, rows in counts.items()} == {
        "allergies": 2,
        "attributes": 1,
        "medicines": 0,
        "problems": 0,
    }
    assert asked == [("No gout.", (3, 7))]


def written(folder: Path, name: str, *rows: object) -> Path:
    (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return folder


def test_a_folder_is_read_by_its_files(tmp_path: Path) -> None:
    written(tmp_path, "allergies.jsonl", HIVES.model_dump(), FOIL.model_dump() | {"why": "it helped"})
    found, files = read_sentences(tmp_path)
    assert found == Sentences(allergies=(HIVES, FOIL))
    assert list(files) == ["allergies"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"text": "SECRET gout", "span": "cough", "status": "denied"}, "the span must stand in the text once"),
        ({"text": "SECRET gout", "span": "gout", "status": "maybe"}, "Line 1 of attributes.jsonl does not fit: status"),
        ({"text": "SECRET gout", "span": "gout"}, "status Field required"),
    ],
)
def test_a_line_that_does_not_fit_is_named_without_its_words(tmp_path: Path, row: object, says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        read_sentences(written(tmp_path, "attributes.jsonl", row))
    assert "SECRET" not in str(error.value)


def test_a_foil_with_an_agent_does_not_fit(tmp_path: Path) -> None:
    row = {"text": "SECRET", "agents": ["iron"], "kind": "none"}
    with pytest.raises(InputError, match="a sentence of kind none has no agent"):
        read_sentences(written(tmp_path, "allergies.jsonl", row))


def test_a_folder_without_sentences_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no sentences.*allergies\.jsonl"):
        read_sentences(tmp_path)


def test_a_problem_counts_where_a_statement_meets_its_words_at_their_place() -> None:
    text = "Gout in 2001. Gout again now, no fever."
    problems = [
        {"span": "Gout", "nth": 1, "status": "past"},
        {"span": "Gout", "nth": 2, "status": "active"},
        {"span": "fever", "status": "denied"},
    ]
    piece = ProblemSentence.model_validate({"text": text, "problems": problems})
    span = {"start_char": 14, "end_char": 18, "text": "Gout"}
    stated = ProblemStatement.model_validate({"id": "p", "concept_id": None, "name": "gout", "spans": [span]})
    counts = score_problems("one", piece, PatientRecord(problems=(stated,)))
    assert (counts.hits["problems_found"], counts.totals["problems_found"]) == (1, 3)
    assert (counts.hits["problem_status"], counts.totals["problem_status"]) == (1, 1)


def test_a_problem_that_is_not_in_its_piece_is_refused(tmp_path: Path) -> None:
    row = {"text": "No fever.", "problems": [{"span": "cough", "status": "active"}]}
    (tmp_path / "problems.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError, match="Line 1"):
        read_sentences(tmp_path)
