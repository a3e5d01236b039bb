"""When an item is first complete: how long it took, whether too fast, and whether a planted error was noticed."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy.orm import Session

from backend.schemas.studies.study_frozen import ItemKind
from backend.schemas.studies.study_instrument import Question
from backend.schemas.studies.study_rating import EventKind, RatingRecord, Stamp, StudyEvent
from backend.study import records
from backend.study.clock import elapsed_s
from backend.study.design.instruments import asked
from backend.study.design.planting import noticed
from backend.study.rating.rater_access import ItemTexts, RaterAccess


class Action(NamedTuple):
    """Something a rater did, in true order. item_id is empty for a pause or the end; visible_ms belongs to this action."""

    item_id: str
    stamp: Stamp
    visible_ms: int | None = None


class TimeOnItem(NamedTuple):
    """Seconds. visible_s is None where the browser sent nothing. unknown counts gaps that no clock could measure."""

    server_s: float
    visible_s: float | None
    unknown: int

    @property
    def seconds(self) -> float:
        """The best figure: visible time where there is one, never more than the server's."""
        return self.server_s if self.visible_s is None else min(self.server_s, self.visible_s)


def times_on_items(actions: Iterable[Action]) -> dict[str, TimeOnItem]:
    """Time by item id. actions: one rater's, in the order the database took them, whatever the wall clock says."""
    server: defaultdict[str, float] = defaultdict(float)
    visible: dict[str, float] = {}
    unknown: defaultdict[str, int] = defaultdict(int)
    before: Action | None = None
    for action in actions:
        if before is not None and before.item_id:
            passed = elapsed_s(before.stamp, action.stamp)
            if passed is None:
                unknown[before.item_id] += 1
            else:
                server[before.item_id] += passed
        if action.item_id:
            server[action.item_id] += 0.0
            if action.visible_ms is not None:
                visible[action.item_id] = visible.get(action.item_id, 0.0) + action.visible_ms / 1000
        before = action
    return {item: TimeOnItem(round(seconds, 3), visible.get(item), unknown[item]) for item, seconds in server.items()}


def least_seconds(words: int, fastest_wpm: int) -> float:
    """The time below which nobody can have read that many words."""
    return words * 60.0 / fastest_wpm


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
