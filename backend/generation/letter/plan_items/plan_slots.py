"""The slots of a plan in telegram style: what each of its words says, by the rows of assets/rules/letter/plan_slot_triggers.tsv.

Takes a text with the names that the record holds; gives its slots in order, or nothing where a word that matters is in none of them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from backend.generation.note_place import Place, place_of
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists

FAMILY = "letter/plan_slot"
_WITHIN = re.compile(r"\bw/(?:in|i)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_SLASHED = re.compile(r"(?<![\d/])(?P<n>\d{1,2})(?:-(?P<to>\d{1,2}))?/(?P<of>\d{1,2})(?:/(?P<year>\d{2,4}))?(?![\d/])")
_WEEK = "wk"
"""What "1w" counts."""
_DATE, _SAME = "calendardate", "="
_OWN = frozenset(("clinic", "who", "nurse", "due"))
_OF_ITSELF = frozenset(("out", "visit", "clinic", "refer", "referred"))
_TO_COME = _OF_ITSELF | {"test", "off", "back"}
_BANNED, _WHILE = frozenset(("not", "doing")), frozenset(("until", "span", "length", "while"))
_THEN = "when.visit"
_SEEN = frozenset(("visit", "clinic", "who", "nurse", "tba"))
_TIMED = frozenset(("when", "day", "date", "length", "clock", "nth", "tba"))
_LATER = frozenset(("length", "when", "nth"))
_LED_BY, _LED = frozenset(("until", "from")), frozenset(("day", "date"))
"""Words that make a day one to come where they stand right before it: "until Friday", and not "loops to 4 cm"."""
_DROPPED = frozenset(
    (
        "the",
        "a",
        "clinic",
        "team",
        "her",
        "his",
        "your",
        "their",
        "own",
        "outpatients",
        "opd",
        "appointment",
        "outpatient",
        "result",
        "results",
        "back",
        "office",
        "dr's",
        "doctor's",
    )
)
"""Words of the note that the way in which a clinic or a person is told says already."""
_PERIODS = {"52": "weeks", "7": "days", "12": "months"}
_LAST_WORD, _NEXT_WORD = re.compile(r"([^\W\d_]+) ?$"), re.compile(r" ([^\W\d_]+)")
_WEEKS, _TWELVE = re.compile(r"\d/52\b"), 12
_DESCRIBES = re.compile(r"\d+-[^\W\d_]+")
_TIGHT = re.compile(r" (?=['’,.:-])|(?<=['’:-]) ")
_SINGLE = re.compile(r"\b(1|one|a) (day|week|month|year|hour)s\b")


class Slot(NamedTuple):
    """What words say. event: which slot; said: how it is told; first, last: its words, last left out; row: the rule."""

    event: str
    said: str
    first: int
    last: int
    row: str = ""


class Named(NamedTuple):
    """A name of the record in a text, with the slot that it fills and how it is told."""

    start: int
    end: int
    event: str
    said: str


class Token(NamedTuple):
    """A word, a number or a mark of a text in lower case, with its place."""

    word: str
    start: int
    end: int


class Slots(NamedTuple):
    """The slots of a text, and the marks and small words between them: those before each slot, and after the last."""

    slots: tuple[Slot, ...]
    between: tuple[tuple[str, ...], ...]


def counts_months_as_twelfths(note: str) -> bool | None:
    """Whether "3/12" of a note is three months and "3/7" three days, and no dates; None where the note does not tell."""
    dates = [match for match in _SLASHED.finditer(note) if match["of"] not in ("52",) and match["to"] is None]
    if any(int(match["of"]) > _TWELVE and int(match["of"]) != 52 for match in dates):
        return False  # "3/20" is a date that begins with its month
    return True if _WEEKS.search(note) or any(_is_counted(note, match) for match in dates) else None


def _is_counted(note: str, match: re.Match[str]) -> bool:
    """Whether a fraction is a length of time by the word beside it: "4/7 hx of fever", "3/7 course"."""
    if match["of"] not in _PERIODS or match["year"] is not None:
        return False
    own = word_lists("letter/words_plan_slots")
    before, behind = _LAST_WORD.search(note[: match.start()]), _NEXT_WORD.match(note, match.end())
    beside = behind is not None and behind[1].lower() in own["counts_behind"]
    return beside or (before is not None and before[1].lower() in own["counts_before"])


def counts_days_as_sevenths(note: str) -> bool:
    """Whether "3/7" of a note is three days: it counts so beside a word of time, or is British and writes no date that begins with its month."""
    twelfths = counts_months_as_twelfths(note)
    return bool(twelfths) or (twelfths is None and place_of(note) is not Place.NOT_TOLD)


def slots_of(text: str, named: Sequence[Named], twelfths: bool | None) -> Slots | None:
    """The slots of a text; None where a word of it is in none.

    Args:
        text: of the note.
        named: what the record names in it: medicines, persons, problems, tests; earlier ones come first.
        twelfths: whether "3/12" is three months.
    """
    found = _tokens(text, twelfths)
    if found is None:
        return None
    strong = [one for one in named if one.event in ("who", "medicine")]
    names = {i: one for one in strong for i in _within(found, one)}
    words = ["\n" if i in names else token.word for i, token in enumerate(found)]
    slots = [_slot(text, one, found) for one in _found(words)]
    taken = {i for one in slots for i in range(one.first, one.last)}
    for one in (*strong, *(one for one in named if one not in strong)):
        inside = _within(found, one)
        if inside and taken.isdisjoint(inside):
            slots.append(Slot(one.event, one.said, inside[0], inside[-1] + 1))
            taken.update(inside)
    slots.sort(key=lambda one: one.first)
    if any(_DESCRIBES.fullmatch(one.said) for one in slots if one.event == "length"):
        return None  # "48-hour monitor" says what it is, and not when
    left = {i: token.word for i, token in enumerate(found) if i not in taken}
    own = word_lists("letter/words_plan_slots")
    if any(word not in own["small"] | own["marks"] for word in left.values()):
        return None
    begins = {one.first: one.event for one in slots}
    for i, word in left.items():
        if word in own["leading"]:
            j = i + 1
            while left.get(j) in own["articles"]:
                j += 1
            if j not in begins or begins[j] not in own[f"after_{word}"]:
                return None
    bounds = [0, *(one.last for one in slots)]
    starts = [*(one.first for one in slots), len(found)]
    between = tuple(tuple(left[i] for i in range(a, b) if i in left) for a, b in zip(bounds, starts, strict=True))
    return Slots(tuple(slots), between)


def names_plan(text: str) -> bool:
    """Whether a text holds an item of a plan beside its time: "clips out 26/10", "bloods 1 wk (on new tablets)"."""
    slots = _told_slots(text)
    events = {one.row.event for one in slots}
    if "ago" in text.lower().split():
        return False
    if "nofollow" in events:
        return True
    if events >= _BANNED and not events.isdisjoint(_WHILE):
        return True
    led = any(a.row.event in _LED_BY and b.row.event in _LED and a.last == b.first for a, b in pairwise(slots))
    later = events & (_LATER if events & {"out", "visit"} else _LATER - {"nth"})
    named = events & (_TO_COME if "doing" in events else _OF_ITSELF | {"test"})
    return bool(named) and (led or bool(later))


def names_visit(text: str) -> bool:
    """Whether a text names a visit, or whom to see, beside its time, or says that none is planned."""
    events = {one.row.event for one in _told_slots(text)}
    return "nofollow" in events or bool(events & _SEEN and events & _TIMED)


def names_only_tests(text: str) -> bool:
    """Whether all that a text names of a plan are tests."""
    events = {one.row.event for one in _told_slots(text)}
    return events.isdisjoint((_TO_COME | _SEEN | {"not", "may", "service"}) - {"test"})


def _told_slots(text: str) -> list[FoundTrigger]:
    """The slots in a text, read whole or not; without a clinic from which somebody came, and numbers inside a word ("34w2d")."""
    found = _tokens(text, twelfths=False) or []
    slots = _found([token.word for token in found])
    sources = {a.last for a in slots if a.row.event == "from"}
    inside = {i for i, token in enumerate(found) if token.start and text[token.start - 1].isalpha()}
    return [
        one
        for one in slots
        if one.row.id != _THEN
        and not (one.row.event in _SEEN and one.first in sources)
        and not (one.first in inside and found[one.first].word.isdigit())
    ]


def _tokens(text: str, twelfths: bool | None) -> list[Token] | None:
    found: list[Token] = []
    done = 0
    for match in _SLASHED.finditer(text):
        found += plain_tokens(text, done, match.start())
        done = match.end()
        period = _PERIODS.get(match["of"]) if match["year"] is None else None
        if period is not None and period != "weeks" and twelfths is None:
            return None
        if period is None or (period != "weeks" and not twelfths):
            if match["to"] is not None:
                return None
            found.append(Token(_DATE, match.start(), match.end()))
            continue
        at = match.start(), match.end()
        numbers = [match["n"], "-", match["to"]] if match["to"] else [match["n"]]
        found += [Token(word, *at) for word in (*numbers, period)]
    return [*found, *plain_tokens(text, done, len(text))]


def plain_tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of a stretch of a text; a date is none of its own."""
    text = _WITHIN.sub(lambda match: "in".ljust(len(match[0])), text)
    found = (
        Token(match[0].lower().replace("’", "'").replace("–", "-"), *match.span())
        for match in _WORD.finditer(text, start, end)
    )
    return [one._replace(word=_WEEK) if one.word == "w" and _counted(text, one) else one for one in found]


