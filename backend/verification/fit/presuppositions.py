"""What a sentence of advice presupposes of a patient, read by trigger rows and the linker, whoever the patient is.

"Keep your stitches dry" presupposes stitches, "ask before you take ibuprofen" nothing: a mention is no presupposition. The rows are
assets/rules/fit/presupposition_triggers.tsv, and named_triggers.tsv for what is the patient's, taken or had and named next, emergency_triggers.tsv
for what sends to emergency treatment, person_triggers.tsv for what holds whatever a row of applicability says.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.interfaces import Linker
from backend.knowledge.advice.needs import Need, Needs, parse_needs
from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.gaps import GAP, asks_of_medicines
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category

PRESUPPOSITIONS, NAMES, EMERGENCY, PERSON = "fit/presupposition", "fit/named", "fit/emergency", "fit/person"
CACHED = 16_384
WITHOUT = "not:"
ASKED = "undecided"
"""The event of words that ask before a medicine is taken: not of one that the note stops, whatever a row says."""
_MARKERS = frozenset({"nothing", "call", "warns", "mending", "past", "info", "offers"})
_NAMING = frozenset({"own", "taken", "medicine", "has", "unless_denied", ASKED, "nothing"})
_PLACES = frozenset({"any", "advice", "opening", "you"})
_ADDRESSED = frozenset({"you", "your", "yourself"})
_DRUGS = frozenset({Category.DRUG, Category.DRUG_CLASS})
_ENDS = frozenset(".;:!?")
_OPENS = frozenset({",", ";", ":", ".", "\n", "and", "then"})
_GAP = re.escape(" ...")
_REACH, _LIST = 4, 8
"""Words from a trigger to what it names, and over which a list of medicines goes on."""


class Reading(NamedTuple):
    """What one sentence presupposes.

    Attributes:
        needs: what must hold and what must not.
        always: what must hold and what must not whatever a row of applicability says of the sentence.
        rule_ids: of the rows that said so.
        calls: it says when to call.
        warns: it warns of what it names.
        mending: it holds until something has healed.
        past: it tells of what was.
        offers: it tells what a team may give.
        at_large: it tells of people at large, and says neither you nor your.
    """

    needs: Needs
    always: Needs
    rule_ids: tuple[str, ...]
    calls: bool
    warns: bool
    mending: bool
    past: bool
    offers: bool
    at_large: bool


class SentenceReader:
    """Reads sentences; the most recent ones are kept by their text. Safe to share between threads.

    Args:
        linker: names the concepts of a sentence.

    Raises:
        KnowledgeError: a row of the trigger files has an event or place that is none.
    """

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self._automaton, self._needs = _triggers()
        self.read = lru_cache(maxsize=CACHED)(self._read)
        self.concept_of = lru_cache(maxsize=CACHED)(self._concept_of)

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """What a sentence names; linked only where that is asked."""
        return self.linker.link(text).note.mentions

    def concepts(self, text: str) -> frozenset[str]:
        """The ids of what a sentence names."""
        return frozenset(mention.concept_id for mention in self.linker.named(text))

    def ills(self, text: str) -> tuple[Mention, ...]:
        """The diseases that a sentence names."""
        return tuple(one for one in self.linker.named(text) if one.category is Category.DISEASE)

    def _read(self, text: str) -> Reading:
        found = tokens(text)
        words = plain_marks(found.words)
        triggers = self._automaton.find(words)
        here = [t for t in triggers[PRESUPPOSITIONS] if t.row.cells["where"] != "opening" or _opens(t, words)]
        events = {t.row.event for t in here}
        left_out = {"advice"} if "call" in events else set[str]()
        at_large = "info" in events and _ADDRESSED.isdisjoint(words)
        if at_large:
            left_out.add("you")
        groups: dict[tuple[Need, ...], None] = {}
        without: dict[Need, None] = {}
        asked: dict[tuple[Need, ...], None] = {}
        rules: dict[str, None] = {}
        spoken_for: list[tuple[int, int]] = []
        for t in here:
            needs = self._needs.get(t.row.rule_id)
            if needs is None or t.row.cells["where"] in left_out:
                spoken_for += [(t.first, t.last)] if t.row.event == "nothing" else []
                continue
            groups.update(dict.fromkeys(needs.all_of))
            without.update(dict.fromkeys(needs.none_of))
            rules[t.row.rule_id] = None
            spoken_for += [(t.first, t.last)] if needs.all_of else []
        for t in triggers[EMERGENCY]:
            without.update(dict.fromkeys(self._needs[t.row.rule_id].none_of))
            rules[t.row.rule_id] = None
        naming = [t for t in triggers[NAMES] if t.row.event != "nothing" and t.row.cells["where"] not in left_out]
        for t in naming:
            if t.row.cells["where"] == "opening" and not _opens(t, words):
                continue
            group = tuple(_named(t, self.linker.named(text), found, words, spoken_for))
            if group:
                (asked if t.row.event == ASKED else groups)[group] = None
                rules[t.row.rule_id] = None
        careful = {"advice"} if "nothing" in (t.row.event for t in triggers[PERSON]) else set[str]()
        of_person = [
            (t, self._needs[t.row.rule_id])
            for t in triggers[PERSON]
            if t.row.rule_id in self._needs and t.row.cells["where"] not in left_out | careful
        ]
        rules.update(dict.fromkeys(t.row.rule_id for t, _ in of_person))
        always = Needs(
            tuple(dict.fromkeys([*asked, *(group for _, one in of_person for group in one.all_of)])),
            tuple(dict.fromkeys(need for _, one in of_person for need in one.none_of)),
        )
        needed = Needs(tuple(groups), tuple(without))
        marks = (one in events for one in ("call", "warns", "mending", "past", "offers"))
        return Reading(needed, always, tuple(rules), *(*marks, at_large))

    def _concept_of(self, name: str) -> str:
        """The id of a concept's name; empty where the lexicon does not know it."""
        mentions = self.linker.named(name)
        whole = [m for m in mentions if m.end_char - m.start_char >= len(name)]
        return whole[0].concept_id if whole else ""


