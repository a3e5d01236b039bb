"""The page of a patient's visits: the real API in this process behind it; notes, all made up, read, seen and written."""

import json
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi.testclient import TestClient

from app.clients.api_errors import ApiError
from app.clients.visits_client import VisitsClient
from app.jobs.visits_run import VisitsRun
from app.view_data.visits_data import ReadFile, collect_notes, patients, statement_rows
from backend.api.app import create_app
from backend.container import Container
from backend.ingest.importers import note_importers
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from tests.app.conftest import Open, Page

TYPED = """# Physician, 2031-02-01
Allergies: penicillin (hives)

HPI: Dyspnea and leg swelling. <b>x</b>
---
# Nursing, 2031-02-02
ASSESSMENT: Leg swelling is less.
---
# Physician, 2031-05-10
HPI: Cough and fever.

MEDICATIONS: Amoxicillin 500 mg."""


class Through(httpx.BaseTransport):
    """To the API in this process. hold: waits before visits are asked for."""

    def __init__(self, inner: TestClient) -> None:
        self.inner = inner
        self.cut = False
        self.go_on = threading.Event()
        self.go_on.set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.cut:
            raise httpx.ConnectError("nothing answers")
        if request.url.path.endswith("/visits"):
            assert self.go_on.wait(30)
        answer = self.inner.request(
            request.method, request.url.raw_path.decode(), content=request.read(), headers=dict(request.headers)
        )
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


@pytest.fixture
def way(container: Container) -> Iterator[Through]:
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as inner:
        yield Through(inner)


@pytest.fixture
def page(open_page: Open, way: Through) -> Page:
    page = open_page()
    page.test.session_state["visits_client"] = VisitsClient(page_settings(), transport=way)
    return page.go("visits")


def page_settings() -> Any:
    return SimpleNamespace(host="127.0.0.1", api_port=1, api_token="", timeout_s=30.0)


def written(page: Page) -> Page:
    page.type("visit_typed", TYPED).press("write_visits")
    held = cast(VisitsRun, page.test.session_state["visits_run"])
    held.wait(30)
    return page.run()


def read(page: Page) -> dict[str, Any]:
    return page.part("leapnote_reading")


def sentences(read: dict[str, Any]) -> list[dict[str, Any]]:
    return [sentence for section in read["sections"] for sentence in section["sentences"]]


def allergies(page: Page) -> list[str]:
    return [item["text"] for item in page.part("leapnote_pinned")["allergies"]["items"]]


def test_notes_are_shown_by_visit_with_their_allergies_before_anything_is_written(page: Page) -> None:
    page.type("visit_typed", TYPED)
    shown = page.test.dataframe[0].value
    assert list(shown["days"]) == ["2031-02-01 to 2031-02-02", "2031-05-10"]
    assert list(shown["types"]) == ["Nursing, Physician", "Physician"]
    assert "penicillin" in page.said() and "hives" in page.said()
    assert allergies(page) == ["penicillin"]
    assert not read(page)


def test_each_visit_is_written_and_the_later_one_knows_the_earlier(page: Page) -> None:
    written(page)
    second = read(page)  # the latest is looked at first
    labels = {source["label"] for one in sentences(second) for source in one["sources"]}
    assert {label.rpartition(", ")[2] for label in labels if not label.startswith("Previous visit")} == {"2031-05-10"}
    assert "Allergy to penicillin" in page.said().replace("\\", "")
    alerts = [alert["message"] for alert in page.part("leapnote_pinned")["alerts"]]
    assert any(alert.startswith("visit 2: ") and "enicillin" in alert for alert in alerts), alerts
    page.test.session_state["visit_shown"] = 1
    first = read(page.run())
    assert "Cough" not in " ".join(sentence["text"] for sentence in sentences(first))
    assert allergies(page) == ["penicillin"]
    conflicts = [alert["message"] for alert in page.part("leapnote_pinned")["alerts"]]
    assert not [
        one for one in conflicts if one.startswith("visit 1")
    ]  # its own allergy list is no medicine that is given
    names = {button.proto.label for button in page.test.get("download_button")}
    assert {"All visits as text", "All visits as JSON"} <= names


def test_every_statement_stands_with_its_date_and_its_source_note(page: Page) -> None:
    held = cast(VisitsRun, written(page).test.session_state["visits_run"])
    for visit in held.progress().written:
        rows = [row for row in statement_rows(visit.draft) if "team to complete" not in row["statement"]]
        assert rows
        for row in rows:
            assert row["date"].startswith("2031-0") and row["source"], row


