"""What a note writes beside a medicine's name and dose: a sliding scale, in turn with which other medicine, a question mark."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from backend.generation.letter.medicines.stated.entry_texts import own_end
from backend.nlp.document.tokens import tokens
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Experiencer, MedicationStatement

DOUBTED = "with a \u201c?\u201d in the note"
_NEAR = 24
_DOUBT_BEFORE = re.compile(r"(?:^|[,;:.(\n])\s*(?:and\s+)?\?\s*$")
_DOUBT_BEHIND = re.compile(r"\s*\(?\s*\?+\s*(?:$|[,;.)\n])")
_MOST = re.compile(r"\b(?:up to|at most|no more than|max(?:imum)?(?: of)?)\s+$", re.IGNORECASE)
_SCALE = re.compile(r"\W{0,2}(?:(?:on|by|per|with|as|a)\s+){0,2}(?P<kind>[a-z]+)[\s-]scale\b", re.IGNORECASE)
_SCALE_BEFORE = re.compile(r"\b(?P<kind>[a-z]+)[\s-]scale\s+$", re.IGNORECASE)


def said_beside(held: Sequence[MedicationStatement], everyone: Sequence[MedicationStatement], text: str) -> str:
    """What is written beside a medicine, in words that follow its timing; empty where nothing is.

    Args:
        held: the statements of the medicine.
        everyone: all statements of the note, in any order.
        text: the note's.
    """
    found = (said for one in held if one.spans for said in _said(one, everyone, text))
    return ", ".join(dict.fromkeys(found))


def _said(one: MedicationStatement, everyone: Sequence[MedicationStatement], text: str) -> Iterator[str]:
    start, end = one.spans[0].start_char, own_end(one)
    scales = word_lists("letter/words_medicines")["scale"]
    before = _SCALE_BEFORE.search(text, max(start - _NEAR, 0), start)
    behind = _SCALE.match(text, one.spans[0].end_char, one.spans[0].end_char + _NEAR)
    if any(found is not None and found["kind"].lower() in scales for found in (before, behind)):
        yield "on a sliding scale"
    dosed = next((span for span in one.spans[1:] if " ".join(span.text.split()) == one.dosage.text), None)
    if dosed is not None and not one.change and _MOST.search(text, max(dosed.start_char - _NEAR, 0), dosed.start_char):
        yield "at most"
    if (other := _in_turn(one, everyone, text)) is not None:
        yield other
    if _DOUBT_BEFORE.search(text, max(start - _NEAR, 0), start) or _DOUBT_BEHIND.match(text, end):
        yield DOUBTED


def _in_turn(one: MedicationStatement, everyone: Sequence[MedicationStatement], text: str) -> str | None:
    """`in turn with doxycycline, monthly`: of two medicines that the note joins by a word of turns, with how often they change."""
    kinds = word_lists("letter/words_medicines")
    placed = [other for other in everyone if other.spans and other.experiencer is Experiencer.PATIENT]
    for first, second in pairwise(sorted(placed, key=lambda other: other.spans[0].start_char)):
        if one not in (first, second) or first.name == second.name:
            continue
        between = text[first.spans[0].end_char : second.spans[0].start_char]
        words = tokens(between).words
        at = next((i for i, word in enumerate(words) if word in kinds["turns"]), len(words))
        joined = bool(words) and words[-1] in ("with", "and") and not re.search(r"[;\n]|\.\s+[A-Z]", between)
        if joined and len(words) - at in _JOINING and words[at + 1] not in kinds["days"]:
            often = [word for word in words[at + 1 : -1] if word.isalpha() and word not in kinds["joining"]]
            other = (second if one is first else first).name
            return ", ".join(part for part in (f"in turn with {other}", " ".join(often)) if part)
    return None


_JOINING = range(2, 7)
"""How many words lead from the word of turns to the other medicine's name."""
