"""The medicines that a note, its discharge list and its draft name, and entries in which none was recognised."""

from typing import Any

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.request import DraftRequest
from backend.verification.safety.medicines.named_medicines import Medicine, named_medicines, unrecognised_medicines
from tests.verification.flags import QUIET, said


@pytest.fixture
def named(tiny_linker: DictionaryLinker) -> Any:
    def of(note: str, *sentences: str, listed: tuple[str, ...] = ()) -> dict[str, Medicine]:
        request = DraftRequest(text=f"{QUIET} {note}", discharge_medicines=listed)
        linked = tiny_linker.read(request.text)
        return {one.name: one for one in named_medicines(request, linked, [said(t) for t in sentences], tiny_linker)}

    return of


def test_each_medicine_stands_once_with_all_its_places(named: Any) -> None:
    found = named("She takes Lasix 40 mg.", "Take furosemide.", "Take amoxicillin.", listed=("furosemide 40 mg",))
    assert {name: (one.taken, one.sentence) for name, one in found.items()} == {
        "furosemide": (True, 0),
        "amoxicillin": (False, 1),
    }
    assert found["furosemide"].where == "the note, the discharge list and the draft"
    assert found["furosemide"].text == "Lasix"


@pytest.mark.parametrize(
    "note", ["She never took ibuprofen.", "Her mother takes ibuprofen.", "She has an allergy to ibuprofen."]
)
def test_what_the_patient_does_not_take_is_left(named: Any, note: str) -> None:
    assert "ibuprofen" not in named(note)


def test_a_warning_of_a_medicine_does_not_give_it(named: Any) -> None:
    assert "ibuprofen" not in named("Cough.", "Do not take ibuprofen.")
    assert "ibuprofen" in named("Cough.", "Take ibuprofen.")


def test_what_was_given_in_hospital_alone_says_so(named: Any) -> None:
    given = named("\n\nHome medications: furosemide 40 mg\n\nHospital course: She was given ceftriaxone.")
    assert (given["ceftriaxone"].here, given["furosemide"].here) == (True, False)
    assert not named("Hospital course: She was given ceftriaxone.", listed=("ceftriaxone",))["ceftriaxone"].here


def test_an_entry_without_a_known_medicine_is_shown_with_its_place(tiny_linker: DictionaryLinker) -> None:
    text = "Medications: furosemide 40 mg, zorblax 5 mg\nnone"
    request = DraftRequest(text=text, discharge_medicines=("blorb daily", "Lasix", " "))
    found = unrecognised_medicines(request, tiny_linker.read(text), (), tiny_linker)
    assert [(one.text, one.start_char) for one in found] == [
        ("blorb daily", None),
        ("zorblax", text.index("zorb")),
    ]
