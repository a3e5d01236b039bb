"""What an entry of a medicine list says beyond name and dosage, remark by remark: "(new)", "- hold until seen", "x 5 days then stop".

A remark goes from a mark (a dash, comma, semicolon or bracket) to the next. How it begins tells what it is, by the rows of
assets/rules/medications/entry_remark_triggers.tsv; the words behind are its detail. What no row reads and what may turn round
what is to be done makes an entry unclear; other plain words stay beside the timing.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.lexicon.variants import english_words
from backend.nlp.measures.units import is_time
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists

FAMILY = "medications/entry_remark"
_BETWEEN = re.compile(
    r"[,;:()\[\]\u2013\u2014\u2022\u2192*|\0]+|[-=]*>+|(?<=\s)-+(?=\s)|--+|(?<=\w)\.(?=\s|$)|^\s*-+|\n"
)
_STRIPPED = " \t#,;:-\u2013\u2014()[]\u2022*.="
_TIMES = re.compile(r"^(?:x|\u00d7)\s*(?=\d)", re.IGNORECASE)
_BARE_DOSE = re.compile(r"^\d[\d./-]*\s+(?=[^\W\d])")
_BARE = re.compile(r"^(?=\d+(?:\s*-\s*\d+)?\s*(?:(?:more|further) )?(?:day|night|week|month|wk)s?\b)", re.IGNORECASE)


class Remark(StrEnum):
    """What a remark decides (new to stop and avoid) or tells."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    HOLD = "hold"
    RESUME = "resume"
    STOP = "stop"
    AVOID = "avoid"
    COURSE = "course"
    CONDITION = "condition"
    CHECK = "check"
    ADMIN = "admin"
    REPLACES = "replaces"
    REASON = "reason"


DECIDES = (
    Remark.RESUME, Remark.STOP, Remark.AVOID, Remark.HOLD, Remark.CHANGED, Remark.SAME, Remark.NEW,
)  # fmt: skip
"""What decides an entry, the strongest first."""
_TOLD = frozenset({Remark.COURSE, Remark.CONDITION})
"""What stands beside the timing."""
_ONLY = "only"
_ENDS = frozenset({Remark.STOP, Remark.HOLD})
_OPEN = _ENDS | {Remark.RESUME}
"""Decisions behind which stands why or until when."""
_WHY = _TOLD | {Remark.REASON}


class EntryRemarks(NamedTuple):
    """The remarks of an entry.

    Attributes:
        decision: what they decide, None for nothing.
        detail: the words behind the decision: "until INR checked", "from 20".
        further: how long and under which condition it is taken, and plain words that no row reads, as the entry has them.
        unclear: whether what no row reads may change what is to be done.
    """

    decision: Remark | None = None
    detail: str = ""
    further: str = ""
    unclear: bool = False


def entry_remarks(text: str, *, said: str = "", label: Remark | None = None) -> EntryRemarks:
    """The remarks of an entry.

    Args:
        text: the entry's, with a NUL in place of its name and its dosages.
        said: what it is taken for, which is told apart.
        label: what the heading above it decides ("STOPPED:"), where the entry decides nothing.
    """
    forms = word_lists("letter/words_medicines")
    known = forms["filler"] | forms["release"]
    decided: dict[Remark, str] = {}
    further: list[str] = []
    unclear, last = False, label
    lead, _, tail = text.partition("\0")
    for part in _parts(lead):
        kind = _before(part)
        if kind in DECIDES:
            decided[kind] = ""
            last = kind
        unclear |= kind is None and may_turn(part)
    for part in _parts(tail):
        kind, detail = _behind(part)
        if kind is None and ({word.lower() for word in part.split()} <= known or part.lower() == said.lower()):
            continue
        if kind is Remark.STOP and last is Remark.COURSE and not detail:
            kind, part = Remark.COURSE, f"then {part}"  # "twice a day for 2 weeks, stop"
        if kind in DECIDES:
            decided[kind] = decided.get(kind) or detail
        elif last in _OPEN and not decided.get(last) and (kind in _WHY or (kind is None and _follows(part))):
            decided[last] = part  # "resume metformin on Friday", "hold, until seen"
        elif kind is None and last in _ENDS and not decided.get(last) and _may_be_why(part):
            decided[last] = part  # "stopped, GI bleed"
        elif kind in _TOLD:
            further.append(_BARE.sub("for ", _TIMES.sub("for ", part)))
        elif kind is None:
            turns = may_turn(part)
            if turns or (last not in DECIDES and _is_english(part)):  # behind a decision stands why
                further.append(part)
            unclear |= turns
        last = kind or last
    if not decided.get(Remark.RESUME, "-") and _ENDS & decided.keys():
        del decided[Remark.RESUME]  # when it is taken again is not read
    decision = next((one for one in DECIDES if one in decided), label)
    detail = decided.get(decision, "") if decision is not None else ""
    return EntryRemarks(decision, detail, ", ".join(further), unclear)