def _counted(text: str, one: Token) -> bool:
    """Whether a letter ends a number: "1w", and not "34w2d"."""
    return text[one.start - 1 : one.start].isdigit() and not text[one.end : one.end + 1].isdigit()


def _within(found: Sequence[Token], one: Named) -> list[int]:
    return [i for i, token in enumerate(found) if one.start <= token.start and token.end <= one.end]


def _found(words: Sequence[str]) -> Sequence[FoundTrigger]:
    return _automaton().find(words)[FAMILY]


def _slot(text: str, one: FoundTrigger, found: Sequence[Token]) -> Slot:
    """A slot as it is told: as its row says, or in the words of the note."""
    inside = found[one.first : one.last]
    plain = plan_words()
    kept = (text[t.start : t.end] if t.word == _DATE else plain.get(t.word, t.word) for t in inside)
    words = _SINGLE.sub(r"\1 \2", _TIGHT.sub("", " ".join(kept).replace("~", "about")))
    said = one.row.cells["said"]
    numbers = [t.word for t in inside if t.word.isdigit()]
    own = words if one.row.event not in _OWN else " ".join(w for w in words.split() if w not in _DROPPED)
    for place, number in enumerate(numbers, start=1):
        said = said.replace(f"#{place}", number)
    said = _SINGLE.sub(r"\1 \2", said.replace("*", own)) if said != _SAME else words
    return Slot(one.row.event, said, one.first, one.last, one.row.id)


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))


@lru_cache(maxsize=1)
def plan_words() -> Mapping[str, str]:
    """Short forms of a plan and what they are told as: "hf" is "heart failure"."""
    rows = rule_rows(RULES / "letter" / "plan_words.tsv", 2)
    return {row[0]: row[1] for row in rows}
