"""What a sentence of advice presupposes of a patient, read by trigger rows and the linker, whoever the patient is.

"Keep your stitches dry" presupposes stitches, "ask before you take ibuprofen" nothing: a mention is no presupposition. The rows are
assets/rules/fit/presupposition_triggers.tsv, and named_triggers.tsv for what is the patient's, taken or had and named next.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.interfaces import Linker
from backend.knowledge.needs import Need, Needs, parse_needs
from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.rules.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category

PRESUPPOSITIONS, NAMES = "fit/presupposition", "fit/named"
CACHED = 16_384
WITHOUT = "not:"
_MARKERS = frozenset({"nothing", "call", "warns", "mending", "past"})
_NAMING = frozenset({"own", "taken", "medicine", "has", "unless_denied", "nothing"})
_PLACES = frozenset({"any", "advice", "opening"})
_DRUGS = frozenset({Category.DRUG, Category.DRUG_CLASS})
_FELT = frozenset({Category.SYMPTOM, Category.FINDING})
_ENDS = frozenset(".;:!?")
_OPENS = frozenset({",", ";", ":", ".", "\n", "and", "then"})
_REACH, _LIST = 4, 8
"""Words from a trigger to what it names, and over which a list of medicines goes on."""


class Reading(NamedTuple):
    """What one sentence presupposes.

    Attributes:
        needs: what must hold and what must not.
        rule_ids: of the rows that said so.
        concepts: what it names, by id.
        calls: it says when to call.
        warns: it warns of what it names.
        mending: it holds until something has healed.
        past: it tells of what was.
        mentions: as the linker reads them.
    """

    needs: Needs
    rule_ids: tuple[str, ...]
    concepts: frozenset[str]
    calls: bool
    warns: bool
    mending: bool
    past: bool
    mentions: tuple[Mention, ...]


class SentenceReader:
    """Reads sentences; the most recent ones are kept by their text. Safe to share between threads.

    Args:
        linker: names the concepts of a sentence.

    Raises:
        KnowledgeError: a row of the trigger files has an event or place that is none.
    """

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._automaton, self._needs = _triggers()
        self.read = lru_cache(maxsize=CACHED)(self._read)
        self.concept_of = lru_cache(maxsize=CACHED)(self._concept_of)

    def _read(self, text: str) -> Reading:
        found = tokens(text)
        words = plain_marks(found.words)
        triggers = self._automaton.find(words)
        mentions = self._linker.link(text).note.mentions
        events = {t.row.event for t in triggers[PRESUPPOSITIONS] if _stands(t, words)}
        calls = "call" in events
        groups: dict[tuple[Need, ...], None] = {}
        without: dict[Need, None] = {}
        rules: dict[str, None] = {}
        specific: list[tuple[int, int]] = []
        for t in triggers[PRESUPPOSITIONS]:
            needs = self._needs.get(t.row.rule_id)
            if needs is None or (calls and t.row.cells["where"] == "advice") or not _stands(t, words):
                specific += [(t.first, t.last)] if t.row.event == "nothing" else []
                continue
            groups.update(dict.fromkeys(needs.all_of))
            without.update(dict.fromkeys(needs.none_of))
            rules[t.row.rule_id] = None
            if needs.all_of:
                specific.append((t.first, t.last))
        for t in triggers[NAMES]:
            if t.row.event != "nothing" and _stands(t, words):
                group = tuple(_named(t, mentions, found, words, specific))
                if group:
                    groups[group] = None
                    rules[t.row.rule_id] = None
        return Reading(
            Needs(tuple(groups), tuple(without)),
            tuple(rules),
            frozenset(m.concept_id for m in mentions),
            calls,
            "warns" in events,
            "mending" in events,
            "past" in events,
            mentions,
        )

    def _concept_of(self, name: str) -> str:
        """The id of a concept's name; empty where the lexicon does not know it."""
        mentions = self._linker.link(name).note.mentions
        whole = [m for m in mentions if m.end_char - m.start_char >= len(name)]
        return whole[0].concept_id if whole else ""


@lru_cache(maxsize=1)
def _triggers() -> tuple[TriggerAutomaton, dict[str, Needs]]:
    rows = [*trigger_rows(PRESUPPOSITIONS), *trigger_rows(NAMES)]
    needs = {row.rule_id: found for row in rows if (found := needs_of(row)) is not None}
    return TriggerAutomaton(rows), needs


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
    if row.event in _MARKERS:
        return None
    parts = [part.strip() for part in row.event.split(";")]
    without = [part.removeprefix(WITHOUT) for part in parts if part.startswith(WITHOUT)]
    try:
        return parse_needs(";".join(part for part in parts if not part.startswith(WITHOUT)), ";".join(without))
    except KnowledgeError as error:
        raise KnowledgeError(f"{row.rule_id}: {error}") from None


def _stands(t: FoundTrigger, words: Sequence[str]) -> bool:
    """Whether a trigger stands where its row asks for it."""
    if t.row.cells["where"] != "opening":
        return True
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
    first = None
    for mention in mentions:
        at = next((i for i in range(t.last, end) if found.starts[i] == mention.start_char), None)
        if at is None or any(a <= at < b for a, b in specific):
            continue
        if first is None and at - t.last >= (_REACH if t.row.event != "own" else _REACH - 2):
            return
        if first is not None and at - first > _LIST:
            return
        need = tuple(_need(t.row.event, mention))
        if first is None and not need:
            return
        first = at if first is None else first
        yield from need
        if t.row.event in ("own", "has"):
            return


def _need(event: str, mention: Mention) -> Iterator[Need]:
    name, category = mention.name, mention.category
    if mention.assertion in (Assertion.FAMILY, Assertion.NEGATED):
        return
    if category in _DRUGS:
        if event in ("taken", "medicine", "own"):
            yield Need("takes" if event == "taken" else "medicine", name)
        elif event == "unless_denied":
            yield Need("medicine", name, unless_denied=True)
    elif category is Category.DISEASE:
        if event in ("own", "has", "taken", "unless_denied"):
            yield Need("has", name, unless_denied=event == "unless_denied")
    elif category in _FELT and event == "own":
        yield Need("has", name, unless_denied=True)
    elif category is Category.DEVICE and event in ("own", "taken"):
        yield Need("device", name)
    elif category is Category.PROCEDURE and event == "own":
        yield Need("procedure", name)
