"""One click of a rater, and what of it a study keeps."""

import uuid
from typing import Any

from backend.schemas.studies.study_rating import AnswerRequest, EventKind
from backend.study import records
from tests.study.sample import StudyWorld


def click(**fields: Any) -> AnswerRequest:
    return AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 4}, **fields})


def new_id() -> str:
    return str(uuid.uuid4())


def kept(study_world: StudyWorld, study_id: str) -> list[tuple[str, int, bool]]:
    with study_world.database.reading() as session:
        return [(r.question, r.revision, r.overwrote) for r in records.ratings_of(session, study_id)]


def happened(study_world: StudyWorld, study_id: str, kind: EventKind) -> list[dict[str, Any]]:
    return [event.details for event in study_world.studies.trail(study_id) if event.kind == kind]
