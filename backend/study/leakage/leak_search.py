"""What could still tell a rater which arm wrote a text, after the rule of `blinding`. It reports; it changes nothing.

Blocking: a system's name in anything a rater sees. Warnings: what only one arm has of citation markers, talk of sources or of
programs, lines, sentences, beginnings and shapes of text; and lengths that differ much. A coordinator mends or accepts them,
and the study keeps what was accepted.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from backend.nlp.lexicon.variants import english_words
from backend.schemas.studies.study import EvidenceShown, StudyCase, StudySetup
from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, Leak
from backend.study.leakage.blinding import NAME_GONE, Tells, name_pattern, names_of
from backend.study.leakage.leak_patterns import MODELS

OFTEN = 0.3  # a line in so many of an arm's drafts, and in none of another's, is a habit
MOST = 0.5  # a shape in more than this share of an arm's drafts
FIRST_WORDS = 3
SENTENCE = re.compile(r"(?<=[.!?]) +(?=\S)")
LONGER = 1.5  # one arm's median length over another's
MARK = re.compile(
    r"\[[A-Z]{0,2}\d{1,3}\]|https?://|\bdoi:|\([KGPN]\d{1,2}(?:, ?[KGPN]\d{1,2})*\)|\[[A-Z][a-z]+,? (?:19|20)\d\d\]|\bC\d{7}\b"
)
TALK = re.compile(
    r"\b(?:(?i:retriev\w+|reasoning paths?|knowledge (?:graph|base)|(?:the|these|provided) (?:documents?|passages?|context|"
    r"sources?)|search results?|(?:language )?model|prompt|(?:auto|machine).generated|generated (?:by|automatically)|"
    r"citations?|web address)|AI)\b"
)
"""Words that may well be a clinician's ('bring the documents', AI for aortic insufficiency): told, never taken out."""
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
    found = [*_names(setup, cases, drafts), *_marks(drafts), *_talk(drafts), *_habits(drafts), *_shapes(drafts)]
    found += [*_lengths(drafts), *(_evidence(drafts) if setup.evidence != EvidenceShown.NEVER else ())]
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


def _talk(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Words about sources or programs that one arm has and some other never; one draft is enough to tell."""
    said: dict[str, Counter[str]] = {draft.arm_id: Counter() for draft in _made(drafts)}
    for draft in _made(drafts):
        said[draft.arm_id].update({word.lower() for word in TALK.findall(draft.blinded)})
    found = []
    for arm, counted in sorted(said.items()):
        for word, count in sorted(counted.items()):
            others = [other for other in sorted(said) if other != arm and not said[other][word]]
            if others:
                told = f"'{word}' stands in {count} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="talk", where=f"arm {arm}", what=told))
    return found


def _habits(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Short lines, sentences and beginnings that one arm writes again and again and some other never does."""
    units: defaultdict[str, Counter[str]] = defaultdict(Counter)
    totals: Counter[str] = Counter()
    for draft in _made(drafts):
        totals[draft.arm_id] += 1
        units[draft.arm_id].update(_units(draft.blinded))
    found = []
    for arm, counted in sorted(units.items()):
        for unit, count in sorted(counted.items()):
            others = [other for other in totals if other != arm and not units[other][unit]]
            if others and count >= 2 and count / totals[arm] >= OFTEN:
                told = f"{unit} stands in {count} of {totals[arm]} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="habit", where=f"arm {arm}", what=told))
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
    totals = Counter(draft.arm_id for draft in _made(drafts))
    for draft in _made(drafts):
        seen[draft.arm_id].update(name for name, pattern in SHAPES.items() if pattern.search(draft.blinded))
    found = []
    for arm, counted in sorted(seen.items()):
        for name, count in sorted(counted.items()):
            others = [other for other in totals if other != arm and not seen[other][name]]
            if others and count >= 2 and count / totals[arm] > MOST:
                told = f"{name} stands in {count} of {totals[arm]} drafts, and never in arm {others[0]}"
                found.append(Leak(kind="shape", where=f"arm {arm}", what=told))
    return found


def _evidence(drafts: Sequence[BlindedDraft]) -> list[Leak]:
    """Where evidence is shown: an arm that never has any, and what looks like a citation in it."""
    has: dict[str, int] = {draft.arm_id: 0 for draft in _made(drafts)}
    cited: Counter[str] = Counter()
    for draft in _made(drafts):
        has[draft.arm_id] += bool(draft.blinded_evidence)
        cited[draft.arm_id] += any(MARK.search(text) for text in draft.blinded_evidence)
    without = sorted(arm for arm, count in has.items() if not count)
    told = "none of its drafts has evidence, and other arms' have: that it is missing tells the arm"
    found = [Leak(kind="evidence", where=f"arm {arm}", what=told) for arm in without if len(without) < len(has)]
    told = "drafts have evidence that holds what looks like a citation"
    return found + [
        Leak(kind="evidence", where=f"arm {arm}", what=f"{count} {told}")
        for arm, count in sorted(cited.items())
        if count
    ]


def _made(drafts: Sequence[BlindedDraft]) -> list[BlindedDraft]:
    return [draft for draft in drafts if draft.status == DraftMade.MADE]


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
