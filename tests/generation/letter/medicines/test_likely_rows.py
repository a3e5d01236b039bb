"""Rows that no rule decides, by the likeliest reading: what decides, what does not, and what is put in question."""

from functools import lru_cache

import pytest

from backend.generation.letter.medicines.likely_rows import likely_rows
from backend.generation.letter.medicines.listed_rows import DecidedMedicine
from backend.generation.letter.medicines.medicine_groups import Medicine, MedicineReader
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.readings import reading_of
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.record import Afterwards, MedicationCategory, MedicationStatement, StatedBy
from tests.generation.letter.reading import WARD, linker, record_of, rows_of


@lru_cache(maxsize=1)
def statement() -> MedicationStatement:
    (found,) = record_of("MEDICATIONS:\nramipril 5 mg daily\n").medications
    return found


def medicine(action: Afterwards, likelihood: float, *more: dict[str, object], **fields: object) -> Medicine:
    """Ramipril with that reading, stated once or more."""
    read = {"afterwards": action, "afterwards_likelihood": likelihood, **fields}
    told = [statement().model_copy(update={**read, **other}) for other in ({}, *more)]
    return MedicineReader(linker()).of_note(told)[0]


@lru_cache(maxsize=1)
def decided() -> DecidedMedicine:
    """A row that the rules decide, by which the note is one that decides."""
    (found,) = record_of("PLAN: Stop metformin.\n").medications
    one = MedicineReader(linker()).of_note([found.model_copy(update={"id": "medication-0"})])[0]
    return DecidedMedicine(MedicineAction.STOPPED, one, statements=one.statements)


def found_of(one: Medicine, *rows: DecidedMedicine) -> list[DecidedMedicine]:
    """What becomes of rows beside the decided one."""
    return likely_rows([decided(), *rows], [one])[1:]


def asked(one: Medicine, prompt: str = Prompt.TAKEN_BEFORE) -> DecidedMedicine:
    return DecidedMedicine(MedicineAction.UNDECIDED, one, prompt=prompt, statements=one.statements)


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (Afterwards.CONTINUED, MedicineAction.CONTINUE),
        (Afterwards.STOPPED, MedicineAction.STOPPED),
        (Afterwards.ON_HOLD, MedicineAction.ON_HOLD),
        (Afterwards.HERE, MedicineAction.HOSPITAL_ONLY),
    ],
)
def test_an_open_row_is_decided_by_a_likely_reading_and_says_so(action: Afterwards, found: MedicineAction) -> None:
    one = medicine(action, 0.95)
    (row,) = found_of(one, asked(one))
    assert (row.action, row.prompt, row.likely) == (found, "", True)


def test_an_unlikely_reading_decides_nothing() -> None:
    one = medicine(Afterwards.STOPPED, 0.6)
    assert found_of(one, asked(one)) == [asked(one)]


def test_a_note_that_decides_nothing_is_read_as_a_list_alone() -> None:
    one = medicine(Afterwards.CONTINUED, 0.99)
    assert likely_rows([asked(one)], [one]) == [asked(one)]


def test_what_is_listed_as_taken_is_not_begun_and_what_it_takes_in_turns_not_changed() -> None:
    one = medicine(Afterwards.STARTED, 0.99, listed=MedicationCategory.COMMUNITY)
    assert found_of(one, asked(one)) == [asked(one)]
    one = medicine(Afterwards.CHANGED, 0.99, {"dosage": statement().dosage.model_copy(update={"dose": 10.0})})
    row = asked(one)._replace(dose="5 mg, alternating with 10 mg")
    assert found_of(one, row) == [row]


def test_what_is_read_as_open_stays_asked() -> None:
    one = medicine(Afterwards.OPEN, 0.99)
    assert found_of(one, asked(one)) == [asked(one)]


def test_what_is_no_medicine_of_the_patient_has_no_row() -> None:
    one = medicine(Afterwards.NONE, 0.95)
    assert found_of(one, asked(one)) == []


def test_a_question_of_safety_is_not_answered() -> None:
    one = medicine(Afterwards.CONTINUED, 0.99)
    assert found_of(one, asked(one, Prompt.DECISIONS_DISAGREE)) == [asked(one, Prompt.DECISIONS_DISAGREE)]


def test_what_a_clinician_stated_is_never_read_otherwise() -> None:
    assert reading_of(medicine(Afterwards.STOPPED, 0.99, stated_by=StatedBy.CLINICIAN).statements) is None


