"""Puts the slots of a plan into items: each has one head ("clinic", "no driving") with its times, persons and places."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.generation.letter.plan_items.plan_slots import Slots
from backend.nlp.rules.word_lists import word_lists

_HEADS = frozenset(
    ("visit", "test", "out", "not", "may", "off", "back", "able", "unable", "care", "diet", "service", "refer", "referred", "nofollow", "note", "regular", "begin")
)  # fmt: skip
"""Slots that begin an item; of the others each belongs to one."""
TIMES = ("when", "day", "date", "clock", "nth", "length", "span", "often", "from")
POINTS = frozenset(("when", "day", "date", "nth", "length", "clock"))
WITH = ("who", "nurse", "clinic")
_LED = frozenset(("until", "from", "start"))
_FROM = frozenset(("from", "starting", "beginning", "as of"))
_START, _RECHECK = "starting", "recheck"
_DROP = ("in ", "on ", "at ", "by ", "after ", "within ")


@dataclass
class Item:
    """The slots of one item by their kind, in order. lead: the marks and small words before it."""

    held: dict[str, list[str]] = field(default_factory=dict)
    times: list[str] = field(default_factory=list)
    lead: tuple[str, ...] = ()

    def add(self, event: str, said: str, before: Sequence[str] = ()) -> None:
        """Put a slot to the item; of a time is kept how it follows another."""
        if event in POINTS or event == "from":
            timed = _timed(event, said)
            if self.times and event == "date" and self.has("day"):
                timed = timed.removeprefix("on ")  # "on Wednesday 3 October"
            elif self.times and "(" in before:
                timed = f"({timed.removeprefix('on ')})"
            elif self.times and before and event != "clock":
                timed = f"and {timed}"
            self.times.append(timed)
        self.held.setdefault(event, []).append(said)

    def has(self, *events: str) -> bool:
        """Whether it has a slot of one of these kinds."""
        return any(event in self.held for event in events)

    def only(self, *events: str) -> bool:
        """Whether it has slots of these kinds alone."""
        return set(self.held) <= {*events, "aside"}

    def first(self, event: str) -> str:
        """The first slot of a kind; empty for none."""
        return self.held.get(event, [""])[0]


def items_of(slots: Slots) -> list[Item] | None:
    """The items of a text; None where slots cannot be put together."""
    own = word_lists("letter/words_plan_slots")
    items: list[Item] = []
    led = ""
    for n, (slot, before) in enumerate(zip(slots.slots, slots.between, strict=False)):
        if led and slot.event not in POINTS:
            return None
        apart = any(word in own["joins"] for word in before)
        ended = any(word in own["ends"] for word in before)
        if slot.event in _LED:
            led = slot.said
            continue
        event, said = slot.event, slot.said
        if led:
            timed = _timed(event, said) if led == _START else _bare(said)
            event, said = ("from" if led in {*_FROM, _START} else "span"), f"{led} {timed}"
            led = ""
        last = items[-1] if items else None
        limited = event == "doing" and last is not None and _has_limit(last)
        allowed = event == "doing" and n + 1 < len(slots.slots) and slots.slots[n + 1].event == "ok"
        if (
            last is None
            or ended
            or (allowed and apart)
            or limited
            or (apart and _begins(last, event))
            or (not apart and _is_second(last, event))
        ):
            items.append(Item(lead=tuple(before)))
            if limited and last is not None and not (ended or allowed):
                items[-1].add("not", last.first("not"))  # "no lifting for 4 weeks or driving on codeine"
        items[-1].add(event, said, before)
    if led or not items:
        return None
    return _joined_tests(items)


def _begins(last: Item, event: str) -> bool:
    """Whether a slot that stands apart begins a new item."""
    if event == "doing":
        return not last.has("not", "doing", "off", "may", "back")
    if event in _HEADS:
        begun = last.has(*_HEADS, "doing") or (last.has(*WITH) and last.has(*POINTS))
        return begun and not (event == "test" and last.has("visit", "clinic") and not last.has("test"))
    return event in WITH and last.has(*POINTS) and last.has("who", "clinic", "visit")


def _has_limit(last: Item) -> bool:
    """Whether what somebody should not do has its time already, so that what follows is another thing."""
    return last.has("not") and last.has("doing") and last.has("span", "length", "medicine")


def _is_second(last: Item, event: str) -> bool:
    return event in ("out", "care", "not", "off", "back", "diet", "unable", "nofollow", "note") and last.has(*_HEADS)


def _joined_tests(items: Sequence[Item]) -> list[Item]:
    """Items with the tests that only name themselves put to the next: "FBC + U&E Monday"."""
    found: list[Item] = []
    own = word_lists("letter/words_plan_slots")
    for one in map(_of_test, items):
        if found and found[-1].has("test") and found[-1].times and one.only("test", "site") and "+" in one.lead:
            found[-1].held["test"].extend(one.held["test"])  # "Doctor in 1 week BMP + CBC"
        elif (
            found
            and own["ends"].isdisjoint(one.lead)
            and found[-1].only("test", "again", "do")
            and one.has("test")
            and one.only("test", "site", "again", "do", "pending", "sent", "every", "called", "grown", *TIMES, *WITH)
        ):
            for event, said in one.held.items():
                found[-1].held.setdefault(event, []).extend(said)
            found[-1].times += one.times
        elif found and next(iter(found[-1].held)) == "pending" and one.only("test", "site"):
            for event, said in one.held.items():  # "Pending: B12, folate"
                found[-1].held.setdefault(event, []).extend(said)
        else:
            found.append(one)
    return found


def _of_test(one: Item) -> Item:
    """An item whose "recheck" is of the test that it names, and no visit: "TSH recheck 6 weeks"."""
    if one.has("test") and one.held.get("visit") == [_RECHECK] and not one.has("who", "clinic"):
        one.held["again"] = one.held.pop("visit")
    return one


def _timed(kind: str, text: str) -> str:
    bare = not text.startswith(("on ", "at ", "in ", "by "))
    if kind in ("day", "date") and bare:
        return f"on {text}"
    if kind == "clock" and bare:
        return f"at {text}"
    return said_in(text) if kind == "length" else text


def said_in(text: str) -> str:
    """A length of time from which something is to be: "in 6 weeks"."""
    return text if text.startswith("in ") else f"in {text}"


def _bare(text: str) -> str:
    lead = next((one for one in _DROP if text.startswith(one)), "")
    return text.removeprefix(lead)
