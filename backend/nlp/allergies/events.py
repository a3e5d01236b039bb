"""What the running text of a note states outright of allergies: triggers with their slots filled, sentence by sentence.

"It" takes the name before. Who reacts, denial and what was tolerated are decided by the caller.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from backend.nlp.allergies.agent_slots import AgentSlots
from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import Wording, phrases
from backend.nlp.allergies.effects import Effect, effects_of
from backend.nlp.allergies.lists.items import Entry
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger

_GAP, _FAR, _SOON = 6, 12, 3
"""Words between an effect and its link; between a cause and its verb; behind an effect, that say what became of it."""
_ENDS = frozenset((".", ";", "\n", "(", ")", ":"))
_DASHES = frozenset(("-", "\u2013", "\u2014", ":"))
OPENING = _DASHES | {"(", "["}
"""What opens a reaction behind its cause."""
FoundEntries = Iterator[tuple[Entry, tuple[int, int]]]
"""Entries, each with the tokens that must be a fact for it to count."""


class EventReader:
    """Reads the events of one note's sentences."""

    def __init__(self, note: ParsedNote, wording: Wording, agents: Agents) -> None:
        self._note = note
        self._words = wording.words
        self._marks = wording.effects
        self._agents = agents
        self._slots = AgentSlots(wording.words, agents)
        self._lists = phrases("lists")
        self._effects = phrases("effects")

    def read(
        self, first: int, last: int, triggers: Sequence[FoundTrigger], agents: Sequence[Agent]
    ) -> Iterator[tuple[Entry, tuple[int, int]]]:
        """The entries of tokens first to last, each with the tokens that must be a fact for it to count."""
        by_first = {one.first: one for one in agents}
        linked = any(t.row.event in _LINKED for t in triggers)
        marks = list(effects_of(self._words, self._marks.within(first, last))) if linked else []
        if not OPENING.isdisjoint(self._words[first:last]):
            yield from self._bracketed(first, last, agents)
        for trigger in triggers:
            event = trigger.row.event
            if event == "SENSITIVE" and "other_subject" in self._marks.kinds(first, trigger.first):
                continue  # "cultures grew E. coli sensitive to gentamicin"
            if event in ("CALLED", "SENSITIVE", "INTOLERANT", "REACTION_TO"):
                for entry in self._called(trigger, first, last, by_first, agents):
                    yield entry, (trigger.first if event == "REACTION_TO" else -trigger.first - 1, trigger.last)
            elif event == "CONTRAINDICATED":
                for entry in self._contraindicated(trigger, first, last, by_first, agents, marks):
                    yield entry, (0, 0)
            elif event == "CAUSES":
                yield from self._causes(trigger, first, last, agents, marks)
            elif event == "CAME_OF":
                yield from self._came_of(trigger, first, last, by_first, marks)
            elif event == "POSITIVE" and any(one.row.event == "CHALLENGE" for one in triggers):
                for one in self._slots.after(trigger.last, last, by_first, loose=False):
                    yield self._entry(one, trigger.row.rule_id, "", last), (0, 0)
            elif event == "NO":
                yield from self._not_given(trigger, last, by_first, marks)
            elif event == "STOPPED":
                yield from self._stopped(trigger, first, last, agents, marks)
            elif event == "SHORTHAND":
                yield from self._shorthand(trigger, first, last, by_first, agents)
            elif event == "AVOID":
                yield from self._avoided(trigger, first, last, by_first, marks)
            elif event == "NOT_TAKEN":
                yield from self._not_taken(trigger, first, last, by_first, marks)

    def _bracketed(self, first: int, last: int, agents: Sequence[Agent]) -> Iterator[tuple[Entry, tuple[int, int]]]:
        """A reaction in brackets or behind a dash, or a cause behind its reaction: "cefazolin (hives)", "anaphylaxis (peanuts)"."""
        for one in agents:
            behind, before = one.last, one.first - 1
            near: list[Effect] = []
            if behind < last and self._words[behind] in _DASHES:
                near = self._dashed(one, behind, last)
            elif behind < last and self._words[behind] in ("(", "["):
                near = [
                    e
                    for e in effects_of(self._words, self._marks.within(behind, min(last, behind + _GAP)))
                    if e.first <= behind + 2
                ]
            elif (
                before > first
                and self._words[before] in ("(", "[")
                and self._words[behind : behind + 1] in ([")"], ["]"])
            ):
                near = [
                    e
                    for e in effects_of(self._words, self._marks.within(max(first, before - 3), before))
                    if e.last == before
                ]
            if near and near[0].kind in _STRONG:
                yield self._entry(one, _BRACKET, "", last), (near[0].first, near[0].last)

    def _dashed(self, one: Agent, behind: int, last: int) -> list[Effect]:
        """The reaction right behind a dash: "Lamotrigine - rash 2020"; none of what a remedy is for, nor of what went away."""
        marks = self._marks.within(behind, min(last, behind + _GAP))
        if "remedy" in self._effects.of(self._words[one.first]) or any("eased" in m.kinds for m in marks):
            return []
        return [e for e in effects_of(self._words, marks) if e.first == behind + 1]

    def _called(
        self, trigger: FoundTrigger, first: int, last: int, by_first: dict[int, Agent], agents: Sequence[Agent]
    ) -> Iterator[Entry]:
        where, event = trigger.row.cells["agent"], trigger.row.event
        rule = trigger.row.rule_id
        said = "intolerance" if event == "INTOLERANT" or self._words[trigger.first].startswith("intol") else ""
        if where in ("before", "far"):
            if where == "far":
                first = max(0, first - _FAR * 2)
                agents = self._agents.within(first, trigger.first)
            for one in self._slots.before(trigger.first, first, agents, _FAR * 2 if where == "far" else _FAR):
                yield self._entry(one, rule, said, last)
            return
        if where in ("beside", "joined"):
            not_own = trigger.last < last and "not_own" in self._lists.of(self._words[trigger.last])
            if not_own and where == "joined":
                return  # "transfusion reaction form"
            left = [
                one
                for one in self._slots.right_before(trigger.first, first, agents)
                if not self._lists.of(self._words[one.first]) & {"vague", "body"}
            ]
            if left:
                for one in left:
                    yield self._entry(one, rule, said, last, trigger.last)
                return
            if where == "joined" or not_own:
                return
            name = self._slots.unknown_before(trigger.first, first) if event == "CALLED" else None
            if name:
                yield self._entry(name, rule, said, last, trigger.last)
                return
            if any(
                "pronoun" in self._lists.of(word) for word in self._words[max(first, trigger.first - 4) : trigger.first]
            ):
                for one in self._slots.before(trigger.first, first, agents, _FAR):
                    yield self._entry(one, rule, said, last, trigger.last)
                return
            if "takes_list" not in self._lists.of(self._words[trigger.first]):
                return
        if where == "after" and self._words[trigger.last - 1] == ":":  # "Amoxicillin allergy: rash"
            left = self._slots.right_before(trigger.first, first, agents)
            if left:
                for one in left:
                    yield self._entry(one, rule, said, last, trigger.last - 1)
                return
        at = trigger.last
        found = list(
            self._slots.after(
                at,
                last,
                by_first,
                loose=event in ("CALLED", "REACTION_TO") and where == "after" and self._words[at - 1] in ("to", ":"),
            )
        )
        if not found and at < last and "pronoun" in self._lists.of(self._words[at]):
            found = self._slots.before(trigger.first, first, agents, _FAR)
        if found and self._words[at - 1] == "to":
            found += self._resumed(found[-1].last, last, by_first)
        for one in found:
            yield self._entry(one, rule, said, last)

    def _resumed(self, at: int, last: int, by_first: dict[int, Agent]) -> list[Agent]:
        """The names behind an aside, where "to" takes up the row again: "allergic to latex, she says, and to kiwi"."""
        joined = next((i for i in range(at, last) if self._words[i] in ("and", "also")), last)
        to = next((i for i in range(joined, last) if self._words[i] == "to"), last)
        if self._words[at : at + 1] != [","] or any(self._words[i] in _ENDS for i in range(at, to)):
            return []
        return [one for one in self._slots.after(to + 1, last, by_first, loose=False) if one.first > to]

    def _contraindicated(
        self,
        trigger: FoundTrigger,
        first: int,
        last: int,
        by_first: dict[int, Agent],
        agents: Sequence[Agent],
        marks: Sequence[Effect],
    ) -> Iterator[Entry]:
        if trigger.row.cells["agent"] == "after":
            found = list(self._slots.after(trigger.last, last, by_first, loose=False))
            if any("with" in self._words[a.last : b.first] for a, b in pairwise(found)):
                return  # "not to take ibuprofen with her warfarin"
            if found and self._words[found[-1].last : found[-1].last + 1] == [":"]:
                # "statins: simvastatin and ..."
                found += self._slots.after(found[-1].last, last, by_first, loose=False)
            if not found and trigger.last < last and "pronoun" in self._lists.of(self._words[trigger.last]):
                begin = max(0, first - _FAR * 2)
                found = self._slots.before(trigger.first, begin, self._agents.within(begin, trigger.first), _FAR * 2)
        else:
            found = self._slots.before(trigger.first, first, agents, _GAP)
        end = max([trigger.last, *(one.last for one in found)])
        effect = self._harm(end, last, marks)
        if effect and self._own(effect):
            return
        if (
            not self._tolerance(trigger)
            and any("other_reason" in self._lists.of(self._words[i]) for i in range(end, last))
            and not self._harm(end, last, marks)
        ):
            return
        for one in found:
            yield self._entry(one, trigger.row.rule_id, "intolerance", last)

    def _tolerance(self, trigger: FoundTrigger) -> bool:
        """Whether the phrase itself tells of harm: "unable to tolerate"."""
        return any(self._words[i].startswith("toler") for i in range(trigger.first, trigger.last))

    def _not_taken(
        self, trigger: FoundTrigger, first: int, last: int, by_first: dict[int, Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        found = list(self._slots.after(trigger.last, last, by_first, loose=False))
        if not found:
            return
        effect = self._harm(found[-1].last, last, marks)
        if (
            effect
            and not self._own(effect)
            and any(
                self._words[i] in ("because", "due", "as", "since", "from", "for")
                for i in range(found[-1].last, effect.first)
            )
        ):
            for one in found:
                yield self._entry(one, trigger.row.rule_id, "", last), (effect.first, effect.last)

    def _own(self, effect: Effect) -> bool:
        """Whether an effect is an illness of the patient's own: "because of her ulcer"."""
        before = self._words[max(0, effect.first - 2) : effect.first]
        if any(word in ("her", "his", "their", "my") for word in before):
            return True
        return effect.last < len(self._words) and "chronic" in self._lists.of(self._words[effect.last])

    def _harm(self, first: int, last: int, marks: Sequence[Effect]) -> Effect | None:
        return next((m for m in marks if first <= m.first and m.last <= last and m.kind in _HARM), None)

    def _causes(
        self, trigger: FoundTrigger, first: int, last: int, agents: Sequence[Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        found = self._slots.before(
            trigger.first, first, agents, _FAR if "pronoun" in self._lists.of(self._words[trigger.first - 1]) else _GAP
        )
        stop = next((i for i in range(trigger.last, last) if self._words[i] in _ENDS), last)
        effect = self._effect_after(trigger.first, min(stop, trigger.last + _GAP), marks)
        if effect and effect.first == trigger.first and self._eased(effect, last):
            return
        if (
            effect
            and effect.kind in ("side", "lesser_changed")
            and "once" in self._lists.of(self._words[trigger.first])
        ):
            return  # what a medicine did once, and is no reaction, the model weighs
        if (
            found
            and effect
            and not any("denied" in phrases("relations").of(w) for w in self._words[trigger.first : effect.first])
        ):
            for one in found:
                yield (
                    self._entry(one, trigger.row.rule_id, "", last)._replace(
                        reaction=self._note.written(effect.first, effect.last)
                    ),
                    (effect.first, effect.last),
                )

    def _came_of(
        self, trigger: FoundTrigger, first: int, last: int, by_first: dict[int, Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        near = [m for m in marks if m.last <= trigger.first and trigger.first - m.last <= _GAP and m.kind in _STRONG]
        if not near:
            yield from self._came_first(trigger, last, by_first, marks)
            return
        if any(
            self._words[i] in _ENDS
            or self._words[i] in ("but", "treated", "given", "then")
            or (self._words[i] == "," and self._words[i + 1] not in ("which", "that"))  # "a rash, which came from"
            for i in range(near[-1].last, trigger.first)
        ):
            return
        effect = near[-1]
        if self._words[trigger.first] == "to" and effect.last < trigger.first:
            return
        found = list(self._slots.after(trigger.last, last, by_first, loose=False))
        if not found and trigger.last < last and self._words[trigger.last] == "it":
            begin = max(0, effect.first - _FAR * 2)
            found = self._slots.before(effect.first, begin, self._agents.within(begin, effect.first), _FAR * 2)
        for one in found:
            if "remedy" not in self._effects.of(self._words[one.first]):
                yield (
                    self._entry(one, trigger.row.rule_id, "", last)._replace(
                        reaction=self._note.written(effect.first, effect.last)
                    ),
                    (effect.first, effect.last),
                )

    def _came_first(
        self, trigger: FoundTrigger, last: int, by_first: dict[int, Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        """Read "After a dose of ceftriaxone she developed hives"."""
        if "times" not in self._lists.of(self._words[trigger.first]):
            return
        found = list(self._slots.after(trigger.last, last, by_first, loose=False))
        if not found:
            return
        end = found[-1].last
        effect = next((m for m in marks if end <= m.first <= end + _GAP and m.kind in _STRONG), None)
        if effect and self._eased(effect, last):
            return  # "on aciclovir day 4, blisters crusting"
        if effect and not any(self._words[i] in (".", ";") or i in by_first for i in range(end, effect.first)):
            for one in found:
                yield self._entry(one, trigger.row.rule_id, "", last), (effect.first, effect.last)

    def _stopped(
        self, trigger: FoundTrigger, first: int, last: int, agents: Sequence[Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        stop = next((i for i in range(trigger.last, last) if self._words[i] == ";"), last)
        effect = next((m for m in marks if trigger.last <= m.first < stop and m.kind in _STRONG), None)
        if effect is None or not any(
            "reason" in self._lists.of(self._words[i]) for i in range(trigger.last, effect.first)
        ):
            return
        if self._eased(effect, last):
            return
        after = [a for a in agents if a.first in (trigger.last, trigger.last + 1)]
        for one in after[:1] or self._slots.before(trigger.first, first, agents, _FAR):
            yield self._entry(one, trigger.row.rule_id, "", last), (effect.first, effect.last)

    def _avoided(
        self, trigger: FoundTrigger, first: int, last: int, by_first: dict[int, Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        found = list(self._slots.after(trigger.last, last, by_first, loose=False))
        end = max([trigger.last, *(one.last for one in found)])
        effect = self._harm(end, min(last, end + _FAR), marks) or self._harm(
            first, trigger.first, [m for m in marks if m.kind in _STRONG]
        )
        if found and effect and not self._own(effect):
            for one in found:
                yield self._entry(one, trigger.row.rule_id, "", last), (0, 0)

    def _not_given(
        self, trigger: FoundTrigger, last: int, by_first: dict[int, Agent], marks: Sequence[Effect]
    ) -> FoundEntries:
        """Read "no NSAIDs 2/2 hives"."""
        one = by_first.get(trigger.last)
        if one is None or one.last >= last or "reason" not in self._lists.of(self._words[one.last]):
            return
        effect = next((m for m in marks if one.last < m.first <= one.last + _GAP and m.kind in _STRONG), None)
        if effect and not any(self._words[i] in (",", *_ENDS) for i in range(one.last, effect.first)):
            yield self._entry(one, trigger.row.rule_id, "", last), (0, 0)

    def _shorthand(
        self, trigger: FoundTrigger, first: int, last: int, by_first: dict[int, Agent], agents: Sequence[Agent]
    ) -> FoundEntries:
        """Read "all: PCN" and "PCN all." of telegraphic notes."""
        opens = (
            trigger.first == first
            or self._words[trigger.first - 1] in (".", "\n", ",", ";")
            or self._words[trigger.last - 1] == ":"
        )
        if opens:
            for one in self._slots.after(trigger.last, last, by_first, loose=False):
                yield self._entry(one, trigger.row.rule_id, "", last), (0, 0)
        elif trigger.last >= last or self._words[trigger.last] in (".", ",", ";"):
            for one in self._slots.right_before(trigger.first, first, agents):
                yield self._entry(one, trigger.row.rule_id, "", last), (0, 0)

    def _eased(self, effect: Effect, last: int) -> bool:
        """Whether words right behind an effect say that it went away."""
        return "eased" in self._marks.kinds(effect.last, min(last, effect.last + _SOON))

    def _effect_after(self, first: int, last: int, marks: Sequence[Effect]) -> Effect | None:
        return next((m for m in marks if first <= m.first < last and m.kind in _HARM), None)

    def _entry(self, one: Agent, rule: str, said: str, last: int, after: int | None = None) -> Entry:
        return Entry(one.first, one.last, self._reaction(max(one.last, after or 0), last), said, rule)

    def _reaction(self, at: int, last: int) -> str:
        """A reaction in brackets or after a dash right behind a name."""
        if at >= last or self._words[at] not in ("(", "-", "[", '"', ":"):
            return ""
        close = {"(": ")", "[": "]", '"': '"'}.get(self._words[at])
        end = at + 1
        while end < last and (self._words[end] != close if close else self._words[end] not in ("-", *_ENDS, ",")):
            end += 1
        kinds = [k for i in range(at + 1, end) for k in self._lists.of(self._words[i])]
        return self._note.written(at + 1, end) if "allergic" in kinds or "intolerant" in kinds else ""


_BRACKET = "allergies/events/bracket"
_HARM = frozenset(("allergic", "side", "changed", "lesser_changed"))
_STRONG = frozenset(("allergic", "changed"))
_LINKED = frozenset(("NO", "STOPPED", "AVOID", "CAUSES", "CAME_OF", "CONTRAINDICATED", "NOT_TAKEN"))
