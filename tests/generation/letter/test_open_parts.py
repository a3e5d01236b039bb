"""What only the ward knows is asked where neither the note nor the letter tells it."""

import pytest

from backend.generation.letter.untold.open_parts import lacks_course, lacks_visits
from backend.schemas.record import Encounter, PatientRecord, Setting


@pytest.mark.parametrize(
    ("setting", "goes_home", "note", "told", "lacks"),
    [
        (Setting.ADMISSION, False, "She came with a cough.", True, True),
        (Setting.ADMISSION, True, "She came with a cough.", True, False),
        (Setting.ADMISSION, True, "She came with a cough.", False, True),
        (Setting.UNKNOWN, False, "HOSPITAL COURSE: She was treated with antibiotics.\n", False, False),
        (Setting.CLINIC, False, "She came with a cough.", False, False),
    ],
)
def test_the_course_of_a_stay_is_asked_where_the_note_tells_none(
    setting: Setting, goes_home: bool, note: str, told: bool, lacks: bool
) -> None:
    record = PatientRecord(encounter=Encounter(id="encounter", setting=setting, goes_home=goes_home))
    assert lacks_course(record, note, told=told) is lacks


def test_appointments_are_asked_where_no_visit_has_its_time() -> None:
    assert lacks_visits(["You should not drive for 2 weeks.", "Follow up with your doctor."])
    assert not lacks_visits(["A visit at the stroke clinic is planned for you in 6 weeks."])
    assert not lacks_visits(["No follow-up visit is planned."])
