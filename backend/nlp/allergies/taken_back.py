"""What a note takes back of allergies, or tells as taken without harm: stretches that list nothing, and names that count no more near them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import Wording, members, phrases
from backend.nlp.allergies.effects import effects_of
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.lexicon.variants import english_words
from backend.schemas.vocabulary import Category

Span = tuple[int, int]
_NEAR, _RESULT = 4, 9
_BACK = 60
"""Words between an allergy and what takes it back."""
_MEDICINES = frozenset((Category.DRUG, Category.DRUG_CLASS))
_CLAUSE = frozenset((".", ";", ")", "but", "\n"))
_LINE = frozenset((".", ";", ")", "\n"))
_PARTS = frozenset((".", ";", ",", "(", ")", "but", "\n", "-", "\u2014", "\u2013", ":"))
_CLAUSE_BEFORE = frozenset((".", ";", "(", ",", "but", "\n"))
_STOPS_BEFORE = frozenset((".", ";", "\n", ",", "[", "]"))
_STOPS_AFTER = frozenset((".", ";", "\n", ",", "]"))


class Withdrawn(NamedTuple):
    """What a note says to be no allergy: its name, the stretch that says so, and the row that read it."""

    agent: Agent
    first: int
    last: int
    rule_id: str


class TakenBack:
    """What one note takes back; it grows while the note's sentences are read. withdrawn: what it says to be no allergy; doubted: where a list only asks; tolerated: what was taken since."""

    def __init__(self, note: ParsedNote, wording: Wording, agents: Agents, allergens: Allergens) -> None:
        self._note = note
        self._wording = wording
        self._agents = agents
        self._allergens = allergens
        self._taken_back: list[tuple[str, int, bool]] = []
        self.withdrawn: list[Withdrawn] = []
        self.doubted: list[Span] = []
        self.tolerated: list[Withdrawn] = []

    def harmless(
        self, first: int, last: int, triggers: Sequence[FoundTrigger], agents: Sequence[Agent], in_list: bool = False
    ) -> list[Span]:
        """The stretches that tell what was taken back or taken without harm."""
        spans: list[Span] = []
        words = self._wording.words
        for one in triggers:
            event = one.row.event
            if event == "TOLERATED" and self._never(one):
                continue
            if event == "TOLERATED":
                behind = (t.first for t in triggers if t.row.event == "NOT_ALLERGIC" and t.first >= one.last)
                begin, end = self._tolerated(one, first, next(behind, last))
            elif event == "WITHDRAWN" or (event == "CHALLENGE" and self._passed(one, last)):
                near = self._kinds(max(first, one.first - _NEAR), one.last)
                # "crossed out of her repeat list" tells of a medicine that was stopped
                named = in_list or event == "CHALLENGE" or one.row.cells["agent"] != "near"
                before = one.first - 1
                if in_list and before > first and (words[before] == "?" or "doubt" in self._kinds(before, one.first)):
                    self.doubted.append((one.first, one.last))  # "?not a true allergy": it stays listed
                    spans.append((one.first, one.last))
                    continue
                if "intolerance" in near or not (named or self._wording.called.within(first, last)):
                    continue  # "codeine (intolerance, not allergy)"
                of_other = self._of_another if event == "CHALLENGE" else self._of_a_thing
                if one.row.cells["agent"] == "near" and of_other(one, first, last):
                    continue
                begin, end = self._withdrawn(one, first, last, agents)
            else:
                continue
            spans.append((begin, end))
            taken = self._take_back(one, begin, end, first)
            if event == "TOLERATED":
                told_of = any("pronoun" in phrases("lists").of(word) for word in words[begin:end])
                same = [agent for agent in taken if told_of or begin <= agent.first]  # "egg, eats cake now"
                self.tolerated += [Withdrawn(agent, begin, end, one.row.rule_id) for agent in same]
            elif in_list or self._of_allergy(first, last):
                self.withdrawn += [Withdrawn(agent, begin, end, one.row.rule_id) for agent in taken]
        return spans

    def _never(self, one: FoundTrigger) -> bool:
        """Whether a verb of taking is denied by the word behind it: "takes neither now", "eats no eggs now"."""
        taken = "retaken" in self._kinds(one.first, one.first + 1) or "used" in self._kinds(one.first, one.first + 1)
        behind = self._wording.words[one.first + 1 : one.first + 2]
        return taken and bool(behind) and "denied" in phrases("relations").of(behind[0])

    def _of_a_thing(self, one: FoundTrigger, first: int, last: int) -> bool:
        """Whether the clause of a phrase tells of something else that goes: "latex allergy, staples to be removed"."""
        words, lists = self._wording.words, phrases("lists")
        begin = self._back(one.first, first, _STOPS_BEFORE)
        end = next((i for i in range(one.last, last) if words[i] in _STOPS_AFTER), last)
        named = {i for agent in self._agents.within(begin, end) for i in range(agent.first, agent.last)}
        rest = (i for i in (*range(begin, one.first), *range(one.last, end)) if words[i].isalpha() and i not in named)
        return not named and any(not lists.of(words[i]) for i in rest)

    def _of_another(self, one: FoundTrigger, first: int, last: int) -> bool:
        """Whether a test is of something else, by a short form right before it: "TB skin test negative"."""
        word = self._wording.words[one.first - 1] if one.first > first else ""
        named = any(agent.last == one.first for agent in self._agents.within(first, one.first))
        return word.isalpha() and not named and not phrases("lists").of(word) and word not in english_words()

    def _of_allergy(self, first: int, last: int) -> bool:
        """Whether a sentence speaks of an allergy or a reaction: "drug test negative for opiates" tells of none."""
        effects = effects_of(self._wording.words, self._wording.effects.within(first, last))
        return self._wording.called.within(first, last) or any(one.kind == "allergic" for one in effects)

    def _tolerated(self, one: FoundTrigger, first: int, last: int) -> Span:
        """The clause of what is tolerated: on the side of the phrase where its name stands."""
        words, where = self._wording.words, one.row.cells["agent"]
        stop = next((i for i in range(one.last, last) if words[i] in _CLAUSE), last)
        named = self._agents.within(one.last, stop)
        soon = where == "before" and any(agent.last <= one.last + 2 for agent in named)
        beside = where == "beside" and (named or any(self._agents.strange(i) for i in range(one.last, stop)))
        if soon or beside or where == "after":
            return one.first, stop
        begin = self._back(one.first, first, _PARTS)
        subject = self._subject(begin, one.first)
        if subject is not None and self._names(one.first, stop):
            return subject, stop  # "strawberries she eats eggs"
        while begin > first and words[begin - 1] not in _CLAUSE_BEFORE and not self._names(begin, one.first):
            begin = self._back(begin - 1, first, _PARTS)  # "cefalexin - tolerated"
        return begin, one.last if named else stop

    def _names(self, first: int, last: int) -> bool:
        return bool(self._agents.within(first, last)) or any(map(self._agents.strange, range(first, last)))

    def _withdrawn(self, one: FoundTrigger, first: int, last: int, agents: Sequence[Agent]) -> Span:
        """The part of a sentence that is withdrawn, with the parts before it up to a name where it names nothing."""
        words = self._wording.words
        begin = self._back(one.first, first, _STOPS_BEFORE)
        end = next((i for i in range(one.last, last) if words[i] in _STOPS_AFTER), last)
        aside = False  # "ceftriaxone on chart, denies it, had it three times, please remove"
        while (
            begin > first
            and not any(begin <= a.first < end for a in agents)
            and not (aside and words[begin - 1] != ",")
        ):
            begin, aside = self._back(begin - 1, first, _STOPS_BEFORE), True
        return begin, end

    def _back(self, at: int, first: int, stops: frozenset[str]) -> int:
        words = self._wording.words
        return next((i for i in range(at, first, -1) if words[i - 1] in stops and not self._is_within(i - 1)), first)

    def _subject(self, first: int, last: int) -> int | None:
        """The last word for the patient in a stretch, its last token included, with which a clause begins where no mark tells it."""
        told = (i for i in range(last, first - 1, -1) if "patient" in phrases("persons").of(self._wording.words[i]))
        return next(told, None)

    def _is_within(self, i: int) -> bool:
        """Whether a mark is a hyphen within a word: "latex-free"."""
        starts, ends = self._note.tokens.starts, self._note.tokens.ends
        inner = 0 < i < len(starts) - 1 and self._wording.words[i] == "-"
        return inner and starts[i] == ends[i - 1] and starts[i + 1] == ends[i] and self._wording.words[i - 1].isalpha()

    def of_food(self, entry: Entry) -> tuple[Withdrawn, ...]:
        """Where the note says that a thing of a list was eaten or touched without harm since; never of a medicine, of which one form is not another."""
        concept = self._allergens.concept(self._note.written(entry.first, entry.last))
        if concept is None or concept.category in _MEDICINES:
            return ()
        key, near = self._key(entry.first, entry.last), range(entry.last, entry.last + _BACK)
        return tuple(one for one in self.tolerated if one.first in near and self._key(*one.agent[:2]) == key)

    def used(self, first: int, last: int, agents: Sequence[Agent], begun: bool) -> Iterator[Span]:
        """The clauses of a list, after its first answer, that tell what is used or was given: "now on ezetimibe", "losartan started"."""
        words, table = self._wording.words, phrases("lists")
        for mark in table.found(words, first, last):
            if not mark.kinds & {"used", "used_instead", "used_first", "used_for"}:
                continue
            begin = self._back(mark.first, first, _PARTS)
            at = self._subject(begin, mark.first)
            begin, said = (begin, begin) if at is None else (at, mark.first)
            parts = _LINE if "premed" in mark.kinds and words[mark.last : mark.last + 1] == [":"] else _PARTS
            end = next((i for i in range(mark.last, last) if words[i] in parts), last)
            here = [one for one in agents if begin <= one.first < end]
            if any("without_it" in table.of(word) for one in here for word in words[one.last : one.last + 2]):
                continue  # "use latex-free gloves"
            if not here or ("used_first" in mark.kinds and mark.first > begin):
                continue
            ahead = here[0].last <= mark.first
            in_use = bool(mark.kinds & ({"used_instead"} if ahead else {"used", "used_first", "used_for"}))
            # the reaction may stand in the next clause: "penicillin given once, rash"
            until = next((i for i in range(end, last) if words[i] in (".", ";", "\n")), last)
            until = min([until, *(one.first for one in agents if one.first >= end)])
            until = until if ahead or "used_for" in mark.kinds else end
            # what the patient took came after what is told of him before it: "he came in with pain and took aspirin"
            since = begin if ahead else said
            reacts = any(True for _ in effects_of(words, self._wording.effects.within(since, until)))
            reacts = reacts or bool(self._kinds(since, end) & {"allergic", "intolerant"})
            reacts = reacts or "causes" in self._wording.effects.kinds(
                mark.last, until
            )  # "prep with Betadine burned her"
            if in_use and not reacts and (begun or any(one.last <= begin for one in agents)):
                yield begin, end

    def holds(self, first: int, last: int, itself: bool = False) -> bool:
        """Whether a name is taken back close after it, or in the stretch where it stands; itself: and not by a relative of it alone."""
        if not self._taken_back:
            return False
        key, near = self._key(first, last), range(first - _BACK, first + _BACK + 1)
        return any(name == key and at in near and (own or not itself) for name, at, own in self._taken_back)

    def _take_back(self, trigger: FoundTrigger, begin: int, end: int, first: int) -> Sequence[Agent]:
        """Note and give what a stretch takes back: what it names, else the name before it, here or in the sentence before."""
        words, tolerated = self._wording.words, trigger.row.event == "TOLERATED"
        kinds = self._kinds(begin, next((i for i in range(end, len(words)) if words[i] in _CLAUSE), end))
        if tolerated and ("guarded" in kinds or "retaken" not in kinds):
            return ()
        agents = self._agents.within(begin, end)
        if tolerated and any("form" in phrases("lists").of(words[max(0, one.first - 1)]) for one in agents):
            return ()  # baked egg is borne by many to whom a raw one is not
        if not agents:
            if tolerated and "after_that" not in kinds:
                return ()  # "otherwise tolerates", "the XR tolerated"
            before = max(0, (self._note.sentence_at(self._note.tokens.starts[first]) or 0) - 1)
            agents = self._agents.within(self._note.sentences[before].first, begin)[-1:]
        for one in agents:
            key = self._key(one.first, one.last)
            self._taken_back.append((key, begin, True))
            self._taken_back += [(a, begin, False) for taken, a in members() if taken == key]
        return agents

    def _key(self, first: int, last: int) -> str:
        said = self._note.written(first, last)
        concept = self._allergens.concept(said)
        return (concept.name if concept else said).lower()

    def _passed(self, challenge: FoundTrigger, last: int) -> bool:
        """Whether a challenge or a test showed that there is no allergy: what is said of it first, before another name."""
        words, end = self._wording.words, min(last, challenge.last + _RESULT)
        begin = self._back(challenge.first, max(0, challenge.first - _NEAR), _STOPS_BEFORE)
        if "passed" in self._kinds(begin, challenge.first):
            return True
        end = min(
            [
                end,
                *(
                    one.first
                    for one in self._agents.within(challenge.last, end)
                    if "," in words[challenge.last : one.first]
                ),
            ]
        )
        said = (phrases("lists").of(words[i]) & {"passed", "failed"} for i in range(challenge.last, end))
        return "passed" in next(filter(None, said), ())

    def _kinds(self, first: int, last: int) -> frozenset[str]:
        return frozenset().union(*map(phrases("lists").of, self._wording.words[first:last]))
