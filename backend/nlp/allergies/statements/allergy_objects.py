"""How far a statement about an allergy reaches: its object, the reaction told after it, and where text goes on.

And back: where the name before a statement begins.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from backend.nlp.allergies.allergy_entry import Entry, trimmed
from backend.nlp.allergies.allergy_vocabulary import WordKind, allergy_words, has_reaction, reaction_part


class Object(NamedTuple):
    """Where the object of a statement ends, the reaction told after it, and where text goes on after that."""

    end: int
    reaction: str
    rest: int


def statement_object(text: str, start: int, end: int) -> Object:
    """Read on from the end of a cue ("allergic to"); reaction is empty when none is told."""
    stop = _CLAUSE_END.search(text, start, end)
    at = stop.start() if stop else end
    told = _TOLD.match(text, at, end)
    if told and has_reaction(told[1]):
        reaction, length = reaction_part(REACTION_END.split(told[1])[0])
        return Object(at, reaction, told.start(1) + length)
    return Object(at, "", at)


def run_start(text: str, start: int, end: int, known: Callable[[str], bool]) -> int:
    """Where the name before a noun begins: back over at most five words, to a word that no name holds."""
    outside = allergy_words()[WordKind.OUTSIDE_NAME]
    floor = max(start, end - 80)
    at = end
    for taken, match in enumerate(reversed(list(_TOKEN.finditer(text, floor, end)))):
        gap = text[match.end() : at]
        low = match[0].lower()
        if low.endswith(".") and len(low) > _INITIAL:
            break  # "hx a fib. seasonal allergies"
        if taken >= _LONGEST or "," in gap or ";" in gap or ":" in gap or "(" in gap or low in outside:
            break
        if low in ("and", "or", "/", "&"):
            before = trimmed(text, floor, match.start())
            last = text[before[0] : before[1]].split()
            if not last or not known(last[-1].strip(",")):
                break
        at = match.start()
    return at


def last_known(text: str, found: list[Entry], known: Callable[[str], bool]) -> list[Entry]:
    """The entries, the last one cut to its last word where only that is known: "... no meds codeine" before "makes her"."""
    if not found or known(text[found[-1].start : found[-1].end]):
        return found
    last = found[-1]
    at = text.rfind(" ", last.start, last.end) + 1
    return [*found[:-1], last._replace(start=at)] if at > last.start and known(text[at : last.end]) else found


_LONGEST = 5
_INITIAL = 2
_TOKEN = re.compile(r"[^\s,;:()]+")
_CLAUSE_END = re.compile(
    r"[.;!?\n](?=\s|$)|\s+(?:-+\s+)?\b(?:but|however|although|though|who|because|since|therefore|where|he|she|they|we"
    r"|and (?:has|is|was|had|takes?|reports?|denies|she|he|the|also has|also|states?|who|developed|gets|asks?|wants?|requests?|would|refuses|prefers|uses|avoids|carries|wears|needs|cannot|can|will|went|came|now|then|later)|presents?|presented|presenting|comes|was"
    r"|admitted|status post|s/p|is|will|should|that|which|(?:who )?has|had|reports|causes|caused|causing|gives|gave|makes|made|on|for which|so|takes|works|lives|smokes|drinks|denies|no|here|states|as (?:it|he|she|they|this))\b"
    r"(?!\s+(?:containing|products))",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"[\s,;-]*(?:which|that|it|she|he|this|these|both|all|the reaction|reaction|with)?\s*(?:of which\s+)?(?:has|have|had|is|was|will)?\s*(?:previously )?"
    r"(?:causes?|caused|causing|gives?|gave|makes?|made|results?(?:ed)? in|leads? to|develop(?:s|ed)|gets?|got|breaks? out in|broke out in|experience[sd]?"
    r"|being|of|produces?|manifest\w*(?: as| by)?)(?:\s+(?:him|her|them|the patient|to have|to get|a|an|some))*\s+([^.;\n]{2,80})",
    re.IGNORECASE,
)
REACTION_END = re.compile(
    r"[.;\n)]|,?\s+(?:but|however|and (?:she|he|is|has|was|the)|she|he|who|when|so|with a|which|in (?:the past|childhood)|as a child|on )\b",
    re.IGNORECASE,
)
