"""One click of a rater, and what of it a study keeps."""

import uuid
from typing import Any

from backend.schemas.study_rating import AnswerRequest, EventKind
from backend.study import records
from tests.study.sample import Desk


def click(**fields: Any) -> AnswerRequest:
    return AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 4}, **fields})


def new_id() -> str:
    return str(uuid.uuid4())


def kept(desk: Desk, study_id: str) -> list[tuple[str, int, bool]]:
    with desk.database.reading() as session:
        return [(r.question, r.revision, r.overwrote) for r in records.ratings_of(session, study_id)]


def happened(desk: Desk, study_id: str, kind: EventKind) -> list[dict[str, Any]]:
    return [event.details for event in desk.studies.trail(study_id) if event.kind == kind]
