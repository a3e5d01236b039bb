"""The page's client of a patient's visits: files read, notes seen by visit, visits written one after the other."""

from collections.abc import Iterator
from typing import Protocol

from app.clients.client import ApiClient
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_files import NotesFile, PatientOverview


class VisitsApi(Protocol):
    """What the page of visits asks. Every method raises ApiError."""

    def notes_file(self, name: str, data: bytes) -> NotesFile: ...
    def overview(self, request: DraftRequest) -> PatientOverview: ...
    def visits(self, request: DraftRequest) -> Iterator[StageEvent]: ...


class VisitsClient(ApiClient):
    def notes_file(self, name: str, data: bytes) -> NotesFile:
        answer = self._send("POST", "/uploads/notes", params={"name": name}, content=data)
        return self._value(NotesFile, self._json(answer))

    def overview(self, request: DraftRequest) -> PatientOverview:
        return self._value(PatientOverview, self._post("/visits/overview", request))

    def visits(self, request: DraftRequest) -> Iterator[StageEvent]:
        """An event `visit` for each that is written; then `visits`, or `error` with the reason."""
        return self._events("/visits", request)
