"""What a rater must have done before the next thing: told who they are, rated the calibration items, not finished yet."""

from sqlalchemy.orm import Session

from backend.errors import ConflictError
from backend.schemas.studies.study_rating import EventKind, Stamp
from backend.stores.database.study_tables import ProfileRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.rating.rater_access import RaterAccess, calibration_count, is_calibration, items_with


def stamped(session: Session, rater_access: RaterAccess, stamper: Stamper) -> Stamp:
    """The stamp of this rater's next action."""
    step = records.next_step(session, rater_access.study.study_id, rater_access.rater_id)
    return stamper().model_copy(update={"step": step})


def check_reachable(session: Session, rater_access: RaterAccess, number: int) -> None:
    """Raises ConflictError before the profile is given, or for a later item while calibration items are open."""
    rater_access.slot(number)
    if session.get(ProfileRow, (rater_access.study.study_id, rater_access.rater_id)) is None:
        raise ConflictError("Tell first who you are: profession, specialty, years, conflicts of interest.")
    count = calibration_count(rater_access)
    if is_calibration(rater_access, number) or not count:
        return
    done = items_with(session, rater_access, EventKind.COMPLETED)
    missing = [slot.number for slot in rater_access.plan.slots[:count] if slot.item_id not in done]
    if missing:
        raise ConflictError(f"The first {count} items come first; item {missing[0]} is not complete yet.")


def is_finished(session: Session, rater_access: RaterAccess) -> bool:
    return bool(records.events_of(session, rater_access.study.study_id, rater_access.rater_id, (EventKind.FINISHED,)))


def check_unfinished(session: Session, rater_access: RaterAccess) -> None:
    if is_finished(session, rater_access):
        raise ConflictError("You have finished, so your ratings stay as they are.")
