"""The citation marker of every prompt, `[P3]`: a model writes it, the code alone resolves it."""

import re
from collections.abc import Collection
from typing import NamedTuple

_MARK = re.compile(r"\s*\[([KGPN]\d+(?:\s*[,;]\s*[KGPN]\d+)*)\]")
_ID = re.compile(r"[KGPN]\d+")


class Cited(NamedTuple):
    """text: without its marks. ids: those that exist, once each, in order. removed: how many named nothing."""

    text: str
    ids: tuple[str, ...]
    removed: int


def resolved(text: str, known: Collection[str]) -> Cited:
    """A text's marks taken out and looked up. Brackets that are no mark stay."""
    named = [found for mark in _MARK.findall(text) for found in _ID.findall(mark)]
    ids = tuple(dict.fromkeys(name for name in named if name in known))
    return Cited(_MARK.sub("", text).strip(), ids, sum(name not in known for name in named))
