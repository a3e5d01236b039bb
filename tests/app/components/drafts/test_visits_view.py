"""A patient's visits, drawn."""

from collections.abc import Callable
from functools import partial
from typing import Any

from app.components.drafts import visits_view
from app.view_data.visits_data import ReadFile
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import (
    NotesFile,
    PatientFile,
    PatientOverview,
    StatedAllergy,
    VisitNote,
    VisitOverview,
)
from backend.schemas.patients.patient_notes import DateSource
from backend.schemas.vocabulary import AllergyKind, AllergyStatus
from tests.app.conftest import Drawn

READ = ReadFile("a.txt", NotesFile(kind="text", patients=(PatientFile(notes=(PatientNote(text="Cough."),)),)))


def notes(files: tuple[ReadFile, ...], forms: tuple[dict[str, Any], ...], called: list[str]) -> Drawn:
    call: dict[str, Callable[[], None]] = {name: partial(called.append, name) for name in ("read", "start_over")}
    return Drawn(lambda: visits_view.draw_notes(files, forms, "up", "typed", True, bool(files), call))


def test_a_file_that_was_refused_says_why_beside_one_that_was_read() -> None:
    called: list[str] = []
    drawn = notes((READ, ReadFile("b", None, "b holds no <note>.")), (), called)
    assert "a.txt: read as text, 1 note of 1 patient" in drawn.said()
    assert r"\<note\>" in drawn.test.info[0].value
    drawn.press("visit_start_over")
    assert called == ["start_over"]


def test_an_ending_that_two_forms_share_is_taken_once() -> None:
    forms = ({"label": "CSV", "endings": ["csv"]}, {"label": "Text", "endings": ["txt", "csv"]})
    uploader = notes((), forms, []).test.get("file_uploader")[0].proto
    assert list(uploader.type) == [".csv", ".txt"]
    assert uploader.label == "Files of one patient's notes: CSV, Text"


def test_the_name_of_the_uploader_is_read_out_without_backslashes() -> None:
    forms = ({"label": "C-CDA", "endings": ["xml"]}, {"label": "FHIR *R4*", "endings": ["json"]})
    uploader = notes((), forms, []).test.get("file_uploader")[0].proto
    assert uploader.label == "Files of one patient's notes: C-CDA, FHIR R4"


def test_whose_notes_are_meant_is_asked_only_where_there_are_several() -> None:
    assert Drawn(lambda: visits_view.draw_patient_choice(["7"], "who")).test.selectbox.len == 0
    drawn = Drawn(lambda: visits_view.draw_patient_choice(["7", "8"], "who"))
    assert list(drawn.test.selectbox(key="who").options) == ["7", "8"] and "2 patients" in drawn.said()


def test_an_allergy_that_is_not_checked_says_so_and_left_out_notes_are_told() -> None:
    note = VisitNote(note_type="Nursing", date=None, date_source=DateSource.NONE, reason="no date", characters=7)
    allergies = tuple(
        StatedAllergy(text=text, kind=AllergyKind.ALLERGY, checked=checked, date=None, note_type="Nursing")
        for text, checked in (("penicillin", True), ("zorblax", False))
    )
    found = PatientOverview(
        visits=(VisitOverview(number=1, first=None, last=None, notes=(note,)),),
        allergies=allergies,
        allergy_status=AllergyStatus.LISTED,
    )
    drawn = Drawn(lambda: visits_view.draw_overview(found, older=3))
    lines = [line for line in drawn.said().splitlines() if "undated" in line]
    assert ["not checked" in line for line in lines] == [False, True]
    assert "The 3 oldest notes are left out" in drawn.said()
    assert list(drawn.test.dataframe[0].value["without a date"]) == [1]
    assert "left out" not in Drawn(lambda: visits_view.draw_overview(found, older=0)).said()


def test_written_visits_are_written_again() -> None:
    labels = [
        Drawn(partial(visits_view.draw_controls, written, lambda: None)).test.button[0].label
        for written in (False, True)
    ]
    assert labels == ["Write the visits", "Write the visits again"]


def test_nothing_of_earlier_visits_draws_nothing() -> None:
    assert Drawn(lambda: visits_view.draw_earlier_statements([])).test.expander.len == 0
    drawn = Drawn(lambda: visits_view.draw_earlier_statements(["*once*", "twice"]))
    assert drawn.test.expander[0].label == "From earlier visits (2 statements)"
    assert drawn.test.markdown[0].value == r"\*once\*"
