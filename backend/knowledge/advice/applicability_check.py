"""Which sentences of the handbook speak of a medicine, device, wound, operation, habit, age or sex and do not say for whom they hold.

A sentence of advice that presupposes something by the reader of fit, or names it by the rows of assets/rules/fit/naming_triggers.tsv,
needs a row of applicability; a row that asks nothing needs a reason. What a chapter is about everybody has whom it speaks to.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import Need, Needs, missing_words
from backend.knowledge.starter import HandbookSection, Line, Starter, symptom_chapters
from backend.nlp.document import sentences
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows

NAMING = "fit/naming"
ADVICE = frozenset({"Diet", "Activity", "Precautions", "Follow-up"})
"""Sections whose sentences speak to the reader."""
TOLD = ADVICE | {"Medicines"}
"""Sections that a letter quotes; of Medicines those sentences alone count that speak to the reader of something else than a medicine."""
MEDICINE, OFFER, NOTHING = "medicine", "offer", "nothing"
EVENTS = frozenset({MEDICINE, "device", "wound", "operation", "habit", "sex", "age", OFFER, NOTHING})
Presupposes = Callable[[str], Needs]
"""What a sentence presupposes, as fit reads it."""
_ADDRESSED = frozenset({"you", "your", "yourself"})
_ALWAYS = frozenset({"adult", "has"})
"""Kinds that no row is wanted for: the handbook is for adults, and a problem that a sentence says is yours is its condition."""
_SHOWN = 60


def unsaid(starter: Starter, presupposes: Presupposes) -> Iterator[tuple[Line, str]]:
    """Every sentence of a condition's or situation's chapter that speaks of what not everybody has, and does not say for whom.

    Args:
        starter: as its files have it.
        presupposes: what fit reads in a sentence.

    Yields:
        Where the sentence's section begins, or its row stands, and what it speaks of.
    """
    rows = {(row.chapter, row.sentence): row for row in starter.applicability}
    symptoms = symptom_chapters(starter)
    for section in starter.handbook:
        if section.title not in TOLD or section.condition in symptoms:
            continue
        for a, b in sentences(section.text):
            text = section.text[a:b]
            row = rows.get((section.condition, text))
            if row is not None and (row.reason or row.needs.all_of or row.needs.none_of):
                continue
            spoken = spoken_of(text, section, presupposes)
            if spoken and row is None:
                yield (
                    section.where,
                    f"{section.condition}: speaks of {spoken} without saying for whom: {text[:_SHOWN]!r}",
                )
            elif spoken and row is not None:
                place = Line(f"applicability/{row.file}", row.line)
                yield (
                    place,
                    f"{section.condition}: speaks of {spoken}; give needs, or the reason why none: {text[:_SHOWN]!r}",
                )


def spoken_of(text: str, section: HandbookSection, presupposes: Presupposes) -> str:
    """What a sentence speaks of that not everybody has, in words; empty where there is nothing of the kind.

    Args:
        text: one sentence.
        section: where it stands.
        presupposes: what fit reads in a sentence.
    """
    needs = [one for group in presupposes(text).all_of for one in group if not _is_its_own(one, section)]
    if needs:
        return missing_words(needs[0])
    words = plain_marks(tokens(text).words)
    found = [t for t in _automaton().find(words)[NAMING] if not _names_chapter(t, words, section.condition)]
    events = [t for t in found if t.row.event not in (OFFER, NOTHING)]
    if section.title not in ADVICE:
        offered = len({t.row.event for t in found} & {OFFER}) > 0
        addressed = not _ADDRESSED.isdisjoint(words)
        events = [t for t in events if addressed and not offered and t.row.event != MEDICINE]
    return f"“{' '.join(words[events[0].first : events[0].last])}”" if events else ""


def _is_its_own(need: Need, section: HandbookSection) -> bool:
    return need.kind in _ALWAYS or (bool(need.name) and need.name.lower() == section.condition.lower())


def _names_chapter(t: FoundTrigger, words: list[str], chapter: str) -> bool:
    """Whether the words of a trigger are those of the chapter's name, in the singular or the plural."""
    own = {word.rstrip("s") for word in plain_marks(tokens(chapter.lower()).words)}
    return all(word.rstrip("s") in own for word in words[t.first : t.last])


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    rows = trigger_rows(NAMING)
    for row in rows:
        if row.event not in EVENTS:
            raise KnowledgeError(f"{row.rule_id}: the event '{row.event}' is none of {', '.join(sorted(EVENTS))}.")
    return TriggerAutomaton(rows)
