"""Hold the warning signs to their rules: one level for each red flag wherever it stands, the gravest first, nothing elsewhere that delays.

Takes what `starter` read; gives one line for each breach, with file and line.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from backend.knowledge.advice.needs import NAMED, Need, Needs
from backend.knowledge.advice.red_flags import EMERGENCIES, FOLDER, WARNING_SIGNS, WHOM_FILE, RedFlag, warning_signs
from backend.knowledge.advice.sign_classes import FILE
from backend.knowledge.starter import Line, Starter
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES
from backend.nlp.rules.trigger_rows import trigger_rows

LONGEST_SIGN = 17  # words; with the words before "if" about as many as a sentence may have
FEWEST_SIGNS = 3
DELAYS, DELAY = "fit/delay", "DELAY"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def triage_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Every breach of the rules of warning signs, as (where, what).

    Yields:
        where a rule is broken, and how.
    """
    yield from _row_breaches(starter)
    yield from _chapter_breaches(starter)
    yield from _level_breaches(starter)
    yield from _class_breaches(starter)
    yield from _tied_breaches(starter)
    yield from _delay_breaches(starter)


def _row_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    chapters = {section.condition for section in starter.handbook}
    names = {row.name for row, _ in starter.concepts}
    told: dict[str, int] = {}
    for row in starter.whom:
        where = Line(f"{FOLDER}/{Path(WHOM_FILE).stem}", row.line)
        if row.concept not in chapters:
            yield where, f"{row.concept!r} has no chapter"
        if told.setdefault(row.concept, row.line) != row.line:
            yield where, f"{row.concept!r} repeats line {told[row.concept]}"
    for flag in starter.red_flags:
        if flag.concept not in chapters:
            yield _where(flag), f"{flag.concept!r} has no chapter"
        if len(flag.sign.split()) > LONGEST_SIGN:
            yield _where(flag), f"{flag.concept}: {len(flag.sign.split())} words in {flag.sign[:60]!r}"
        for need in (*(one for group in flag.needs.all_of for one in group), *flag.needs.none_of):
            if not _is_known(need, names):
                yield _where(flag), f"{flag.concept}: '{need.kind}:{need.name}' names no concept"


def _chapter_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """What is wrong with a chapter's signs as a whole: too few, out of order, or written beside the rows."""
    flags = warning_signs(starter.red_flags)
    first = {section.condition: section.where for section in reversed(starter.handbook)}
    for section in starter.handbook:
        if section.title == WARNING_SIGNS:
            rows = flags.get(section.condition, ())
            if section.text != " ".join(flag.sentence for flag in rows):
                yield (
                    section.where,
                    f"{section.condition}: its warning signs are not the rows of {FOLDER}, in their order",
                )
    for chapter, where in first.items():
        rows = flags.get(chapter, ())
        if len(rows) < FEWEST_SIGNS:
            yield where, f"{chapter}: {len(rows)} warning signs, at least {FEWEST_SIGNS} wanted"
        for flag, before in zip(rows[1:], rows, strict=False):
            if flag.level.rank < before.level.rank:
                yield _where(flag), f"{chapter}: '{flag.sign[:60]}' is more urgent than the sign above it"


def _level_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    levels: dict[str, RedFlag] = {}
    for flag in starter.red_flags:
        same = levels.setdefault(flag.sign.lower(), flag)
        if same.level is not flag.level:
            place = f"{same.file}.tsv:{same.line}"
            yield _where(flag), f"{flag.concept}: '{flag.sign[:60]}' is {flag.level}, and {same.level} at {place}"
        for what in starter.sign_classes.against(flag.concept, flag.sign, flag.needs, flag.level):
            yield _where(flag), what


def _tied_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Emergencies that a chapter tells only together with another sign: "a fever and confusion" keeps who is merely confused at home.

    A chapter of a symptom may tie them to it, which its reader has: "shaking comes with a seizure".

    Yields:
        where the tied sign stands, and what it lacks.
    """
    symptoms = {row.name for row, _ in starter.concepts if row.category == "symptom"}
    free: set[tuple[str, str]] = set()
    tied: dict[tuple[str, str], RedFlag] = {}
    for flag in starter.red_flags:
        for name, is_tied in starter.sign_classes.tied(flag.concept, flag.sign, flag.needs).items():
            if is_tied and flag.concept not in symptoms:
                tied.setdefault((flag.concept, name), flag)
            else:
                free.add((flag.concept, name))
    for (chapter, name), flag in tied.items():
        if (chapter, name) not in free:
            yield _where(flag), f"{chapter}: '{flag.sign[:60]}' ties {name} to another sign; give it a row of its own"


def _class_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """What is wrong with a class: its examples, a chapter that there is not, or no sign that belongs to it."""
    classes, where = starter.sign_classes, Line(f"{FOLDER}/{Path(FILE).stem}", 0)
    chapters = {section.condition.lower() for section in starter.handbook}
    reached: set[str] = set()
    needed: set[str] = set()
    for flag in starter.red_flags:
        reached.update(found.of.row.id for found in classes.of(flag.concept, flag.sign, flag.needs))
        needed.update((one.name or one.kind).lower() for group in flag.needs.all_of for one in group)
    for one in classes.all():
        for said, wanted in ((one.row.yes, True), (one.row.no, False)):
            for example in said:
                if (one.row.id in {found.of.row.id for found in classes.named(example)}) is not wanted:
                    yield where, f"{one.row.id}: {'does not find' if wanted else 'finds'} {example!r}"
        if unknown := sorted(one.chapters - chapters - needed):
            yield where, f"{one.row.id}: no chapter and no need of a sign: {', '.join(unknown)}"
        if one.row.id not in reached:
            yield where, f"{one.row.id}: no warning sign belongs to it"


def _delay_breaches(starter: Starter) -> Iterator[tuple[Line, str]]:
    """Sentences outside the warning signs that name an emergency and delay it: "walk it off", "wait until your next visit"."""
    for section in starter.handbook:
        if section.title == WARNING_SIGNS:
            continue
        for sentence in _SENTENCE_END.split(section.text):
            if not delays(sentence):
                continue
            for found in starter.sign_classes.of(section.condition, sentence, Needs()):
                if found.of.level in EMERGENCIES:
                    yield (
                        section.where,
                        f"{section.condition}: delays {found.of.row.id}, {found.of.level}: {sentence[:70]!r}",
                    )
                    break


def delays(sentence: str) -> bool:
    """Whether a sentence tells to wait, rest or go on, or leaves something to a later visit (assets/rules/fit/delay_triggers.tsv)."""
    return any(one.row.event == DELAY for one in _delays().find(plain_marks(tokens(sentence).words))[DELAYS])


@lru_cache(maxsize=1)
def _delays() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(DELAYS, RULES))


def _is_known(need: Need, names: set[str]) -> bool:
    return need.kind not in NAMED or need.kind == "relative" or need.name in names


def _where(flag: RedFlag) -> Line:
    return Line(f"{FOLDER}/{flag.file}", flag.line)
