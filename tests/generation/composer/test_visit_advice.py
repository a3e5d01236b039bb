"""What of the handbook a letter of a visit has: the note's own plan comes first, and what is quiet or soon over has little."""

import pytest

from backend.container import Container
from backend.generation.composer.advice_budget import AdviceBudget
from backend.schemas.drafts.headings import ACTIVITY, DIET, FOLLOW_UP, PRECAUTIONS, WARNING
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import Encounter, PatientRecord, Setting
from backend.schemas.vocabulary import Basis, Length

HEAD = "CLINIC VISIT\nALLERGIES: none\n"


def told(container: Container, note: str) -> dict[str, list[str]]:
    """The general sentences of a letter by heading."""
    found: dict[str, list[str]] = {}
    for one in container.pipeline("leapnote").run(DraftRequest(text=HEAD + note)).sentences:
        if one.basis is not Basis.PATIENT:
            found.setdefault(one.section, []).append(one.text)
    return found


def test_a_visit_has_less_room_than_a_stay_and_a_quiet_illness_only_signs() -> None:
    clinic = PatientRecord(encounter=Encounter(id="e", setting=Setting.CLINIC))
    visit = AdviceBudget(Length.SHORT, stay=False, record=clinic)
    stay = AdviceBudget(Length.SHORT, stay=True, record=clinic)
    assert visit.visit and not stay.visit
    assert visit.room.words < stay.room.words
    assert visit.room.warnings < stay.room.warnings
    quiet = [
        visit.of(part, 6, 0, illness=True, sure=True, quiet=True) for part in ("Warning signs", "Diet", "Activity")
    ]
    assert quiet == [3, 0, 0]


@pytest.mark.parametrize(
    ("text", "part", "planned", "left_out"),
    [
        ("Tell your doctor at your next visit if tiredness gets worse.", "Warning signs", False, True),
        ("Call an ambulance (911 in the US) if you faint.", "Warning signs", True, False),
        ("Regular walking helps mood.", "Activity", True, True),
        ("Regular walking helps mood.", "Activity", False, False),
        ("Do not drive until you are well.", "Activity", True, False),
        ("Keep a diary of each headache.", "Precautions", True, True),
        ("Use a cold pack on a sore knee.", "Precautions", True, False),
        ("Bring your log to each visit.", "Follow-up", True, True),
    ],
)
def test_what_encourages_or_asks_yields_to_the_plan_of_a_visit(
    text: str, part: str, *, planned: bool, left_out: bool
) -> None:
    budget = AdviceBudget(Length.SHORT, stay=False)
    assert budget.leaves_out(text, part, planned=planned, already=False) is left_out
    assert not AdviceBudget(Length.FULL, stay=False).leaves_out(text, part, planned=planned, already=False)


def test_a_quiet_illness_is_told_its_gravest_signs_alone(container: Container) -> None:
    note = (
        "HPI: A 41-year-old man with hypothyroidism on levothyroxine 88 mcg daily.\n"
        "ASSESSMENT: Hypothyroidism, well controlled.\nPLAN: Continue levothyroxine 88 mcg daily. Return in one year."
    )
    found = told(container, note)
    assert 1 <= len(found.get(WARNING, [])) <= 3
    assert not any(found.get(part) for part in (DIET, ACTIVITY, PRECAUTIONS, FOLLOW_UP))


def test_a_short_course_has_two_warnings_and_a_lasting_one_more(container: Container) -> None:
    note = "HPI: A 27-year-old man has wrist tendinitis.\nASSESSMENT: Tendinitis.\nPLAN: Ibuprofen 600 mg three times a day{}. Return in 3 weeks."
    signs = ("vomit blood", "black like tar", "less urine")

    def named(text: str) -> list[bool]:
        said = " ".join(told(container, note.format(text)).get(WARNING, []))
        return [sign in said for sign in signs]

    assert named(" for 7 days") == [True, True, False]
    assert named("") == [True, True, True]


def test_the_notes_own_call_for_help_takes_the_place_of_a_later_one(container: Container) -> None:
    note = (
        "HPI: A 22-year-old man has vomiting and diarrhea.\nASSESSMENT: Infectious gastroenteritis.\n"
        "PLAN: Fluids. Go to the emergency department if he cannot keep fluids down. Return in 2 weeks."
    )
    found = told(container, note)[WARNING]
    assert not any("fluids down" in one for one in found)
    other = told(container, note.replace(" Go to the emergency department if he cannot keep fluids down.", ""))[WARNING]
    assert any("fluids down" in one for one in other)


def test_general_lines_stand_where_the_note_has_no_call_for_help(container: Container) -> None:
    note = "HPI: A 50-year-old man has pain of the elbow.\nASSESSMENT: Tennis elbow.\nPLAN: A brace.{}"
    assert "Call your doctor today if pain gets worse." in told(container, note.format(""))[WARNING]
    assert "Call your doctor today if pain gets worse." not in told(
        container, note.format(" Call the clinic if the elbow swells.")
    ).get(WARNING, [])
