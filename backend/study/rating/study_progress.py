"""Live progress of a study: how far each rater is, and what the coordinator must look at. No answer, no arm."""

import json
from collections import Counter
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_frozen import FrozenStudy, ItemKind, RaterPlan
from backend.schemas.studies.study_rating import EventKind, Role
from backend.schemas.studies.study_views import RaterProgress, StudyProgress
from backend.stores.database.study_tables import EventRow, ProfileRow
from backend.study import records
from backend.study.design.studies import Studies

NOTICED, MISSED = ":noticed", ":missed"


def progress(studies: Studies, study_id: str, generating: bool = False) -> StudyProgress:
    """generating: a batch is at work in this process."""
    view = studies.view(study_id)
    if view.sha256 is None:
        return StudyProgress(
            id=view.id, state=view.state, sha256=None, drafts=view.drafts, generating=generating, stamps=view.stamps
        )
    with studies.database.reading() as session:
        study = records.frozen_of(session, study_id)
        raters = _raters(session, study)
    main = {item.id for item in study.items if item.kind == ItemKind.MAIN}
    whole = [item for item in study.items if item.id in main and not item.failed]
    return StudyProgress(
        id=view.id,
        state=StudyState(view.state),
        sha256=view.sha256,
        drafts=view.drafts,
        raters=raters,
        items=len(whole),
        items_failed=len(main) - len(whole),
        ratings_wanted=sum(row.total for row in raters if row.role == Role.RATER),
        ratings_done=sum(row.done for row in raters if row.role == Role.RATER),
        unlocked=view.unlocked_at is not None,
        stamps=view.stamps,
    )


def _raters(session: Session, study: FrozenStudy) -> tuple[RaterProgress, ...]:
    asked = select(EventRow.actor, EventRow.kind, EventRow.details, EventRow.at).where(
        EventRow.study_id == study.study_id, EventRow.step > 0
    )
    counts: Counter[tuple[str, str]] = Counter()
    last: dict[str, datetime] = {}
    for actor, kind, details, at in session.execute(asked.order_by(EventRow.seq)):
        if kind == EventKind.ATTENTION.value:
            kind += {True: NOTICED, False: MISSED}.get(json.loads(details)["noticed"], "")
        counts[actor, kind] += 1
        last[actor] = at
    profiles = set(session.scalars(select(ProfileRow.rater_id).where(ProfileRow.study_id == study.study_id)))
    found = [(plan, Role.RATER) for plan in study.raters]
    found += [(plan, Role.ADJUDICATOR) for plan in records.adjudicator_plans(session, study.study_id)]
    return tuple(_row(plan, role, counts, plan.rater_id in profiles, last.get(plan.rater_id)) for plan, role in found)


def _row(
    plan: RaterPlan, role: Role, counts: Counter[tuple[str, str]], profile: bool, last: datetime | None
) -> RaterProgress:
    def count(kind: EventKind, what: str = "") -> int:
        return counts[plan.rater_id, kind.value + what]

    return RaterProgress(
        rater_id=plan.rater_id,
        role=role,
        done=count(EventKind.COMPLETED),
        total=len(plan.slots),
        finished=count(EventKind.FINISHED) > 0,
        profile=profile,
        too_fast=count(EventKind.TOO_FAST),
        leaks=count(EventKind.LEAK),
        noticed=count(EventKind.ATTENTION, NOTICED),
        missed=count(EventKind.ATTENTION, MISSED),
        last_at=last,
    )
