"""What a note says of the patient's allergies: the list with its status, and the statements of the record.

Order of the resolver: what is denied, withdrawn or tolerated in its own clause is no entry; then what a medicine was given for.
A relative's is never the patient's. A listed thing makes the status `listed`, whatever denial stands beside it.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergens import Allergens, Lookup
from backend.nlp.allergies.allergy_wording import phrases, wording
from backend.nlp.allergies.effects import Effect, effects_of, only_warned
from backend.nlp.allergies.events import OPENING, EventReader
from backend.nlp.allergies.lists.checkboxes import stated_parts
from backend.nlp.allergies.lists.denials import denials, outside, unreadable
from backend.nlp.allergies.lists.items import Entry, allergy_items
from backend.nlp.allergies.lists.list_end import ListEnd
from backend.nlp.allergies.lists.list_grammar import ListReader
from backend.nlp.allergies.lists.shared_headers import names_one_thing, shared_part, shared_with
from backend.nlp.allergies.persons import of_others, others_alone
from backend.nlp.allergies.possible.expected import is_expected
from backend.nlp.allergies.possible.pairs import EFFECTS, Candidate, Pair, PairReader
from backend.nlp.allergies.possible.possible_allergies import (
    ScoredAllergy,
    is_listed,
    nearest,
    possible_allergies,
    with_attributes,
)
from backend.nlp.allergies.taken_back import TakenBack
from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.schemas.drafts.note import Allergies, AllergyItem, Mention, Section
from backend.schemas.record import AllergyRecord, AllergyStatement, Experiencer, RecordSpan, VerificationStatus
from backend.schemas.vocabulary import AllergyStatus, Category, SectionCategory

Span = tuple[int, int]
LIST_RULE = "allergies/lists/entry"
MODEL_RULE = "allergies/possible_model"
_LISTED, _UNCHECKED = 1.0, 0.9
_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))
_PERSONS = frozenset(("parent", "child", "spouse", "sibling", "other"))


class AllergiesRead(NamedTuple):
    """The allergies as the draft shows them, and as the patient record holds them."""

    allergies: Allergies
    record: AllergyRecord


def read_allergies(
    note: ParsedNote, mentions: Sequence[Mention], lookup: Lookup, attributes_of: AttributesOf
) -> AllergiesRead:
    """The allergies of a note.

    Args:
        note: the parsed note.
        mentions: its mentions, of which those of medicines, foods and materials may be agents.
        lookup: gives the concept that a phrase names, or None.
        attributes_of: gives the attributes of spans of the note.
    """
    reader = _Reader(note, mentions, lookup, attributes_of)
    reader.read()
    allergies = reader.result()
    return AllergiesRead(allergies, reader.record(allergies))


_NEED_EFFECT = frozenset(("CAUSES", "CAME_OF", "STOPPED", "AVOID", "NOT_TAKEN", "INDICATION", "NO"))
_REACTIONS = frozenset(("allergic", "changed"))


def pairs_to_score(
    note: ParsedNote, mentions: Sequence[Mention], lookup: Lookup, attributes_of: AttributesOf
) -> list[Pair]:
    """The pairs of a note that the scorer decides: those of what the rules neither list nor take back."""
    reader = _Reader(note, mentions, lookup, attributes_of)
    reader.read()
    return reader.open_pairs(allergy_items(note, reader.entries, reader.allergens))


class _Reader:
    def __init__(
        self, note: ParsedNote, mentions: Sequence[Mention], lookup: Lookup, attributes_of: AttributesOf
    ) -> None:
        self._note = note
        self._wording = wording(note)
        self._trigger_starts = [one.first for one in self._wording.triggers]
        self.allergens = Allergens(lookup)
        self._agents = Agents(note, self._wording, mentions, self.allergens)
        self._taken_back = TakenBack(note, self._wording, self._agents, self.allergens)
        self._lists = ListReader(note, self._wording.words, self._agents, self.allergens)
        self._events = EventReader(note, self._wording, self._agents)
        self._ills = sorted({note.token_range(m.start_char, m.end_char) for m in mentions if m.category in _ILLS})
        self._attributes_of = attributes_of
        self.entries: list[Entry] = []
        self._facts: list[tuple[Entry, Span]] = []
        self._left_out: list[Span] = []
        self._scored: list[ScoredAllergy] = []
        self._none: list[Span] = []
        self._unreadable: list[Span] = []

    def read(self) -> None:
        by_section: dict[int, list[Sentence]] = {}
        for sentence in self._note.sentences:
            by_section.setdefault(sentence.section, []).append(sentence)
        for number, sentences in by_section.items():
            self._section(self._note.sections[number], sentences)
        self.entries += self._lists.entries
        self._keep_facts()

    def _section(self, section: Section, sentences: Sequence[Sentence]) -> None:
        """One section: a list of allergies, running text, or both under one header."""
        part = shared_part(self._note, section)
        others = shared_with(section.title)
        if part is not None:
            self._section_sentence(*part)
        if section.category is SectionCategory.ALLERGIES and not others and part is None:
            before = len(self._none)
            end = ListEnd(self._note, self._wording.words, self._agents, self.allergens)
            parts = (part for one in sentences for part in stated_parts(self._wording.words, one.first, one.last))
            for first, last in parts:
                if end.goes_on(first, last, self._triggers(first, last)):
                    named, denied = len(self._lists.entries), len(self._none)
                    self._section_sentence(first, last)
                    end.answer(first, last, len(self._lists.entries) - named, len(self._none) > denied)
                else:
                    self._running_sentence(first, last)
            if names_one_thing(section.title):
                del self._none[before:]
            return
        before = self._read_so_far()
        for one in sentences:
            self._running_sentence(one.first, one.last)
        if others and part is None and self._read_so_far() == before:
            self._shared(section, sentences, SectionCategory.MEDICATIONS in others)

    def _shared(self, section: Section, sentences: Sequence[Sentence], medicines: bool) -> None:
        """A section whose header names allergies beside other things, and whose sentences do not say which is which."""
        if medicines:
            self._unreadable.append(self._note.token_range(section.start_char, section.body_char))
        for one in sentences:
            if any(denial.general for denial in denials(self._wording.words, [], one.first, one.last, in_section=True)):
                self._none.append((one.first, one.last))
            elif not medicines:
                agents = self._agents.within(one.first, one.last)
                named = {i for agent in agents for i in range(agent.first, agent.last)}
                left = [i for i in range(one.first, one.last) if i not in named and self._wording.words[i].isalpha()]
                if agents and all(phrases("lists").of(self._wording.words[i]) & {"filler"} for i in left):
                    self.entries += [Entry(a.first, a.last, "", "", LIST_RULE) for a in agents]

    def _read_so_far(self) -> int:
        return len(self._facts) + len(self._none) + len(self._unreadable)

    def _keep_facts(self) -> None:
        """Keep what its deciding words state as a fact of the patient."""
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        # what is called an allergy is denied by denials alone; then the place is told by a negative number
        spans = [
            (starts[a if a >= 0 else -a - 1], ends[b - 1]) if b else (starts[e.first], ends[e.last - 1])
            for e, (a, b) in self._facts
        ]
        for (entry, place), attributes in zip(self._facts, self._attributes_of(spans), strict=True):
            first, last = self._bounds(entry)
            if place[1] and place[0] >= 0 and self._is_expected(entry, place):
                continue
            of_relative = attributes.experiencer is not Experiencer.PATIENT and others_alone(
                self._wording.words, first, last
            )
            if self._taken_back.holds(entry.first, entry.last) or only_warned(
                self._wording.relations, *self._bounds(entry)
            ):
                continue
            if not of_relative and (
                not place[1]
                or not (
                    attributes.hypothetical
                    or (attributes.negated and (place[0] >= 0 or self._marked(first, last)) and not self._begins(entry))
                    or (attributes.uncertain and place[0] >= 0)
                )
            ):
                self.entries.append(entry)
        self.entries.sort()

    def _is_expected(self, entry: Entry, place: Span) -> bool:
        """Whether an effect is the price of such a medicine, as mouth sores are of chemotherapy."""
        words, (first, last) = self._wording.words, self._bounds(entry)
        marks = self._wording.effects.within(first, last)
        return is_expected(words, (entry.first, entry.last), Effect(*place, "allergic"), marks)

    def _begins(self, entry: Entry) -> bool:
        """Whether an entry and its adjective begin anew after a comma: "no dairy, lactose intolerant"."""
        words = self._wording.words
        adjective = words[entry.last : entry.last + 1]
        return words[entry.first - 1 : entry.first] == [","] and adjective in (["allergic"], ["intolerant"])

    def _marked(self, first: int, last: int) -> bool:
        """Whether a sentence has marks; without them a scope of "no" runs on to what it does not deny."""
        return any(word in (",", ";", ":") for word in self._wording.words[first:last])

    def _bounds(self, entry: Entry) -> Span:
        at = self._note.sentence_at(self._note.tokens.starts[entry.first])
        sentence = self._note.sentences[at or 0]
        return sentence.first, sentence.last

    def result(self) -> Allergies:
        items = allergy_items(self._note, self.entries, self.allergens)
        pairs = self.open_pairs(items, partial(nearest, self._note))
        scored = possible_allergies(self._note, pairs, self.allergens, self._answered())
        self._scored = scored
        return self._stated(items).model_copy(update={"possible": tuple(one.possible for one in scored)})

    def open_pairs(
        self,
        listed: Sequence[AllergyItem],
        chosen: Callable[[Sequence[Candidate]], Sequence[Candidate]] | None = None,
    ) -> list[Pair]:
        """The pairs of agents that are not listed, not taken back, and not in what was tolerated; of them those chosen."""

        def kept(agent: Agent) -> bool:
            left_out = any(a <= agent.first < b for a, b in self._left_out)
            return not (
                left_out
                or self._taken_back.holds(agent.first, agent.last)
                or is_listed(self._note, agent, self.allergens, listed)
            )

        reader = PairReader(self._note, self._wording, self._agents, self._ills)
        pairs = list(reader.pairs(kept, _REACTIONS if self._answered() else EFFECTS, chosen))
        return with_attributes(self._note, pairs, self._attributes_of)

    def _answered(self) -> bool:
        """Whether the note itself says what the patient is allergic to: then what else a medicine did is no question."""
        return bool(self._none or self._lists.entries)

    def _stated(self, items: tuple[AllergyItem, ...]) -> Allergies:
        if items:
            return Allergies(status=AllergyStatus.LISTED, items=items, text=self._quote(self._none))
        if self._none:
            return Allergies(status=AllergyStatus.NONE_KNOWN, text=self._quote(self._none))
        if self._unreadable:
            return Allergies(status=AllergyStatus.UNREADABLE, text=self._quote(self._unreadable))
        return Allergies(status=AllergyStatus.NOT_STATED)

    def record(self, allergies: Allergies) -> AllergyRecord:
        """The same as statements, with certainty, asserter, contradictions and the rules that made them."""
        rules = {(e.first, e.last): e.rule_id for e in self.entries}
        items: list[AllergyStatement] = []
        against = tuple(self._span(*one) for one in self._none) if allergies.items else ()
        for item in allergies.items:
            place = self._note.token_range(item.start_char, item.end_char)
            items.append(
                AllergyStatement(
                    id=f"allergy-{len(items) + 1}",
                    spans=(self._span(*place),),
                    rule_ids=(rules.get(place, LIST_RULE),),
                    certainty=_LISTED if item.checked else _UNCHECKED,
                    agent=item.name or item.text,
                    concept_id=item.concept_id,
                    kind=item.kind,
                    reaction=item.reaction,
                    asserter=self._asserter(place[0]),
                    contradicted_by=against,
                )
            )
        for probability, one, effect in self._scored:
            agent = self._note.token_range(one.start_char, one.end_char)
            items.append(
                AllergyStatement(
                    id=f"allergy-{len(items) + 1}",
                    spans=(self._span(*agent), self._span(*effect)),
                    rule_ids=(MODEL_RULE,),
                    certainty=probability,
                    agent=one.name or one.text,
                    concept_id=one.concept_id,
                    kind=one.kind,
                    verification_status=VerificationStatus.UNCONFIRMED,
                    possible=True,
                )
            )
        return AllergyRecord(status=allergies.status, text=allergies.text, items=tuple(items))

    def _span(self, first: int, last: int) -> RecordSpan:
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        return RecordSpan(start_char=starts[first], end_char=ends[last - 1], text=self._note.written(first, last))

    def _asserter(self, at: int) -> str:
        """Who says it, where a person who speaks is named before it in its sentence."""
        sentence = self._note.sentence_at(self._note.tokens.starts[at])
        if sentence is None:
            return ""
        table, words = phrases("persons"), self._wording.words
        for i in range(self._note.sentences[sentence].first, at - 1):
            if table.of(words[i]) & _PERSONS and "tells" in table.of(words[i + 1]):
                return words[i]
        return ""

    def _quote(self, spans: list[Span]) -> str:
        return self._note.written(*spans[0]) if spans else ""

    def _triggers(self, first: int, last: int) -> list[FoundTrigger]:
        begin, end = bisect_left(self._trigger_starts, first), bisect_left(self._trigger_starts, last)
        return [one for one in self._wording.triggers[begin:end] if one.last <= last]

    def _section_sentence(self, first: int, last: int) -> None:
        for begin, end in outside(first, last, self._of_others(first, last)):
            self._own_section(begin, end)

    def _of_others(self, first: int, last: int) -> list[Span]:
        """What a sentence tells of somebody else; not "that was her twin", which takes back what stands before it."""
        found = of_others(self._wording, first, last)
        withdrawn = [t for t in self._triggers(first, last) if t.row.event == "WITHDRAWN"] if found else []
        return [(a, b) for a, b in found if not any(t.first < b and a < t.last for t in withdrawn)]

    def _own_section(self, first: int, last: int) -> None:
        words = self._wording.words
        triggers = self._triggers(first, last)
        denied = denials(words, triggers, first, last, in_section=True)
        self._none += [(d.first, d.last) for d in denied if d.general]
        agents = self._agents.within(first, last)
        if not denied and not agents and (unreadable(words, first, last) or self._deidentified(first, last)):
            self._unreadable.append((first, last))
            return
        harmless = [(d.first, d.last) for d in denied] + self._taken_back.harmless(
            first, last, triggers, agents, in_list=True
        )
        harmless += self._taken_back.used(first, last, agents, begun=bool(denied or self._lists.entries))
        answered = {d.last for d in denied}
        for left, right in outside(first, last, harmless):
            self._lists.read(left, right, denied=left in answered)
        self._none += self._lists.denied
        self._lists.denied = []

    def _deidentified(self, first: int, last: int) -> bool:
        """Whether a name was taken out of the text: "[**Known lastname 12**]"."""
        return "[**" in self._note.written(first, last)

    def _unread(self, first: int, last: int, triggers: Sequence[FoundTrigger], agents: Sequence[Agent]) -> None:
        """Note that a sentence says that nobody could tell the allergies."""
        words = self._wording.words
        named = any("called" in phrases("lists").of(word) for word in words[first:last])
        if named and not agents and any(one.row.event == "UNREADABLE" for one in triggers):
            self._unreadable.append((first, last))

    def _names_effect(self, first: int, last: int) -> bool:
        """Whether a sentence names an effect or an allergy, without which its links and denials say nothing here."""
        words = self._wording.words
        if self._wording.called.within(first, last):
            return True
        return any(True for _ in effects_of(words, self._wording.effects.within(first, last)))

    def _running_sentence(self, first: int, last: int) -> None:
        words = self._wording.words
        triggers = self._triggers(first, last)
        if not triggers and OPENING.isdisjoint(words[first:last]):
            return
        if all(one.row.event in _NEED_EFFECT for one in triggers) and not self._names_effect(first, last):
            return
        for begin, end in outside(first, last, self._of_others(first, last)):
            own = self._triggers(begin, end)
            denied = denials(words, own, begin, end, in_section=False)
            self._none += [(d.first, d.last) for d in denied if d.general]
            agents = self._agents.within(begin, end)
            self._unread(begin, end, own, agents)
            left_out = [(d.first, d.last) for d in denied] + self._taken_back.harmless(begin, end, own, agents)
            self._left_out += left_out
            for left, right in outside(begin, end, left_out):
                here = [
                    one
                    for one in agents
                    if left <= one.first and one.last <= right and not self._agents.is_replacement(one, left)
                ]
                self._facts += self._events.read(left, right, self._triggers(left, right), here)
