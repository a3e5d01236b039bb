"""A JSONL export back into a database: the same study under the same hash, all of it or nothing."""

import json
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy.orm import Session

from backend.errors import ConflictError, InputError
from backend.schemas.canonical_json import canonical_json, sha256_of
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_frozen import FrozenStudy, RaterPlan
from backend.schemas.studies.study_judge import JudgeUpload
from backend.schemas.studies.study_rating import EventKind, Profile, RatingRecord, StudyEvent
from backend.schemas.studies.study_views import StudyView
from backend.stores.database.study_tables import FrozenRow, ProfileRow, RaterPlanRow, StudyRow
from backend.study import records
from backend.study.design.studies import Studies
from backend.study.judges import put_judge
from backend.study.reporting.study_export import FORMAT

DAMAGED = "The export is damaged or was changed"


def import_study(studies: Studies, text: str, author: str) -> StudyView:
    """The study of an export.

    A design alone gives a frozen study without ratings. Links are not in an export: invite raters anew.

    Raises:
        InputError: the file is not whole.
        ConflictError: the study is here already.
    """
    lines = _checked(text)
    head = lines[0]
    if not isinstance(head.get("study"), dict) or head.get("state") not in (StudyState.FROZEN, StudyState.CLOSED):
        raise InputError(f"{DAMAGED}: it holds no frozen study.")
    document = canonical_json(head["study"])
    digest = sha256_of(document)
    if digest != head.get("sha256"):
        raise InputError(f"{DAMAGED}: the study does not fit its hash.")
    study = _valid(FrozenStudy, head["study"])
    state = StudyState(head["state"])
    unlocked = head.get("unlocked_at")
    stamp = studies.stamper()
    with studies.database.writing() as session:
        if session.get(StudyRow, study.study_id) is not None:
            raise ConflictError(f"The study {study.study_id} is here already.")
        session.add(
            StudyRow(
                id=study.study_id,
                name=study.setup.name,
                state=state.value,
                version=1,
                created_at=study.frozen_at,
                updated_at=stamp.at,
                setup=study.setup.model_dump_json(),
                unlocked_at=datetime.fromisoformat(unlocked) if unlocked else None,
            )
        )
        session.flush()
        session.add(FrozenRow(study_id=study.study_id, sha256=digest, document=document))
        for line in lines[1:]:
            _add(session, study.study_id, line)
        records.add_event(session, study.study_id, EventKind.IMPORT, author, stamp, sha256=digest, lines=len(lines))
    return studies.view(study.study_id)


def _checked(text: str) -> list[dict[str, Any]]:
    """The lines but the last, which says how many there are and what their hash is.

    Raises:
        InputError: lines are missing or were changed.
    """
    if not text.endswith("\n"):
        raise InputError(f"{DAMAGED}: it ends in the middle of a line.")
    texts = text[:-1].split("\n")
    try:
        lines = [json.loads(line) for line in texts]
    except ValueError:
        raise InputError(f"{DAMAGED}: a line is no JSON. Only a JSONL export can be imported.") from None
    if not all(isinstance(line, dict) for line in lines) or lines[0].get("format") != FORMAT:
        raise InputError(f"This is no export of a study ({FORMAT}).")
    body = text[: len(text) - len(texts[-1]) - 1]
    end = lines[-1]
    if end.get("type") != "end" or end.get("lines") != len(lines) - 1 or end.get("sha256") != sha256_of(body):
        raise InputError(f"{DAMAGED}: lines are missing or were changed.")
    return lines[:-1]


def _add(session: Session, study_id: str, line: dict[str, Any]) -> None:
    kind = line.get("type")
    if kind == "adjudicator":
        plan = _valid(RaterPlan, line.get("plan"))
        session.add(RaterPlanRow(study_id=study_id, rater_id=plan.rater_id, plan=plan.model_dump_json()))
    elif kind == "profile":
        profile = _valid(Profile, {name: line.get(name) for name in Profile.model_fields})
        content = profile.model_dump_json()
        session.add(ProfileRow(study_id=study_id, rater_id=profile.rater_id, content=content))
    elif kind == "rating":
        records.add_rating(session, study_id, _valid(RatingRecord, line.get("record")))
        session.flush()  # one after the other, so that the order is kept
    elif kind == "judge":
        put_judge(session, study_id, _valid(JudgeUpload, line.get("upload")))
        session.flush()
    elif kind == "event":
        records.put_event(session, study_id, _valid(StudyEvent, line.get("event")))
        session.flush()
    else:
        raise InputError(f"{DAMAGED}: a line of the type {str(kind)[:20]!r} is not known.")


def _valid(kind: type[records.Value], value: Any) -> records.Value:
    try:
        return kind.model_validate_json(json.dumps(value))
    except ValidationError:
        raise InputError(f"{DAMAGED}: a {kind.__name__} in it cannot be read.") from None
