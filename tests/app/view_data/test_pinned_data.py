"""What the pinned line says."""

import pytest

from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.view_data.entry import Entry
from app.view_data.pinned_data import NOTICE, allergy_line, person, pinned
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import Allergies, Patient
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import LINKED, NOTE, SEVERE, draft_of

REQUEST = DraftRequest(text=NOTE)
DONE = Progress(Phase.DONE, REQUEST, draft=draft_of(REQUEST))


def test_before_a_note_it_says_what_the_knowledge_is_and_that_the_api_is_silent() -> None:
    found = pinned(None, "", None, Entry())
    assert (found["notice"], found["allergies"]) == (NOTICE, None)
    stated = found["writer"]
    assert (stated["name"], stated["reason"], stated["where"]) == ("unknown", "the API does not answer", "")


def test_allergies_are_there_as_soon_as_the_note_is_read() -> None:
    found = pinned(Progress(Phase.RUNNING, REQUEST, linked=LINKED), "A", None, Entry(note=NOTE))
    assert [item["text"] for item in found["allergies"]["items"]] == ["lisinopril", "zorbium"]
    assert [item["checked"] for item in found["allergies"]["items"]] == [True, False]
    assert found["person"] == "80 years, female"


@pytest.mark.parametrize(
    ("status", "words"),
    [("not_stated", "does not say"), ("none_known", "none known"), ("unreadable", "could not be read")],
)
def test_an_empty_allergy_list_says_why_it_is_empty(status: str, words: str) -> None:
    assert words in allergy_line(Allergies(status=status))["said"]


def test_every_allergy_conflict_and_every_severe_flag_is_shown() -> None:
    conflicts = [Flag(kind="allergy_conflict", severity="warning", message=f"conflict {i}") for i in range(4)]
    others = [Flag(kind="dose", severity="severe", message=f"dose {i}") for i in range(3)]
    seen = DONE._replace(draft=draft_of(REQUEST, flags=(*conflicts, *others)))
    found = pinned(seen, "", None, Entry(note=NOTE))
    assert [one["message"] for one in found["alerts"]] == [f"dose {i}" for i in range(3)] + [
        f"conflict {i}" for i in range(4)
    ]


def test_what_is_severe_stands_above_a_conflict_that_may_be_none() -> None:
    weak = Flag(kind="allergy_conflict", severity="warning", message="may cross-react")
    strong = Flag(kind="contraindication", severity="severe", message="should not be used")
    conflict = Flag(kind="allergy_conflict", severity="severe", message="allergic to it")
    seen = DONE._replace(draft=draft_of(REQUEST, flags=(weak, strong, conflict)))
    found = pinned(seen, "", None, Entry(note=NOTE))["alerts"]
    assert [alert["message"] for alert in found] == ["allergic to it", "should not be used", "may cross-react"]


def test_few_other_severe_flags_are_shown_too() -> None:
    assert pinned(DONE, "", None, Entry(note=NOTE))["alerts"] == [{"level": "severe", "message": SEVERE}]


def test_a_note_that_was_changed_since_the_draft_is_said_to_be() -> None:
    assert not pinned(DONE, "", None, Entry(note=NOTE))["stale"]
    assert pinned(DONE, "", None, Entry(note=NOTE + " more"))["stale"]
    # a medicine that was added for home is checked against nothing yet
    assert pinned(DONE, "", None, Entry(note=NOTE, medicines="amoxicillin 500 mg"))["stale"]
    assert pinned(DONE, "", None, Entry(note=NOTE, course="Ceftriaxone for 5 days."))["stale"]
    assert pinned(DONE, "", None, Entry(note=NOTE, earlier="# General\nRash after amoxicillin."))["stale"]


def test_what_the_note_does_not_state_of_the_person_is_said() -> None:
    assert person(Patient()) == "age not stated, sex not stated"
    assert person(Patient(age=29, sex="female", pregnant=True)) == "29 years, female, pregnant"
