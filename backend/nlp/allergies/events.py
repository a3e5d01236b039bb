"""What the running text of a note states outright of allergies: triggers with their slots filled, sentence by sentence.

A trigger tells where its agent stands; what only tells of harm needs an effect beside it as well. "It" takes the name before.
Who reacts, denial and what was tolerated are decided by the caller.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.allergies.agent_slots import AgentSlots
from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import Wording, phrases
from backend.nlp.allergies.effects import Effect, behind_times, clause_end, effects_of, of_use, only_explained, to_dose
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger

_GAP, _FAR, _SOON = 6, 12, 3
"""Words between an effect and its link; between a cause and its verb; behind an effect, that say what became of it."""
_ENDS = frozenset((".", ";", "\n", "(", ")", ":"))
_DASHES = frozenset(("-", "\u2013", "\u2014", ":"))
_STROKES = (["-"], ["\u2013"], ["\u2014"])
_BRACKETS = {"(": ")", "[": "]"}
OPENING = _DASHES | _BRACKETS.keys()
"""What opens a reaction behind its cause."""
_BRACKET = "allergies/events/bracket"
_HARM = frozenset(("allergic", "side", "changed", "lesser_changed"))
_STRONG = frozenset(("allergic", "changed"))
_CALLS = frozenset(("CALLED", "SENSITIVE", "INTOLERANT", "REACTION_TO"))
_NOT_BORNE = frozenset(("CONTRAINDICATED", "FORBIDDEN"))
"""Events that need no effect: what is not tolerated, and what must not be given."""
_BARS = _NOT_BORNE | {"NO", "AVOID", "NOT_TAKEN"}
_PERSONS = frozenset(("patient", "person"))
_LINKED = _BARS | {"STOPPED", "CAUSES", "CAME_OF"}
FoundEntries = Iterator[tuple[Entry, tuple[int, int]]]
"""Entries, each with the tokens that must be a fact for it to count; none where the second of them is 0."""


class _Stretch(NamedTuple):
    """Tokens first to last, with the agents and the effects among them."""

    first: int
    last: int
    agents: Sequence[Agent]
    by_first: dict[int, Agent]
    effects: Sequence[Effect]
    triggers: Sequence[FoundTrigger]

    def effect(self, first: int, last: int, kinds: frozenset[str] = _STRONG) -> Effect | None:
        """The first effect of some kinds that begins among tokens first to last."""
        return next((e for e in self.effects if first <= e.first < last and e.kind in kinds), None)


class EventReader:
    """Reads the events of one note's sentences."""

    def __init__(
        self, note: ParsedNote, wording: Wording, agents: Agents, diseases: Sequence[tuple[int, int]] = ()
    ) -> None:
        self._note = note
        self._diseases = diseases
        self._words = wording.words
        self._marks = wording.effects
        self._agents = agents
        self._slots = AgentSlots(wording.words, agents)
        self._lists = phrases("lists")
        self._effects = phrases("effects")

    def read(
        self, first: int, last: int, triggers: Sequence[FoundTrigger], agents: Sequence[Agent], listing: bool = False
    ) -> FoundEntries:
        """The entries of tokens first to last, each with the tokens that must be a fact for it to count; listing: its line tells allergies."""
        linked = any(t.row.event in _LINKED for t in triggers)
        effects = list(effects_of(self._words, self._marks.within(first, last))) if linked else []
        here = _Stretch(first, last, agents, {one.first: one for one in agents}, effects, triggers)
        if listing or not OPENING.isdisjoint(self._words[first:last]):
            yield from self._beside(here, listing)
        challenged = any(one.row.event == "CHALLENGE" for one in triggers)
        for trigger in triggers:
            event = trigger.row.event
            found: Sequence[Agent] = ()
            effect: Effect | None = None
            if event in _CALLS:
                yield from self._called(trigger, here)
            elif event in _BARS:
                found = self._barred(trigger, here)
            elif event == "CAUSES":
                found, effect = self._caused(trigger, here)
            elif event == "CAME_OF":
                found, effect = self._came_of(trigger, here)
            elif event == "STOPPED":
                found, effect = self._stopped(trigger, here)
            elif event == "EXCEPT" and trigger.first == first:
                found = self._after(trigger.last, here)
            elif event == "SHORTHAND" or (event == "POSITIVE" and challenged):
                found = self._shorthand(trigger, here)
            place = (effect.first, effect.last) if effect else (0, 0)
            told = event == "CAUSES" or (event == "CAME_OF" and place[1] <= trigger.first)
            for one in found:
                entry = self._entry(one, trigger, here, "intolerance" if event in _NOT_BORNE else "")
                doubted = event == "CAME_OF" and self._doubts(trigger.first - 1, trigger.first)
                entry = entry._replace(doubted=doubted or entry.doubted)
                end = clause_end(self._words, place[1], last) if place[0] == trigger.first else place[1]  # "upsets him"
                yield entry._replace(reaction=self._note.written(place[0], end)) if effect and told else entry, place

    def _beside(self, here: _Stretch, listing: bool) -> FoundEntries:
        """A reaction in brackets or behind a dash, or a cause behind its reaction: "cefazolin (hives)", "anaphylaxis (peanuts)"; a listing has it bare."""
        words = self._words
        for one in here.agents:
            behind, before = one.last, one.first - 1
            while behind < min(here.last, one.last + _SOON) and words[behind].isalnum() and of_use(words[behind]):
                behind += 1  # "albumin infusion 2021 - rigors"
            if words[behind : behind + 1] not in _STROKES:
                behind = one.last
            mark = words[behind] if behind < here.last else ""
            if mark in OPENING and "called" not in self._lists.of(words[min(behind + 1, here.last - 1)]):
                marks = self._marks.within(behind, min(here.last, behind + _GAP))
                # none of what a remedy is for, nor of what went away
                eased = "remedy" in self._effects.of(words[one.first]) or any("eased" in m.kinds for m in marks)
                near = [e for e in effects_of(words, marks) if e.first <= behind + 1 + (mark in _BRACKETS)]
                near = [] if mark in _DASHES and eased else near
            elif mark in _BRACKETS.values() and before > here.first and words[before] in _BRACKETS:
                marks = self._marks.within(max(here.first, before - 3), before)
                near = [e for e in effects_of(words, marks) if e.last == before]
            elif listing:
                near = self._bare(one, here)
            else:
                continue
            if near and near[0].kind in (_HARM if listing else _STRONG):
                said = self._reaction(behind, here.last) or (self._note.written(*near[0][:2]) if listing else "")
                for each in self._slots.whole_row(one.last, here.first, here.agents) if listing else [one]:
                    yield Entry(each.first, each.last, said, "", _BRACKET), (near[0].first, near[0].last)

    def _bare(self, one: Agent, here: _Stretch) -> list[Effect]:
        """A reaction right behind its cause, the two alone between marks: "metal watch rash"."""
        words = self._words
        head = min((each.first for each in self._slots.whole_row(one.last, here.first, here.agents)), default=one.first)
        opens = head == here.first or words[head - 1] in _EDGES
        marks = self._marks.within(one.last, min(here.last, one.last + _GAP)) if opens else ()
        near = [e for e in effects_of(words, marks) if e.first == one.last]
        end = behind_times(words, near[0].last, here.last) if near else here.last
        return near if end >= here.last or words[end] in _EDGES else []

    def _called(self, trigger: FoundTrigger, here: _Stretch) -> FoundEntries:
        """The names that are called an allergy, and stand before the word, right before it, or behind it."""
        words, lists = self._words, self._lists
        event, where, at = trigger.row.event, trigger.row.cells["agent"], trigger.last
        if event == "SENSITIVE" and self._of_organism(here.first, trigger.first):
            return
        # what is called an allergy is denied by denials alone: its place is told by a negative number
        place = trigger.first if event == "REACTION_TO" else -trigger.first - 1, at
        said = "intolerance" if event == "INTOLERANT" or words[trigger.first].startswith("intol") else ""
        beside, label = where in ("beside", "joined"), where == "after" and words[at - 1] == ":"
        found: list[Agent] = []
        if beside or label:  # "Amoxicillin allergy: rash"
            near = self._slots.right_before(trigger.first, here.first, here.agents)
            found = [one for one in near if label or not lists.of(words[one.first]) & {"vague", "body"}]
            not_own = at < here.last and "not_own" in lists.of(words[at])
            if (where == "joined" and (not_own or not found)) or (not_own and not found):
                return  # "transfusion reaction form"
        behind = at - label if found else 0
        if beside and found:
            found = [*found, *self._members(at, here)]
        if not found and beside and words[at : at + 1] in (["to"], ["of"]):
            at, beside = at + 1, False  # "listed as allergic to contrast"
        if not found and beside and self._pronoun(max(here.first, trigger.first - 4), trigger.first):
            found = self._before(trigger.first, here)
        elif not found and where in ("before", "far"):
            found = self._earlier(trigger.first, here) if where == "far" else self._before(trigger.first, here)
        elif not found and (not beside or "takes_list" in lists.of(words[trigger.first])):
            loose = event in ("CALLED", "REACTION_TO") and words[at - 1] in ("to", ":")
            loose = loose and "local" not in lists.of(words[trigger.first - 1])  # of skin, to a bite or a stitch
            found = self._after(at, here, loose and not beside)
            if not found and self._pronoun(at, at + 1):
                found = self._before(trigger.first, here)
            if found and words[at - 1] == "to":
                found += self._resumed(found[-1].last, here)
            if found:
                found += self._members(found[-1].last, here)
        for one in found:
            yield self._entry(one, trigger, here, said, behind), place

    def _of_organism(self, first: int, last: int) -> bool:
        """Whether what is named last before "sensitive" is no person: "E. coli sensitive to gentamicin"; not "E. coli in a woman who is"."""
        marks = (m.last for m in self._marks.within(first, last) if "other_subject" in m.kinds)
        named = (b for a, b in self._agents.organisms if first <= a and b <= last)
        subject = max((*marks, *named), default=first)
        persons = phrases("persons")
        return subject > first and not any(persons.of(word) & _PERSONS for word in self._words[subject:last])

    def _members(self, at: int, here: _Stretch) -> list[Agent]:
        """The names that a class is told by: "statin intolerant x2: simvastatin, pravastatin", "several antibiotics (Ceclor, Biaxin)"."""
        opens = next((i for i in range(at, min(at + 2, here.last)) if self._words[i] in (":", "(")), None)
        if opens is None or opens + 1 not in here.by_first:
            return []
        found = self._after(opens + 1, here)
        # "penicillin allergy: azithromycin started" tells what is given
        return found if found[-1].last >= here.last or self._words[found[-1].last] in _ENDS | {","} else []

    def _resumed(self, at: int, here: _Stretch) -> list[Agent]:
        """The names behind an aside, where "to" takes up the row again: "allergic to latex, she says, and to kiwi"."""
        words = self._words
        if words[at : at + 1] == ["("]:
            at = next((i + 1 for i in range(at, here.last) if words[i] == ")"), at)
        joined = next((i for i in range(at, here.last) if words[i] in ("and", "also")), here.last)
        if words[at : joined + 2] == [",", "and", ","]:  # "and, per his wife, Betadine"
            comma = next((i for i in range(joined + 2, min(joined + _GAP, here.last)) if words[i] == ","), here.last)
            return self._after(comma + 1, here)
        to = next((i for i in range(joined, here.last) if words[i] == "to"), here.last)
        if words[at : at + 1] != [","] or any(words[i] in _ENDS for i in range(at, to)):
            return []
        return self._after(to + 1, here)

    def _barred(self, trigger: FoundTrigger, here: _Stretch) -> Sequence[Agent]:
        """What is not taken, given or tolerated, unless for another reason than harm: "avoids ibuprofen because of hives"."""
        words, event, at = self._words, trigger.row.event, trigger.last
        if trigger.row.cells["agent"] == "before":
            found = self._before(trigger.first, here, _GAP)
        else:
            found = self._after(at, here)
            if found and not {"with", "to"}.isdisjoint(words[at : found[0].first]):
                return ()  # "told not to take it with his warfarin": the two together; "cannot get to the shop for"
            if not found and event in _NOT_BORNE and self._pronoun(at, at + 1):
                found = self._earlier(trigger.first, here)
        if found and words[found[-1].last : found[-1].last + 1] == [":"]:
            found += self._after(found[-1].last, here)  # "statins: simvastatin and ..."
        end = max([at, *(one.last for one in found)])
        effect = here.effect(end, here.last, _HARM)
        if words[end : end + 1] == ["without"] and event == "FORBIDDEN":
            return found if effect else ()  # "cannot take a statin without cramps"; not "without food"
        reasons = {k for i in range(end, effect.first if effect else here.last) for k in self._lists.of(words[i])}
        tolerance = any(words[i].startswith("toler") for i in range(trigger.first, at))
        harmed = tolerance or self._harmed(end, here)
        if event in _NOT_BORNE:
            with_another = any("with" in words[a.last : b.first] for a, b in pairwise(found))
            barred = not with_another and (effect is not None or tolerance or "other_reason" not in reasons)
            barred = barred and (harmed or not self._for_illness(end, here))
        elif event == "AVOID":
            effect = effect if effect and effect.first < end + _FAR else here.effect(here.first, trigger.first)
            barred = effect is not None
        else:
            barred = effect is not None and "reason" in reasons
        if event == "NO" and effect:  # "no NSAIDs 2/2 hives"
            near = found[:1] == [here.by_first.get(at)] and effect.kind in _STRONG and effect.first <= end + _GAP
            because = "reason" in self._lists.of(words[end]) and _ENDS.isdisjoint(words[end : effect.first])
            barred = barred and near and because and "," not in words[end : effect.first]
        return found if barred and not (effect and not harmed and self._own(effect)) else ()

    def _harmed(self, at: int, here: _Stretch) -> bool:
        """Whether words behind a barred name say that it did the harm: "a seizure on it", "the ulcer that it caused"."""
        for one in here.triggers:
            if one.first < at:
                continue
            if one.row.event == "CAUSES" and not self._possible(one.first):
                return True
            behind = range(one.last, min(one.last + 2, here.last))
            if one.row.event == "CAME_OF" and any(i in here.by_first or self._pronoun(i, i + 1) for i in behind):
                return True
        return False

    def _for_illness(self, at: int, here: _Stretch) -> bool:
        """Whether a medicine is barred by what the patient has: "after her stroke", "with this kidney function"."""
        stop = next((i for i in range(at, here.last) if self._words[i] in (".", ";", "\n")), here.last)
        tie = next((i for i in range(at, stop) if "for_illness" in self._lists.of(self._words[i])), stop)
        reaction = here.effect(tie, stop)
        ill = any(tie <= a and b <= stop for a, b in self._diseases)
        return tie < stop and reaction is None and ill

    def _own(self, effect: Effect) -> bool:
        """Whether an effect is an illness of the patient's own, or a danger alone: "because of her ulcer", "can hurt the kidneys"."""
        words, near = self._words, max(0, effect.first - _SOON)
        if not {"her", "his", "their", "my", "your"}.isdisjoint(words[max(0, effect.first - 2) : effect.first]):
            return True
        if any("chronic" in self._lists.of(word) for word in words[effect.last : effect.last + 2]):
            return True
        if effect.kind in _STRONG:
            return self._possible(effect.first)
        said = {k for i in range(effect.first, effect.last) for k in self._lists.of(words[i])}
        disease = "intolerant" not in said and any(a < effect.last and effect.first < b for a, b in self._diseases)
        had = {k for i in range(near, effect.first) for k in phrases("relations").of(words[i])} & {"past", "ongoing"}
        return disease or bool(had) or self._possible(effect.first)

    def _possible(self, at: int) -> bool:
        """Whether words right before a place tell what may come, and of nobody: "they can hurt"; not "it may give her hives"."""
        before = self._words[max(0, at - _SOON) : at]
        persons = phrases("relations").of(self._words[at + 1] if at + 1 < len(self._words) else "")
        return "person" not in persons and any("hypothetical" in phrases("relations").of(word) for word in before)

    def _caused(self, trigger: FoundTrigger, here: _Stretch) -> tuple[Sequence[Agent], Effect | None]:
        """Read "codeine gave her hives"."""
        words, at = self._words, trigger.first
        stop = next((i for i in range(trigger.last, here.last) if words[i] in _ENDS), here.last)
        turned = "contrasts" in phrases("relations").of(words[at])  # "prescribed cefalexin but came out in a rash"
        effect = here.effect(trigger.last if turned else at, min(stop, trigger.last + _GAP), _HARM)
        if effect is None or to_dose(words, at, trigger.last) or (effect.first == at and self._eased(effect, here)):
            return (), None
        # what a medicine did once, and is no reaction, the model weighs; so does it what somebody "got" who took one
        somebody = at > here.first and not _PERSONS.isdisjoint(phrases("persons").of(words[at - 1]))
        once = effect.kind in ("side", "lesser_changed") and (somebody or "once" in self._lists.of(words[at]))
        if once or any("denied" in phrases("relations").of(word) for word in words[at : effect.first]):
            return (), None
        begin = next((i + 1 for i in range(at - 1, here.first - 1, -1) if words[i] in _ENDS), here.first)
        if only_explained(words, begin, at, effect):
            return (), None
        found = self._before(at, here, _FAR if self._pronoun(at - 1, at) else _GAP)
        if turned and (effect.kind not in _STRONG or any("remedy" in self._effects.of(words[a.first]) for a in found)):
            return (), None
        return found, effect

    def _came_of(self, trigger: FoundTrigger, here: _Stretch) -> tuple[Sequence[Agent], Effect | None]:
        """Read "hives from amoxicillin", and "after a dose of ceftriaxone she developed hives"."""
        words, at = self._words, trigger.first
        found = self._after(trigger.last, here)
        effect = next((e for e in here.effects[::-1] if at - _GAP <= e.last <= at and e.kind in _STRONG), None)
        if effect is None:
            end = found[-1].last if found else trigger.last
            effect = here.effect(end, end + _GAP + 1) if found and "times" in self._lists.of(words[at]) else None
            if effect is None or self._eased(effect, here):  # "on aciclovir day 4, blisters crusting"
                return (), None
            parted = any(words[i] in (".", ";") or i in here.by_first for i in range(end, effect.first))
            return ((), None) if parted else (found, effect)
        apart = words[effect.last : at]
        which = "," not in apart or words[effect.last + apart.index(",") + 1] in ("which", "that")
        which = which or (apart[0] == "," and self._doubts(effect.last + 1, at))
        if not which or not _PARTS.isdisjoint(apart) or (words[at] == "to" and apart and not self._doubts(at - 1, at)):
            return (), None
        if not found and self._words[trigger.last : trigger.last + 1] == ["it"]:
            found = self._earlier(effect.first, here)
        return [one for one in found if "remedy" not in self._effects.of(words[one.first])], effect

    def _doubts(self, first: int, last: int) -> bool:
        """Whether words say no more than how sure somebody is: "probably", "most likely"."""
        return first < last and all(self._lists.of(w) & {"doubt", "degree"} for w in self._words[first:last])

    def _stopped(self, trigger: FoundTrigger, here: _Stretch) -> tuple[Sequence[Agent], Effect | None]:
        """Read "codeine was stopped because of hives"."""
        words, at = self._words, trigger.last
        stop = next((i for i in range(at, here.last) if words[i] == ";"), here.last)
        effect = here.effect(at, stop)
        if effect is None or self._eased(effect, here):
            return (), None
        if not any("reason" in self._lists.of(words[i]) for i in range(at, effect.first)):
            return (), None
        after = [one for one in here.agents if at <= one.first <= at + 1]
        return after[:1] or self._before(trigger.first, here), effect

    def _shorthand(self, trigger: FoundTrigger, here: _Stretch) -> Sequence[Agent]:
        """Read "all: PCN" and "PCN all." of telegraphic notes, and what a test was positive for."""
        words, at = self._words, trigger.last
        opens = trigger.first == here.first or words[trigger.first - 1] in (".", "\n", ",", ";")
        if opens or trigger.row.event == "POSITIVE" or words[at - 1] == ":":
            return self._after(at, here)
        if at >= here.last or words[at] in (".", ",", ";"):
            return self._slots.right_before(trigger.first, here.first, here.agents)
        return ()

    def _eased(self, effect: Effect, here: _Stretch) -> bool:
        """Whether words right behind an effect say that it went away."""
        return "eased" in self._marks.kinds(effect.last, min(here.last, effect.last + _SOON))

    def _pronoun(self, first: int, last: int) -> bool:
        return any("pronoun" in self._lists.of(word) for word in self._words[max(0, first) : last])

    def _after(self, at: int, here: _Stretch, loose: bool = False) -> list[Agent]:
        return list(self._slots.after(at, here.last, here.by_first, loose))

    def _before(self, at: int, here: _Stretch, far: int = _FAR) -> list[Agent]:
        return self._slots.before(at, here.first, here.agents, far)

    def _earlier(self, at: int, here: _Stretch) -> list[Agent]:
        """The names before a place, here or in the sentence before."""
        begin = max(0, here.first - _FAR * 2)
        return self._slots.before(at, begin, self._agents.within(begin, at), _FAR * 2)

    def _entry(self, one: Agent, trigger: FoundTrigger, here: _Stretch, said: str = "", behind: int = 0) -> Entry:
        reaction = self._reaction(max(one.last, behind), here.last)
        told = self._words[trigger.first : trigger.last] if trigger.row.event == "REACTION_TO" else []
        doubted = any("doubt" in self._lists.of(word) for word in told)  # "drug eruption, probable - cefepime"
        form = said == "intolerance" and "route" in self._lists.of(self._words[one.first - 1])
        return Entry(one.first - form, one.last, reaction, said, trigger.row.rule_id, doubted)  # "oral methotrexate"

    def _reaction(self, at: int, last: int) -> str:
        """A reaction in brackets or after a dash right behind a name."""
        if at >= last or self._words[at] not in ("(", "-", "[", '"', ":"):
            return ""
        close = {**_BRACKETS, '"': '"'}.get(self._words[at])
        end = at + 1
        while end < last and (self._words[end] != close if close else self._words[end] not in ("-", *_ENDS, ",")):
            end += 1
        kinds = [k for i in range(at + 1, end) for k in self._lists.of(self._words[i])]
        return self._note.written(at + 1, end) if "allergic" in kinds or "intolerant" in kinds else ""


_EDGES = _ENDS | {","}
_PARTS = _ENDS | {"but", "treated", "given", "then"}
"""What between a reaction and its link parts the two."""
