"""What a note takes back of allergies, or tells as taken without harm: stretches that list nothing, and names that count no more near them."""

from collections.abc import Iterator, Sequence

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import Wording, members, phrases
from backend.nlp.allergies.effects import effects_of
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger

Span = tuple[int, int]
_NEAR = 4
_BACK = 60
"""Words between an allergy and what takes it back."""
_CLAUSE = frozenset((".", ";", ")", "but", "\n"))
_PARTS = frozenset((".", ";", ",", "(", ")", "but", "\n", "-", "\u2014", "\u2013", ":"))
_STOPS_BEFORE = frozenset((".", ";", "\n", ",", "[", "]"))
_STOPS_AFTER = frozenset((".", ";", "\n", ",", "]"))


class TakenBack:
    """What one note takes back; it grows while the note's sentences are read."""

    def __init__(self, note: ParsedNote, wording: Wording, agents: Agents, allergens: Allergens) -> None:
        self._note = note
        self._wording = wording
        self._agents = agents
        self._allergens = allergens
        self._taken_back: list[tuple[str, int]] = []

    def harmless(
        self, first: int, last: int, triggers: Sequence[FoundTrigger], agents: Sequence[Agent], in_list: bool = False
    ) -> list[Span]:
        """The stretches that tell what was taken back or taken without harm."""
        words = self._wording.words
        spans: list[Span] = []
        for one in triggers:
            begin, end = one.first, one.last
            if one.row.event == "TOLERATED":
                where = one.row.cells["agent"]
                stop = next((i for i in range(end, last) if words[i] in _CLAUSE), last)
                taken = where == "before" and bool(self._agents.within(end, min(stop, end + 2)))
                if taken or where == "after" or (where == "beside" and self._names_after(end, stop)):
                    end = stop
                else:
                    while begin > first and words[begin - 1] not in (".", ";", "(", ",", "but", "\n"):
                        begin -= 1
                    end = end if self._agents.within(end, stop) else stop
            elif one.row.event == "WITHDRAWN" or (one.row.event == "CHALLENGE" and self._passed(one, last)):
                near = words[max(first, begin - _NEAR) : end]
                if any("intolerance" in phrases("lists").of(word) for word in near):
                    continue  # "codeine (intolerance, not allergy)"
                named = in_list or one.row.event != "WITHDRAWN" or one.row.cells["agent"] != "near"
                if not (named or self._wording.called.within(first, last)):
                    continue  # "crossed out of her repeat list" tells of a medicine that was stopped
                while begin > first and words[begin - 1] not in _STOPS_BEFORE:
                    begin -= 1
                while end < last and words[end] not in _STOPS_AFTER:
                    end += 1
                if begin > first and not any(begin <= a.first < end for a in agents):
                    begin -= 1
                    while begin > first and words[begin - 1] not in _STOPS_BEFORE:
                        begin -= 1
            else:
                continue
            spans.append((begin, end))
            self._take_back(one, begin, end, first)
        return spans

    def used(self, first: int, last: int, agents: Sequence[Agent], begun: bool) -> Iterator[Span]:
        """The clauses of a list, after its first answer, that tell what is used or was given: "now on ezetimibe", "losartan started"."""
        words, table = self._wording.words, phrases("lists")
        for mark in table.found(words, first, last):
            if not mark.kinds & {"used", "used_instead", "used_first"}:
                continue
            begin = next((i + 1 for i in range(mark.first - 1, first - 1, -1) if words[i] in _PARTS), first)
            end = next((i for i in range(mark.last, last) if words[i] in _PARTS), last)
            here = [one for one in agents if begin <= one.first < end]
            if not here or ("used_first" in mark.kinds and mark.first > begin):
                continue
            ahead = here[0].last <= mark.first
            in_use = "used_instead" in mark.kinds if ahead else bool(mark.kinds & {"used", "used_first"})
            before = begun or any(one.last <= begin for one in agents)
            # the reaction may stand in the next clause: "penicillin given once, rash"
            until = next((i for i in range(end, last) if words[i] in (".", ";", "\n")), last)
            until = min([until, *(one.first for one in agents if one.first >= end)])
            marks = self._wording.effects.within(begin, until if ahead else end)
            reacts = any(True for _ in effects_of(words, marks)) or any(
                table.of(word) & {"allergic", "intolerant"} for word in words[begin:end]
            )
            if in_use and before and not reacts:
                yield begin, end

    def holds(self, first: int, last: int) -> bool:
        """Whether a name is taken back close after it, or in the stretch where it stands."""
        if not self._taken_back:
            return False
        key = self._key(first, last)
        return any(name == key and -_BACK <= at - first <= _BACK for name, at in self._taken_back)

    def _take_back(self, trigger: FoundTrigger, begin: int, end: int, first: int) -> None:
        """Note what a stretch takes back: what it names, else the name before it, here or in the sentence before."""
        words, lists = self._wording.words, phrases("lists")
        stop = next((i for i in range(end, len(words)) if words[i] in _CLAUSE), end)
        kinds = frozenset().union(*(lists.of(word) for word in words[begin:stop]))
        if trigger.row.event == "TOLERATED" and ("guarded" in kinds or "retaken" not in kinds):
            return
        agents = self._agents.within(begin, end)
        if not agents and trigger.row.event == "TOLERATED" and "after_that" not in kinds:
            return  # "otherwise tolerates", "the XR tolerated"
        if not agents:
            before = max(0, (self._note.sentence_at(self._note.tokens.starts[first]) or 0) - 1)
            agents = self._agents.within(self._note.sentences[before].first, begin)[-1:]
        for one in agents:
            key = self._key(one.first, one.last)
            self._taken_back.append((key, begin))
            self._taken_back += [(allergy, begin) for taken, allergy in members() if taken == key]

    def _key(self, first: int, last: int) -> str:
        said = self._note.written(first, last)
        concept = self._allergens.concept(said)
        return (concept.name if concept else said).lower()

    def _passed(self, challenge: FoundTrigger, last: int) -> bool:
        """Whether a challenge or a test showed that there is no allergy."""
        lists, words = phrases("lists"), self._wording.words
        near = [
            *words[max(0, challenge.first - 4) : challenge.first],
            *words[challenge.last : min(last, challenge.last + 9)],
        ]
        return any("passed" in lists.of(word) for word in near)

    def _names_after(self, first: int, last: int) -> bool:
        """Whether a name follows a word like "tolerates"."""
        return bool(self._agents.within(first, last)) or any(self._agents.strange(i) for i in range(first, last))
