"""How one arm writes and another never does: talk of sources or of programs, repeated lines and sentences, shapes, length.

All of these are warnings: the coordinator mends or accepts them. Each compares the arms with one another, so that what all
arms do is no leak.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, Leak

OFTEN = 0.3  # a line in so many of an arm's drafts, and in none of another's, is a habit
MOST = 0.5  # a shape in more than this share of an arm's drafts
FIRST_WORDS = 3
SENTENCE = re.compile(r"(?<=[.!?]) +(?=\S)")
LONGER = 1.5  # one arm's median length over another's
TALK = re.compile(
    r"\b(?:(?i:retriev\w+|reasoning paths?|knowledge (?:graph|base)|(?:the|these|provided) (?:documents?|passages?|context|"
    r"sources?)|search results?|(?:language )?model|prompt|(?:auto|machine).generated|generated (?:by|automatically)|"
    r"citations?|web address)|AI)\b"
)
"""Words that may well be a clinician's ('bring the documents', AI for aortic insufficiency): warned of, never taken out."""
SHAPES = {
    "a list": re.compile(r"^- ", re.MULTILINE),
    "a numbered list": re.compile(r"^\d{1,2}\. ", re.MULTILINE),
    "a lettered list": re.compile(r"^[a-h]\. ", re.MULTILINE),
    "a line that begins with a plus sign": re.compile(r"^\+ ", re.MULTILINE),
    "a symbol or emoji": re.compile("[\u2190-\u21ff\u2460-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"),
    "a line in capitals": re.compile(r"^[^a-z\n]*[A-Z]{4}[^a-z\n]*$", re.MULTILINE),
    "a line that ends with a colon": re.compile(r":$", re.MULTILINE),
    "blank lines": re.compile(r"\n\n"),
}


def style_leaks(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Every warning of these, of the texts as raters see them."""
    return [*_talk(drafts), *_habits(drafts), *_shapes(drafts), *_lengths(drafts)]


def made_drafts(drafts: Sequence[BlindedDraft]) -> list[BlindedDraft]:
    """Those that did not fail."""
    return [draft for draft in drafts if draft.status == DraftMade.MADE]


def _talk(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Words about sources or programs that one arm has and some other never; one draft is enough to tell."""
    said: dict[str, Counter[str]] = {draft.arm_id: Counter() for draft in made_drafts(drafts)}
    for draft in made_drafts(drafts):
        said[draft.arm_id].update({word.lower() for word in TALK.findall(draft.blinded)})
    found = []
    for arm, counted in sorted(said.items()):
        for word, count in sorted(counted.items()):
            others = [other for other in sorted(said) if other != arm and not said[other][word]]
            if others:
                what = f"'{word}' stands in {count} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="talk", where=f"arm {arm}", what=what))
    return found


def _habits(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Short lines, sentences and beginnings that one arm writes again and again and some other never does."""
    units: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for draft in made_drafts(drafts):
        totals[draft.arm_id] += 1
        units[draft.arm_id].update(_units(draft.blinded))
    found = []
    for arm, counted in sorted(units.items()):
        for unit, count in sorted(counted.items()):
            others = [other for other in totals if other != arm and not units[other][unit]]
            if others and count >= 2 and count / totals[arm] >= OFTEN:
                what = f"{unit} stands in {count} of {totals[arm]} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="habit", where=f"arm {arm}", what=what))
    return found


def _units(text: str) -> set[str]:
    """A draft's short lines, the short sentences of its longer ones, and its first words."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = {f"the line '{line[:60]}'" for line in lines if len(line) <= 80}
    for line in lines:
        parts = SENTENCE.split(line)
        if len(parts) > 1:
            found |= {f"the sentence '{part[:60]}'" for part in parts if len(part) <= 120}
    words = text.split()[:FIRST_WORDS]
    if len(text.split()) > 3 * FIRST_WORDS:
        found.add(f"the beginning '{' '.join(words)}'")
    return found


def _shapes(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """What can be seen from afar, in most drafts of one arm and in none of another's."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals = Counter(draft.arm_id for draft in made_drafts(drafts))
    for draft in made_drafts(drafts):
        seen[draft.arm_id].update(name for name, pattern in SHAPES.items() if pattern.search(draft.blinded))
    found = []
    for arm, counted in sorted(seen.items()):
        for name, count in sorted(counted.items()):
            others = [other for other in totals if other != arm and not seen[other][name]]
            if others and count >= 2 and count / totals[arm] > MOST:
                what = f"{name} stands in {count} of {totals[arm]} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="shape", where=f"arm {arm}", what=what))
    return found


def _lengths(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    words: defaultdict[str, list[int]] = defaultdict(list)
    for draft in drafts:
        if draft.status == DraftMade.MADE:
            words[draft.arm_id].append(len(draft.blinded.split()))
    middle: Mapping[str, float] = {arm: median(counts) for arm, counts in words.items()}
    if len(middle) < 2:
        return []
    short, long = min(middle, key=lambda arm: middle[arm]), max(middle, key=lambda arm: middle[arm])
    if middle[long] <= LONGER * max(middle[short], 1):
        return []
    what = (
        f"median length {middle[long]:.0f} words, in arm {short} {middle[short]:.0f}: length alone may tell them apart"
    )
    return [Leak(kind="length", where=f"arm {long}", what=what)]
