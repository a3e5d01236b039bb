"""A judge model's scores of a frozen study's drafts. They stand beside the raters' in the analysis and change none of them.

Uploads are only added; of each judge the newest counts.
"""

import uuid
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import InputError
from backend.schemas.studies.study_frozen import DraftMade, FrozenStudy, ItemKind
from backend.schemas.studies.study_judge import JudgeRequest, JudgeUpload, JudgeView
from backend.schemas.studies.study_rating import EventKind
from backend.stores.database.study_tables import JudgeRow
from backend.study import records
from backend.study.design.studies import Studies
from backend.study.statistics.from_tidy import scales
from backend.study.statistics.rating_data import MEAN, Judged
from backend.study.tidy import blind_codes


def add_judge(studies: Studies, study_id: str, request: JudgeRequest) -> tuple[JudgeView, ...]:
    """Keep a judge's scores and give all uploads. Raises InputError that names the first score that does not fit."""
    stamp = studies.stamper()
    with studies.database.writing() as session:
        study = records.frozen_of(session, study_id)
        check(study, request)
        made = JudgeUpload(judge=request.judge, scores=request.scores, author=request.author, at=stamp.at)
        put_judge(session, study_id, made)
        count = len(request.scores)
        records.add_event(session, study_id, EventKind.JUDGE, request.author, stamp, judge=request.judge, scores=count)
    return judges(studies, study_id)


def judges(studies: Studies, study_id: str) -> tuple[JudgeView, ...]:
    """All uploads, oldest first."""
    with studies.database.reading() as session:
        records.study_row(session, study_id)
        uploads = uploads_of(session, study_id)
    last = {upload.judge: n for n, upload in enumerate(uploads)}
    return tuple(
        JudgeView(judge=u.judge, scores=len(u.scores), author=u.author, at=u.at, counts=last[u.judge] == n)
        for n, u in enumerate(uploads)
    )


def check(study: FrozenStudy, request: JudgeRequest) -> None:
    """Check that every score is of a draft that raters see, for a question they answer about it, and given once.

    Raises:
        InputError: one is not; the message names the first.
    """
    known = questions(study)
    shown = {item.case_id for item in study.items if item.kind == ItemKind.MAIN and not item.failed}
    drafts = {(d.case_id, d.arm_id) for d in study.drafts if d.status == DraftMade.MADE and d.case_id in shown}
    for number, score in enumerate(request.scores, 1):
        if score.question not in known:
            raise InputError(f"Score {number}: there is no question {score.question!r}. Known are {', '.join(known)}.")
        if (score.case, score.arm) not in drafts:
            raise InputError(f"Score {number}: no draft of case {score.case!r} by arm {score.arm!r} is rated.")
    places = Counter((score.question, score.case, score.arm) for score in request.scores)
    twice = next((place for place, count in places.items() if count > 1), None)
    if twice is not None:
        question, case, arm = twice
        raise InputError(f"The judge has two scores of case {case!r}, arm {arm!r} for {question}. Send one.")


def questions(study: FrozenStudy) -> tuple[str, ...]:
    """What can be judged: every question with a number about a draft, and the mean of an instrument's scales."""
    found = scales(study.setup)
    parts = Counter(scale.part_of for scale in found if scale.part_of)
    means = tuple(f"{name}/{MEAN}" for name, count in parts.items() if count > 1)
    return (*(scale.question for scale in found), *means)


def judged_of(study: FrozenStudy, uploads: Sequence[JudgeUpload], blind: bool) -> tuple[Judged, ...]:
    """The newest scores of each judge, arms under codes if blind. A draft's length is that of the text raters saw."""
    words = {(draft.case_id, draft.arm_id): len(draft.blinded.split()) for draft in study.drafts}
    codes = blind_codes(study) if blind else {arm.id: arm.id for arm in study.setup.arms}
    newest = {upload.judge: upload for upload in uploads}
    return tuple(
        Judged(
            score.question, score.case, codes[score.arm], score.value, words[score.case, score.arm], score.place, name
        )
        for name, upload in newest.items()
        for score in upload.scores
    )


def uploads_of(session: Session, study_id: str) -> tuple[JudgeUpload, ...]:
    """All uploads of a study, oldest first."""
    asked = select(JudgeRow.content).where(JudgeRow.study_id == study_id).order_by(JudgeRow.seq)
    return tuple(records.read(JudgeUpload, content) for content in session.scalars(asked))


def put_judge(session: Session, study_id: str, upload: JudgeUpload) -> None:
    """Add an upload to the session."""
    session.add(JudgeRow(id=str(uuid.uuid4()), study_id=study_id, content=upload.model_dump_json()))
