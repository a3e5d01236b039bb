"""Records against annotations: what counts as found, whose status is right, and errors with their sentence."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.reading.annotation_codes import dose_agrees, medication_status, problem_status, timing_agrees
from backend.evaluation.reading.gold_notes import AnnotatedNote, GoldMedicine, GoldNote, read_gold
from backend.evaluation.reading.record_scores import confusion, pooled, score_note
from backend.evaluation.reading.statement_match import Named, Place, alternatives, content_stems, match_score
from backend.nlp.measures.timing import timing_code
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus, SectionCategory

TEXT = "Has high blood pressure and gout. No fever. Takes Zestril 10 mg daily. Given ceftriaxone 1 g. Mother: asthma."


def span(words: str) -> RecordSpan:
    at = TEXT.index(words)
    return RecordSpan(start_char=at, end_char=at + len(words), text=words)


def problem(words: str, name: str, n: int, **more) -> ProblemStatement:
    return ProblemStatement(id=f"problem-{n}", spans=(span(words),), concept_id=None, name=name, **more)


GOLD = GoldNote.model_validate(
    {
        "id": "x",
        "setting": "clinic",
        "problems": [
            {"name": "hypertension (high blood pressure)", "quote": "high blood pressure", "status": "chronic"},
            {"name": "gout", "quote": "gout", "status": "past"},
            {"name": "fever", "quote": "No fever", "status": "denied"},
            {"name": "asthma", "quote": "Mother: asthma", "status": "family"},
        ],
        "medicines": [
            {"name": "lisinopril (Zestril)", "quote": "Zestril 10 mg daily", "dose": "10 mg", "frequency": "daily",
             "status": "home"},
            {"name": "ceftriaxone", "quote": "ceftriaxone 1 g", "dose": "1 g", "status": "given here"},
        ],
        "allergies": {"status": "listed", "items": [{"agent": "penicillin", "quote": ""}]},
        "must_have": [{"fact": "was given ceftriaxone", "quote": "Given ceftriaxone"}],
    }
)  # fmt: skip
RECORD = PatientRecord(
    problems=(
        problem("high blood pressure", "hypertension", 1),
        problem("gout", "gout", 2),
        problem("fever", "fever", 3, verification_status=VerificationStatus.REFUTED),
        problem("blood", "blood", 4),
    ),
    medications=(
        MedicationStatement(
            id="medication-1",
            spans=(span("Zestril"),),
            concept_id="D1",
            name="lisinopril",
            dosage=Dosage(dose=10, unit="mg", timing="QD"),
        ),
        MedicationStatement(id="medication-2", spans=(span("ceftriaxone"),), concept_id="D2", name="ceftriaxone"),
    ),
    allergies=AllergyRecord(
        status=AllergyStatus.LISTED, items=(AllergyStatement(id="allergy-1", agent="latex", possible=True),)
    ),
)


def test_every_measure_is_counted_as_worked_by_hand() -> None:
    counts = score_note(AnnotatedNote("x", TEXT, GOLD), RECORD, lambda _: None, {"daily": "QD"}.__getitem__)
    found = pooled([counts])
    # four annotated problems, asthma is missed; of the three found gout has the wrong status ("past" read as active)
    assert found["problems_recall"] == (3, 4) and found["problem_status"] == (2, 3)
    # "blood" shares a word with the quote of high blood pressure, so it is no invention
    assert found["problems_precision"] == (4, 4)
    assert found["medicines_recall"] == (2, 2) and found["home_whole"] == (1, 1) and found["timing"] == (1, 1)
    assert found["hospital_as_home"] == (1, 1) and found["medicine_status"] == (1, 2) and found["dose"] == (1, 2)
    assert found["allergens_recall"] == (0, 1) and found["possible_allergies_wrong"] == (1, 1)
    assert found["must_have_stated"] == (1, 1)
    assert confusion([counts])["problem"]["past"] == {"active/chronic": 1}
    missed = [error for error in counts.errors if error.kind == "problems_recall"]
    assert [(error.wanted, error.sentence) for error in missed] == [("asthma (family)", "Mother: asthma")]


@pytest.mark.parametrize(
    ("gold", "named", "place", "fits"),
    [
        ("sleepiness / lethargy", "lethargic", (0, 9), True),
        ("chest pain", "pain", (0, 4), True),
        ("chest pain", "chest pain", (90, 99), True),
        ("chest pain", "abdominal pain", (90, 99), False),
        ("left leg swelling", "left hip fracture", (0, 9), False),
    ],
)
def test_a_name_fits_by_its_words_and_its_place(gold: str, named: str, place: tuple[int, int], fits: bool) -> None:
    statement = Named((content_stems(named),), (Place(*place),))
    assert bool(match_score(alternatives(gold), [Place(0, 20)], statement)) is fits


def test_statuses_map_as_the_table_says() -> None:
    medicine = RECORD.medications[0]
    stopped = medicine.model_copy(update={"status": MedicationStatus.STOPPED})
    given = medicine.model_copy(update={"category": MedicationCategory.INPATIENT})
    others = RECORD.problems[0].model_copy(update={"experiencer": Experiencer.RELATIVE})
    assert medication_status(medicine) == {"home"} and medication_status(stopped) == {"stopped"}
    assert medication_status(given) == {"given here"} and problem_status(others) == {"family"}
    begun = given.model_copy(update={"change": "started"})
    raised = medicine.model_copy(update={"change": "increased", "section": SectionCategory.PLAN})
    in_history = raised.model_copy(update={"section": SectionCategory.HISTORY_OF_PRESENT_ILLNESS})
    assert medication_status(begun) == {"given here", "started here"}
    assert medication_status(raised) == {"home", "started here"} and medication_status(in_history) == {"home"}


@pytest.mark.parametrize(
    ("frequency", "timing", "agrees"),
    [("as needed", "", True), ("as needed", "BID", False), ("twice a day", "BID", True), (None, "", True)],
)
def test_a_frequency_as_needed_is_no_timing(frequency: str | None, timing: str, agrees: bool) -> None:
    gold = GoldMedicine(name="ibuprofen", quote="ibuprofen", frequency=frequency, as_needed=True, status="home")
    assert timing_agrees(gold, Dosage(timing=timing, as_needed=True), timing_code) is agrees


@pytest.mark.parametrize(
    ("gold", "dosage", "agrees"),
    [
        ("10 mg", Dosage(dose=10, unit="mg"), True),
        ("10 mg", Dosage(dose=10, unit="mcg"), False),
        (None, Dosage(), True),
        (None, Dosage(dose=5, unit="mg"), False),
        ("half a tablet", Dosage(quantity=0.5, form="tablet"), True),
        ("2 puffs", Dosage(quantity=2, form="puffs"), True),
        ("20 mg", Dosage(), False),
    ],
)
def test_doses_agree_by_number_and_unit(gold: str | None, dosage: Dosage, agrees: bool) -> None:
    assert dose_agrees(gold, dosage) is agrees


def test_bad_folders_are_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no annotation"):
        read_gold(tmp_path, tmp_path)
    (tmp_path / "a.json").write_text(json.dumps({"id": "a"}))
    with pytest.raises(InputError, match=r"a\.txt is missing"):
        read_gold(tmp_path, tmp_path)
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(InputError, match=r"a\.json is no annotation at setting"):
        read_gold(tmp_path, tmp_path)
    note = {"id": "a", "setting": "clinic", "allergies": {"status": "not_stated"}}
    (tmp_path / "a.json").write_text(
        json.dumps({**note, "problems": [{"name": "x", "quote": "not there", "status": "past"}]})
    )
    with pytest.raises(InputError, match="a quote of GoldProblem is not in its note"):
        read_gold(tmp_path, tmp_path)
    (tmp_path / "a.json").write_text(json.dumps(note))
    assert [one.name for one in read_gold(tmp_path, tmp_path)] == ["a"]
