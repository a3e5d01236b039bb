"""What changed between two notes: new, changed, gone, unchanged, and what only the earlier one names."""

from backend.container.container import Container
from backend.generation.composer.progress.visit_changes import ChangeKind, medicine_changes, problem_changes
from backend.schemas.record import PatientRecord

BEFORE = (
    "HPI: A 67-year-old man has mild dyspnea and a cough. No leg swelling.\n\n"
    "Past Medical History: hypertension.\n\n"
    "Medications: losartan 50 mg daily, metformin 500 mg twice daily, allopurinol 100 mg daily, aspirin 81 mg daily.\n\n"
    "Assessment: Heart failure. Possible reflux.\n"
)
TODAY = (
    "HPI: A 67-year-old man has severe dyspnea and leg swelling. He denies cough.\n\n"
    "Past Medical History: hypertension.\n\n"
    "Medications: losartan 100 mg daily, aspirin 81 mg daily, omeprazole 20 mg daily.\n\n"
    "Assessment and Plan: Heart failure, worse. Hold metformin.\n"
)


def record(container: Container, text: str) -> PatientRecord:
    found = container.linker.read(text).record
    assert found is not None
    return found


def test_problems_are_new_changed_gone_unchanged_or_not_named_today(container: Container) -> None:
    found = problem_changes(record(container, TODAY), record(container, BEFORE))
    changes = {(one.kind, one.text) for one in found}
    assert changes >= {
        (ChangeKind.NEW, "leg swelling"),
        (ChangeKind.CHANGED, "dyspnea (severe, before mild)"),
        (ChangeKind.GONE, "cough (denied)"),
        (ChangeKind.UNCHANGED, "heart failure"),
        (ChangeKind.UNCHANGED, "hypertension"),
    }
    assert [one.text for one in found if one.kind is ChangeKind.UNMENTIONED] == [
        "gastroesophageal reflux disease (possible)"
    ]


def test_medicines_are_compared_with_dose_and_timing(container: Container) -> None:
    found = medicine_changes(record(container, TODAY), record(container, BEFORE))
    assert {(one.kind, one.text) for one in found} == {
        (ChangeKind.CHANGED, "losartan 100 mg once a day (before: 50 mg once a day)"),
        (ChangeKind.UNCHANGED, "aspirin 81 mg once a day"),
        (ChangeKind.NEW, "omeprazole 20 mg once a day"),
        (ChangeKind.GONE, "metformin (on hold)"),
        (ChangeKind.UNMENTIONED, "allopurinol"),
    }


def test_a_note_compared_with_itself_has_nothing_but_the_unchanged(container: Container) -> None:
    same = record(container, BEFORE)
    found = (*problem_changes(same, same), *medicine_changes(same, same))
    assert {one.kind for one in found} == {ChangeKind.UNCHANGED}


def test_history_that_is_stated_for_the_first_time_is_not_new(container: Container) -> None:
    found = problem_changes(record(container, BEFORE), record(container, "HPI: A man has a cough.\n"))
    assert "hypertension" not in [one.text for one in found]
