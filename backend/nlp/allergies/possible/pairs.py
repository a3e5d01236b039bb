"""Pairs of something taken or touched and an effect close to it, with the named features that tell whether the one brought the other."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from backend.nlp.allergies.agents import Agent, Agents
from backend.nlp.allergies.allergy_wording import Mark, Wording, phrases
from backend.nlp.allergies.effects import Effect, effects_of, only_warned, unnamed_effects
from backend.nlp.allergies.persons import of_others
from backend.nlp.allergies.possible.expected import is_known, is_meant, is_price
from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.schemas.vocabulary import SectionCategory

LEFT_OUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY, SectionCategory.INSTRUCTIONS))
EFFECTS = frozenset(
    ("allergic", "changed", "side", "lesser_changed", "avoided", "linked", "measured", "stated", "clause")
)
"""The kinds of effects that are asked about where the note does not answer for its allergies."""
_FAR = 30
"""Words between an agent and an effect."""
_AROUND = 5
_BORDERS = frozenset((";", ":", "."))
_CLAUSE = 9
"""Words beside an agent that are read where no effect is found."""
_VERB = 3
"""Words between an agent and what it is said to have caused."""
_INDICATED = 4
"""Words between "for" and what was treated."""
_BETWEEN = (
    "causes",
    "because",
    "after",
    "exposed",
    "ended",
    "again",
    "eased",
    "avoided",
    "remedied",
    "indicated",
    "ongoing",
    "question",
    "habit",
)


class Pair(NamedTuple):
    """An agent, an effect, and the features that hold of the two; known: the effect makes anybody think of such an agent."""

    agent: Agent
    effect: Effect
    features: tuple[str, ...]
    known: bool = False


class _Around(NamedTuple):
    """The sentences that pairs are told in: what features are read from.

    close: the kinds of words by place. nearest: how far each effect is from the nearest agent. Both as far as they were asked for.
    """

    sentence: Sentence
    agents: Sequence[Agent]
    effects: Sequence[Effect]
    marks: Sequence[Mark]
    close: dict[tuple[int, int], list[str]]
    nearest: dict[int, int]


class Candidate(NamedTuple):
    """A pair before its features are read; known as for a pair."""

    agent: Agent
    effect: Effect
    known: bool
    around: _Around


class PairReader:
    """Gives the pairs of one note."""

    def __init__(self, note: ParsedNote, wording: Wording, agents: Agents, ills: Sequence[tuple[int, int]]) -> None:
        self._note = note
        self._wording = wording
        self._words = wording.words
        self._agents = agents
        self._index = phrases("effects")
        self._marks = wording.effects
        self._relations = wording.relations
        self._named: dict[int, list[Agent]] = {}
        self._ills = ills
        self._others: dict[int, list[tuple[int, int]]] = {}

    def pairs(
        self,
        kept: Callable[[Agent], bool],
        kinds: Collection[str],
        chosen: Callable[[Sequence[Candidate]], Sequence[Candidate]] | None = None,
    ) -> Iterator[Pair]:
        """The pairs of each sentence, and of each with the one before it.

        Args:
            kept: whether an agent is one to ask about.
            kinds: the kinds of effects that are asked about; one that is known of its agent always is.
            chosen: of all candidates those whose features are worth reading, in order; all of them where it is None. A long list
                of medicines has thousands, of which next to none is asked about.

        Yields:
            The pairs with their features.
        """
        candidates = list(self._candidates(kept, kinds))
        for one in candidates if chosen is None else chosen(candidates):
            yield Pair(one.agent, one.effect, tuple(self._features(one.agent, one.effect, one.around)), one.known)

    def _candidates(self, kept: Callable[[Agent], bool], kinds: Collection[str]) -> Iterator[Candidate]:
        before: Sentence | None = None
        effects_before: list[Effect] = []
        for sentence in self._note.sentences:
            if self._note.sections[sentence.section].category in LEFT_OUT:
                before = None
                continue
            here = self._effects(sentence, unnamed="stated" in kinds)
            joined = before if before is not None and before.section == sentence.section else None
            effects = [*effects_before, *here] if joined else here
            if effects or "clause" in kinds:
                yield from self._of(sentence, joined, effects, kept, kinds)
            if here or joined is None or "stated" not in kinds or not self._only_it(sentence):
                before, effects_before = sentence, here

    def _effects(self, sentence: Sentence, unnamed: bool) -> list[Effect]:
        marks = self._marks.within(sentence.first, sentence.last)
        found = list(effects_of(self._words, marks)) if marks else []
        if not unnamed:
            return [one for one in found if one.kind != "avoided"]
        begin = bisect_left(self._ills, (sentence.first, 0))
        end = bisect_left(self._ills, (sentence.last, 0))
        return [*found, *unnamed_effects(self._wording, self._ills[begin:end], found, sentence.first, sentence.last)]

    def _only_it(self, sentence: Sentence) -> bool:
        """Whether a sentence only goes on about what the one before it named, as in "she took it for a week"."""
        return "it" in self._words[sentence.first : sentence.last] and not self._agents_of(sentence)

    def _clauses(self, sentence: Sentence, agents: Sequence[Agent], effects: Sequence[Effect]) -> Iterator[Effect]:
        """What a sentence tells round its agents where no effect is found in it: the words before the first, or behind the last."""
        if self._note.sections[sentence.section].category is SectionCategory.MEDICATIONS:
            return
        if any(e.first >= sentence.first and e.kind not in ("avoided", "linked", "stated") for e in effects):
            return
        here = [one for one in agents if one.first >= sentence.first]
        taken = {(e.first, e.last) for e in effects}
        for one in here:
            apart = (i + 1 for i in range(sentence.first, one.first) if self._words[i] in _BORDERS)
            before = max([sentence.first, *(a.last for a in here if a.last <= one.first), *apart])
            behind = min([sentence.last, *(a.first for a in here if a.first >= one.last)])
            for left, right in (
                (max(before, one.first - _CLAUSE), one.first),
                (one.last, min(behind, one.last + _CLAUSE)),
            ):
                if right - left > 1 and (left, right) not in taken:
                    yield Effect(left, right, "clause")

    def _agents_of(self, sentence: Sentence) -> list[Agent]:
        if sentence.first not in self._named:
            self._named[sentence.first] = self._agents.among(sentence.first, sentence.last)
        return self._named[sentence.first]

    def _others_of(self, sentence: Sentence) -> list[tuple[int, int]]:
        if sentence.first not in self._others:
            self._others[sentence.first] = of_others(self._wording, sentence.first, sentence.last)
        return self._others[sentence.first]

    def _of(
        self,
        sentence: Sentence,
        before: Sentence | None,
        effects: Sequence[Effect],
        kept: Callable[[Agent], bool],
        kinds: Collection[str],
    ) -> Iterator[Candidate]:
        first = before.first if before else sentence.first
        agents = [*(self._agents_of(before) if before else ()), *self._agents_of(sentence)]
        if not agents:
            return
        asked = [one for one in agents if kept(one) and not self._agents.is_replacement(one, first)]
        if not asked:
            return
        if "clause" in kinds:
            effects = [*effects, *self._clauses(sentence, asked, effects)]
        others = [*self._others_of(sentence), *(self._others_of(before) if before else ())]
        marks = self._marks.within(first, sentence.last)
        around = _Around(sentence, agents, effects, marks, {}, {})
        for agent in asked:
            if self._set_aside(agent, others) or self._choked_on(agent):
                continue
            for effect in effects:
                both_before = agent.first < sentence.first and effect.first < sentence.first
                apart = max(effect.first - agent.last, agent.first - effect.last)
                if both_before or apart > _FAR or apart < 0 or self._set_aside(effect, others):
                    continue
                known = self._known(agent, effect, sentence)
                if not known and (effect.kind not in kinds or self._unrelated(agent, effect, marks)):
                    continue
                left, right = min(agent.first, effect.first), max(agent.last, effect.last)
                if not self._given_for(agent, effect) and not only_warned(self._relations, left, right):
                    yield Candidate(agent, effect, known, around)

    def _known(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        if not is_known(self._words, agent[:2], effect) and not self._blamed(agent, effect):
            return self._soon_worse(agent, effect, sentence) or self._by_the_clock(agent, effect, sentence)
        return not self._relations.kinds(sentence.first, effect.first) & {"hypothetical", "warning"}

    def _unrelated(self, agent: Agent, effect: Effect, marks: Sequence[Mark]) -> bool:
        """Whether an infection has the effect as well and nothing blames the agent, or it is the price of a cytotoxic."""
        left, right = min(agent.last, effect.last), max(agent.first, effect.first)
        feverish = effect.kind == "side" and "feverish" in self._marks.kinds(effect.first, effect.last)
        if feverish and not self._marks.kinds(left, right) & {"because", "causes", "ended"}:
            return True
        return self._came_with(agent, effect) or is_price(agent[:2], effect, marks)

    def _set_aside(self, one: Agent | Effect, others: Sequence[tuple[int, int]]) -> bool:
        return any(a <= one.first < b for a, b in others)

    def _choked_on(self, agent: Agent) -> bool:
        """Whether something went down the wrong way: "choked on a peanut"."""
        return "choked" in self._relations.kinds(max(0, agent.first - 3), min(len(self._words), agent.last + 3))

    def _given_for(self, agent: Agent, effect: Effect) -> bool:
        """Whether an agent was given for what follows: "penicillin was given for an itchy rash"; not "stopped for a rash"."""
        words = self._words
        if agent.first > effect.first or "for" not in words[agent.last : effect.first]:
            return False
        blamed = self._marks.kinds(max(0, agent.first - 3), agent.first) & {"because"}
        eased = self._marks.kinds(effect.last, min(len(words), effect.last + 2)) & {"eased"}
        if blamed or (effect.kind in ("stated", "clause") and effect.first > agent.last + 1):
            return False  # "quinine for cramps dropped her platelets"
        if words[agent.last] == "for" and effect.first > agent.last + _INDICATED:
            return words[effect.first] in words[agent.last + 1 : agent.last + 1 + _INDICATED]
        at = max(i for i in range(agent.last, effect.first) if words[i] == "for")
        if "contrasts" in self._relations.kinds(at, effect.first) or any(
            w in (",", ";", ".", "she", "he", "they", "i") or (w == ":" and not eased) for w in words[at : effect.first]
        ):
            return False  # "given Percocet for pain but became confused"
        kinds = self._marks.kinds(agent.last, at)
        return effect.first - at <= _INDICATED and not kinds & {"ended", "because", "causes", "avoided"}

    def _blamed(self, agent: Agent, effect: Effect) -> bool:
        """Whether a verb right between the two says that an agent, or one in a row with it, caused an ill that the linker knows."""
        words, apart = self._words, effect.first - agent.last
        if not 0 < apart <= _VERB * 2 or (apart > _VERB and words[agent.last] not in (",", "and")):
            return False
        ill = effect.kind == "linked" or any(a < effect.first and effect.last == b for a, b in self._ills)
        return ill and "causes" in self._marks.kinds(agent.last, effect.first)

    def _by_the_clock(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether a reaction follows what was given, with its time between: "gave ceftriaxone at 0215, by 0222 lips swollen"."""
        if effect.kind not in ("allergic", "changed") or not sentence.first <= agent.last <= effect.first:
            return False
        words = self._words
        return any(words[i] == "by" and words[i + 1][:1].isdigit() for i in range(agent.last, effect.first))

    def _soon_worse(self, agent: Agent, effect: Effect, sentence: Sentence) -> bool:
        """Whether an ill grew right after something was taken: "took two of them and it got worse within the hour"."""
        if effect.kind != "worse" or agent.first > effect.first:
            return False
        after = self._relations.kinds(agent.last, min(sentence.last, effect.last + _AROUND))
        return "soon" in after and "exposed" in self._marks.kinds(
            max(sentence.first, agent.first - _AROUND), agent.first
        )

    def _came_with(self, agent: Agent, effect: Effect) -> bool:
        """Whether an effect is what somebody came with who had long taken an agent: no "given at noon and presents with hives"."""
        relations, words = phrases("relations"), self._words
        if agent.first > effect.first or not any("came" in relations.of(w) for w in words[agent.last : effect.first]):
            return False
        return not any(
            relations.of(word) & {"new", "remedied"} for word in words[max(0, agent.first - _AROUND) : agent.first]
        )

    def _features(self, agent: Agent, effect: Effect, around: _Around) -> Iterator[str]:
        words = self._words
        sentence, agents, effects, marks, close, nearest = around
        forward = agent.first < effect.first
        left, right = (agent.last, effect.first) if forward else (effect.last, agent.first)
        order = "agent_first" if forward else "effect_first"
        apart = right - left
        distance = "near" if apart <= 2 else "close" if apart <= 6 else "mid" if apart <= 12 else "far"
        yield order
        yield f"{order}:{distance}"
        yield f"effect={effect.kind}"
        yield f"{order}:effect={effect.kind}"
        if is_meant(words, agent[:2], effect) and "ended" not in self._marks.kinds(sentence.first, sentence.last):
            yield "expected"
            yield f"expected:{effect.kind}"
        same = (agent.first < sentence.first) == (effect.first < sentence.first)
        yield "same_sentence" if same else "next_sentence"
        if not same:
            yield f"next_sentence:{effect.kind}"
            opening = frozenset().union(
                *(phrases("relations").of(w) for w in words[sentence.first : sentence.first + 5])
            )
            yield "goes_on" if "goes_on" in opening else "starts_new"
        between = [m for m in marks if left <= m.first and m.last <= right]
        kinds = frozenset().union(*(m.kinds for m in between), self._relations.kinds(left, right))
        for kind in _BETWEEN:
            if kind in kinds:
                yield f"between:{kind}:{order}"
                yield f"between:{kind}:{order}:{effect.kind}"
        for word in words[effect.first : effect.last]:
            if word.isalpha():
                yield f"word:{word}"
        if effect.kind in _LOOSE:
            for kind in self._near(marks, close, effect.first, effect.last):
                yield f"inside:{kind}:{order}"
                yield f"inside:{kind}:{effect.kind}"
        if not kinds & frozenset(_BETWEEN):
            yield f"between:nothing:{order}"
        if any(words[i] in (";", ".") for i in range(left, right)):
            yield "border_between"
        if any(words[i] == "," for i in range(left, right)):
            yield f"comma_between:{order}"
        if any(words[i] in ("-", ":", ">", "(", "=", "\u2192", "/") for i in range(left, right)) and apart <= 4:
            yield f"mark_between:{order}"
        if not same and words[right - 1 : right] == ["it"]:
            yield "it"
        rivals = [a for a in agents if a is not agent and left <= a.first and a.last <= right]
        if rivals:
            yield f"rival_between:{order}"
        if effect.first not in nearest:
            nearest[effect.first] = min(abs(a.first - effect.first) for a in agents)
        if nearest[effect.first] < abs(agent.first - effect.first):
            yield "rival_nearer"
        if len(agents) > 3:
            yield "many_agents"
        for kind in self._near(marks, close, max(sentence.first if same else 0, agent.first - _AROUND), agent.first):
            yield f"before_agent:{kind}:{order}"
        for kind in self._near(marks, close, agent.last, min(sentence.last, agent.last + 4)):
            yield f"after_agent:{kind}:{order}"
        for kind in self._near(marks, close, max(0, effect.first - 4), effect.first):
            yield f"before_effect:{kind}:{order}"
        for kind in self._near(marks, close, effect.last, min(sentence.last, effect.last + 8)):
            yield f"after_effect:{kind}:{order}"
        ends = min(agent.first, effect.first), max(agent.last, effect.last)
        start, stop = (sentence.first if same else ends[0]), sentence.last
        for kind in self._near(marks, close, start, stop):
            if kind in (
                "avoided",
                "ended",
                "again",
                "hypothetical",
                "harmless",
                "denied",
                "today",
                "dose_change",
                "overdose",
                "asks",
                "otherwise",
                "habit",
            ):
                yield f"sentence:{kind}"
                yield f"sentence:{kind}:{effect.kind}"
        own = self._index.of(words[agent.first]) | (self._index.of(words[agent.last - 1]))
        for kind in ("remedy", "commonplace", "cytotoxic", "unnamed", "brand"):
            if kind in own:
                yield f"agent:{kind}"
                yield f"agent:{kind}:{order}"
        if not agent.known:
            yield "agent:strange"
        inside = frozenset().union(*(m.kinds for m in marks if effect.first <= m.first and m.last <= effect.last))
        for kind in ("feverish", "strong"):
            if kind in inside:
                yield f"effect:{kind}"
        several = sum(1 for e in effects if (e.first > agent.last) == forward)
        if several > 1:
            yield f"several_effects:{order}"

    def _near(self, marks: Sequence[Mark], close: dict[tuple[int, int], list[str]], first: int, last: int) -> list[str]:
        if (first, last) not in close:
            kinds = frozenset().union(
                *(m.kinds for m in marks if first <= m.first < last), self._relations.kinds(first, last)
            )
            close[first, last] = sorted(kinds & _CONTEXT)
        return close[first, last]


_LOOSE = frozenset(("stated", "clause", "avoided", "linked"))
_CONTEXT = frozenset(
    (
        "causes", "because", "after", "exposed", "ended", "again", "eased", "avoided", "remedied",
        "indicated", "ongoing", "hypothetical", "harmless", "denied", "today", "dose_change", "overdose",
        "replaced", "soon", "person", "asks", "otherwise", "habit", "new", "past",
    )
)  # fmt: skip
