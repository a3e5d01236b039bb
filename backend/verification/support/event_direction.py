"""What a text says is done with each medicine and how each complaint goes: begun, taken, ended, more, less; over, better, worse.

A medicine's event is the verb next to it: the one right behind it ("warfarin was stopped"), else the nearest before it in its
sentence ("stop warfarin and start apixaban"). A text that merely lists a medicine gives none. It reads words, not meaning.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
_REACH = 600  # characters of a sentence read before a name
COMPLAINTS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})


class EventDirection(StrEnum):
    """Which way an event goes: what is done with a medicine, or how a complaint goes on."""

    STARTS = "started"
    RUNS = "taken"
    ENDS = "stopped"
    MORE = "increased"
    LESS = "decreased"
    OVER = "over"
    BETTER = "better"
    WORSE = "worse"


_TAKE = r"(?:tak(?:e|es|ing|en)|took|us(?:e|es|ed|ing)|giv(?:e|en|ing)|gave|receiv\w+|start\w*|begin|resum\w+|continu\w+|prescrib\w+|drink\w*)"
_MEDICINE = (
    (EventDirection.STARTS, r"\b(?:switch|chang)\w* from (?:[\w.]+ ){1,6}to\b"),
    (EventDirection.RUNS, r"\b(?:do(?:es)? not|don't|never|should not|must not|not to|without|cannot|not)\s+(?:stop\w*|skip\w*|miss\w*|quit\w*|discontinu\w+|hold\w*)(?:\s+(?:taking|using))?"),
    (EventDirection.ENDS, rf"\b(?:no longer|do(?:es)? not|did not|don't|doesn't|didn't|never|not|stop(?:s|ped|ping)?|discontinu\w+|ceas\w+|avoid\w*|refus\w+|declin\w+|quit|finish(?:ed|es)?|complet(?:ed|es)|without|instead of)"
     rf"\s+(?:to\s+|been\s+|be\s+|have\s+)?(?:{_TAKE}|on)\b"),
    (EventDirection.ENDS, r"\b(?:stop(?:s|ped|ping)?|quit\w*|discontinu\w+|ceas\w+|cancel\w*|suspend\w*|withh[eo]ld\w*|h[eo]ld(?:ing)?|d/c(?:'?d|ed)?|dc'd|taken off|come off|came off|off|avoid\w*|"
     r"(?:switch|chang)\w* from|no longer|removed?|allerg(?:ic|y) to|no more|ran out of|skip\w*(?! (?:\w+ )?meals?))\b(?:\s+(?:the |any |all |further )*(?:use|intake|administration) of\b)?"),
    (EventDirection.MORE, r"\b(?:increas\w+|rais(?:e|ed|ing)|doubl(?:e|ed|ing)|uptitrat\w+|titrat\w+ up|up-titrat\w+|higher dose)\b"),
    (EventDirection.LESS, r"\b(?:decreas\w+|reduc\w+|lower(?:ed|ing)?|halv\w+|taper\w*|wean\w*|down-?titrat\w+|cut (?:down|back)|lower dose)\b"),
    (EventDirection.STARTS, r"\b(?:(?:start(?:s|ed|ing)?|began|begins?|begun|initiat\w+|commenc\w+)(?: (?:to )?(?:on|taking|using|take))?|add(?:ed|ing)?|(?:switch|chang)\w* to|replac\w+ (?:by|with)|newly)\b"),
    (EventDirection.RUNS, rf"\b(?:{_TAKE}|administer\w*|treated with|managed with|controlled (?:with|by)|keeps?|on)\b"),
)  # fmt: skip
_COURSE = (
    (EventDirection.WORSE, r"\b(?:not (?:been )?(?:improv\w+|getting better|better|resolv\w+|gone)|wors(?:e|en\w*|ening)|deteriorat\w+|progress(?:ed|ing|ive(?:ly)?)|no better|fail\w* to improve|increas\w+|persist\w*|recur\w*|came back|returned)\b"),
    (EventDirection.OVER, r"\b(?:cured?|resolv\w+|gone|went away|go away|healed|recovered|subsid\w+|disappear\w+|in remission|cleared(?: up)?|free of|no longer ha(?:s|ve)|better now|settled)\b"),
    (EventDirection.BETTER, r"\b(?:improv\w+|better|eas(?:ed|ing)|decreas\w+|less(?:ened|ening)?|reliev\w+)\b"),
)  # fmt: skip
_SPLIT = re.compile(r"[.;\n](?:\s|$)|\b(?:but|however|although|though|whereas)\b", re.IGNORECASE)
_TITLED = re.compile(r"About [^:]+(:)")
_BEHIND = re.compile(r"^[^.;,]{0,45}?$")
_AUX = re.compile(
    r"\b(?:was|were|is|are|been|be|being|got)\b|^\s*(?:\d[\w.]*\s*(?:mg|mcg|g|units?)?\s*)?[:-]?\s*$", re.IGNORECASE
)


def _compiled(rows: Sequence[tuple[EventDirection, str]]) -> tuple[tuple[EventDirection, ...], re.Pattern[str]]:
    return tuple(direction for direction, _ in rows), re.compile(
        "|".join(f"(?P<t{i}>{words})" for i, (_, words) in enumerate(rows)), re.IGNORECASE
    )


_OF_MEDICINE, _OF_COURSE = _compiled(_MEDICINE), _compiled(_COURSE)
_LEFT_OPEN = re.compile(
    r"\b(?:ask|tell|call|check with|talk to)\b[^.]*\bbefore\b|\b(?:may|might|could|can) (?:be|need|decide|want)\b|\bteam (?:may|can|will|decides?)\b|\bto consider\b|\bif\b|\bunless\b",
    re.IGNORECASE,
)


def medicine_events(text: str, mentions: Sequence[Mention]) -> dict[str, set[EventDirection]]:
    """The events of each medicine that a text names, by concept id; an empty set where it is merely named.

    Args:
        text: what is read.
        mentions: of the text, with offsets in it, in order.
    """
    out: dict[str, set[EventDirection]] = {}
    cuts = _cuts(text)
    medicines = [m for m in mentions if m.category in MEDICINES]
    for place, m in enumerate(medicines):
        found = out.setdefault(m.concept_id, set())
        start, end = _sentence(len(text), cuts, m.start_char, m.end_char)
        following = medicines[place + 1].start_char if place + 1 < len(medicines) else end
        direction = _behind(text[m.end_char : min(end, following)], _OF_MEDICINE) or _nearest_before(
            _last_words(text, start, m.start_char), _OF_MEDICINE
        )
        if direction:
            found.add(direction)
    return out


def course_events(text: str, mentions: Sequence[Mention]) -> dict[str, set[EventDirection]]:
    """How each disease, symptom or finding goes, by concept id; an empty set where the text does not say."""
    out: dict[str, set[EventDirection]] = {}
    cuts = _cuts(text)
    complaints = [m for m in mentions if m.category in COMPLAINTS]
    for place, m in enumerate(complaints):
        found = out.setdefault(m.concept_id, set())
        start, end = _sentence(len(text), cuts, m.start_char, m.end_char)
        following = complaints[place + 1].start_char if place + 1 < len(complaints) else end
        direction = _behind(text[m.end_char : min(end, following)], _OF_COURSE, 60)
        if direction is None:
            before = re.split(r",\s", _last_words(text, start, m.start_char))[-1]
            direction = _nearest_before(before[-40:], _OF_COURSE)
        if direction:
            found.add(direction)
    return out


def is_left_open(text: str) -> bool:
    """Whether a sentence leaves it open: what to ask before, what the team may decide, what holds only if."""
    return bool(_LEFT_OPEN.search(text))


class _Cuts(NamedTuple):
    """Where sentences part: the first characters of what parts them, and the characters behind it, both in order."""

    starts: list[int]
    ends: list[int]


def _cuts(text: str) -> _Cuts:
    found = [cut.span() for cut in _SPLIT.finditer(text)]
    if titled := _TITLED.match(text):
        found = sorted([*found, titled.span(1)])
    return _Cuts([start for start, _ in found], [end for _, end in found])


def _sentence(length: int, cuts: _Cuts, start: int, end: int) -> tuple[int, int]:
    """The sentence around a name, of a text of this length."""
    before, after = bisect_right(cuts.ends, start), bisect_left(cuts.starts, end)
    return (
        cuts.ends[before - 1] if before else 0,
        cuts.starts[after] if after < len(cuts.starts) else length,
    )


def _last_words(text: str, start: int, end: int) -> str:
    """What a sentence says before a name, of a very long one the last words alone: a list of names has no end."""
    if end - start <= _REACH:
        return text[start:end]
    near = text[end - _REACH : end]
    return near[len(near.partition(" ")[0]) :]


def _behind(
    text: str, table: tuple[tuple[EventDirection, ...], re.Pattern[str]], reach: int = 45
) -> EventDirection | None:
    """The direction that follows a name in its clause: "was stopped", "held", "increased to 20 mg"."""
    clause = re.split(r"[;,]\s", text)[0][:reach]
    found = table[1].search(clause)
    if found is None:
        return None
    direction = table[0][int((found.lastgroup or "t0")[1:])]
    between = clause[: found.start()]
    # "metoprolol to take", "warfarin and stopped": the verb must be about the name itself
    if direction in (EventDirection.RUNS, EventDirection.STARTS) and not _AUX.search(between):
        return None
    return None if re.search(r"\band\b", between) else direction


def _nearest_before(text: str, table: tuple[tuple[EventDirection, ...], re.Pattern[str]]) -> EventDirection | None:
    last = None
    for last in table[1].finditer(text):  # noqa: B007
        pass
    return table[0][int((last.lastgroup or "t0")[1:])] if last else None