def test_changed_notes_make_the_written_visits_old_and_the_pinned_line_silent(page: Page) -> None:
    written(page).type("visit_typed", TYPED.replace("Cough", "Rash"))
    assert "Write them again" in page.said()
    assert page.part("leapnote_pinned")["alerts"] == []


def test_an_api_that_is_gone_is_said_and_what_was_typed_stays(page: Page, way: Through) -> None:
    way.cut = True
    page.type("visit_typed", TYPED)
    assert "does not answer" in page.said().replace("\\", "")
    assert page.test.text_area(key="visit_typed").value == TYPED


def test_a_run_that_is_stopped_or_breaks_off_keeps_what_was_written(page: Page) -> None:
    held = cast(VisitsRun, written(page).test.session_state["visits_run"])
    first = held.progress().written[0]
    event = StageEvent(
        stage="visit",
        data={"number": 1, "first": first.first, "last": first.last, "draft": first.draft.model_dump(mode="json")},
    )
    waiting = threading.Event()

    class Api:
        def __init__(self, ending: StageEvent | ApiError) -> None:
            self.ending = ending

        def visits(self, request: DraftRequest) -> Iterator[StageEvent]:
            yield event
            assert waiting.wait(30)
            if isinstance(self.ending, ApiError):
                raise self.ending
            yield self.ending

    request = DraftRequest(question="-")
    stopped = VisitsRun(cast(Any, Api(event)), request)
    broken = VisitsRun(cast(Any, Api(ApiError("broke off"))), request)
    said = VisitsRun(cast(Any, Api(StageEvent(stage="error", reason="too long"))), request)
    while not all(run.progress().written for run in (stopped, broken, said)):
        pass
    stopped.stop()
    waiting.set()
    for run in (stopped, broken, said):
        run.wait(30)
    assert [run.progress().phase for run in (stopped, broken, said)] == ["stopped", "failed", "failed"]
    assert [run.progress().message for run in (broken, said)] == ["broke off", "too long"]
    assert all([visit.number for visit in run.progress().written] == [1] for run in (stopped, broken, said))


def test_files_of_two_patients_are_never_mixed() -> None:
    def file(name: str, *records: tuple[str, str]) -> ReadFile:
        held = tuple(PatientFile(patient=who, notes=(PatientNote(text=text),)) for who, text in records)
        return ReadFile(name, NotesFile(kind="notes", patients=held))

    files = [file("a", ("7", "of seven"), ("8", "of eight")), file("b", ("", "no id")), file("c", ("7", "of seven"))]
    assert patients(files) == ["7", "8"]
    assert [note.text for note in collect_notes(files, "", "8").notes] == ["of eight", "no id"]
    assert [note.text for note in collect_notes(files, "typed", "7").notes] == ["of seven", "no id", "typed"]


def test_the_uploader_takes_the_forms_that_the_api_lists_and_any_file_while_it_does_not_answer(
    page: Page, way: Through
) -> None:
    uploader = page.test.get("file_uploader")[0].proto
    assert set(uploader.type) == {f".{ending}" for one in note_importers() for ending in one.endings}
    label = uploader.label.replace("\\", "")
    assert all(one.label in label for one in note_importers())
    way.cut = True
    del page.test.session_state["visit_forms"]
    uploader = page.run().test.get("file_uploader")[0].proto
    assert (list(uploader.type), uploader.label) == ([], "Files of one patient's notes")


def test_an_uploaded_file_is_read_and_a_refused_one_says_why(page: Page, way: Through) -> None:
    client = cast(VisitsClient, page.test.session_state["visits_client"])
    note = json.dumps({"note_type": "Nursing", "date": "2031-02-02", "text": "Weight 81 kg."}).encode()
    read = client.notes_file("a.jsonl", note)
    with pytest.raises(ApiError, match="not UTF-8") as refused:
        client.notes_file("b.txt", b"\xff\xfe")
    page.test.session_state["visit_files"] = (
        ReadFile("a.jsonl", read),
        ReadFile("b.txt", None, str(refused.value)),
    )
    said = page.run().said().replace("\\", "")
    assert "a.jsonl: read as notes, 1 note of 1 patient" in said and "not UTF-8" in said
    page.press("visit_start_over")
    assert "a.jsonl" not in page.said().replace("\\", "")
