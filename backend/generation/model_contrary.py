"""Which cited texts say something else than a sentence: the same names, and the contrary about them.

A sentence and its citation may share every concept and still differ: "stop warfarin" beside "takes warfarin", "not allergic to
lisinopril" beside an allergy, "was cured" beside "has". Such a citation is taken away, so that it carries nothing. It reads
words, not meaning, and finds the kinds listed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.schemas.note import Mention
from backend.schemas.vocabulary import Assertion

_ENDS = r"stop|quit|discontinu|cease|ceasing|cancel|suspend|withh[eo]ld|\bh[eo]ld\b|\bholding|no longer|\boff\b|d/c"
_RUNS = r"start|begin|began|initiat|\bt(?:ake|akes|aking|ook|aken)\b|continu|resum|\bus(?:e|es|ing|ed)\b|\bg[ia]v(?:e|en|ing)\b|receiv|prescrib|\bkeep|\bon\b|order"
_MORE = r"increas|\brais|doubl|higher|uptitrat"
_LESS = r"decreas|reduc|lower|halv|taper|wean"
_WELL = (
    r"\bcure|heal(?:ed|s)\b|resolv|\bgone\b|recover|healthy|\bnormal|\b(?:is|are|all|feels?|felt) (?:now |is |quite )?(?:well|fine)\b|improv|cleared|"
    r"everything is"
)
_SAFE = r"\bsafe\b|harmless|nothing to worry|no danger|without (?:any )?(?:risk|trouble)|not allergic|no (?:known )?(?:drug )?allerg|allergies (?:are|were|is) (?:cleared|resolved|gone)"
_INTOLERANT = re.compile(r"\bnot agree with\b|intoleran", re.IGNORECASE)
_ORDERS = ("ends", "runs", "more", "less")
_SAID: Mapping[str, re.Pattern[str]] = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in (
        ("ends", _ENDS),
        ("runs", _RUNS),
        ("more", _MORE),
        ("less", _LESS),
        ("well", _WELL),
        ("safe", _SAFE),
    )
}


class Cited(NamedTuple):
    """A cited text: what it says, the concepts it states as they are of this patient, whether it is the patient's own note, and
    whether it is the team's list for home, which says of each medicine on it that it is to be taken."""

    text: str
    asserted: frozenset[str] = frozenset()
    own: bool = False
    for_home: bool = False


def carried_by(
    text: str, mentions: Sequence[Mention], ordering: bool, ids: Sequence[str], cited: Mapping[str, Cited]
) -> tuple[str, ...]:
    """The ids whose texts do not say the contrary; ids that `cited` lacks stay, since they name nothing.

    ordering: the sentence tells what to do with a medicine. What quotes a text word for word has it on its side. A text falls by itself when it states what the sentence denies. All
    fall together when none has the sentence's turn: what it orders, an end, a cure, no danger. The turns of an end and of a cure
    count where the patient's own notes are cited: general text words such things freely.
    """
    # "does not agree with you" denies no medicine
    denied = set() if _INTOLERANT.search(text) else {m.concept_id for m in mentions if m.assertion == Assertion.NEGATED}
    said = _folded(text)
    quoted = {name for name in ids if name in cited and said in _folded(cited[name].text)}
    kept = tuple(name for name in ids if name not in cited or name in quoted or not denied & cited[name].asserted)
    there = [cited[name] for name in kept if name in cited]
    turns = list(_ORDERS) if ordering else []
    turns += ["ends", "well"] if any(one.own for one in there) else []
    for turn in dict.fromkeys((*turns, "safe")):
        if not quoted and there and _SAID[turn].search(text) and not any(_has(one, turn) for one in there):
            return tuple(name for name in kept if name not in cited)
    return kept


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def _has(one: Cited, turn: str) -> bool:
    return bool(_SAID[turn].search(one.text)) or (turn == "runs" and one.for_home)