def is_caution(text: str) -> bool:
    """Whether a sentence warns of a medicine, names it as a cause (assets/rules/fit/cautions.txt), or only asks the team: that gives none."""
    return _cautions().search(text) is not None or GAP.fullmatch(text.strip()) is not None or asks_of_medicines(text)


@lru_cache(maxsize=1)
def _cautions() -> re.Pattern[str]:
    phrases = (re.escape(phrase).replace(_GAP, "[^.]*") for phrase in rule_names(RULES / "fit" / "cautions.txt"))
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _triggers() -> tuple[TriggerAutomaton, dict[str, Needs]]:
    rows = [*trigger_rows(PRESUPPOSITIONS), *trigger_rows(NAMES)]
    needs = {row.rule_id: found for row in rows if (found := needs_of(row)) is not None}
    plain = [*trigger_rows(EMERGENCY), *trigger_rows(PERSON)]
    needs |= {row.rule_id: _written(row) for row in plain if row.event not in _MARKERS}
    return TriggerAutomaton([*rows, *plain]), needs


def needs_of(row: TriggerRow) -> Needs | None:
    """The needs that a row's event names; None of a row that marks a sentence or asks what is named next.

    Raises:
        KnowledgeError: the event or the place is none.
    """
    if row.cells.get("where") not in _PLACES:
        raise KnowledgeError(
            f"{row.rule_id}: the place '{row.cells.get('where')}' is none of {', '.join(sorted(_PLACES))}."
        )
    if row.family == NAMES:
        if row.event not in _NAMING:
            raise KnowledgeError(f"{row.rule_id}: the event '{row.event}' is none of {', '.join(sorted(_NAMING))}.")
        return None
    return None if row.event in _MARKERS else _written(row)


def _written(row: TriggerRow) -> Needs:
    """The needs as an event writes them, those behind WITHOUT as what must not be."""
    parts = [part.strip() for part in row.event.split(";")]
    without = [part.removeprefix(WITHOUT) for part in parts if part.startswith(WITHOUT)]
    try:
        return parse_needs(";".join(part for part in parts if not part.startswith(WITHOUT)), ";".join(without))
    except KnowledgeError as error:
        raise KnowledgeError(f"{row.rule_id}: {error}") from None


def _opens(t: FoundTrigger, words: Sequence[str]) -> bool:
    """Whether a trigger opens a sentence or a clause."""
    return t.first == 0 or words[t.first - 1] in _OPENS


def _named(
    t: FoundTrigger,
    mentions: Sequence[Mention],
    found: Tokens,
    words: Sequence[str],
    specific: Sequence[tuple[int, int]],
) -> Iterator[Need]:
    """Yield the needs of what is named behind a trigger, each a choice; what a row of its own speaks of is left to that row."""
    end = next((i for i in range(t.last, len(words)) if words[i] in _ENDS), len(words))
    first = kind = None
    for mention in mentions:
        at = next((i for i in range(t.last, end) if found.starts[i] == mention.start_char), None)
        if at is None or any(a <= at < b for a, b in specific):
            continue
        if first is None and at - t.last >= (_REACH if t.row.event != "own" else _REACH - 2):
            return
        if first is not None and at - first > _LIST:
            return
        event = (
            "own"
            if t.row.event == "taken" and words[t.last - 1] == "your" and mention.category is Category.DISEASE
            else t.row.event
        )
        need = tuple(_need(event, mention))
        if first is None and not need:
            return
        first = at if first is None else first
        kind = need[0].kind if kind is None and need else kind
        yield from (one for one in need if one.kind == kind)  # "warfarin for AFib": the disease is no other choice
        if t.row.event in ("own", "has"):
            return


def _need(event: str, mention: Mention) -> Iterator[Need]:
    name, said, category = mention.name, mention.text, mention.category
    if mention.assertion in (Assertion.FAMILY, Assertion.NEGATED):
        return
    if category in _DRUGS:
        if event in ("taken", "medicine", "own"):
            yield Need("takes" if event == "taken" else "medicine", name, said=said)
        elif event in ("unless_denied", ASKED):
            yield Need(ASKED if event == ASKED else "takes", name, unless_denied=True, said=said)
    elif category is Category.DISEASE:
        if event in ("own", "has", "unless_denied"):
            yield Need("has", name, event == "unless_denied", said)
    elif category is Category.DEVICE and event in ("own", "taken"):
        yield Need("device", name, said=said)
