"""What may be an effect of something taken or touched: words of reactions, parts of the body that changed, measures that fell.

An effect that no word of the vocabulary tells is found by the words that say that there was one: "turned him mean", "could not walk".
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergy_wording import Mark, Marks, Wording, phrases
from backend.nlp.measures.units import unit_of

_JOIN = 6
"""Words between a part of the body or a measure and what became of it."""
_KINDS = ("avoided", "allergic", "side", "worse")
_TELLING = frozenset((*_KINDS, "part", "lesser"))
_APART = frozenset((",", ";", ".", ":", "|"))
_WHOM = frozenset(("him", "her", "me", "them", "patient", "pt"))
_AHEAD = frozenset(("to", "will"))
_VALUE = 4
"""Words between a measure and its value."""
_WHOSE = 3
"""Words behind an effect in which its person is named."""
_RISK = 10
"""Words before an effect in which a warning counts."""


class Effect(NamedTuple):
    """What may be an effect, over tokens first to last.

    kind: allergic, side, changed, lesser_changed, worse or avoided of the vocabulary; linked, an ill that the linker knows;
    measured, a value; stated, what somebody could not do, became, or was done to them.
    """

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
                change = "changed" if "part" in mark.kinds else "lesser_changed"
                yield Effect(min(mark.first, changed.first), max(mark.last, changed.last), change)


def unnamed_effects(
    wording: Wording, ills: Sequence[tuple[int, int]], found: Sequence[Effect], first: int, last: int
) -> Iterator[Effect]:
    """The effects among tokens first to last that no word of the vocabulary tells, in order of kind.

    Args:
        wording: the note's words and marks.
        ills: the tokens of the mentions of symptoms and diseases.
        found: the effects that the vocabulary tells there.
        first: the first token.
        last: the token behind the last.

    Yields:
        The effects, each of other tokens than those before it.
    """
    words, taken = wording.words, {i for one in found if one.kind != "avoided" for i in range(one.first, one.last)}
    for a, b in ills:
        if taken.isdisjoint(range(a, b)):
            yield Effect(a, b, "linked")
            taken.update(range(a, b))
    for mark in wording.effects.within(first, last):
        if "lesser" in mark.kinds and taken.isdisjoint(range(mark.first, mark.last)):
            at = next((i for i in range(mark.last, min(last, mark.last + _VALUE)) if words[i][:1].isdigit()), None)
            if at is not None and _APART.isdisjoint(words[mark.last : at]):
                yield Effect(mark.first, at + 1, "measured")
        if mark.kinds & {"unable", "became"} and taken.isdisjoint(range(mark.first, mark.last)):
            end = clause_end(words, mark.last, last)
            if end > mark.last:
                yield Effect(mark.first, end, "stated")
                taken.update(range(mark.first, end))
    for i in range(first + 1, last - 1):
        verb = words[i] in _WHOM and words[i - 1].isalpha() and taken.isdisjoint((i - 1, i))
        # "to help him with stairs" and "will see her" tell nothing that was; "used to make him sick" does
        meant = i > first + 1 and words[i - 2] in _AHEAD and "causes" not in wording.effects.kinds(i - 1, i)
        if verb and not meant and not wording.relations.kinds(i - 1, i) & {"no_verb"}:
            yield Effect(i - 1, clause_end(words, i + 1, last), "stated")


def clause_end(words: Sequence[str], at: int, last: int) -> int:
    """Where a clause ends: at a mark, or before a word that ties it to a medicine."""
    relations = phrases("relations")
    return next(
        (i for i in range(at, min(last, at + _JOIN)) if words[i] in _APART or "ties" in relations.of(words[i])),
        min(last, at + _JOIN),
    )


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


def only_explained(words: Sequence[str], first: int, verb: int, effect: Effect) -> bool:
    """Whether a verb only tells what may come, and of nobody: "may raise sugar and cause flushing"; not "it can give her hives".

    Args:
        words: of the note.
        first: the first token of the verb's clause.
        verb: its token.
        effect: what may come.
    """
    of = phrases("relations").of
    may = "bare" in of(words[verb]) and any("modal" in of(word) for word in words[first:verb])
    return may and not any("person" in of(word) for word in words[verb : effect.last + _WHOSE])


def of_use(word: str) -> bool:
    """Whether a word between an agent and its reaction tells when and how it was given, or is no word."""
    taken = phrases("effects").of(word) & {"exposed", "again"}
    return bool(
        not word.isalpha()
        or taken
        or phrases("lists").of(word) & {"times"}
        or phrases("relations").of(word) & {"hours"}
    )


def behind_times(words: Sequence[str], at: int, last: int) -> int:
    """The token behind those that tell how often or when, at most last: "rash 1x", "vomiting 2019"."""
    while at < last and (words[at][0].isdigit() or words[at] == "x" or "once" in phrases("lists").of(words[at])):
        at += 1
    return at


def to_dose(words: Sequence[str], first: int, last: int) -> bool:
    """Whether tokens first to last are an arrow to another dose, so that nothing came of it: "1 -> 3 mg", and not "-> 3 days of hives"."""
    if words[first][0].isalpha() or first == 0 or last >= len(words) or not words[last][0].isdigit():
        return False
    following = words[last + 1] if last + 1 < len(words) else ""
    unit = unit_of(following)
    return unit.kind == "dose" if unit is not None else words[first - 1][0].isdigit() and not following[:1].isalpha()
