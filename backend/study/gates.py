"""What a rater must have done before the next thing: told who they are, rated the calibration items, not finished yet."""

from sqlalchemy.orm import Session

from backend.errors import ConflictError
from backend.schemas.study_rating import EventKind, Stamp
from backend.stores.study_tables import ProfileRow
from backend.study import records
from backend.study.clock import Stamper
from backend.study.seat import Seat, calibration_count, is_calibration, items_with


def stamped(session: Session, seat: Seat, stamper: Stamper) -> Stamp:
    """The stamp of this rater's next action."""
    step = records.next_step(session, seat.study.study_id, seat.rater_id)
    return stamper().model_copy(update={"step": step})


def check_reachable(session: Session, seat: Seat, number: int) -> None:
    """Raises ConflictError before the profile is given, or for a later item while calibration items are open."""
    seat.slot(number)
    if session.get(ProfileRow, (seat.study.study_id, seat.rater_id)) is None:
        raise ConflictError("Tell first who you are: profession, specialty, years, conflicts of interest.")
    count = calibration_count(seat)
    if is_calibration(seat, number) or not count:
        return
    done = items_with(session, seat, EventKind.COMPLETED)
    missing = [slot.number for slot in seat.plan.slots[:count] if slot.item_id not in done]
    if missing:
        raise ConflictError(f"The first {count} items come first; item {missing[0]} is not complete yet.")


def is_finished(session: Session, seat: Seat) -> bool:
    return bool(records.events_of(session, seat.study.study_id, seat.rater_id, (EventKind.FINISHED,)))


def check_unfinished(session: Session, seat: Seat) -> None:
    if is_finished(session, seat):
        raise ConflictError("You have finished, so your ratings stay as they are.")
