"""Keeping one answer: checked, stored as a revision of its own, and the item completed when it was the last one missing."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from backend.errors import ConflictError, InputError
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rater_views import AnswerSaved
from backend.schemas.studies.study_rating import AnswerRequest, CommentAnswer, EventKind, Phase, RatingRecord, Stamp
from backend.stores.database.study_tables import RatingRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.design.instruments import AskedAs
from backend.study.rating.answer_checks import check_answer, check_comment, complete
from backend.study.rating.item_completion import completed_item
from backend.study.rating.rater_access import (
    ItemTexts,
    RaterAccess,
    check_not_finished,
    check_open,
    check_reachable,
    evidence_is_shown,
    items_with,
    phase_of,
    stamped,
    texts_of,
)
from backend.study.rating.rater_views import COMMENT, key_of


def keep_answer(
    session: Session, rater_access: RaterAccess, stamper: Stamper, sent: tuple[int, str, AnswerRequest]
) -> AnswerSaved:
    """Within the caller's transaction, which holds the rater's lock. sent: item number, the client's id, the answer."""
    number, answer_id, request = sent
    shown = texts_of(rater_access, number)
    entry = _entry(rater_access, request.key)
    known = _known(session, rater_access, answer_id)
    if known is not None:  # also after the end: the reply to it may have been lost
        _check_same(known, shown, entry, request)
        return _saved(session, rater_access, known)
    check_open(rater_access)
    check_not_finished(session, rater_access)
    check_reachable(session, rater_access, number)
    phase = _phase(session, rater_access, shown, request.phase)
    _check(rater_access, shown, entry, request, phase)
    record = _record(session, rater_access, shown, entry, (answer_id, request), stamper)
    records.add_rating(session, rater_access.study.study_id, record)
    session.flush()
    warning = _finish_item(session, rater_access, shown, record.stamp)
    return _saved(session, rater_access, record, warning)


def _entry(rater_access: RaterAccess, key: str) -> AskedAs | None:
    """The question of a key; None for a remark.

    Raises:
        ConflictError: this session has no such key.
    """
    if key == COMMENT:
        return None
    for entry in rater_access.asked:
        if entry.key == key:
            return entry
    raise ConflictError(f"This session has no question {key!r}. Load it again.")


def _known(session: Session, rater_access: RaterAccess, answer_id: str) -> RatingRecord | None:
    asked = select(RatingRow.record).where(
        RatingRow.study_id == rater_access.study.study_id,
        RatingRow.rater_id == rater_access.rater_id,
        RatingRow.id == answer_id,
    )
    found = session.scalar(asked)
    return None if found is None else records.read(RatingRecord, found)


def _phase(session: Session, rater_access: RaterAccess, shown: ItemTexts, wanted: Phase) -> Phase:
    """The phase the item is in.

    Raises:
        ConflictError: the answer is a blind rating of an item whose evidence was shown, or an informed one before.
    """
    now = phase_of(rater_access, shown.item.id, items_with(session, rater_access, EventKind.EVIDENCE_SHOWN))
    if wanted != now:
        reason = "The evidence was shown: the first rating stays as it is." if now == Phase.INFORMED else "Not yet."
        raise ConflictError(f"{reason} Load the item again.")
    return now


def _check(
    rater_access: RaterAccess, shown: ItemTexts, entry: AskedAs | None, request: AnswerRequest, phase: Phase
) -> None:
    if entry is None:
        if not isinstance(request.answer, CommentAnswer):
            raise InputError("Under the key 'comment' only a remark is taken.")
        check_comment(request.part, request.answer, shown.texts)
        return
    evidence = evidence_is_shown(rater_access, phase) and any(shown.evidence)
    reference = bool(shown.case.reference.strip())
    check_answer(entry.question, request.part, request.answer, shown.texts, reference, evidence)


def _record(
    session: Session,
    rater_access: RaterAccess,
    shown: ItemTexts,
    entry: AskedAs | None,
    sent: tuple[str, AnswerRequest],
    stamper: Stamper,
) -> RatingRecord:
    answer_id, request = sent
    name = _name(entry, request)
    asked = select(RatingRow.revision).where(
        RatingRow.study_id == rater_access.study.study_id,
        RatingRow.rater_id == rater_access.rater_id,
        RatingRow.item_id == shown.item.id,
        RatingRow.phase == request.phase.value,
        RatingRow.question == name,
        RatingRow.part == request.part,
    )
    last = session.scalar(asked.order_by(RatingRow.revision.desc()).limit(1)) or 0
    return RatingRecord(
        id=answer_id,
        rater_id=rater_access.rater_id,
        role=rater_access.role,
        item_id=shown.item.id,
        number=shown.slot.number,
        phase=request.phase,
        question=name,
        part=request.part,
        revision=last + 1,
        seen_revision=request.seen_revision,
        overwrote=last > request.seen_revision,
        answer=request.answer,
        visible_ms=request.visible_ms,
        tab=request.tab,
        stamp=stamped(session, rater_access, stamper),
    )


def answered(session: Session, rater_access: RaterAccess, shown: ItemTexts, phase: Phase) -> set[tuple[str, str]]:
    """The questions of an item that have an answer in this phase, as (question, part)."""
    asked = select(RatingRow.question, RatingRow.part).where(
        RatingRow.study_id == rater_access.study.study_id,
        RatingRow.rater_id == rater_access.rater_id,
        RatingRow.item_id == shown.item.id,
        RatingRow.phase == phase.value,
    )
    return {(row[0], row[1]) for row in session.execute(asked)}


def _finish_item(session: Session, rater_access: RaterAccess, shown: ItemTexts, stamp: Stamp) -> str:
    """If this answer completed the item: say so in the trail. Returns a warning for one that was very quick."""
    if shown.item.id in items_with(session, rater_access, EventKind.COMPLETED):
        return ""
    last = Phase.INFORMED if rater_access.study.setup.evidence == EvidenceShown.AFTER_FIRST else Phase.BLIND
    if not complete(rater_access.asked, len(shown.texts), answered(session, rater_access, shown, last)):
        return ""
    return completed_item(session, rater_access, shown, stamp)


def _saved(session: Session, rater_access: RaterAccess, record: RatingRecord, warning: str = "") -> AnswerSaved:
    session.flush()
    done = items_with(session, rater_access, EventKind.COMPLETED)
    return AnswerSaved(
        key=key_of(rater_access, record.question),
        part=record.part,
        phase=record.phase,
        revision=record.revision,
        overwrote=record.overwrote,
        complete=record.item_id in done,
        done=len(done),
        warning=warning,
    )


def _name(entry: AskedAs | None, request: AnswerRequest) -> str:
    if entry is not None:
        return entry.name
    if not isinstance(request.answer, CommentAnswer):
        raise InputError("Under the key 'comment' only a remark is taken.")
    return f"{COMMENT}/{request.answer.thread}"


def _check_same(known: RatingRecord, shown: ItemTexts, entry: AskedAs | None, request: AnswerRequest) -> None:
    """Take an answer sent again, and nothing else, under a known id.

    Raises:
        ConflictError: the id was used for something else.
    """
    before = (known.item_id, known.phase, known.part, known.answer)
    if before != (shown.item.id, request.phase, request.part, request.answer) or known.question != _name(
        entry, request
    ):
        raise ConflictError("This answer's id was used for another answer. Send it under a new id.")