def holds_remark(text: str) -> bool:
    """Whether words hold a remark that decides or tells how long: what stands behind it is no dose of the entry."""
    return any(_read(part)[0] in (*DECIDES, *_TOLD) for part in _parts(text))


def names_former(lead: str) -> bool:
    """Whether the words before a name tell that it is the one before: "was", "replaces"."""
    words = tokens(lead).words
    return bool(words) and words[-1] in word_lists("medications/words_remarks")["former"]


def opens_entry(lead: str) -> bool:
    """Whether the words before a name open an entry of its own: none, or an order ("stop", "avoid")."""
    parts = list(_parts(lead))
    return not parts or any(_before(part) in DECIDES for part in parts)


def _parts(text: str) -> Iterator[str]:
    for part in _BETWEEN.split(text):
        stripped = " ".join(part.split()).strip(_STRIPPED)
        found = tokens(stripped)
        opened = _openings(found.words)
        at = 0
        if not any(one.first == 0 for one in opened):  # "scheduled x 2 weeks"
            inner = next((one for one in opened if Remark(one.row.event) in _TOLD), None)
            at = found.starts[inner.first] if inner is not None else 0
        before = stripped[:at].strip(_STRIPPED)
        if any(letter.isdigit() for letter in before):
            at = 0  # "2 further days then stop"
        elif before and may_turn(before):
            yield before
        if any(letter.isalnum() for letter in stripped[at:]):
            second = _second(opened) if at == 0 else None
            cut = found.starts[second.first] if second is not None else len(stripped)
            yield from (one for one in (stripped[at:cut].strip(_STRIPPED), stripped[cut:]) if one)


def _second(opened: Sequence[FoundTrigger]) -> FoundTrigger | None:
    """A restart right behind what holds or stops: "withheld restart 29/10" is two remarks."""
    first = next((one for one in opened if one.first == 0 and Remark(one.row.event) in _ENDS), None)
    if first is None:
        return None
    return next((one for one in opened if one.first == first.last and one.row.event == Remark.RESUME), None)


def _read(part: str) -> tuple[Remark | None, str]:
    """What words begin with, and the words behind."""
    found = tokens(part)
    opening = next((one for one in _openings(found.words) if one.first == 0), None)
    if opening is None:
        bare = _BARE_DOSE.sub("", part, count=1)  # "10 STOP": a dose without its unit is read as none
        return _read(bare) if bare != part else (None, "")
    return Remark(opening.row.event), part[found.ends[opening.last - 1] :].strip(_STRIPPED)


def _before(part: str) -> Remark | None:
    """What words before the name decide of it: "stop", "continue the"; nothing with another thing between ("no smoking near")."""
    kind, detail = _read(part)
    filler = word_lists("letter/words_medicines")["filler"]
    return kind if not detail or frozenset(tokens(detail).words) <= filler else None


def _behind(part: str) -> tuple[Remark | None, str]:
    """What a remark behind the name is, with its detail; a decision on something else ("stop smoking", "no driving") is none."""
    kind, detail = _read(part)
    following = _read(detail)[0]
    elsewhere = bool(detail) and following is None and not _follows(detail)
    if kind is Remark.AVOID and detail:
        later = tokens(detail).words[:1] and tokens(detail).words[0] in word_lists("medications/words_remarks")["until"]
        return (Remark.HOLD, detail) if later else (kind if following is Remark.REASON else Remark.CHECK, "")
    if kind in DECIDES and elsewhere:
        return (None if kind in _ENDS else Remark.CHECK), ""  # "stop asap" may be of it
    if kind is Remark.RESUME and detail:
        return kind, part
    bare = kind in _ENDS and (following not in _WHY or (kind is Remark.STOP and detail[:1].isdigit()))
    return kind, "" if bare else detail  # "STOP now on diltiazem", "stopped 4 weeks before"


def _follows(detail: str) -> bool:
    """Whether words may stand behind a decision: a day, a figure, "by the ward"."""
    words = tokens(detail).words
    return bool(words) and (words[0] in word_lists("medications/words_remarks")["follows"] or words[0][:1].isdigit())


def may_turn(part: str) -> bool:
    """Whether words may turn round what is to be done; "5 nights only" tells how long."""
    words, turns = tokens(part).words, word_lists("medications/words_remarks")["turns"]
    timed = {i + 1 for i, word in enumerate(words) if is_time(word.lstrip("0123456789"))}
    return any(word in turns and not (word == _ONLY and i in timed) for i, word in enumerate(words))


def _may_be_why(part: str) -> bool:
    """Whether words may be a reason: no bare figure, no other name of the entry, and nothing that says the decision again."""
    return part[:1].isalnum() and any(letter.isalpha() for letter in part) and not may_turn(part)


def _is_english(part: str) -> bool:
    """Whether words are plain ones; one alone says too little."""
    words = [word for word in tokens(part).words if word[:1].isalnum()]
    return len(words) > 1 and all(word in english_words() for word in words)


def _openings(words: list[str]) -> Sequence[FoundTrigger]:
    return _automaton().find(plain_marks(words))[FAMILY]


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
