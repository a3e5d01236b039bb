"""The citation marker of every prompt, `[P3]`: a model writes it, the code alone resolves it.

Read are `[P3]`, `[P3, N2]`, `[K1][N2]`, `[p3; n2]`, `[P3-P5]`, `【P3】` and a marker whose bracket was never closed. Everything
else in brackets is text.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

MOST_RANGE = 20  # ids that one range may stand for; a longer one is taken at its two ends

_NAME = r"[KGPN]\d{1,4}(?!\w)"
_LIST = rf"\^?{_NAME}(?:\s*(?:[,;&/–-]|and|\s)\s*\^?{_NAME})*"
CLOSED = rf"[\[【［]\s*{_LIST}\s*[,;]?\s*[\]】］]"
_OPEN = rf"[\[【［]\s*{_LIST}(?![^\[\]【】［］]*[\]】］])"
_MARK = re.compile(rf"\s*(?:{CLOSED}|{_OPEN})", re.IGNORECASE)
_PART = re.compile(rf"({_NAME})(?:\s*[–-]\s*({_NAME}))?", re.IGNORECASE)
_LOOKS = re.compile(r"[\[【［](\s*\^?[KGPN]\s?\d[^\[\]【】［］\n]{0,60})[\]】］]", re.IGNORECASE)
_LOOKS_OPEN = re.compile(r"[\[【［](?=\s*\^?[KGPN]\s?\d)", re.IGNORECASE)


class Cited(NamedTuple):
    """text: without its marks. ids: those that exist, once each, in order. removed: how many named nothing."""

    text: str
    ids: tuple[str, ...]
    removed: int


class Marked(NamedTuple):
    """text: without its marks. ids: all that were named, once each, in order, whether they exist or not."""

    text: str
    ids: tuple[str, ...]


def marked(text: str) -> Marked:
    """A text's marks taken out and read. Brackets that are no mark stay."""
    return Marked(_MARK.sub("", text).strip(), tuple(dict.fromkeys(_named(text))))


def resolved(text: str, known: Collection[str]) -> Cited:
    """A text's marks taken out and looked up."""
    named = _named(text)
    ids = tuple(dict.fromkeys(name for name in named if name in known))
    return Cited(_MARK.sub("", text).strip(), ids, sum(name not in known for name in named))


def defused(text: str) -> str:
    """Text for a prompt in which nothing looks like a marker: `[P3]` becomes `(P3)`, so that no text gives itself an id."""
    return _LOOKS_OPEN.sub("(", _LOOKS.sub(r"(\1)", text))


def _named(text: str) -> list[str]:
    out: list[str] = []
    for mark in _MARK.findall(text):
        for first, last in _PART.findall(mark):
            out.extend(_range(first.upper(), last.upper()) if last else [first.upper()])
    return out


def _range(first: str, last: str) -> list[str]:
    """`P3` to `P5`: P3, P4 and P5; of two kinds, or of too many, the two ends alone."""
    low, high = int(first[1:]), int(last[1:])
    if first[0] != last[0] or not low <= high <= low + MOST_RANGE:
        return [first, last]
    return [f"{first[0]}{number}" for number in range(low, high + 1)]
