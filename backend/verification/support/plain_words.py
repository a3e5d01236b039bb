"""Where a sentence says a concept in the everyday words of the knowledge: "throwing up and high blood sugar" is vomiting and a
blood sugar, and no vomiting of blood.

Takes a sentence and such words; gives half-open spans in it.
"""

import re
from collections.abc import Iterable, Sequence

from backend.schemas.drafts.note import Mention

Span = tuple[int, int]
SHORTEST = 6  # characters; "pain" says too little to hide what stands around it


def phrases(text: str, words: Iterable[str]) -> list[Span]:
    """Where each of the phrases stands in a text, whole words, case aside."""
    found: list[Span] = []
    for phrase in {one for one in words if len(one) >= SHORTEST}:
        if phrase.lower() in text.lower():
            found.extend(m.span() for m in re.finditer(rf"\b{re.escape(phrase)}(?!\w)", text, re.IGNORECASE))
    return sorted(found)


def blanked(text: str, spans: Sequence[Span]) -> str:
    """A sentence with blanks for some spans, every other word in its place: a thing under another name is no opposite."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def overlaps(mention: Mention, spans: Sequence[Span]) -> bool:
    """Whether a mention begins or ends inside one of the phrases, or holds one."""
    return any(mention.start_char < end and start < mention.end_char for start, end in spans)
