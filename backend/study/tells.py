"""What could still tell a rater which arm wrote a text, after the rule of `blinding`. It reports; it changes nothing.

Blocking: a system's name in anything a rater sees. Warnings: a citation marker or a line that only one arm has, and
lengths that differ much. A coordinator mends or accepts them, and the study keeps what was accepted.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from backend.linking.variants import english_words
from backend.schemas.study import StudyCase, StudySetup
from backend.schemas.study_frozen import BlindedDraft, DraftMade, Leak
from backend.study.blinding import MODELS, NAME_GONE, Tells, name_pattern, names_of

OFTEN = 0.3  # a line in so many of an arm's drafts, and in none of another's, is a habit
LONGER = 1.5  # one arm's median length over another's
MARK = re.compile(r"\[[A-Z]{0,2}\d{1,3}\]|https?://|\bdoi:")


def tells_of(setup: StudySetup, headings: Iterable[str], cases: Sequence[StudyCase]) -> Tells:
    """What the rule takes out in this study: every arm's names, all writers' headings, what the coordinator adds.

    A name that is an ordinary word and stands in a case itself ('control') is left alone; `leaks` asks for another name.
    """
    names = [name for name in study_names(setup) if not _ordinary(name, cases)]
    return Tells((*names, *setup.extra_tells), tuple(dict.fromkeys((*headings, *setup.extra_headings))))


def study_names(setup: StudySetup) -> tuple[str, ...]:
    arms = setup.arms
    return names_of([v for arm in arms for v in (arm.id, arm.name, arm.system, arm.generator)])


def leaks(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> tuple[Leak, ...]:
    """All that was found, blocking ones first."""
    found = [*_names(setup, cases, drafts), *_marks(drafts), *_habits(drafts), *_lengths(drafts)]
    return tuple(sorted(found, key=lambda leak: (not leak.blocking, leak.kind, leak.where, leak.what)))


def _names(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> list[Leak]:
    distinct = [name for name in study_names(setup) if not _ordinary(name, cases)]
    found = [
        Leak(kind="ambiguous_name", where="arms", what=f"'{name}' is an ordinary word of the cases: rename the arm")
        for name in study_names(setup)
        if _ordinary(name, cases)
    ]
    patterns = [(name, name_pattern(name)) for name in (*distinct, *setup.extra_tells)]
    for where, text in _shown(setup, cases, drafts):
        for name, pattern in patterns:
            if pattern.search(text):
                found.append(Leak(kind="name", where=where, what=f"'{name}' can be read there", blocking=True))
    general = [(name, name_pattern(name)) for name in MODELS]
    for where, text in _shown(setup, (), ()):
        found += [
            Leak(kind="name", where=where, what=f"'{name}' can be read there", blocking=True)
            for name, pattern in general
            if pattern.search(text)
        ]
    return found


def _shown(setup: StudySetup, cases: Sequence[StudyCase], drafts: Sequence[BlindedDraft]) -> Iterable[tuple[str, str]]:
    """Everything a rater reads, with a word for where it stands."""
    yield "public_title", setup.public_title
    yield "instructions", setup.instructions
    for arm in setup.arms:
        yield "guess_label", arm.guess_label
    for instrument in setup.instruments:
        for question in instrument.questions:
            options = " ".join(f"{option.label} {option.anchor}" for option in question.options)
            yield f"question {question.id}", f"{question.prompt} {question.help} {options}"
    for case in cases:
        yield f"case {case.id}", "\n".join((case.text, case.question, case.reference))
    for draft in drafts:
        yield f"draft of {draft.case_id}", "\n".join((draft.blinded, *draft.blinded_evidence))


def _marks(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Citations that the rule did not know, and the gaps it left itself where it took names out."""
    cited: Counter[str] = Counter(d.arm_id for d in drafts if MARK.search(d.blinded))
    named: Counter[str] = Counter(d.arm_id for d in drafts if NAME_GONE in d.blinded)
    found = [("citation", arm, f"{n} drafts still hold what looks like a citation") for arm, n in cited.items()]
    found += [("gap", arm, f"{n} drafts show where a name was taken out") for arm, n in named.items()]
    return [Leak(kind=kind, where=f"arm {arm}", what=what) for kind, arm, what in sorted(found)]


def _habits(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Short lines that one arm writes again and again and some other never does."""
    lines: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for draft in drafts:
        if draft.status == DraftMade.MADE:
            totals[draft.arm_id] += 1
            lines[draft.arm_id].update({line.strip() for line in draft.blinded.split("\n") if 0 < len(line) <= 80})
    found = []
    for arm, counted in sorted(lines.items()):
        for line, count in sorted(counted.items()):
            others = [other for other in totals if other != arm and not lines[other][line]]
            if others and count >= 2 and count / totals[arm] >= OFTEN:
                told = f"the line '{line[:60]}' stands in {count} of {totals[arm]} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="habit", where=f"arm {arm}", what=told))
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
    told = (
        f"median length {middle[long]:.0f} words, in arm {short} {middle[short]:.0f}: length alone may tell them apart"
    )
    return [Leak(kind="length", where=f"arm {long}", what=told)]


def _ordinary(name: str, cases: Sequence[StudyCase]) -> bool:
    if name.lower() not in english_words():
        return False
    pattern = name_pattern(name)
    return any(pattern.search(text) for c in cases for text in (c.text, c.question, c.reference))
