"""What a note says of the patient's allergies: the list with its status, and the statements of the record.

Order of the resolver, in each sentence: what is told of somebody else, what is denied, what is withdrawn, what is tolerated, what is
used; of the rest a list gives entries and running text gives events. Then of each event: whose it is, whether it is taken back, only
warned of, expected, uncertain, hypothetical or negated. A listed thing makes the status `listed`, whatever denial stands beside it.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents, endings
from backend.nlp.allergies.allergens import Allergens, Lookup
from backend.nlp.allergies.allergy_statements import LIST_RULE, MODEL_RULE, AllergyStatements
from backend.nlp.allergies.allergy_wording import phrases, wording
from backend.nlp.allergies.effects import Effect, effects_of, only_warned
from backend.nlp.allergies.events import OPENING, EventReader
from backend.nlp.allergies.lists.checkboxes import answer_rows, stated_parts
from backend.nlp.allergies.lists.denials import begins_anew, denials, of_the_rest, outside, unreadable
from backend.nlp.allergies.lists.items import Entry, allergy_items, is_severe, reaction_kind
from backend.nlp.allergies.lists.list_end import ListEnd
from backend.nlp.allergies.lists.list_grammar import ListReader
from backend.nlp.allergies.lists.shared_headers import shared_part, shared_with
from backend.nlp.allergies.own_statements import asked_until, statements
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
from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.lexicon.variants import stem
from backend.schemas.drafts.note import Allergies, AllergyItem, Mention, Section
from backend.schemas.record import AllergyRecord, Experiencer
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category, SectionCategory

Span = tuple[int, int]
NOT_ALLERGIC = "allergies/events/notallergic.to"
_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))


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
    return AllergiesRead(allergies, reader.told().record(allergies))


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
        self._words = self._wording.words
        self._trigger_starts = [one.first for one in self._wording.triggers]
        self.allergens = Allergens(lookup)
        self._agents = Agents(note, self._wording, mentions, self.allergens)
        self._taken_back = TakenBack(note, self._wording, self._agents, self.allergens)
        self._lists = ListReader(note, self._words, self._agents, self.allergens)
        ills = {note.token_range(m.start_char, m.end_char): m.category for m in mentions if m.category in _ILLS}
        self._ills = sorted(ills)
        listed = [s for s in note.sections if s.category is SectionCategory.MEDICATIONS]
        self._medicines = [
            m.name for m in mentions if any(s.body_char <= m.start_char < s.end_char for s in listed) and m.name
        ]
        self._events = EventReader(
            note, self._wording, self._agents, [one for one in self._ills if ills[one] is Category.DISEASE]
        )
        self._attributes_of = attributes_of
        self.entries: list[Entry] = []
        self._facts: list[tuple[Entry, Span]] = []
        self._left_out: list[Span] = []
        self._tied: list[Span] = []
        self._anew: list[int] = []
        self._scored: list[ScoredAllergy] = []
        self._none: list[Span] = []
        self._unreadable: list[Span] = []

    def read(self) -> None:
        by_section: dict[int, list[Sentence]] = {}
        for sentence in self._note.sentences:
            by_section.setdefault(sentence.section, []).append(sentence)
        for number, sentences in by_section.items():
            self._section(self._note.sections[number], sentences)
        self.entries += filter(None, map(self._since_eaten, self._lists.entries))
        self._keep_facts()

    def _since_eaten(self, one: Entry) -> Entry | None:
        """An entry of a list: doubted where the thing was eaten since without harm; None where it was no more than an upset."""
        since = self._taken_back.of_food(one)
        if not since or is_severe(one.reaction):
            return one
        if reaction_kind(one.said, one.reaction) is AllergyKind.INTOLERANCE:
            self._taken_back.withdrawn += since[:1]
            return None
        return one._replace(doubted=True, against=(*one.against, *((a.first, a.last) for a in since)))

    def _section(self, section: Section, sentences: Sequence[Sentence]) -> None:
        """One section: a list of allergies, running text, or both under one header."""
        part, others = shared_part(self._note, section), shared_with(section.title)
        if part is not None:
            self._sentence(*part, in_list=True)
        elif section.category is SectionCategory.ALLERGIES and not others:
            self._list(sentences)
            return
        before, listing = self._read_so_far(), False
        answers = answer_rows(self._words, self._agents, self.allergens, sentences)
        for one in sentences:
            if one.first in answers:
                self._sentence(one.first, one.last, in_list=True)
                continue
            begins = self._begins_line(one.first)
            listing = self._opens_list(one, begins) or (listing and not begins)
            self._sentence(one.first, one.last, in_list=False, listing=listing)
        if others and part is None and self._read_so_far() == before:
            self._shared(section, sentences, SectionCategory.MEDICATIONS in others)

    def _list(self, sentences: Sequence[Sentence]) -> None:
        """A list of allergies, up to where it ends, and the running text behind it."""
        end = ListEnd(self._note, self._words, self._agents, self.allergens)
        for one in sentences:
            for first, last in stated_parts(self._words, one.first, one.last):
                goes_on = end.goes_on(first, last, self._triggers(first, last))
                named, denied = len(self._lists.entries), len(self._none)
                self._sentence(first, last, in_list=goes_on)
                if goes_on:
                    end.answer(first, last, len(self._lists.entries) - named, len(self._none) > denied)

    def _shared(self, section: Section, sentences: Sequence[Sentence], medicines: bool) -> None:
        """A section whose header names allergies beside other things, and whose sentences do not say which is which."""
        if medicines:
            self._unreadable.append(self._note.token_range(section.start_char, section.body_char))
        for one in sentences:
            agents = self._agents.within(one.first, one.last)
            named = {i for agent in agents for i in range(agent.first, agent.last)}
            left = [self._words[i] for i in range(one.first, one.last) if i not in named and self._words[i].isalpha()]
            if any(denial.general for denial in denials(self._words, [], one.first, one.last, in_section=True)):
                self._none.append((one.first, one.last))
            elif agents and not medicines and all("filler" in phrases("lists").of(word) for word in left):
                self.entries += [Entry(a.first, a.last, "", "", LIST_RULE) for a in agents]

    def _read_so_far(self) -> int:
        return len(self._facts) + len(self._none) + len(self._unreadable)

    def _begins_line(self, at: int) -> bool:
        """Whether a token is the first of its line."""
        text, start = self._note.text, self._note.tokens.starts[at]
        return not text[text.rfind("\n", 0, start) + 1 : start].strip()

    def _opens_list(self, one: Sentence, begins: bool) -> bool:
        """Whether a sentence, which may begin its line, opens a list of allergies: "NKDA; pt adds septrin. Metal watch rash."."""
        of = phrases("lists").of(self._words[one.first])
        denied = any(t.first == one.first and t.row.event == "NONE" for t in self._triggers(one.first, one.last))
        return denied or (
            begins and "called" in of and self._words[one.first + 1 : one.first + 2] in ([";"], ["-"], ["."])
        )

    def _sentence(self, first: int, last: int, in_list: bool, listing: bool = False) -> None:
        """One sentence without what it tells of somebody else, denies, or takes back: by the grammar of lists, or by events."""
        running = not (in_list or listing)
        if running and (asked := asked_until(self._wording, self._agents, first, last)):
            self._left_out.append((first, asked))
            first = asked
        if running and not self._tells(first, last):
            return
        for begin, end in self._stated(first, last):
            triggers, agents = self._triggers(begin, end), self._agents.within(begin, end)
            before, asked = len(self._taken_back.withdrawn), len(self._taken_back.doubted)
            harmless = self._taken_back.harmless(begin, end, triggers, agents, in_list)
            withdrawn = self._taken_back.withdrawn[before:]
            denied = denials(self._words, triggers, begin, end, in_section=in_list)
            # "morphine - no true allergy" denies none but what it withdraws
            denied = [d for d in denied if not any(one.first <= d.first < one.last for one in withdrawn)]
            own = self._taken_back.doubted[asked:]
            own += [(d.first, d.last) for d in denied if in_list and d.general and d.rule_id == NOT_ALLERGIC]
            self._none += [(d.first, d.last) for d in denied if d.general and (d.first, d.last) not in own]
            unread = not agents and self._unread(begin, end, triggers, in_list)
            if unread and not (in_list and denied):
                self._unreadable.append((begin, end))
                if in_list:
                    continue
            left_out = [*((d.first, d.last) for d in denied), *harmless]
            if in_list:
                left_out += self._taken_back.used(
                    begin, end, agents, begun=bool(denied or self._none or self._lists.entries)
                )
                answered = {d.last for d in denied}
                asides = {b for _, b in (*own, *harmless)}
                for left, right in outside(begin, end, left_out):
                    self._lists.read(left, right, denied=left in answered, resumed=left in asides)
                self._none += [d for d in own if not self._lists.deny(*d) and d not in self._taken_back.doubted]
                continue
            self._left_out += left_out
            for left, right in outside(begin, end, left_out):
                inside = [one for one in agents if left <= one.first and one.last <= right]
                here = [one for one in inside if not self._agents.is_replacement(one, left)]
                self._facts += self._events.read(left, right, self._triggers(left, right), here, listing)

    def _stated(self, first: int, last: int) -> Iterator[Span]:
        """The parts of a sentence that tell something of the patient for themselves."""
        for begin, end in outside(first, last, self._of_others(first, last)):
            parts = statements(self._wording, self._agents, self._triggers(begin, end), begin, end)
            self._anew += [a for a, _ in parts[1:]]
            yield from parts

    def _tells(self, first: int, last: int) -> bool:
        """Whether running text may tell of allergies: its links and denials say nothing without an effect or a word for one."""
        triggers = self._triggers(first, last)
        if not triggers and OPENING.isdisjoint(self._words[first:last]):
            return False
        if not all(one.row.event in _NEED_EFFECT for one in triggers) or self._wording.called.within(first, last):
            return True
        return any(True for _ in effects_of(self._words, self._wording.effects.within(first, last)))

    def _unread(self, first: int, last: int, triggers: Sequence[FoundTrigger], in_list: bool) -> bool:
        """Whether a sentence says that nobody could tell the allergies, or had their names taken out: "[**Known lastname 12**]"."""
        if in_list:
            return unreadable(self._words, first, last) or "[**" in self._note.written(first, last)
        unknown = any(one.row.event == "UNREADABLE" for one in triggers)
        return unknown and any("called" in phrases("lists").of(word) for word in self._words[first:last])

    def _of_others(self, first: int, last: int) -> list[Span]:
        """What a sentence tells of somebody else; not "that was her twin", which takes back what stands before it."""
        found = of_others(self._wording, first, last)
        withdrawn = [t for t in self._triggers(first, last) if t.row.event == "WITHDRAWN"] if found else []
        return [(a, b) for a, b in found if not any(t.first < b and a < t.last for t in withdrawn)]

    def _triggers(self, first: int, last: int) -> list[FoundTrigger]:
        begin, end = bisect_left(self._trigger_starts, first), bisect_left(self._trigger_starts, last)
        return [one for one in self._wording.triggers[begin:end] if one.last <= last]

    def _keep_facts(self) -> None:
        """Keep what its deciding words state as a fact of the patient."""
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        # what is called an allergy is denied by denials alone; then the place is told by a negative number
        spans = [
            (starts[a if a >= 0 else -a - 1], ends[b - 1]) if b else (starts[e.first], ends[e.last - 1])
            for e, (a, b) in self._facts
        ]
        for (entry, place), attributes in zip(self._facts, self._attributes_of(spans), strict=True):
            at = self._note.sentence_at(starts[entry.first]) or 0
            first, last = self._note.sentences[at].first, self._note.sentences[at].last
            if attributes.experiencer is not Experiencer.PATIENT and others_alone(self._words, first, last):
                continue
            # amoxicillin without harm says that there is no allergy to penicillin, and not that penicillin agrees with her
            upset = reaction_kind(entry.said, entry.reaction) is AllergyKind.INTOLERANCE
            held = self._taken_back.holds(entry.first, entry.last, itself=upset)
            if held or only_warned(self._wording.relations, first, last):
                continue
            if not place[1] or self._is_fact(entry, place, attributes, (first, last)):
                self.entries.append(entry)
                self._tied += [place] if place[0] >= 0 and place[1] else []
        self.entries = sorted(one for one in self.entries if not self._told_by_members(one))

    def _told_by_members(self, one: Entry) -> bool:
        """Whether an intolerance is of a class of which the note lists a member, or a member is taken: "statin intol", on rosuvastatin."""
        ending = stem(self._words[one.last - 1])
        if one.last - one.first > 1 or ending not in endings() or one.rule_id == LIST_RULE:
            return False
        if reaction_kind(one.said, one.reaction) is not AllergyKind.INTOLERANCE:
            return False
        names = [self.allergens.concept(self._note.written(e.first, e.last)) for e in self.entries if e != one]
        listed = any(name is not None and _is_member(name.name, ending) for name in names)
        return listed or any(_is_member(name, ending) for name in self._medicines)

    def _is_fact(self, entry: Entry, place: Span, attributes: SpanAttributes, bounds: Span) -> bool:
        """Whether the words that decide an entry are stated of today or the past, and their effect is not what is expected."""
        words, by_effect = self._words, place[0] >= 0
        if by_effect:  # mouth sores are the price of chemotherapy
            marks = self._wording.effects.within(*bounds)
            if (attributes.uncertain and not entry.doubted) or is_expected(
                words, (entry.first, entry.last), Effect(*place, "allergic"), marks
            ):
                return False
        # without marks a scope of "no" runs on to what it does not deny; "no dairy, lactose intolerant" begins anew
        marked = not {",", ";", ":"}.isdisjoint(words[slice(*bounds)])
        anew = any(bounds[0] <= a <= entry.first for a in self._anew)
        if not by_effect and attributes.cue_span is not None:
            cue = self._note.token_range(*attributes.cue_span)[0]
            anew |= begins_anew(words, cue, min(entry.first, -place[0] - 1), place[1])
        denied = attributes.negated and (by_effect or marked) and not anew
        return not (attributes.hypothetical or denied)

    def result(self) -> Allergies:
        items = allergy_items(self._note, self.entries, self.allergens)
        pairs = self.open_pairs(items, partial(nearest, self._note))
        scored = possible_allergies(self._note, pairs, self.allergens, self._answered())
        told = [one for one in scored if self._before_rest(one.possible.start_char)]
        self._scored = [one for one in scored if one not in told]
        if told:
            self.entries = sorted([*self.entries, *map(self._as_told, told)])
            items = allergy_items(self._note, self.entries, self.allergens)
        status, quoted = AllergyStatus.NOT_STATED, list[Span]()
        if items or self._none:
            status, quoted = AllergyStatus.LISTED if items else AllergyStatus.NONE_KNOWN, self._none
        elif self._unreadable:
            status, quoted = AllergyStatus.UNREADABLE, self._unreadable
        text = self._note.written(*quoted[0]) if quoted else ""
        possible = tuple(one.possible for one in self._scored)
        return Allergies(status=status, items=items, text=text, possible=possible)

    def _before_rest(self, start_char: int) -> bool:
        """Whether a denial of other allergies follows the sentence of a place, so that what it tells is one: "No other allergies"."""
        at = self._note.sentence_at(start_char)
        if at is None:
            return False
        return any(self._denies_rest(one.first, one.last) for one in self._note.sentences[at + 1 : at + 2])

    def _denies_rest(self, first: int, last: int) -> bool:
        """Whether a sentence is a denial of other allergies: "NKDA otherwise", "No other known allergies"."""
        denies = {one.row.event for one in self._triggers(first, last) if one.first == first} & {"NO", "NONE"}
        called = self._wording.called.within(first, last) or "NONE" in denies
        return bool(denies) and called and of_the_rest(self._words, first + 1, last - 1)

    def _as_told(self, one: ScoredAllergy) -> Entry:
        """What was only suspected as an entry with its effect."""
        first, last = self._note.token_range(one.possible.start_char, one.possible.end_char)
        return Entry(first, last, self._note.written(*one.effect), "", MODEL_RULE)

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

        reader = PairReader(self._note, self._wording, self._agents, self._ills, self._tied)
        pairs = list(reader.pairs(kept, _REACTIONS if self._answered() else EFFECTS, chosen))
        return with_attributes(self._note, pairs, self._attributes_of)

    def _answered(self) -> bool:
        """Whether the note itself says what the patient is allergic to: then what else a medicine did is no question."""
        return bool(self._none or self._lists.entries)

    def told(self) -> AllergyStatements:
        """What was read, to be made into the statements of the record."""
        return AllergyStatements(
            self._note, self._words, self.allergens, self.entries, self._none, self._taken_back.withdrawn, self._scored
        )


def _is_member(name: str, ending: str) -> bool:
    """Whether a medicine's name ends as those of its class do, and is not the class itself."""
    return name.lower().endswith(ending) and stem(name.lower()) != ending