@pytest.mark.parametrize(
    ("likelihood", "found", "likely"),
    [
        (0.6, MedicineAction.CONTINUE, False),
        (0.8, MedicineAction.UNDECIDED, False),
        (0.95, MedicineAction.STOPPED, True),
    ],
)
def test_a_rule_s_decision_stands_is_asked_about_or_gives_way_as_the_opposite_is_the_likelier(
    likelihood: float, found: MedicineAction, likely: bool
) -> None:
    one = medicine(Afterwards.STOPPED, likelihood)
    (row,) = found_of(one, DecidedMedicine(MedicineAction.CONTINUE, one, statements=one.statements))
    assert (row.action, row.likely) == (found, likely)


def test_what_is_read_as_nobody_s_medicine_never_takes_a_decided_row_away() -> None:
    one = medicine(Afterwards.NONE, 0.99)
    (row,) = found_of(one, DecidedMedicine(MedicineAction.CONTINUE, one, statements=one.statements))
    assert (row.action, row.prompt) == (MedicineAction.UNDECIDED, Prompt.DECISIONS_DISAGREE)


@pytest.mark.parametrize(
    ("action", "prompt"),
    [(Afterwards.STARTED, Prompt.STARTED_IN_STAY), (Afterwards.STOPPED, Prompt.STOP_MEANT)],
)
def test_what_is_only_given_here_by_the_rules_is_asked_about_where_it_is_read_otherwise(
    action: Afterwards, prompt: Prompt
) -> None:
    one = medicine(action, 0.8)
    (row,) = found_of(one, DecidedMedicine(MedicineAction.HOSPITAL_ONLY, one, statements=one.statements))
    assert (row.action, row.prompt) == (MedicineAction.UNDECIDED, prompt)


def test_two_doses_of_what_goes_on_are_asked_about_and_a_changed_dose_tells_both() -> None:
    higher = statement().dosage.model_copy(update={"dose": 10.0, "text": "10 mg daily"})
    goes_on = medicine(Afterwards.CONTINUED, 0.95, {"dosage": higher})
    assert found_of(goes_on, asked(goes_on)) == [asked(goes_on)]
    changed = medicine(Afterwards.CHANGED, 0.95, {"dosage": higher})
    (row,) = found_of(changed, asked(changed))
    assert (row.action, row.regimen[0].dose) == (MedicineAction.CHANGED, 10.0)
    assert row.old.startswith("5 mg")


def test_a_changed_dose_that_is_not_told_is_asked_about() -> None:
    one = medicine(Afterwards.CHANGED, 0.95)
    assert found_of(one, asked(one)) == [asked(one)]


def test_a_medicine_without_a_row_gets_one_where_the_reading_is_sure_and_is_asked_about_where_it_is_less_so() -> None:
    for likelihood, actions in ((0.6, []), (0.8, [MedicineAction.UNDECIDED]), (0.95, [MedicineAction.STOPPED])):
        one = medicine(Afterwards.STOPPED, likelihood)
        assert [row.action for row in found_of(one)] == actions


def test_in_a_stay_that_goes_on_nothing_is_decided_so() -> None:
    rows = rows_of(f"{WARD}MEDICATIONS:\nramipril 5 mg daily\nPLAN:\nobserve\n")
    assert [row.likely for row in rows.values()] == [False]


@lru_cache(maxsize=1)
def kind() -> MedicationStatement:
    """What a note says of ACE inhibitors, of which ramipril is one."""
    (found,) = record_of("PLAN: ACE inhibitor stopped.\n").medications
    return found


@pytest.mark.parametrize(
    ("likelihood", "others", "action", "likely"),
    [
        (0.95, (), MedicineAction.ON_HOLD, True),
        (0.7, (), MedicineAction.UNDECIDED, False),  # not sure of the kind, nothing is sure of the medicine
        (0.95, ("LN:lisinopril",), MedicineAction.UNDECIDED, False),  # two of the kind: which is meant?
    ],
)
def test_what_is_said_of_a_kind_is_of_its_only_member(
    likelihood: float, others: tuple[str, ...], action: MedicineAction, likely: bool
) -> None:
    one = medicine(Afterwards.CONTINUED, 0.95)
    read = {"afterwards": Afterwards.ON_HOLD, "afterwards_likelihood": likelihood, "id": "medication-7"}
    (of_kind,) = MedicineReader(linker()).of_note([kind().model_copy(update=read)])
    assert of_kind.is_class and of_kind.concept_id
    more = MedicineReader(linker()).of_note(
        [
            statement().model_copy(update={"concept_id": name, "name": name, "id": name, "ingredients": (name,)})
            for name in others
        ]
    )
    above = {"LN:ramipril": (of_kind.concept_id,), **dict.fromkeys(others, (of_kind.concept_id,))}
    row = likely_rows([decided(), asked(one)], [one, of_kind, *more], lambda name: above.get(name, ()))[1]
    assert (row.action, row.likely) == (action, likely)
