"""Rows of a study as values, and back. Nothing here decides; it reads, writes and says what is not there."""

import json
import uuid
from collections.abc import Sequence
from enum import Enum
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from backend.errors import MissingError, NotFoundError
from backend.schemas.base import Frozen
from backend.schemas.canonical_json import sha256_of
from backend.schemas.studies.study_design import StudyCase, StudySetup, StudyState
from backend.schemas.studies.study_frozen import FrozenStudy, RaterPlan, StudyDraft
from backend.schemas.studies.study_rating import EventKind, Profile, RatingRecord, Stamp, StudyEvent
from backend.schemas.studies.study_views import StudySummary
from backend.stores.database.study_tables import (
    EventRow,
    FrozenRow,
    ProfileRow,
    RaterPlanRow,
    RatingRow,
    StudyCaseRow,
    StudyDraftRow,
    StudyRow,
)

Value = TypeVar("Value", bound=Frozen)


class Hold(Enum):
    """What may happen to a study's row until this transaction ends. SQLite's one write lock holds all of it anyway.

    STATE: it keeps its state, and others may rely on that too. CHANGE: this transaction alone may change it.
    """

    NOTHING = None
    STATE = {"read": True}
    CHANGE = {"read": False}


def study_row(session: Session, study_id: str, hold: Hold = Hold.NOTHING) -> StudyRow:
    """The row of a study.

    Raises:
        NotFoundError: there is none of this id.
    """
    row = session.get(StudyRow, study_id, with_for_update=hold.value)
    if row is None:
        raise NotFoundError(f"There is no study {study_id}. List them with: python -m backend study status")
    return row


def summary(session: Session, row: StudyRow) -> StudySummary:
    """A row as a line of the list of studies."""
    return StudySummary(
        id=row.id,
        name=row.name,
        state=StudyState(row.state),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
        sha256=session.scalar(select(FrozenRow.sha256).where(FrozenRow.study_id == row.id)),
        unlocked_at=row.unlocked_at,
    )


def setup_of(row: StudyRow) -> StudySetup:
    """The setup as it is stored."""
    return read(StudySetup, row.setup)


def cases_of(session: Session, study_id: str) -> tuple[StudyCase, ...]:
    """In the order they were added."""
    asked = select(StudyCaseRow.content).where(StudyCaseRow.study_id == study_id).order_by(StudyCaseRow.place)
    return tuple(read(StudyCase, content) for content in session.scalars(asked))


def drafts_of(session: Session, study_id: str) -> tuple[StudyDraft, ...]:
    """The drafts of a study that is not frozen, by case and arm."""
    asked = select(StudyDraftRow.content).where(StudyDraftRow.study_id == study_id)
    order = (StudyDraftRow.case_id, StudyDraftRow.arm_id)
    return tuple(read(StudyDraft, content) for content in session.scalars(asked.order_by(*order)))


def frozen_row(session: Session, study_id: str) -> FrozenRow:
    """The row of a frozen study, checked against its hash.

    Raises:
        NotFoundError: there is no such study, or it is not frozen.
        MissingError: its text no longer fits its hash.
    """
    row = session.get(FrozenRow, study_id)
    if row is None:
        study_row(session, study_id)
        raise NotFoundError(f"The study {study_id} is not frozen yet. Freeze it with: python -m backend study freeze")
    if sha256_of(row.document) != row.sha256:
        raise MissingError("The frozen study no longer fits its hash: the database was altered. Restore a backup.")
    return row


def frozen_of(session: Session, study_id: str) -> FrozenStudy:
    """The frozen study. Raises as `frozen_row` does."""
    return read(FrozenStudy, frozen_row(session, study_id).document)


def adjudicator_plans(session: Session, study_id: str) -> tuple[RaterPlan, ...]:
    """The plans of the adjudicators, by place."""
    asked = select(RaterPlanRow.plan).where(RaterPlanRow.study_id == study_id).order_by(RaterPlanRow.rater_id)
    return tuple(read(RaterPlan, plan) for plan in session.scalars(asked))


def profiles_of(session: Session, study_id: str) -> tuple[Profile, ...]:
    """Who the raters are, by place."""
    asked = select(ProfileRow.content).where(ProfileRow.study_id == study_id).order_by(ProfileRow.rater_id)
    return tuple(read(Profile, content) for content in session.scalars(asked))


