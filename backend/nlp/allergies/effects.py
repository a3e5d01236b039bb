"""What may be an effect of something taken or touched: words of reactions, parts of the body that changed, measures that fell."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.wording import Mark, Marks, phrases

_JOIN = 6
"""Words between a part of the body or a measure and what became of it."""
_KINDS = ("barred", "allergic", "side", "worse")
_TELLING = frozenset((*_KINDS, "part", "lesser"))
_APART = frozenset((",", ";", ".", ":", "|"))
_RISK = 10
"""Words before an effect in which a warning counts."""


class Effect(NamedTuple):
    """What may be an effect, over tokens first to last; kind: allergic, side, changed, lesser_changed, worse or barred."""

    first: int
    last: int
    kind: str


def effects_of(words: Sequence[str], marks: Sequence[Mark]) -> Iterator[Effect]:
    """The effects that marks of the vocabulary of effects tell among the words, in order."""
    for k, mark in enumerate(marks):
        if mark.kinds.isdisjoint(_TELLING):
            continue
        kind = next((one for one in _KINDS if one in mark.kinds), None)
        if kind and not (kind == "allergic" and _of_lesser(words, marks, k)):
            yield Effect(mark.first, mark.last, kind)
        if mark.kinds & {"part", "lesser"}:
            near = [m for m in marks[max(0, k - 2) : k + 4] if m is not mark and "change" in m.kinds]
            changed = next((m for m in near if abs(m.first - mark.first) <= _JOIN and _joined(words, m, mark)), None)
            if changed:
                told = "changed" if "part" in mark.kinds else "lesser_changed"
                yield Effect(min(mark.first, changed.first), max(mark.last, changed.last), told)


def _of_lesser(words: Sequence[str], marks: Sequence[Mark], k: int) -> bool:
    """Whether what changed is a part whose change is a side effect: "ankles swelled up"."""
    if not k or "change" not in phrases("effects").of(words[marks[k].first]):
        return False
    before = marks[k - 1]
    return "lesser" in before.kinds and "part" not in before.kinds and marks[k].first - before.last <= 1


def _joined(words: Sequence[str], changed: Mark, part: Mark) -> bool:
    if changed.first < part.first and "behind" in changed.kinds:
        return False
    first, last = (changed.last, part.first) if changed.first < part.first else (part.last, changed.first)
    return not any(words[i] in _APART for i in range(first, last))


def only_warned(relations: Marks, first: int, last: int) -> bool:
    """Whether words before or in a stretch only warn of an effect or tell of its risk."""
    return any("warning" in one.kinds for one in relations.within(max(0, first - _RISK), last + 4))
