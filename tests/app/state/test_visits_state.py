"""The visits' part of a tab: files read, the patient chosen, and the overview asked for once."""

from types import SimpleNamespace
from typing import Any

import pytest

from app.clients.api_errors import ApiError
from app.state import visits_state
from app.state.visits_state import PATIENT, TYPED
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile, PatientOverview
from backend.schemas.vocabulary import AllergyStatus

OVERVIEW = PatientOverview(visits=(), allergies=(), allergy_status=AllergyStatus.NOT_STATED)


class Visits:
    """The API: a file names the patients of its name; one called broken cannot be read."""

    def __init__(self) -> None:
        self.silent = False
        self.asked: list[DraftRequest] = []

    def note_forms(self) -> list[dict[str, Any]]:
        if self.silent:
            raise ApiError("nothing answers", unreachable=True)
        return [{"label": "text", "endings": ["txt"]}]

    def notes_file(self, name: str, content: bytes) -> NotesFile:
        if name == "broken":
            raise ApiError("broken holds no note.")
        note = PatientNote(text=content.decode())
        return NotesFile(kind="text", patients=tuple(PatientFile(patient=who, notes=(note,)) for who in name))

    def overview(self, request: DraftRequest) -> PatientOverview:
        if self.silent:
            raise ApiError("nothing answers", unreachable=True)
        self.asked.append(request)
        return OVERVIEW


@pytest.fixture
def visits(tab: dict[str, Any]) -> Visits:
    made = Visits()
    tab["visits_client"] = made
    return made


def upload(tab: dict[str, Any], *names: str) -> None:
    given = [SimpleNamespace(name=name, getvalue=f"Cough, of {name}.".encode) for name in names]
    tab[visits_state.upload_key()] = given
    visits_state.read_files()


def test_a_file_that_cannot_be_read_stays_with_its_reason_beside_those_that_can(
    tab: dict[str, Any], visits: Visits
) -> None:
    upload(tab, "a", "broken")
    assert [(file.name, file.found is None, file.refused) for file in visits_state.files()] == [
        ("a", False, ""),
        ("broken", True, "broken holds no note."),
    ]


def test_the_patient_chosen_holds_only_where_a_file_names_them(tab: dict[str, Any], visits: Visits) -> None:
    assert (visits_state.patient(), visits_state.label()) == ("", "")
    upload(tab, "ab")
    tab[PATIENT] = "b"
    assert visits_state.patient() == "b"
    tab[PATIENT] = "somebody else"
    assert (visits_state.patient(), visits_state.label()) == ("a", "Patient a")


def test_without_a_note_nothing_is_asked_and_the_same_notes_are_asked_for_once(
    tab: dict[str, Any], visits: Visits
) -> None:
    assert visits_state.request() is None and visits_state.overview() is None
    tab[TYPED] = "Cough."
    assert visits_state.overview() == visits_state.overview() == OVERVIEW
    tab[TYPED] = "Cough and fever."
    visits_state.overview()
    assert [request.patient_notes[0].text for request in visits.asked] == ["Cough.", "Cough and fever."]


def test_the_forms_are_asked_for_until_the_api_answers(visits: Visits) -> None:
    visits.silent = True
    assert visits_state.forms() == ()
    visits.silent = False
    assert visits_state.forms() == ({"label": "text", "endings": ["txt"]},)


def test_another_patient_gets_an_empty_uploader_and_nothing_of_the_one_before(
    tab: dict[str, Any], visits: Visits
) -> None:
    upload(tab, "a")
    tab |= {TYPED: "Cough.", PATIENT: "a"}
    before = visits_state.upload_key()
    visits_state.start_over()
    assert visits_state.upload_key() != before
    assert (visits_state.files(), visits_state.notes().notes, visits_state.patient()) == ((), (), "")


def test_the_pinned_line_claims_no_allergies_while_the_api_is_silent(tab: dict[str, Any], visits: Visits) -> None:
    tab[TYPED] = "Cough."
    visits.silent = True
    values = visits_state.pinned_values(None)
    assert values["allergies"] is None and values["alerts"] == []
