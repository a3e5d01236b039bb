"""Time on item: what the server measured between a rater's actions, and what the browser says was visible.

The server's time goes to the item of the action that opened the gap; a pause opens none. The browser's time can only
make it shorter: a page in a background tab is not read, and a browser cannot have shown more than the time there was.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from backend.schemas.studies.study_rating import Stamp
from backend.study.clock import elapsed_s


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
