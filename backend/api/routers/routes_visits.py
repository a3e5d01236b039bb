"""A patient's notes over HTTP: read from files, seen by visit, written one visit after the other."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from backend.api.guard import corrected_by_who_acts, for_people
from backend.api.routers.routes_draft import check_request
from backend.api.streaming import answered
from backend.container import Container
from backend.ingest.importers import note_importers
from backend.ingest.patient_records.uploaded_patients import read_upload
from backend.retrieval.patient_notes.note_allergies import StatedAllergies
from backend.retrieval.patient_notes.notes_by_visit import Visit, visits, write_visits
from backend.schemas.chat import Cancelled
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_files import NotesFile, PatientOverview, VisitNote, VisitOverview

router = APIRouter(dependencies=[for_people()])


@router.post("/uploads/notes")
async def uploaded_notes(request: Request, name: str = "the file") -> NotesFile:
    """The notes of an uploaded file, sent as the raw body: JSONL, NOTEEVENTS as CSV, FHIR, C-CDA, PDF, Word or text.

    Of C-CDA and FHIR the record, medicines and details of the patient too; and of each file what was taken. Nothing is kept.
    """
    container: Container = request.app.state.container
    return await run_in_threadpool(read_upload, await request.body(), name[:200], container.reading.dictionary.lookup)


@router.get("/uploads/notes")
def forms() -> list[dict[str, object]]:
    """The forms of a patient's notes that can be uploaded, with the endings of the files that usually hold them."""
    return [{"name": one.name, "label": one.label, "endings": list(one.endings)} for one in note_importers()]


@router.post("/visits/overview")
def overview(body: DraftRequest, request: Request) -> PatientOverview:
    """How the notes fall into visits, and the allergies that they state. Nothing is written."""
    container: Container = request.app.state.container
    check_request(body, container.settings.max_note_chars)
    found = visits(body, container.settings.patient_visit_gap_days)
    notes = [note for visit in found for note in visit.notes]
    stated = StatedAllergies(container.linker)
    return PatientOverview(
        visits=tuple(map(_shown, found)), allergies=stated.of(notes), allergy_status=stated.status(notes)
    )


@router.post("/visits")
def write(body: DraftRequest, request: Request) -> Response:
    """A document for each of the patient's visits, one after the other; an event `visit` each, then `visits` with all."""
    container: Container = request.app.state.container
    body = corrected_by_who_acts(request, body)
    check_request(body, container.settings.max_note_chars)
    chosen = container.settings

    def events(cancelled: Cancelled) -> Iterator[StageEvent]:
        def written(one: DraftRequest) -> Draft:
            *_, last = container.pipeline(one.system, one.generator, one.sources).draft_events(one, cancelled)
            return Draft.model_validate(last.data)

        rows = []
        handed_on = StatedAllergies(container.linker).handed_on
        gap, previous = chosen.patient_visit_gap_days, chosen.patient_previous_visit
        for done in write_visits(body, written, gap, previous, allergies=handed_on):
            if cancelled():
                return
            visit = {"number": done.visit.number, "first": done.visit.first, "last": done.visit.last}
            rows.append({**visit, "draft": done.draft.model_dump(mode="json")})
            yield StageEvent(stage="visit", data=rows[-1])
        yield StageEvent(stage="visits", data={"visits": rows})

    return answered(request, events)


def _shown(visit: Visit) -> VisitOverview:
    notes = tuple(
        VisitNote(
            note_type=one.shown,
            date=one.when.time,
            date_source=one.when.source,
            reason=one.when.reason,
            characters=len(one.note.text),
        )
        for one in visit.notes
    )
    return VisitOverview(number=visit.number, first=visit.first, last=visit.last, notes=notes)
