"""What is recorded when an item is first complete: that it is, how long it took, whether too fast, and a planted error's fate."""

from sqlalchemy.orm import Session

from backend.schemas.studies.study_frozen import ItemKind
from backend.schemas.studies.study_instrument import Question
from backend.schemas.studies.study_rating import EventKind, RatingRecord, Stamp, StudyEvent
from backend.study import records
from backend.study.design.instruments import asked
from backend.study.design.planting import noticed
from backend.study.rating.rater_access import ItemTexts, RaterAccess
from backend.study.rating.timing import Action, TimeOnItem, least_seconds, times_on_items

TIMED = (
    EventKind.OPENED,
    EventKind.EVIDENCE_SHOWN,
    EventKind.PAUSE,
    EventKind.RESUME,
    EventKind.PROFILE,
    EventKind.FINISHED,
)


def completed_item(session: Session, rater_access: RaterAccess, shown: ItemTexts, stamp: Stamp) -> str:
    """Write it in the trail. Returns the warning for the rater, empty unless it was faster than anybody can read."""
    session.flush()
    study_id, item = rater_access.study.study_id, shown.item
    mine = records.ratings_of(session, study_id, rater_access.rater_id)
    taken = time_of(mine, records.events_of(session, study_id, rater_access.rater_id, TIMED)).get(item.id)
    seconds = round(taken.seconds, 1) if taken else 0.0
    records.add_event(session, study_id, EventKind.COMPLETED, rater_access.rater_id, stamp, item.id, seconds=seconds)
    if item.kind == ItemKind.ATTENTION:
        found = noticed_planted(rater_access, shown, [r for r in mine if r.item_id == item.id])
        records.add_event(session, study_id, EventKind.ATTENTION, rater_access.rater_id, stamp, item.id, noticed=found)
    words = sum(len(text.split()) for text in shown.texts)
    least = least_seconds(words, rater_access.study.setup.fastest_wpm)
    if seconds >= least:
        return ""
    records.add_event(
        session,
        study_id,
        EventKind.TOO_FAST,
        rater_access.rater_id,
        stamp,
        item.id,
        seconds=seconds,
        words=words,
        least_s=round(least, 1),
    )
    return f"That took {seconds:.0f} seconds for {words} words. Please make sure that you have read everything."


def time_of(ratings: tuple[RatingRecord, ...], events: tuple[StudyEvent, ...]) -> dict[str, TimeOnItem]:
    """One rater's time by item, from all they did in the order of its steps."""
    actions = [(r.stamp.step, Action(r.item_id, r.stamp, r.visible_ms)) for r in ratings]
    actions += [(e.stamp.step, Action(e.item_id, e.stamp)) for e in events if e.kind in TIMED]
    return times_on_items(action for _, action in sorted(actions, key=lambda pair: pair[0]))


def noticed_planted(rater_access: RaterAccess, shown: ItemTexts, mine: list[RatingRecord]) -> bool | None:
    """Whether this rater noticed the planted error of an attention item."""
    assert shown.item.planted is not None
    questions: dict[str, Question] = {
        entry.name: entry.question for entry in asked(rater_access.study.setup.instruments)
    }
    newest = records.newest(mine)
    return noticed(shown.item.planted, shown.slot.shown, [(questions.get(r.question), r) for r in newest])
