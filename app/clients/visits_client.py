"""The page's client of a patient's visits: files read, notes seen by visit, visits written one after the other."""

from collections.abc import Iterator
from typing import Any, cast

from app.clients.client import ApiClient
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_files import NotesFile, PatientOverview


class VisitsClient(ApiClient):
    """The routes of a patient's visits. Every method raises ApiError."""

    def notes_file(self, name: str, data: bytes) -> NotesFile:
        """The notes of an uploaded file."""
        answer = self._send("POST", "/uploads/notes", params={"name": name}, content=data)
        return self._value(NotesFile, self._json(answer))

    def note_forms(self) -> list[dict[str, Any]]:
        """The forms of notes that can be uploaded: name, label, and endings of the files that usually hold them."""
        return cast(list[dict[str, Any]], self._get("/uploads/notes"))

    def overview(self, request: DraftRequest) -> PatientOverview:
        """The visits that the notes of a request fall into."""
        return self._value(PatientOverview, self._post("/visits/overview", request))

    def visits(self, request: DraftRequest) -> Iterator[StageEvent]:
        """Write every visit in order.

        Returns:
            An event `visit` for each visit written; then `visits`, or `error` with the reason.
        """
        return self._events("/visits", request)
