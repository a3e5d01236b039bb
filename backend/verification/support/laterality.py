"""Sides and places in the body: left, right and both; upper and lower; proximal and distal; medial, lateral, front and back.

A side is read with the word it is said of, so that "left arm, right leg" does not support "left leg". "He left", "right away" and
"lower your salt" are no sides. No anatomy is known: which words a side can belong to is the word that follows it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_NOT_LEFT = r"(?!\s+(?:the|a|an|untreated|against|at|work|home|school|her|his|my|their|your|him|to|for|alone|over|off|out|without|when|before|after|in|on)\b)"
_NOT_RIGHT = r"(?!\s+(?:away|now|here|after|before|at|then|there)\b)"
_PLACED = (
    r"(?=\s+(?:[a-z]+\s+)?(?:extremit\w+|limbs?|legs?|arms?|lobes?|abdom\w+|quadrant|backs?|jaw|lips?|eyelids?|respiratory|gi|gastro\w*|tract|urinary|"
    r"body|chest|teeth|gums|lungs?|spine|thighs?|sternal|airways?|bleed\w*|endoscopy|esophag\w*|third|half|part|pole|calyx|outer|inner|limb|face|zones?|"
    r"margin|border|motor|neuron)\b)"
)
_WORDS: tuple[tuple[str, str, str], ...] = (
    ("side", "left", rf"\bleft\b{_NOT_LEFT}|\blt\b|(?<![\w.])L(?=\s(?!spine|main)[a-z]{{3}})|\bL(?=[UL][EQL]\b)"),
    ("side", "right", rf"(?<!all )\bright\b{_NOT_RIGHT}|\brt\b|(?<![\w.])R(?=\s[a-z]{{3}})|\bR(?=[UL][EQL]\b)"),
    ("side", "both", r"\bbilateral(?:ly)?\b|\b(?:both|each)(?= (?:sides?|legs|arms|eyes|ears|feet|hands|knees|hips|lungs|ankles|shoulders|breasts|kidneys|"
     r"wrists|elbows|calves|thighs|flanks|temples|lower|upper|lung|hearts?|fields|bases)\b)|(?<=\bon )both\b|\bboth sides\b"),
    ("height", "upper", rf"\bupper\b{_PLACED}|\bsuperior\b(?!\s+vena)|(?<=\b[LR])U(?=[EQL]\b)"),
    ("height", "lower", rf"\blower\b{_PLACED}|\binferior\b(?!\s+vena)|(?<=\b[LR])L(?=[EQL]\b)"),
    ("reach", "proximal", r"\bproximal(?:ly)?\b"),
    ("reach", "distal", r"\bdistal(?:ly)?\b"),
    ("middle", "medial", r"\bmedial(?:ly)?\b"),
    ("middle", "lateral", r"\blateral(?:ly)?\b"),
    ("front", "anterior", r"\banterior(?:ly)?\b"),
    ("front", "posterior", r"\bposterior(?:ly)?\b"),
)  # fmt: skip
_FOUND = re.compile("|".join(f"(?P<w{i}>{words})" for i, (_, _, words) in enumerate(_WORDS)), re.IGNORECASE)
_CAPITALS = re.compile(r"^[LRU]$")
_NEXT = re.compile(
    r"[\s-]+(?:sided?[\s-]+)?(?:(?:and|or|upper|lower|proximal|distal|medial|lateral|anterior|posterior|left|right|inner|outer|side)[\s-]+)*([a-z]{3,})",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"[UL]?([EQL])\b")
_SPELT = {"E": "extremity", "Q": "quadrant", "L": "lobe"}


class Place(NamedTuple):
    """axis and pole: "side" and "left". of: the word it is said of, in lower case; empty where none follows."""

    axis: str
    pole: str
    of: str


def places_of(text: str) -> tuple[Place, ...]:
    """Every side and place that a text names, in order."""
    out = []
    for m in _FOUND.finditer(text):
        # the pattern ignores case, an abbreviation does not: "l" is no left
        if len(m[0]) == 1 and not _CAPITALS.match(m[0]):
            continue
        axis, pole, _ = _WORDS[int((m.lastgroup or "w0")[1:])]
        short = _ABBREVIATED.match(text, m.end()) if len(m[0]) == 1 else None
        following = _NEXT.match(text, m.end())
        of = _SPELT[short[1]] if short else following[1].lower() if following else ""
        out.append(Place(axis, pole, of))
    return tuple(out)


def unmatched_places(
    claimed: Sequence[Place], cited: Sequence[Place], nearest: Sequence[Place] = ()
) -> tuple[list[str], list[str]]:
    """Places of a sentence that the cited text contradicts, and those it merely does not name, each in words.

    nearest: of the one cited sentence that it rewords, if any. What is said of both sides holds for either, and only in part for one alone.
    """
    wrong, missing = list[str](), list[str]()
    for place in dict.fromkeys(claimed):
        near = _poles(other for other in nearest if other.axis == place.axis)
        alone = len({other.pole for other in claimed if other.axis == place.axis}) == 1
        axis = [other for other in cited if other.axis == place.axis]
        there = _poles(axis)
        of_it = [other for other in axis if place.of and _alike(other.of, place.of)]
        if place.pole not in there:
            (wrong if there else missing).append(place.pole)
        elif of_it and place.pole not in _poles(of_it):
            wrong.append(f"{place.pole} {place.of}")
        elif alone and near and place.pole not in near:
            wrong.append(place.pole)
        elif place.pole in ("left", "right") and all(other.pole == "both" for other in of_it or axis):
            missing.append(f"{place.pole} alone")
    return wrong, missing


def _poles(places: Iterable[Place]) -> set[str]:
    found = {place.pole for place in places}
    if "both" in found:
        found |= {"left", "right"}
    return found | {"both"} if {"left", "right"} <= found else found


def _alike(one: str, other: str) -> bool:
    return one[:5] == other[:5]