def ratings_of(
    session: Session, study_id: str, rater_id: str | None = None, item_id: str | None = None
) -> tuple[RatingRecord, ...]:
    """Every revision, in the order it was taken."""
    asked = select(RatingRow.record).where(RatingRow.study_id == study_id)
    if rater_id is not None:
        asked = asked.where(RatingRow.rater_id == rater_id)
    if item_id is not None:
        asked = asked.where(RatingRow.item_id == item_id)
    return tuple(read(RatingRecord, record) for record in session.scalars(asked.order_by(RatingRow.seq)))


def newest(records: Sequence[RatingRecord]) -> tuple[RatingRecord, ...]:
    """The last revision of each answer, in the order of its first."""
    last: dict[tuple[str, ...], RatingRecord] = {}
    for record in records:
        last[record.rater_id, record.item_id, record.phase, record.question, record.part] = record
    return tuple(last.values())


def events_of(
    session: Session, study_id: str, actor: str | None = None, kinds: Sequence[EventKind] = ()
) -> tuple[StudyEvent, ...]:
    """The trail, oldest first: of one actor, or of some kinds, where they are given."""
    asked = select(EventRow).where(EventRow.study_id == study_id)
    if actor is not None:
        asked = asked.where(EventRow.actor == actor)
    if kinds:
        asked = asked.where(EventRow.kind.in_([kind.value for kind in kinds]))
    return tuple(_event(row) for row in session.scalars(asked.order_by(EventRow.seq)))


def add_event(
    session: Session, study_id: str, kind: EventKind, actor: str, stamp: Stamp, item_id: str = "", **details: Any
) -> None:
    """One line of the trail. details: counts, reasons and ids; never a note's text."""
    made = StudyEvent(id=str(uuid.uuid4()), kind=kind, actor=actor, item_id=item_id, details=details, stamp=stamp)
    put_event(session, study_id, made)


def put_event(session: Session, study_id: str, event: StudyEvent) -> None:
    """Add an event as it is, with its id and stamp."""
    session.add(
        EventRow(
            id=event.id,
            study_id=study_id,
            actor=event.actor,
            kind=event.kind.value,
            item_id=event.item_id,
            details=json.dumps(event.details, ensure_ascii=False),
            at=event.stamp.at,
            process=event.stamp.process,
            tick_s=event.stamp.tick_s,
            step=event.stamp.step,
        )
    )


def add_rating(session: Session, study_id: str, record: RatingRecord) -> None:
    """Add one revision of an answer."""
    session.add(
        RatingRow(
            study_id=study_id,
            rater_id=record.rater_id,
            id=record.id,
            item_id=record.item_id,
            phase=record.phase.value,
            question=record.question,
            part=record.part,
            revision=record.revision,
            at=record.stamp.at,
            process=record.stamp.process,
            tick_s=record.stamp.tick_s,
            step=record.stamp.step,
            record=record.model_dump_json(),
        )
    )


def next_step(session: Session, study_id: str, rater_id: str) -> int:
    """The number of this rater's next action. The caller holds the rater's lock."""
    rated = select(func.max(RatingRow.step)).where(RatingRow.study_id == study_id, RatingRow.rater_id == rater_id)
    done = select(func.max(EventRow.step)).where(EventRow.study_id == study_id, EventRow.actor == rater_id)
    return max(session.scalar(rated) or 0, session.scalar(done) or 0) + 1


def last_item(session: Session, study_id: str, rater_id: str) -> str:
    """The item of this rater's last action; empty when there is none, or it was a pause."""
    rated = select(RatingRow.step, RatingRow.item_id).where(
        RatingRow.study_id == study_id, RatingRow.rater_id == rater_id
    )
    done = select(EventRow.step, EventRow.item_id).where(EventRow.study_id == study_id, EventRow.actor == rater_id)
    found = [
        session.execute(rated.order_by(RatingRow.step.desc()).limit(1)).first(),
        session.execute(done.order_by(EventRow.step.desc(), EventRow.seq.desc()).limit(1)).first(),
    ]
    last = max((row for row in found if row is not None), key=lambda row: row[0], default=None)
    return "" if last is None else str(last[1])


def read(kind: type[Value], text: str) -> Value:
    """A stored value.

    Raises:
        MissingError: this version cannot read it; the message never quotes it.
    """
    try:
        return kind.model_validate_json(text)
    except ValidationError:
        raise MissingError(
            f"The saved {kind.__name__} cannot be read by this version of Leapnote. Use the version that saved it."
        ) from None


def _event(row: EventRow) -> StudyEvent:
    return StudyEvent(
        id=row.id,
        kind=EventKind(row.kind),
        actor=row.actor,
        item_id=row.item_id,
        details=json.loads(row.details),
        stamp=Stamp(at=row.at, process=row.process, tick_s=row.tick_s, step=row.step),
    )
