"""Packs the sentences of a text into passages of a bounded length. It does not know sections or meaning."""

import re
from collections.abc import Iterator

from backend.nlp.document.sentences import sentences


def passages(text: str, limit: int = 1000) -> list[tuple[int, int]]:
    """Half-open spans of at most `limit` code points, in order, that begin and end at sentence borders.

    A sentence longer than the limit is cut at white space, or within a word that is itself longer; nothing but white space
    between passages is left out.

    Raises:
        ValueError: limit is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; a passage needs at least 1 code point.")
    packed: list[tuple[int, int]] = []
    for start, end in _pieces(text, limit):
        if packed and end - packed[-1][0] <= limit:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _pieces(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Sentences, the too long ones cut."""
    for start, end in sentences(text):
        left = start
        while end - left > limit:
            cut = next((left + m.end() for m in [_LAST_GAP.search(text[left : left + limit + 1])] if m), left + limit)
            gap = _LAST_GAP.match(text[left:cut])
            right = cut if gap is None else left + len(text[left:cut].rstrip())
            yield left, max(right, left + 1)
            left = max(cut, left + 1)
            while left < end and text[left].isspace():
                left += 1
        if left < end:
            yield left, end


_LAST_GAP = re.compile(r"(?s)^.*\s")
