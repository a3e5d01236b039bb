"""Lists with boxes to tick: what stands behind an empty box is not stated, whatever it names."""

from collections.abc import Iterator, Sequence

_TICKED, _EMPTY = frozenset("☑☒✓✔✗"), frozenset("☐□")
_MARKS = frozenset(("x", "✓", "✔", "*", "yes", "y"))
_PAIRS = {"[": "]", "(": ")"}


def stated_parts(words: Sequence[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut a stretch of a list at its boxes; a box is of what follows it, up to the next box or the end of its line.

    Args:
        words: of the note.
        first: the first token.
        last: the token behind the last.

    Yields:
        Stretches of tokens that no empty box stands before; the whole where there is no box.
    """
    if not any(_box(words, i, last) for i in range(first, last)):
        yield first, last
        return
    begin, stated, i = first, True, first
    while i < last:
        box = _box(words, i, last)
        if box is None and words[i] != "\n":
            i += 1
            continue
        if stated and begin < i:
            yield begin, i
        stated, i = (box[0], box[1]) if box is not None else (True, i + 1)
        begin = i if box is not None else i - 1
    if stated and begin < last:
        yield begin, last


def _box(words: Sequence[str], i: int, last: int) -> tuple[bool, int] | None:
    """Whether a box that begins at a token is ticked, and the token behind it; None for no box."""
    if words[i] in _TICKED or words[i] in _EMPTY:
        return words[i] in _TICKED, i + 1
    close = _PAIRS.get(words[i])
    if close is None or i + 1 >= last:
        return None
    if words[i + 1] == close or (words[i + 1] == "_" and words[i + 2 : i + 3] == [close]):
        return False, i + 2 + (words[i + 1] == "_")
    ticked = words[i] == "[" and words[i + 1] in _MARKS and i + 2 < last and words[i + 2] == close
    return (True, i + 3) if ticked or (words[i + 1] == "x" and words[i + 2 : i + 3] == [close]) else None
