"""Which entries of a medical history a letter lists: what the patient would recognise, what bears on today first, and few.

Takes what is chosen of a story; gives it with shorter lists. Operations that have healed long ago and bear on nothing of today, and names
that nobody at home could read, are left to the note.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.story_likeness import ToldUnit, goes_on, stems
from backend.generation.letter.story_wording import HISTORY
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules.word_lists import word_lists

MOST = 8
"""Entries that a letter lists."""
_FEW = 3
"""Entries of which all are listed, whether plain or not."""
_PARTS = re.compile(r"[,;] (?:and )?(?=\S)(?![^()]*\))")  # outside brackets
_HALVES = re.compile(r" (?:and|with) ")


def listed(chosen: Sequence[ToldUnit], about: frozenset[str], is_plain: Callable[[str], bool]) -> list[ToldUnit]:
    """What is chosen, with the entries of its history that a letter lists, those that bear on today first.

    Args:
        chosen: in the order of the letter.
        about: stems of what the letter is about.
        is_plain: whether a patient can read an entry.
    """
    entries = [(place, one, list(_entries(one.worded.text))) for place, one in enumerate(chosen) if _is_list(one)]
    whole = [entry for _, _, own in entries for entry in own]
    few, alone = len(whole) <= _FEW, len(whole) == 1
    kept = [
        one
        for one in whole
        if _bears(one, about) or not ((_is_minor(one) and not alone) or (not few and not is_plain(one)))
    ]
    kept = sorted(kept, key=lambda one: not _bears(one, about))[:MOST]
    units: list[tuple[bool, ToldUnit]] = []
    for _, unit, own in entries:
        left = sorted((one for one in own if one in kept), key=lambda one: not _bears(one, about))
        if left:
            text = unit.worded.text if len(left) == len(own) else ", ".join(left)
            units.append(
                (not any(_bears(one, about) for one in left), unit._replace(worded=unit.worded._replace(text=text)))
            )
    ordered = iter([unit for _, unit in sorted(units, key=lambda one: one[0])])
    return [told for one in chosen if (told := next(ordered, None) if _is_list(one) else one) is not None]


def _is_list(one: ToldUnit) -> bool:
    return one.worded.frame == HISTORY


def _entries(text: str) -> Iterator[str]:
    """Yield the entries of a list, each with what says more of it: "atrial fibrillation, on amiodarone"."""
    held = ""
    for part in _PARTS.split(text):
        if held and (goes_on(part) or _is_denial(part)):
            held = f"{held}, {part}"
            continue
        if held:
            yield held
        held = part
    yield held


def _bears(entry: str, about: frozenset[str]) -> bool:
    """Whether an entry has a word of what the letter is about."""
    small = {stem(word) for word in lists()["times"] | lists()["addressed"]}
    return not (stems(entry) - small).isdisjoint(about)


def _is_denial(text: str) -> bool:
    return text.split(" ", 1)[0].lower() in lists()["negations"]


def _is_minor(entry: str) -> bool:
    """Whether an entry is an operation that bears on nothing of today, or denies: "appendix removal", "cosmetic surgery of the nose and chin"."""
    own = word_lists("letter/words_history")
    parts = [set(re.findall(r"[a-z&]+", half.lower())) for half in _HALVES.split(entry)]
    if _is_denial(entry):
        return True
    body = word_lists("findings/words_phrases")["body"]
    minor = [not own["minor"].isdisjoint(words) for words in parts]
    return minor[0] and all(is_so or words <= body | own["minor"] for is_so, words in zip(minor, parts, strict=True))
